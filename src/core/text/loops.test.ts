import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { exhaustive } from '../../shared/exhaustive.fixture.ts';
import type { JsonSchema } from '../../shared/model.ts';
import { sampleAnswer } from '../answers/sample.ts';
import { randomSource } from '../cases/shuffle.ts';
import { loopWatch } from './loops.ts';

const words = (
  'the a of and to in is was that it he for on are with they be at this from or by not no what all were when we there can ' +
  'age offence income high low judge prosecutor defense risk again record youth likely guilty fact reason 17 2 60'
).split(' ');

/** Where a watched text loops first, in characters; null where it does not. */
function loopsAt(text: string, form: JsonSchema | 'prose' = {}, pieces: readonly number[] = [1]): number | null {
  const watch = loopWatch(form);
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const end = at + (pieces[turn % pieces.length] ?? 1);
    if (watch(text.slice(at, end))) return end;
    at = end;
  }
  return null;
}

const speech = (seed: number, count: number): string => {
  const random = randomSource(seed, 'speech');
  return Array.from({ length: count }, () => words[random.below(words.length)]).join(' ');
};

const factor = z.object({ factor: z.enum(['age', 'sex', 'job']), weight: z.enum(['low', 'high']), reason: z.string().max(80) });
const answerSchema = z.toJSONSchema(
  z.strictObject({
    shares: z.record(z.enum(Array.from({ length: 41 }, (_, index) => `label ${index}`)), z.int().min(0).max(1)),
    zeros: z.array(z.literal(0)).min(183).max(183),
    certain: z.array(z.boolean()).min(60).max(60),
    factors: z.array(factor).min(1).max(6),
    speech: z.string().max(600),
    prediction: z.enum(['YES', 'NO']),
  }),
);

/** An answer of the schema with every free text of more than a label's length replaced by words. */
const answer = (seed: number): string => {
  let next = seed * 100;
  const drawn = sampleAnswer(answerSchema, randomSource(seed, 'answer'));
  return JSON.stringify(drawn, (key, value: unknown) =>
    key === 'speech' || key === 'reason' ? speech(next++, key === 'speech' ? 90 : 12) : value,
  );
};

const lowercase = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnop qrst, '), minLength: 1, maxLength: 400 });

describe('a loop is found', () => {
  test('in a string of JSON, in an array and in prose, soon after it has started', () => {
    fc.assert(
      fc.property(lowercase, fc.nat(1000), (unit, seed) => {
        fc.pre(/[a-z]/.test(unit));
        const said = speech(seed, 20);
        const item = `{"factor":"${unit}","weight":3},`;
        const texts = [
          { before: `{"text":"${said} `, again: unit },
          { before: `{"confidence":60,"factors":[`, again: item },
          { before: `${said}. `, again: unit },
        ];
        for (const { before, again } of texts) {
          const found = loopsAt(before + again.repeat(Math.ceil(260 / again.length) + 5));
          expect(found).not.toBeNull();
          expect(found ?? 0).toBeLessThanOrEqual(before.length + 240 + 4 * again.length);
        }
      }),
      { numRuns: exhaustive ? 60 : 20 },
    );
  });

  test.each([
    ['the first that spoke in the program', `{"factors":[${'{"factor":"high","weight":"high","reasoning":"high"},'.repeat(5)}`],
    ['one word', `{"text":"The factors are ${'high, '.repeat(42)}`],
    ['a sentence, word for word', `{"text":"${'You must not tell the story of what will happen. '.repeat(6)}`],
    ['blanks between the keys', `{"a":1,${' \n'.repeat(120)}`],
    ['signs without an end', '!'.repeat(220)],
    ['another script', `{"text":"${'被告有罪。'.repeat(50)}`],
    ['line ends inside a string', `{"text":"${'high\\n'.repeat(42)}`],
    ['escaped line ends', `{"text":"${'\\n'.repeat(200)}`],
    ['escaped tabs and blanks', `{"text":"${'\\t '.repeat(100)}`],
    ['escaped quotes', `{"text":"${'\\"'.repeat(200)}`],
    ['escaped backslashes', `{"text":"${'\\\\'.repeat(200)}`],
    ['blanks as numbers of characters', `{"text":"${'\\u0020'.repeat(200)}`],
    ['letters as numbers of characters', `{"text":"${'\\u00e9'.repeat(45)}`],
    ['zeros without commas', `{"belief":[${'0 '.repeat(130)}`],
    ['zeros in a string', `{"text":"${'0 '.repeat(130)}`],
    ['zeros in prose', '0 '.repeat(130)],
    ['a number without an end', `{"confidence":${'1'.repeat(260)}`],
    ['a key without an end', `{"reason ${'and what comes after the word '.repeat(7)}`],
    ['a key of other words each time', `{"${speech(3, 60)}`],
    ['a key again and again', `{${'"confidence":1,'.repeat(20)}`],
    ['brackets', '['.repeat(60)],
    ['prose behind an open bracket', `[1 ${'Sure I will. '.repeat(60)}`],
  ])('%s', (_name, text) => {
    expect(loopsAt(text)).not.toBeNull();
  });

  test('at the same place, however the text is cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (pieces) => {
        const text = `{"text":"${speech(1, 20)} ${'over and over, '.repeat(20)}`;
        const whole = loopsAt(text) ?? 0;
        const found = loopsAt(text, {}, pieces) ?? 0;
        expect(found - whole).toBeGreaterThanOrEqual(0);
        expect(found - whole).toBeLessThan(Math.max(...pieces));
      }),
    );
  });
});

