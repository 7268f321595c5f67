import { segmentsOf } from '../main/engine/engine.ts';
import type { Surroundings } from './command.ts';

const terminalIntervalMs = 200;
const plainIntervalMs = 5000;

/**
 * Text as a terminal may be given it: what moves the cursor, changes colours or turns the order of characters is told by
 * name. Models, servers and cases have their words in it.
 */
export function harmless(text: string): string {
  const shown = segmentsOf(text).map((segment) => (segment.kind === 'plain' ? segment.text : `[${segment.name}]`));
  return shown.join('').replace(/\r(?!\n)/g, '[carriage return U+000D]');
}

type Streams = Pick<NodeJS.Process, 'stdin'> & {
  readonly stdout: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'isTTY' | 'write' | 'columns'>;
};

/**
 * Connects commands to this process's streams. Progress stays on one line of a terminal. Results go into a file or to
 * another program as they are.
 */
export function terminalSurroundings(
  signal: AbortSignal,
  { stdout, stderr, stdin }: Streams = process,
): Surroundings & { finish(): void } {
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
      stdout.write(stdout.isTTY ? harmless(text) : text);
    },
    say: (line) => {
      clear();
      stderr.write(`${harmless(line)}\n`);
    },
    progress: (words) => {
      const line = harmless(words);
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
