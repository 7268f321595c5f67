import { ErrorInAnswer, strayLine } from './answerLines.ts';

/** Fields of the standard. A server that sends another one has not understood it, or is no such server. */
const idle: ReadonlySet<string> = new Set(['event', 'id', 'retry']);

/**
 * The data of each server-sent event, after the HTML standard, section 9.2.6, with these deviations: lines end
 * with LF or CRLF, never with CR alone; an unknown field is refused, where the standard would pass it over, since
 * a page that was sent in place of an answer would else look like an empty one; a field `error`, with which some
 * versions of llama.cpp break an answer off, is the error that it says. As in the standard, an event that the
 * stream's end cuts short is none. Throws `CallFailure`.
 */
export async function* eventData(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of lines) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'error') throw new ErrorInAnswer(value);
    else if (!idle.has(field)) throw strayLine('a server-sent event', line);
  }
}