describe('with the schema of the answer', () => {
  const judged = z.object({ prediction: z.enum(['will be arrested again', 'NO']), confidence: z.int().min(0).max(100) });
  const schema = z.toJSONSchema(
    z.object({
      prediction: z.enum(['will be arrested again', 'NO']),
      beliefs: z.array(judged).max(12),
      factors: z.array(z.object({ weight: z.literal(['low', 'high']), reason: z.string().max(80) })).max(6),
      reason: z.string().max(600),
    }),
  );
  const judgement = { prediction: 'will be arrested again', confidence: 70 };
  const factor = { weight: 'low', reason: 'It says nothing about what this person will do.' };
  const forms = (value: unknown): string[] => [
    JSON.stringify(value),
    JSON.stringify(value, null, 2),
    JSON.stringify(value).replaceAll(/([,:])(?=["{[\d])/g, '$1 '),
  ];

  test('equal items of a list are no loop as far as the schema admits them', () => {
    for (const value of [
      { prediction: 'NO', beliefs: Array(12).fill(judgement) },
      { prediction: 'NO', factors: Array(6).fill(factor) },
    ]) {
      for (const text of forms(value)) expect(loopsAt(text, schema), text).toBeNull();
      expect(loopsAt(`Sure. \`\`\`json\n${JSON.stringify(value)}\n\`\`\``, schema)).toBeNull();
    }
  });

  test('beyond the longest list they are one at once', () => {
    for (const value of [{ beliefs: Array(40).fill(judgement) }, { factors: Array(40).fill(factor) }]) {
      for (const text of forms(value)) expect(loopsAt(text, schema), text).toBeLessThan(0.4 * text.length);
    }
    const numbers = z.toJSONSchema(z.object({ belief: z.array(z.int().min(0).max(9)).max(183) }));
    const zeros = (count: number) => JSON.stringify({ belief: Array(count).fill(0) });
    expect(loopsAt(zeros(183), numbers)).toBeNull();
    expect(loopsAt(zeros(500), numbers)).toBeLessThan(400);
  });

  test.each([
    ['within the text of an item', `{"factors":[{"weight":"low","reason":"${'high, '.repeat(50)}`],
    ['within the place of a choice', `{"prediction":"${'NO or '.repeat(50)}`],
    ['over a key that is there already', `{${'"prediction":"NO",'.repeat(20)}`],
    ['over lists under a key that is there already', `{${'"beliefs":[{"prediction":"NO"},{"prediction":"NO"}],'.repeat(9)}`],
    ['over whole objects', '{"prediction":"NO","beliefs":[1,2]}'.repeat(20)],
    ['in a list where none was asked for', `{"reason":[${'"high","low",'.repeat(30)}`],
    ['over keys that the schema does not know', `{"a":[${'{"b":"because","c":1},'.repeat(20)}`],
  ])('a loop %s is found', (_name, text) => {
    expect(loopsAt(text, schema)).not.toBeNull();
  });

  test('a key may be as long as the schema has one', () => {
    const key = speech(5, 80);
    const long = z.toJSONSchema(z.object({ shares: z.object({ [key]: z.boolean() }) }));
    expect(loopsAt(JSON.stringify({ shares: { [key]: true } }), long)).toBeNull();
    expect(loopsAt(JSON.stringify({ shares: { [key]: true } }))).not.toBeNull();
  });

  test('what a character costs does not grow with the schema or the text', () => {
    const labels = Array.from({ length: 5000 }, (_, index) => `label ${index}`);
    const many = z.toJSONSchema(
      z.object({ applies: z.array(z.enum(labels)).max(5000), shares: z.record(z.enum(labels), z.int()) }),
    );
    const shares = labels.map((label) => `"${label}":1`).join(',');
    const begin = process.cpuUsage();
    expect(loopsAt(`{"applies":[${labels.map((label) => `"${label}"`).join(',')}],"shares":{${shares}}}`, many)).toBeNull();
    // 160,000 characters; each costs a few microseconds.
    expect(process.cpuUsage(begin).user).toBeLessThan(5_000_000);
  });
});

describe('no loop is', () => {
  test('an answer of ordinary words, with any lists and numbers', () => {
    for (let seed = 0; seed < (exhaustive ? 200 : 40); seed++) expect(loopsAt(answer(seed)), `seed ${seed}`).toBeNull();
  });

  test('ordinary prose', () => {
    for (let seed = 0; seed < (exhaustive ? 50 : 10); seed++) {
      expect(loopsAt(speech(seed, 200))).toBeNull();
      expect(loopsAt(speech(seed, 200), 'prose')).toBeNull();
    }
  });

  test.each([
    ['zeros', `{"belief":[${Array(183).fill(0).join(', ')}]}`],
    [
      'equal numbers under other keys',
      JSON.stringify(Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`label ${i}`, 2]))),
    ],
    ['objects of keys and numbers', JSON.stringify(Array(60).fill({ probability: 0, weight: 1 }))],
    ['emphasis', '{"text":"No, no, no, no, no. Never, never, never. Ha ha ha ha ha ha."}'],
    ['a line of dashes', `| a | b |\n|${'-'.repeat(120)}|\nand so on`],
    ['a few escaped line ends', `{"text":"A${'\\n'.repeat(60)}B"}`],
    ['a deep indentation', `{\n${' '.repeat(80)}"a": 1\n}`],
    ['a sentence said twice', `{"text":"${'The record speaks for itself and for nobody else in this court. '.repeat(2)}"}`],
    [
      'an object of the same weight and reason for each fact',
      '{"age":{"weight":"high","reason":"It matters."},"sex":{"weight":"high","reason":"It matters."},"job":{"weight":"high","reason":"It matters."},"home":{"weight":"high","reason":"It matters."}}',
    ],
  ])('%s', (_name, text) => {
    expect(loopsAt(text)).toBeNull();
  });
});
