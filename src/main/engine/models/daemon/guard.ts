import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { win32 } from 'node:path';

/**
 * Learns of the group on its first line. A second line says that all is well; where the writer ends without one, it
 * ends the group, as `endGroup` does. What its words are is POSIX's, but for a fraction of a second to sleep.
 */
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
export interface Guard {
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
