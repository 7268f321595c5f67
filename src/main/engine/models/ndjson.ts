import { z } from 'zod';
import { CallFailure } from '../../../shared/model.ts';

const errorLine = z.object({ error: z.string() });
const shown = 200;
/** No line of an honest stream comes near this. */
const longestLine = 16 * 1024 * 1024;

function check(line: string): void {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new CallFailure('backend_error', `a line of the answer is not JSON: ${line.slice(0, shown)}`, false);
  }
  const failed = errorLine.safeParse(value);
  if (failed.success) throw new CallFailure('backend_error', `the server gave up in mid-answer: ${failed.data.error.slice(0, shown)}`, false);
}

/**
 * Passes a stream of JSON lines through and ends it with a `CallFailure` at a line that is not JSON or
 * that carries an error, which a server can send only so once HTTP 200 is out.
 * @param touch called for every chunk
 */
export function checkedLines(source: ReadableStream<Uint8Array>, touch: () => void): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  const split = (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw new CallFailure('backend_error', 'a line of the answer is too long', false);
    for (const line of lines) if (line.trim() !== '') check(line);
  };
  return source.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        touch();
        split(decoder.decode(chunk, { stream: true }));
        controller.enqueue(chunk);
      },
      flush() {
        if (rest.trim() !== '') check(rest);
      },
    }),
  );
}
