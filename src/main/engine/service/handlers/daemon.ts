import type { DaemonLog, DaemonStatus } from '../../../../shared/api/daemon.ts';
import { withoutFolders } from '../failures.ts';
import { os } from '../os.ts';
import type { DaemonManager } from '../service.ts';
import type { StreamSource } from '../streams.ts';
import { logTeller } from './daemonLog.ts';

/** What the daemon itself says may name folders of this machine. */
const told = ({ problem, ...status }: DaemonStatus): DaemonStatus => ({
  ...status,
  problem: problem === null ? null : withoutFolders(problem),
});

const toldLog = logTeller(withoutFolders);

type DaemonBody = { kind: 'status'; status: DaemonStatus } | { kind: 'log'; log: DaemonLog } | { kind: 'gap' };

/** Status and log replace what was told of them before. */
function daemonSource(manager: DaemonManager): StreamSource<DaemonBody> {
  const changed = { status: true, log: true };
  return {
    listen: (tell) =>
      manager.onChange((what) => {
        changed[what] = true;
        tell();
      }),
    take(replaceable) {
      if (!replaceable) return [];
      const bodies: DaemonBody[] = [];
      if (changed.status) bodies.push({ kind: 'status', status: told(manager.status()) });
      if (changed.log) bodies.push({ kind: 'log', log: toldLog(manager.log()) });
      changed.status = false;
      changed.log = false;
      return bodies;
    },
    gap() {
      changed.status = true;
      changed.log = true;
      return { kind: 'gap' };
    },
  };
}

export const daemon = {
  status: os.daemon.status.handler(async ({ context: { service }, signal }) => told(await service.daemon.look(signal))),
  watch: os.daemon.watch.handler(({ context: { service, streams }, signal }) =>
    streams.open(daemonSource(service.daemon), signal),
  ),
  start: os.daemon.start.handler(async ({ context: { service } }) => told(await service.daemon.start())),
  stop: os.daemon.stop.handler(async ({ context: { service } }) => told(await service.daemon.stop())),
};
