import type { DaemonLog } from '../../../../shared/api/daemon.ts';

/**
 * The log as a screen is told it. Of a line that is kept the log has the same object every time: each is looked through
 * once, when it is first told, however often the log is.
 * @param tellable a line's text as it may be shown
 */
export function logTeller(tellable: (text: string) => string): (log: DaemonLog) => DaemonLog {
  const told = new WeakMap<object, DaemonLog['lines'][number]>();
  const tell = (line: DaemonLog['lines'][number]) => {
    const known = told.get(line) ?? { at: line.at, text: tellable(line.text) };
    told.set(line, known);
    return known;
  };
  return ({ lines, dropped }) => ({ lines: lines.map(tell), dropped });
}
