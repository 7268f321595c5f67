import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGuard } from './guard.ts';
import { noteDaemon, type Serves } from './leftovers.ts';
import { hasEnded, interruptGroup, killGroup, killMarked } from './processes.ts';

/** A port of the loopback address that was free a moment ago. @param wanted this one, where it is free */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (wanted === 0) throw error;
    return freePort();
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a listening server has no port');
  return address.port;
}

export interface DaemonEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A daemon that was started, with all that it starts. */
export type DaemonProcess = Awaited<ReturnType<typeof startDaemonProcess>>;

export interface DaemonWords {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Borne by its environment. */
  readonly mark: string;
  /** The store next to which it is noted. */
  readonly store: string;
  /** How to ask it, for others with this store. */
  readonly serves: Serves;
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** Waits for a line before it becomes the daemon: by then its guard knows of it. Without that line it ends. */
const waiting = 'read -r word <&3 || exit 0\nexec 3<&-\nexec "$0" "$@"';
/** For what was written last. */
const lastWordsMs = 500;

function start({ program, env }: DaemonWords): ChildProcess {
  // Detached on Windows too: a process that is not ends only with this one, and its guard could not find its children then.
  const options = { env, detached: true, windowsHide: true } as const;
  if (process.platform === 'win32') return spawn(program, ['serve'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const;
  return spawn('/bin/sh', ['-c', waiting, program, 'serve'], { ...options, stdio: [...stdio] });
}

/** Starts `ollama serve` under guard: however this process ends, the daemon does not outlive it. Throws what the system says. */
export async function startDaemonProcess(words: DaemonWords) {
  const guard = startGuard();
  const child = start(words);
  const closed = once(child, 'close').catch(() => undefined);
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => words.onOutput(name, text));
  }
  const { pid } = child;
  if (pid === undefined) {
    guard.dismiss();
    const [error] = await once(child, 'error');
    throw error;
  }
  child.on('error', () => undefined);
  guard.watch(pid);
  let end: DaemonEnd | null = null;
  let runs = true;
  let forget: () => void = () => undefined;
  const exited = new Promise<DaemonEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      runs = false;
      resolve({ code, signal });
    });
  });
  const ended = exited.then(async (how) => {
    // What it started ends with it: an engine without its daemon holds the GPU's memory and answers no one.
    await killGroup(pid);
    await killMarked(words.mark);
    await Promise.race([closed, sleep(lastWordsMs, undefined, { ref: false })]);
    for (const stream of child.stdio) stream?.destroy();
    guard.dismiss();
    forget();
    end = how;
    return how;
  });
  // Without a note the guard has to do.
  forget = await noteDaemon(words.store, words.mark, pid, words.serves).catch(() => forget);
  const go = child.stdio[3];
  if (end !== null) forget();
  else if (go && 'write' in go) go.on('error', () => undefined).end('go\n');
  return {
    pid,
    /** Resolves when it and all of its group have ended. */
    ended,
    // A busy process hears of an end late, and somebody else may listen at the port by then.
    /** Whether the process itself runs; what it started may run longer. */
    runs: () => runs && !hasEnded(pid),
    /** Null until it and all of its group have ended. */
    end: (): DaemonEnd | null => end,
    /** Asks it to end, kills it after `patienceMs`, and resolves when it has ended. */
    async stop(patienceMs: number): Promise<void> {
      if (end !== null) return;
      interruptGroup(pid);
      const patience = new AbortController();
      await Promise.race([ended, sleep(patienceMs, undefined, patience).catch(() => undefined)]);
      patience.abort();
      if (end === null) await killGroup(pid);
      await ended;
    },
  };
}
