import type { MessagePortMain, UtilityProcess } from 'electron';
import type { Launch } from '../../shared/api/control.ts';
import { engineEnvironment } from '../engine/service/engineEnvironment.ts';
import type { EngineProcess } from '../engine/service/supervisor.ts';

type Fork = (
  modulePath: string,
  words: string[],
  options: { serviceName: string; stdio: 'inherit'; env: NodeJS.ProcessEnv },
) => ForkedProcess;
type ForkedProcess = Pick<UtilityProcess, 'postMessage' | 'kill' | 'pid'> & {
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
};

export function forkEngine(fork: Fork, modulePath: string, launch: Launch): EngineProcess {
  const env = engineEnvironment();
  const child = fork(modulePath, [JSON.stringify(launch)], { serviceName: 'Assize engine', stdio: 'inherit', env });
  return {
    send: (message, transfer = []) => child.postMessage(message, transfer as MessagePortMain[]),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.on('exit', (code) => listener(code)),
    kill() {
      // Electron's own way asks, and an engine that hangs does not hear it.
      if (child.pid === undefined) {
        child.kill();
        return;
      }
      try {
        process.kill(child.pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile, as `exit` is about to report.
      }
    },
  };
}
