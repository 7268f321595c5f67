import { spawn } from 'node:child_process';
import { exitCode } from '../src/shared/errors.ts';
import { root } from './repository.ts';

/** How Electron ends where the system lacks one of its libraries, or does not let it build its sandbox. */
const missingLibrary = 127;
const crashes: readonly (NodeJS.Signals | null)[] = ['SIGTRAP', 'SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL'];

/**
 * Opens the built program in Electron and waits for its end.
 * @param store the store, as given; undefined for the usual one
 * @returns the exit code, or null where Electron does not run on this system
 */
export function openElectron(executable: string, store: string | undefined): Promise<number | null> {
  const env = store === undefined ? process.env : { ...process.env, ASSIZE_STORE: store };
  const child = spawn(executable, [root], { stdio: 'inherit', env });
  // Ctrl+C reaches Electron by itself, which ends in order.
  const onInterrupt = () => undefined;
  const onTerminate = () => child.kill('SIGTERM');
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  return new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('exit', (code, signal) =>
      resolve(code === missingLibrary || crashes.includes(signal) ? null : (code ?? exitCode.interrupted)),
    );
  }).finally(() => {
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onTerminate);
  });
}
