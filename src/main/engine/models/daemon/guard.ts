import { spawn } from 'node:child_process';

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
  /** To be told before the group does anything. */
  watch(group: number): void;
  /** The group has ended. */
  dismiss(): void;
}

const noGuard: Guard = { watch: () => undefined, dismiss: () => undefined };

/** A shell in a group of its own, which outlives this process. Windows has none: there the note beside the store has to do. */
export function startGuard(): Guard {
  if (process.platform === 'win32') return noGuard;
  const shell = spawn('/bin/sh', ['-c', script, 'assize-ollama-guard'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    // Nothing of this process's own environment is its business.
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
  });
  // A guard that was killed cannot be told anything; the note beside the store is left then.
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return {
    watch: (group) => void shell.stdin.write(`${group}\n`),
    dismiss: () => void shell.stdin.end('done\n'),
  };
}
