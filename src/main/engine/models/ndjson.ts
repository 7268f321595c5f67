// Reads a streamed answer line by line.
import { z } from 'zod';
import { answerLines, parseAnswerLine, strayLine } from './answerLines.ts';

const thinking = z.string().nullish();
/** What every line of an answer must have; the rest is looked at where it is used. The last may come without text. */
const partSchema = z.discriminatedUnion('done', [
  z.object({ done: z.literal(false), message: z.object({ content: z.string(), thinking }) }),
  z.object({ done: z.literal(true), message: z.object({ content: z.string().nullish(), thinking }).nullish() }),
]);

/** Whether the line is the last one. Throws `CallFailure` where it is no part of an answer. */
function endsChat(line: string): boolean {
  const part = partSchema.safeParse(parseAnswerLine(line));
  if (!part.success) throw strayLine('part of a chat', line);
  return part.data.done;
}

/**
 * Passes the lines of a streamed answer on, each as soon as it is whole and known to be good, up to the one
 * that says it is the last. Throws `CallFailure` at a line that is no part of an answer or that carries an
 * error, which a server can send only so once HTTP 200 is out.
 * @param most bytes that the answer may have
 * @param isLast throws `CallFailure` where a line is no part of the answer
 * @param touch called at the first line that is part of an answer, and from then on for every chunk; before it
 *   a server may be reading a long prompt, whatever it has sent
 */
export async function* checkedLines(
  source: ReadableStream<Uint8Array>,
  most: number,
  touch: () => void,
  isLast: (line: string) => boolean = endsChat,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let begun = false;
  const lines = answerLines(source, most, () => {
    if (begun) touch();
  });
  for await (const line of lines.read()) {
    if (line.trim() === '') continue;
    const last = isLast(line);
    if (!begun) touch();
    begun = true;
    if (last) await lines.finish();
    yield encoder.encode(`${line}\n`);
    if (last) return;
  }
}
