import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AnswerSpec } from '../answer.ts';
import { isRecord } from '../fields.ts';
import { readAnswer } from '../read.ts';
import { corpus } from './corpus.fixture.ts';

const parts = [...corpus];

/** A text in which letters' case, white space, underscores and hyphens make no difference. */
const plain = (text: string): string =>
  text
    .replaceAll('\u2019', "'")
    .replace(/[\s_\u2010\u2011-]+/g, ' ')
    .toLowerCase();

const numbersIn = (text: string): ReadonlySet<number> =>
  new Set(
    [...text.matchAll(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?/g)].flatMap(([found]) => [
      Number(found),
      Math.abs(Number(found)),
    ]),
  );

/** The numbers of a value and its texts in label fields, at any depth, that the text does not hold. */
function unsupported(spec: AnswerSpec<unknown>, value: unknown, raw: string): unknown[] {
  const numbers = numbersIn(raw);
  // JSON may spell a letter as an escape.
  const text = plain(raw.replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))));
  const visit = (part: unknown, name: string): unknown[] => {
    if (Array.isArray(part)) return part.flatMap((item) => visit(item, name));
    if (isRecord(part)) return Object.entries(part).flatMap(([key, inner]) => visit(inner, key));
    if (typeof part === 'number') return numbers.has(part) ? [] : [part];
    const isLabel = typeof part === 'string' && spec.labelFields.includes(name);
    return isLabel && !text.includes(plain(part)) ? [part] : [];
  };
  return visit(value, '');
}

const part = fc.constantFrom(...parts);
const cut = fc.double({ min: 0, max: 1, noNaN: true });
const glue = fc.constantFrom(
  '',
  ' ',
  '\n',
  ', ',
  ' or ',
  '"',
  "'",
  '{',
  '}',
  '</think>',
  '<think>',
  '```\n',
  ' // ',
  'Actually, ',
  '|',
  ':',
  '\\',
);

/** A part of the corpus, and a text made of pieces of its raw answers: beginnings, ends, middles, glued together. */
const cuttings = part.chain((chosen) => {
  const raw = fc.constantFrom(...chosen.rows.map(([text]) => text));
  const piece = fc.tuple(raw, cut, cut).map(([text, first, second]) => {
    const [from, to] = [first, second].map((share) => Math.round(share * text.length)).toSorted((one, other) => one - other);
    return text.slice(from, to);
  });
  const pieces = fc.array(fc.tuple(fc.oneof(raw, piece), glue), { minLength: 1, maxLength: 4 });
  return pieces.map((list) => ({ spec: chosen.spec, raw: list.flat().join('') }));
});

describe('texts made of pieces of the corpus', () => {
  test('property: never throws, and gives no label and no number that the text does not hold', () => {
    let read = 0;
    fc.assert(
      fc.property(cuttings, fc.boolean(), ({ spec, raw }, ended) => {
        const reading = readAnswer(spec, raw, ended);
        if (!reading.ok) return reading.message !== '' && reading.message.length < 700;
        read += 1;
        expect(unsupported(spec, reading.value, raw)).toEqual([]);
        return true;
      }),
      { numRuns: 20_000 },
    );
    expect(read).toBeGreaterThan(500);
  });

  test('property: two answers that differ, in either order and whatever stands between, give neither', () => {
    const prediction = fc.constantFrom('NO', 'YES');
    const confidence = fc.integer({ min: 2, max: 100 });
    const object = fc.tuple(prediction, confidence, fc.boolean()).map(([label, number, strict]) => ({
      label,
      number,
      text: strict ? `{"prediction":"${label}","confidence":${number}}` : `{'prediction': '${label}', 'confidence': ${number},}`,
    }));
    const between = fc.constantFrom('\n', ' or ', '\n\nOn reflection:\n', ',', '\n```\n', ' For example: ', ' not ');
    const { spec } = parts.find(({ title }) => title === 'an object alone') ?? expect.unreachable();
    fc.assert(
      fc.property(object, object, between, (first, second, words) => {
        fc.pre(first.label !== second.label || first.number !== second.number);
        expect(readAnswer(spec, `${first.text}${words}${second.text}`, true)).toMatchObject({ ok: false, kind: 'malformed' });
      }),
    );
  });

  test('property: an end that is cut off gives no other value than the whole answer', () => {
    const row = part.chain(({ spec, rows }) => fc.constantFrom(...rows).map(([raw, means]) => ({ spec, raw, means })));
    const isObject = ({ raw, means }: { raw: string; means: unknown }): boolean =>
      means !== null && raw.trimStart().startsWith('{');
    fc.assert(
      fc.property(row.filter(isObject), cut, ({ spec, raw, means }, share) => {
        const reading = readAnswer(spec, raw.slice(0, Math.floor(share * raw.length)), false);
        if (reading.ok) expect(reading.value).toEqual(means);
      }),
      { numRuns: 5000 },
    );
  });
});
