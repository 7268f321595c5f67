// Requests about the engine itself.
import { basename } from 'node:path';
import type { EngineStatus } from '../../../../shared/api/engine.ts';
import { programVersion } from '../../version.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import type { StreamSource } from '../streams.ts';

function statusOf({ launch, runs, network }: Service): EngineStatus {
  return {
    version: programVersion,
    incarnation: launch.incarnation,
    store: basename(launch.store),
    runs: [...runs.all()],
    connections: network.connections(),
    refused: network.refused(),
  };
}

type EngineBody = { kind: 'status'; status: EngineStatus } | { kind: 'gap' };

function statusSource(service: Service): StreamSource<EngineBody> {
  let changed = true;
  return {
    listen: (tell) =>
      service.changes.onStatus(() => {
        changed = true;
        tell();
      }),
    take(replaceable) {
      if (!changed || !replaceable) return [];
      changed = false;
      return [{ kind: 'status', status: statusOf(service) }];
    },
    gap() {
      changed = true;
      return { kind: 'gap' };
    },
  };
}

export const engine = {
  status: os.engine.status.handler(({ context: { service } }) => statusOf(service)),
  watch: os.engine.watch.handler(({ context: { service, streams }, signal }) => streams.open(statusSource(service), signal)),
};
