import { appendFileSync, mkdirSync } from 'node:fs';
import { isAbsolute, join, posix, resolve } from 'node:path';
import { inspect } from 'node:util';
import { homeFolder } from '../homeFolder.ts';

/** Where the platform keeps logs: the same file as the command line's (bin/assize.js, which no module can import). */
export function logFile(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform, home: string): string {
  const folder = () => {
    if (env.ASSIZE_LOG_DIR) return resolve(env.ASSIZE_LOG_DIR);
    if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Assize', 'Logs');
    if (platform === 'darwin') return join(home, 'Library', 'Logs', 'Assize');
    const state = env.XDG_STATE_HOME;
    return join(state && isAbsolute(state) ? state : join(home, '.local', 'state'), 'assize');
  };
  return join(folder(), 'assize.log');
}

export const ownLogFile = (): string => logFile(process.env, process.platform, homeFolder() ?? posix.sep);

/** Writes an error with its stack to the log. Never throws: what cannot be logged goes to stderr. */
export function keepError(error: unknown): void {
  const heading = `${new Date().toISOString()} assize engine, Node ${process.version}, ${process.platform} ${process.arch}`;
  const text = `${heading}\n${inspect(error)}\n\n`;
  try {
    const file = ownLogFile();
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    appendFileSync(file, text, { mode: 0o600 });
  } catch {
    process.stderr.write(text);
  }
}
