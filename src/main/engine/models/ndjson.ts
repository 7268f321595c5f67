import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CallFailure } from '../../../shared/model.ts';

const thinking = z.string().nullish();
/** What every line of an answer must have; the rest is looked at where it is used. The last may come without text. */
const partSchema = z.discriminatedUnion('done', [
  z.object({ done: z.literal(false), message: z.object({ content: z.string(), thinking }) }),
  z.object({ done: z.literal(true), message: z.object({ content: z.string().nullish(), thinking }).nullish() }),
]);
const shown = 200;
/** No line of an honest stream comes near this. */
const longestLine = 16 * 1024 * 1024;
/** How long a connection may take to end after its last line before it is cut. */
const graceMs = 250;

const refused = (message: string) => new CallFailure('backend_error', message, false);

/** Whether the line is the last one. Throws `CallFailure` where it is no part of an answer. */
function isLast(line: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw refused(`a line of the answer is not JSON: ${line.slice(0, shown)}`);
  }
  if (typeof value === 'object' && value !== null && 'error' in value) {
    const error = typeof value.error === 'string' ? value.error : JSON.stringify(value.error);
    throw refused(`the server gave up in mid-answer: ${error.slice(0, shown)}`);
  }
  const part = partSchema.safeParse(value);
  if (!part.success) throw refused(`a line of the answer is not part of a chat: ${line.slice(0, shown)}`);
  return part.data.done;
}

async function readToEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

/** Lets a finished answer end its connection properly, so that the next call can use it again. */
async function letGo(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const patience = new AbortController();
  await Promise.race([
    readToEnd(reader).catch(() => undefined),
    sleep(graceMs, undefined, { signal: patience.signal }).catch(() => undefined),
  ]);
  patience.abort();
  await reader.cancel().catch(() => undefined);
}

/**
 * Passes the lines of a streamed answer on, each as soon as it is whole and known to be good, up to the one
 * that says it is the last. Throws `CallFailure` at a line that is no part of an answer or that carries an
 * error, which a server can send only so once HTTP 200 is out.
 * @param touch called at the first line that is part of an answer, and from then on for every chunk; before it
 *   a server may be reading a long prompt, whatever it has sent
 */
export async function* checkedLines(source: ReadableStream<Uint8Array>, touch: () => void): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8');
  const encoder = new TextEncoder();
  const reader = source.getReader();
  let rest = '';
  let begun = false;
  for (let ended = false; !ended; ) {
    const { done, value } = await reader.read();
    ended = done;
    if (!done && begun) touch();
    // Only what is new is searched: a line can come in many chunks.
    const lines = decoder.decode(value, { stream: !done }).split('\n');
    lines[0] = rest + (lines[0] ?? '');
    rest = done ? '' : (lines.pop() ?? '');
    if (rest.length > longestLine) throw refused('a line of the answer is too long');
    for (const line of lines) {
      if (line.trim() === '') continue;
      const last = isLast(line);
      if (!begun) touch();
      begun = true;
      if (last) await letGo(reader);
      yield encoder.encode(`${line}\n`);
      if (last) return;
    }
  }
}
