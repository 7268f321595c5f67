// Requests about the engine itself, its settings and its whole record.
import { basename } from 'node:path';
import type { EngineStatus } from '../../../../shared/api/engine.ts';
import { type RecordFrame, recordFrameSchema } from '../../../../shared/api/record.ts';
import { programVersion } from '../../version.ts';
import { os } from '../os.ts';
import type { Service } from '../service.ts';
import { follow, latestFrames, newestOf } from '../streams.ts';

function statusOf({ launch, elsewhere, runs, network }: Service): EngineStatus {
  return {
    version: programVersion,
    incarnation: launch.incarnation,
    store: basename(launch.store),
    elsewhere: elsewhere(),
    runs: [...runs.all()],
    connections: network.connections(),
    refused: network.refused(),
  };
}

export const engine = {
  status: os.engine.status.handler(({ context: service }) => statusOf(service)),
  watch: os.engine.watch.handler(({ context: service, signal }) => {
    const source = newestOf((changed) => service.changes.onStatus(() => changed('status')), { status: () => statusOf(service) });
    return follow(source, signal);
  }),
};

export const settings = {
  read: os.settings.read.handler(({ context: service }) => service.settings.read()),
  change: os.settings.change.handler(async ({ context: service, input }) => {
    const changed = service.settings.change(input);
    // Calls to a host that is no longer allowed end now and not with the next call.
    service.network.dispatcher();
    service.changes.status();
    if (input.ollamaUrl !== undefined) await service.daemon.moved();
    return changed;
  }),
};

export const record = {
  check: os.record.check.handler(({ context: { queries }, signal: outer }) =>
    latestFrames<RecordFrame>(outer, async (signal, show) => ({
      kind: 'done',
      check: await queries.run('recordCheck', null, signal, ({ what, counted }) => {
        const frame = recordFrameSchema.safeParse({ kind: 'progress', stage: what, ...counted });
        if (frame.success) show(frame.data);
      }),
    })),
  ),
};
