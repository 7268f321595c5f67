import type { Surroundings } from './command.ts';

const terminalIntervalMs = 200;
const plainIntervalMs = 5000;

/** Connects commands to this process's streams. Progress stays on one line of a terminal. */
export function terminalSurroundings(signal: AbortSignal): Surroundings & { finish(): void } {
  const { stdout, stderr, stdin } = process;
  let shown = '';
  let shownAt = Number.NEGATIVE_INFINITY;
  const clear = () => {
    if (shown !== '' && stderr.isTTY) stderr.write('\r\u001B[K');
    shown = '';
  };
  return {
    signal,
    out: (text) => {
      clear();
      stdout.write(text);
    },
    say: (line) => {
      clear();
      stderr.write(`${line}\n`);
    },
    progress: (line) => {
      const now = performance.now();
      if (now - shownAt < (stderr.isTTY ? terminalIntervalMs : plainIntervalMs) || line === shown) return;
      clear();
      stderr.write(stderr.isTTY ? line.slice(0, Math.max(20, stderr.columns - 1)) : `${line}\n`);
      shown = line;
      shownAt = now;
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
    finish: clear,
  };
}
