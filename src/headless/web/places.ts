import { fork, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { engineEnvironment } from '../../main/engine/service/engineEnvironment.ts';
import { type EngineProcess, engineNodeOptions } from '../../main/engine/service/supervisor.ts';
import type { Launch } from '../../shared/api/control.ts';

const here = import.meta.dirname;
const fromSource = import.meta.filename.endsWith('.ts');

/** The program's root: above `src/headless/web`, or above the bundle's `out/headless`. */
const root = resolve(here, fromSource ? '../../..' : '../..');

export const places = {
  program: root,
  engine: fromSource ? join(root, 'src/main/engine/service/main.ts') : join(here, 'engine.js'),
  screens: join(root, 'out/renderer'),
  resources: join(root, 'resources'),
} as const;

/** Starts the engine as a child process with Node's channel; its output goes to stderr. @param entry file that it runs */
export function forkEngine(entry: string, launch: Launch): EngineProcess {
  const child = fork(entry, [JSON.stringify(launch)], {
    serialization: 'advanced',
    env: engineEnvironment(),
    // Options of this process, such as --eval or --inspect, are not the engine's.
    execArgv: [...engineNodeOptions],
    stdio: ['ignore', 2, 2, 'ipc'],
    // Ctrl+C reaches every process of the terminal; the host stops this one in order.
    detached: process.platform !== 'win32',
  });
  const exitListeners: ((code: number | null) => void)[] = [];
  let gone = false;
  const end = (code: number | null) => {
    if (gone) return;
    gone = true;
    for (const listener of exitListeners) listener(code);
  };
  child.on('exit', end);
  child.on('error', () => {
    if (child.pid === undefined) end(null);
  });
  return {
    send(message) {
      // A process that has just died takes no message; its exit shows it.
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void exitListeners.push(listener),
    kill: () => void child.kill('SIGKILL'),
  };
}

interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The program that opens an address, and its words before the address; null where no screen is. */
export function openerOf({ platform, env }: Surroundings): readonly [command: string, ...words: string[]] | null {
  if (platform === 'darwin') return ['open'];
  // `start` is a word of the shell, which would read parts of the address as commands.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}

/** Opens an address in the user's browser if there is one. The address was printed, so failing is no error. */
export function openBrowser(url: string): void {
  const opener = openerOf(process);
  if (opener === null) return;
  const [command, ...words] = opener;
  const child = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
