import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { win32 } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { DaemonLog } from '../../../../shared/api/daemon.ts';
import { noteDaemon, type Serves } from './leftovers.ts';
import { hasEnded, interruptGroup, killGroup, killMarked } from './processes.ts';

/** Learns of the group on its first line. A second one says all is well; an end without it ends the group. In POSIX sh. */
const script = `
read -r group || exit 0
read -r word && exit 0
kill -s INT -- "-$group" 2>/dev/null || exit 0
tries=0
while kill -s 0 -- "-$group" 2>/dev/null && [ "$tries" -lt 25 ]; do
  sleep 0.2 2>/dev/null || sleep 1
  tries=$((tries + 1))
done
kill -s KILL -- "-$group" 2>/dev/null
exit 0
`;

/** Ends a daemon's group when this process ends without a word, however it ends. */
interface Guard {
  /** Called with the group's leader before the group does anything. */
  watch(group: number): void;
  /** The group has ended. */
  dismiss(): void;
}

export interface GuardSystem {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly spawn: (
    program: string,
    words: readonly string[],
    options: SpawnOptions,
  ) => Pick<ChildProcess, 'stdin' | 'on' | 'unref'>;
}

type Shell = ReturnType<GuardSystem['spawn']>;

/** Detached it outlives this process, of whose environment nothing else is its business. */
function startShell({ spawn: start }: GuardSystem, program: string, words: readonly string[], options: SpawnOptions): Shell {
  const shell = start(program, words, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, windowsHide: true, ...options });
  // Nothing reaches a guard that was killed; the note next to the store stays then.
  shell.on('error', () => undefined);
  shell.stdin?.on('error', () => undefined);
  shell.unref();
  return shell;
}

function posixGuard(system: GuardSystem): Guard {
  const env = { PATH: system.env.PATH ?? '/usr/bin:/bin' };
  const shell = startShell(system, '/bin/sh', ['-c', script, 'assize-ollama-guard'], { env });
  return {
    watch: (group) => void shell.stdin?.write(`${group}\n`),
    dismiss: () => void shell.stdin?.end('done\n'),
  };
}

/**
 * The command interpreter waits for a line: where none came before the end of the pipe, `taskkill` ends the process with
 * all that it started. Until then it starts no other program, since any program that a process without a console starts
 * would get a window. Node cannot be the guard: the packed program's does not run scripts.
 */
function windowsGuard(system: GuardSystem): Guard {
  const root = system.env.SystemRoot ?? system.env.windir ?? 'C:\\Windows';
  const cwd = win32.join(root, 'System32');
  let shell: Shell | null = null;
  return {
    watch(leader) {
      const kill = `"${win32.join(cwd, 'taskkill.exe')}" /pid ${leader} /t /f`;
      const line = `set /p word= & if not defined word ${kill} >nul 2>&1`;
      const options = { cwd, env: { SystemRoot: root }, windowsVerbatimArguments: true };
      // With /s the outer quotes go, and those inside stay.
      shell = startShell(system, win32.join(cwd, 'cmd.exe'), ['/d', '/s', '/c', `"${line}"`], options);
    },
    dismiss: () => void shell?.stdin?.end('done\r\n'),
  };
}

/** What ends the daemon when this process is gone. On Windows it is started with the daemon, elsewhere before it. */
export const startGuard = (system: GuardSystem = { platform: process.platform, env: process.env, spawn }): Guard =>
  system.platform === 'win32' ? windowsGuard(system) : posixGuard(system);

const mostLines = 400;
const mostCharacters = 500;

/** Without colours and other invisible characters; a tab is a space. */
const plain = (text: string): string => stripVTControlCharacters(text).replace(/\t/g, ' ').replace(/\p{C}/gu, '');

/** The newest lines, so that a daemon that writes for days, or one line without end, takes no memory. */
export function openLogTail(now: () => Date = () => new Date()) {
  const lines: DaemonLog['lines'][number][] = [];
  const rest = { stdout: '', stderr: '' };
  let dropped = 0;

  const add = (raw: string) => {
    const text = plain(raw).trimEnd();
    if (text === '') return;
    lines.push({ at: now().toISOString(), text: text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text });
    if (lines.length <= mostLines) return;
    lines.shift();
    dropped += 1;
  };
  return {
    /** Takes what was written, in pieces that may end in the middle of a line. */
    write(stream: 'stdout' | 'stderr', chunk: string) {
      const pieces = (rest[stream] + chunk).split(/\r\n|\n|\r/);
      // Of a line without end only the beginning is ever shown; a little more keeps its control sequences whole.
      rest[stream] = (pieces.pop() ?? '').slice(0, mostCharacters * 4);
      for (const piece of pieces) add(piece.slice(0, mostCharacters * 4));
    },
    /** What is left without an end of its line counts as one. */
    flush() {
      for (const stream of ['stdout', 'stderr'] as const) {
        add(rest[stream]);
        rest[stream] = '';
      }
    },
    read: (): DaemonLog => ({ lines: [...lines], dropped }),
  };
}

/** A sentence's worth of why the daemon ended: its last line that names an error, else its last line; null where it wrote none. */
export function lastReason({ lines }: DaemonLog): string | null {
  const found = lines.findLast(({ text }) => /error|fatal|panic|failed/i.test(text)) ?? lines.at(-1);
  return found === undefined ? null : found.text.slice(0, 300);
}

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
