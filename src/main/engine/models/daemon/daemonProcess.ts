import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGuard } from './guard.ts';
import { noteDaemon, type Serves } from './leftovers.ts';
import { hasEnded, interruptGroup, killGroup, killMarked } from './processGroup.ts';

export interface DaemonEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A daemon that was started, with all that it starts. */
export interface DaemonProcess {
  readonly pid: number;
  /** Resolves when it and all of its group have ended. */
  readonly ended: Promise<DaemonEnd>;
  /** Whether the process itself runs; what it started may run longer. */
  runs(): boolean;
  /** Null until it and all of its group have ended. */
  end(): DaemonEnd | null;
  /** Asks it to end, kills it after `patienceMs`, and resolves when it has ended. */
  stop(patienceMs: number): Promise<void>;
}

export interface DaemonWords {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Borne by its environment. */
  readonly mark: string;
  /** The store beside which it is noted. */
  readonly store: string;
  /** How it is to be asked, for others with this store. */
  readonly serves: Serves;
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** Waits for a line before it becomes the daemon: by then its guard knows of it. Without that line it ends. */
const waiting = 'read -r word <&3 || exit 0\nexec 3<&-\nexec "$0" "$@"';
/** For what was written last. */
const lastWordsMs = 500;

function start({ program, env }: DaemonWords): ChildProcess {
  if (process.platform === 'win32') {
    // Detached, since what is not ends with this process by itself and alone: its guard could not find its children then.
    return spawn(program, ['serve'], { env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true, detached: true });
  }
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const;
  return spawn('/bin/sh', ['-c', waiting, program, 'serve'], { env, stdio: [...stdio], detached: true });
}

function listen(stream: Readable | null, tell: (text: string) => void): void {
  stream?.setEncoding('utf8');
  stream?.on('data', tell);
}

/** Starts `ollama serve` under guard: however this process ends, the daemon does not outlive it. Throws what the system says. */
export async function startDaemonProcess(words: DaemonWords): Promise<DaemonProcess> {
  const guard = startGuard();
  const child = start(words);
  let end: DaemonEnd | null = null;
  let runs = true;
  const exited = new Promise<DaemonEnd>((resolve, reject) => {
    child.once('exit', (code, signal) => {
      runs = false;
      resolve({ code, signal });
    });
    child.on('error', (error) => {
      if (child.pid === undefined) reject(error);
    });
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  for (const name of ['stdout', 'stderr'] as const) listen(child[name], (text) => words.onOutput(name, text));
  const { pid } = child;
  if (pid === undefined) {
    guard.dismiss();
    await exited;
    throw new Error('a process without a number');
  }
  guard.watch(pid);
  let forget: () => void = () => undefined;
  const ended = exited.then(async (how) => {
    // What it started ends with it: an engine without its daemon holds the GPU's memory and answers nobody.
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
  else if (go !== null && go !== undefined && 'write' in go) {
    go.on('error', () => undefined);
    go.end('go\n');
  }
  return {
    pid,
    ended,
    // A busy process hears of an end late, and somebody else may listen at the port by then.
    runs: () => runs && !hasEnded(pid),
    end: () => end,
    async stop(patienceMs) {
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
