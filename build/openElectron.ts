import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { exitCode } from '../src/shared/errors.ts';
import { root } from './repository.ts';

const patienceMs = 30_000;
/** How long Electron may take to end when it is asked to. */
const endMs = 5_000;

/** Sends a signal to a process and to all that it has started. They may have ended. */
function signalAll(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // None of them is left.
  }
}

/**
 * Opens the built program in Electron and waits for its end.
 *
 * @param store the store, as given; undefined for the usual one
 * @param log file that gets what Electron writes
 * @param patience milliseconds within which page and engine must have met
 * @returns the exit code; or in a sentence why no window was used, once all of Electron's processes have ended
 */
export async function openElectron(
  executable: string,
  store: string | undefined,
  log: string,
  patience = patienceMs,
): Promise<number | string> {
  mkdirSync(dirname(log), { recursive: true });
  const written = createWriteStream(log);
  const child = spawn(executable, [root], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // In its own group, all of which can be ended.
    detached: process.platform !== 'win32',
    env: store === undefined ? process.env : { ...process.env, ASSIZE_STORE: store },
  });
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  child.stdout?.pipe(written, { end: false });
  child.stderr?.pipe(written, { end: false });

  const closed = new Promise((resolve) => child.on('close', resolve));
  let [started, interrupted, late] = [false, false, false];
  const pass = (signal: NodeJS.Signals) => {
    interrupted = true;
    child.kill(signal);
  };
  process.on('SIGINT', pass);
  process.on('SIGTERM', pass);
  const timers: NodeJS.Timeout[] = [];
  const { pid } = child;
  const giveUp = () => {
    late = true;
    if (pid === undefined) return;
    signalAll(pid, 'SIGTERM');
    timers.push(setTimeout(() => signalAll(pid, 'SIGKILL'), endMs));
  };
  timers.push(setTimeout(giveUp, patience));
  child.on('message', () => {
    if (late) return;
    started = true;
    for (const timer of timers) clearTimeout(timer);
    child.disconnect();
  });

  const ending = await new Promise<{ code: number | null; how: string }>((resolve) => {
    child.on('error', ({ message }) => resolve({ code: null, how: `cannot be started (${message})` }));
    child.on('exit', (code, signal) =>
      resolve({ code, how: signal === null ? `ended with code ${code}` : `was ended by ${signal}` }),
    );
  });
  for (const timer of timers) clearTimeout(timer);
  process.off('SIGINT', pass);
  process.off('SIGTERM', pass);
  if (pid !== undefined && !started) {
    signalAll(pid, 'SIGKILL');
    await closed;
  }
  await new Promise<void>((done) => written.end(done));
  if (started || interrupted) return ending.code ?? exitCode.interrupted;
  return late
    ? `Electron's window was not ready within ${patience / 1000} s, and was closed.`
    : `Electron ${ending.how} before its window was ready.`;
}
