import { text as textOf } from 'node:stream/consumers';
import stringWidth from 'string-width';
import { segmentsOf } from '../main/engine/engine.ts';
import type { LiveText, Surroundings } from './command.ts';

const terminalIntervalMs = 200;
const plainIntervalMs = 5000;
const redrawMs = 100;
const reportMs = 15_000;
/** For a terminal that does not report its width, or one too narrow for a line of words. */
const leastColumns = 20;

/** Text with what moves a cursor, changes colours or turns characters round replaced by its name: words come from outside. */
export function harmless(text: string): string {
  const shown = segmentsOf(text).map((segment) => (segment.kind === 'plain' ? segment.text : `[${segment.name}]`));
  return shown.join('').replace(/\r(?!\n)/g, '[carriage return U+000D]');
}

/** JSON that means the same and has no such character in it. */
const harmlessJson = (text: string) =>
  segmentsOf(text)
    .map(({ kind, text: part }) => (kind === 'plain' ? part : escapes(part)))
    .join('');
const escapes = (text: string) => text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const charactersOf = (text: string) => [...characters.segment(text)].map(({ segment }) => segment);

/** As many of the characters as fit into a width, from the first on. */
function startOf(text: readonly string[], width: number): string[] {
  let used = 0;
  const end = text.findIndex((character) => {
    used += stringWidth(character);
    return used > width;
  });
  return text.slice(0, end < 0 ? undefined : end);
}

/** One line of at most `width` columns: the head, and as much of the tail's end as there is room for. Harmless. */
export function fitLine({ head, tail }: ReturnType<LiveText['line']>, width: number): string {
  const [start, end] = [head, tail].map((text) => harmless(text.replace(/\s+/g, ' ').trim())) as [string, string];
  const room = width - stringWidth(start) - stringWidth(': …');
  if (end === '' || room < 1) return startOf(charactersOf(start), width).join('');
  const kept = startOf(charactersOf(end).toReversed(), room).toReversed().join('');
  return `${start}: ${kept.length < end.length ? '…' : ''}${kept}`;
}

export type Streams = Pick<NodeJS.Process, 'stdin'> & {
  readonly stdout: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;
  readonly stderr: Pick<NodeJS.WriteStream, 'isTTY' | 'write' | 'columns'>;
};

/**
 * Connects commands to this process's streams. Progress stays on one line of a terminal. What goes into a file or to another
 * program is harmless too, since a terminal may show it later.
 * @param json whether results are JSON
 */
export function terminalSurroundings(
  signal: AbortSignal,
  { stdout, stderr, stdin }: Streams = process,
  json = false,
): Omit<Surroundings, 'endAtOnce'> & { finish(): void } {
  let shown = '';
  let shownAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const width = () => Math.max(leastColumns, (stderr.columns || 80) - 1);
  const clear = () => {
    if (shown !== '' && stderr.isTTY) stderr.write('\r\u001B[K');
    shown = '';
  };
  const finish = () => {
    clearInterval(timer);
    clear();
  };
  const out: Surroundings['out'] = (text, as) => {
    clear();
    if (stdout.isTTY) stdout.write(harmless(text));
    else stdout.write(as === 'file' ? text : json ? harmlessJson(text) : harmless(text));
  };
  return {
    signal,
    out,
    tell: (report, text) => out(json ? `${JSON.stringify(report, null, 2)}\n` : text),
    say: (line) => {
      clear();
      stderr.write(`${harmless(line)}\n`);
    },
    progress: (words) => {
      const line = harmless(words);
      const now = performance.now();
      if (now - shownAt < (stderr.isTTY ? terminalIntervalMs : plainIntervalMs) || line === shown) return;
      clear();
      stderr.write(stderr.isTTY ? fitLine({ head: line, tail: '' }, width()) : `${line}\n`);
      shown = line;
      shownAt = now;
    },
    live: (text) => {
      clearInterval(timer);
      const redraw = () => {
        const line = fitLine(text.line(), width());
        if (line === shown) return;
        stderr.write(`\r${line}\u001B[K`);
        shown = line;
      };
      const report = () => stderr.write(`${harmless(text.report().replace(/\s+/g, ' '))}\n`);
      timer = stderr.isTTY ? setInterval(redraw, redrawMs) : setInterval(report, reportMs);
      timer.unref();
      return finish;
    },
    readInput: () => textOf(stdin),
    finish,
  };
}
