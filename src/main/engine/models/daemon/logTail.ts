// The last lines of Ollama's log, and the reason in them.
import { stripVTControlCharacters } from 'node:util';
import type { DaemonLog } from '../../../../shared/api/daemon.ts';

const mostLines = 400;
const mostCharacters = 500;

/** Without colours and other invisible characters; a tab is a space. */
const plain = (text: string): string => stripVTControlCharacters(text).replace(/\t/g, ' ').replace(/\p{C}/gu, '');

/** The newest lines, so that a daemon that writes for days, or one line without end, takes no memory. */
export function openLogTail(now: () => Date = () => new Date()) {
  const lines: DaemonLog['lines'] = [];
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
