import type { DaemonFrame, DaemonLog, DaemonStatus } from '../../../../shared/api/daemon.ts';
import { withoutFolders } from '../failures.ts';
import { os } from '../os.ts';
import { follow, newestOf } from '../streams.ts';

/** What the daemon itself says may name folders of this machine. */
const shown = ({ problem, ...status }: DaemonStatus): DaemonStatus => ({
  ...status,
  problem: problem === null ? null : withoutFolders(problem),
});

/**
 * The log as a screen gets it. A stored line is the same object every time, so each is searched
 * only once, when it is first sent.
 * @param tellable a line's text as it may be shown
 */
export function logTeller(tellable: (text: string) => string): (log: DaemonLog) => DaemonLog {
  const known = new WeakMap<object, DaemonLog['lines'][number]>();
  const tell = (line: DaemonLog['lines'][number]) => {
    const shown = known.get(line) ?? { at: line.at, text: tellable(line.text) };
    known.set(line, shown);
    return shown;
  };
  return ({ lines, dropped }) => ({ lines: lines.map(tell), dropped });
}

const toldLog = logTeller(withoutFolders);

export const daemon = {
  status: os.daemon.status.handler(async ({ context: service, signal }) => shown(await service.daemon.look(signal))),
  watch: os.daemon.watch.handler(({ context: { daemon: manager }, signal }) => {
    const source = newestOf<'status' | 'log', DaemonFrame>(manager.onChange, {
      status: () => ({ kind: 'status', status: shown(manager.status()) }),
      log: () => ({ kind: 'log', log: toldLog(manager.log()) }),
    });
    return follow(source, signal);
  }),
  start: os.daemon.start.handler(async ({ context: service }) => shown(await service.daemon.start())),
  stop: os.daemon.stop.handler(async ({ context: service }) => shown(await service.daemon.stop())),
};
