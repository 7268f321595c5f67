import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { DaemonStatus } from '../../../../shared/api/daemon.ts';
import { attempt } from '../../attempt.ts';
import { homeFolder } from '../../homeFolder.ts';

/** What finding the program goes by. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly executable: (path: string) => boolean;
}

export interface FoundProgram {
  readonly path: string;
  readonly how: NonNullable<DaemonStatus['program']>;
}

/** The variable that names the program; what it names is the one, or there is none. */
export const programVariable = 'ASSIZE_OLLAMA';

export const noProgramWords = `no program of Ollama was found on this machine; install it, or name it in ${programVariable}`;

const isExecutable = (path: string): boolean =>
  attempt(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }, false);

export const surroundings = (): Surroundings => ({
  platform: process.platform,
  env: process.env,
  // Never the current folder, where anyone may have put a program.
  home: homeFolder() ?? posix.sep,
  executable: isExecutable,
});

/** Where Ollama's installers put it, for a program that was started without a shell's PATH. */
function usualPlaces({ platform, env, home }: Surroundings): string[] {
  if (platform === 'win32') {
    const own = env.LOCALAPPDATA ?? win32.join(home, 'AppData', 'Local');
    return [win32.join(own, 'Programs'), env.ProgramFiles, env['ProgramFiles(x86)']].flatMap((folder) =>
      folder === undefined ? [] : [win32.join(folder, 'Ollama', 'ollama.exe')],
    );
  }
  if (platform === 'darwin') {
    const app = '/Applications/Ollama.app/Contents/Resources/ollama';
    return [app, posix.join(home, app), '/opt/homebrew/bin/ollama', '/usr/local/bin/ollama'];
  }
  const folders = ['/usr/local/bin', '/usr/bin', '/opt/ollama/bin', '/opt/ollama'];
  const others = [posix.join(home, '.local/bin'), '/snap/bin', '/home/linuxbrew/.linuxbrew/bin'];
  return [...folders, ...others].map((folder) => posix.join(folder, 'ollama'));
}

/** Ollama's program: the configured one, else the first on PATH, else the first in a usual place. Null where there is none. */
export function findProgram(around: Surroundings): FoundProgram | null {
  const { platform, env, executable } = around;
  const { join, isAbsolute, delimiter } = platform === 'win32' ? win32 : posix;
  const configured = env[programVariable];
  if (configured !== undefined) return executable(configured) ? { path: configured, how: 'configured' } : null;
  const named = platform === 'win32' ? 'ollama.exe' : 'ollama';
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const onPath = folders.map((folder) => join(folder, named)).find(executable);
  if (onPath !== undefined) return { path: onPath, how: 'path' };
  const usual = usualPlaces(around).find(executable);
  return usual === undefined ? null : { path: usual, how: 'usual-place' };
}
