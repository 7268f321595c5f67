import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ServerWords {
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Path that answers with success once the server is ready. */
  readonly ready: string;
  /** How long it may take until then; half a minute by default. */
  readonly limitSeconds?: number;
}

const pauseMs = 50;

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** A server in its own process, which can be killed and started again at the same address. */
export type ServerProcess = Awaited<ReturnType<typeof startServer>>;

/** Starts a server and waits until it is ready. Throws with the end of its log where it is not. */
export async function startServer(port: number, { command, environment, ready, limitSeconds = 30 }: ServerWords) {
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let written = '';
  let end = 'the server runs';
  const ending = () => `${end}; the end of its log:\n${written.slice(-4000)}`;
  const gone = () => child === null || child.exitCode !== null || child.signalCode !== null;
  const kill = async () => {
    const running = child;
    if (running === null || gone()) return;
    const exited = once(running, 'exit');
    // The group, since a server can have started others.
    process.kill(-(running.pid ?? 0), 'SIGKILL');
    await exited;
  };
  const start = async () => {
    const [program = '', ...words] = command;
    child = spawn(program, words, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    end = 'the server runs';
    child.on('error', (error) => (written += error.message));
    child.on('exit', (code, signal) => (end = `the server ended with ${signal ?? `exit code ${code}`}`));
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (written += text));
    for (let tries = 0; !(await isReady(url + ready)); tries++) {
      if (gone() || tries * pauseMs > limitSeconds * 1000) throw new Error(`the server is not ready: ${ending()}`);
      await sleep(pauseMs);
    }
  };
  // A test run that is broken off leaves no server behind.
  process.once('exit', () => {
    if (!gone()) process.kill(-(child?.pid ?? 0), 'SIGKILL');
  });
  await start();
  return {
    url,
    /** What it wrote so far, over all its lives. */
    log: () => written,
    /** Whether it runs, or how it ended, with the last lines that it wrote. */
    ending,
    start,
    /** At once, as a crash would. */
    kill,
  };
}
