import { fork } from 'node:child_process';
import { engineEnvironment } from '../../main/engine/service/engineEnvironment.ts';
import { type EngineProcess, engineNodeOptions } from '../../main/engine/service/supervisor.ts';
import type { Launch } from '../../shared/api/control.ts';

/**
 * Starts the engine as a child process that talks over Node's own channel. All that it prints goes to this
 * process's stderr: stdout carries only results.
 * @param entry file that the process runs
 */
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
