import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerLines } from './answerLines.ts';
import { eventData } from './openai.ts';

/** The data of the events in a body that arrives in these pieces. */
async function dataIn(...pieces: readonly (string | Uint8Array)[]): Promise<string[]> {
  const body = Readable.from(pieces.map((piece) => (typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)));
  const found: string[] = [];
  for await (const data of eventData(answerLines(body, 1_000_000).read())) found.push(data);
  return found;
}

describe('events', () => {
  test.each<[string, string, string[]]>([
    ['one line', 'data: a\n\n', ['a']],
    ['without a space', 'data:a\n\n', ['a']],
    ['with two spaces, of which one belongs to the data', 'data:  a\n\n', [' a']],
    ['several lines', 'data: a\ndata:\ndata: b\n\n', ['a\n\nb']],
    ['carriage returns', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
    ['comments, and the fields that carry no answer', ': ping\n\nevent: message\nid: 7\nretry: 5\ndata: a\n\n: ping\n\n', ['a']],
    ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
    ['data without a colon', 'data\n\n', ['']],
    ['blank lines only', '\n\n\n', []],
    ['an event that the end cuts short', 'data: a\n\ndata: b\n', ['a']],
    ['a line that the end cuts short', 'data: a\n\ndata: b', ['a']],
    ['a line separator that is no line end', 'data: a\u2028b\n\n', ['a\u2028b']],
  ])('%s', async (_name, text, expected) => {
    expect(await dataIn(text)).toEqual(expected);
  });

  test('are the same however the bytes are cut', async () => {
    const text = 'data: Zoë “€” 😀\r\n\r\n: ping\n\ndata: {"a":1}\ndata: x\n\n';
    const whole = await dataIn(text);
    expect(whole).toEqual(['Zoë “€” 😀', '{"a":1}\nx']);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: text.length + 8 }), { maxLength: 12 }), async (cuts) => {
        const bytes = new TextEncoder().encode(text);
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        expect(await dataIn(...places.slice(1).map((end, index) => bytes.slice(places[index], end)))).toEqual(whole);
      }),
    );
  });
});

describe('lines that are no event', () => {
  test.each([
    ['a page', '<!doctype html>\n', 'a line of the answer is not a server-sent event: <!doctype html>'],
    ['bare JSON', '{"error":"no"}\n', 'a line of the answer is not a server-sent event: {"error":"no"}'],
    ['an unknown field', 'date: a\n\n', 'a line of the answer is not a server-sent event: date: a'],
    ['an error of older llama.cpp', 'error: {"code":500}\n\n', 'the server gave up in mid-answer: {"code":500}'],
  ])('%s', async (_name, text, expected) => {
    await expect(dataIn('data: a\n\n', text)).rejects.toThrow(expected);
  });
});
