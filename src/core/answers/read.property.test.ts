import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAnswer } from './read.ts';
import { type Verdict, verdictSpec } from './verdict.fixture.ts';

const fragment = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  ':',
  ',',
  '\n',
  ' ',
  '\\',
  '...',
  '+',
  '`',
  '```json\n',
  '<think>',
  '</think>',
  '//',
  '/*',
  'prediction',
  'confidence',
  '"prediction":',
  '"confidence":',
  'Prediction: ',
  'Confidence: ',
  'reasoning',
  'YES',
  'NO',
  '"YES"',
  "'NO'",
  '70',
  '7',
  '0.5',
  '1e2',
  'null',
  'None',
  'true',
  '70%',
  'UNKNOWN',
  '{"prediction":"YES","confidence":70}',
  "{'prediction': 'NO', 'confidence': 20",
  '\u201c',
  '\u201d',
  '-',
  '.',
  '**',
  '(',
  ')',
  '&quot;',
  '\u0000',
  '\ud800',
);
const piece = fc.oneof({ weight: 5, arbitrary: fragment }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) });
const soup = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''));
const verdict: fc.Arbitrary<Verdict> = fc.record({
  prediction: fc.constantFrom('NO', 'YES'),
  confidence: fc.oneof(fc.constant(0), fc.integer({ min: 2, max: 100 }), fc.constantFrom(70.25, 99.5, 10.125)),
  reasoning: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    soup.map((text) => text.slice(0, 200)),
  ),
});

const numbersIn = (text: string): number[] =>
  [...text.matchAll(/\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?/g)].map(([found]) => Number(found));

/** The reading of every beginning of the text: the whole value or a failure, never anything else. */
function expectNoWrongBeginning(text: string, value: Verdict): void {
  for (let length = 0; length <= text.length; length += 1) {
    const reading = readAnswer(verdictSpec, text.slice(0, length));
    if (reading.ok) expect(reading.value, text.slice(0, length)).toEqual(value);
  }
}

describe('readAnswer', () => {
  test('property: never throws, and label and number stand in the text', () => {
    let read = 0;
    fc.assert(
      fc.property(soup, fc.boolean(), (raw, ended) => {
        const reading = readAnswer(verdictSpec, raw, ended);
        if (!reading.ok) return reading.message !== '' && reading.message.length < 600;
        read += 1;
        const { prediction, confidence } = reading.value;
        return (
          raw.toUpperCase().includes(prediction) &&
          (confidence === null ? /null|None|undefined/.test(raw) : numbersIn(raw).includes(confidence))
        );
      }),
      { numRuns: 20_000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  test('property: any unicode text is survived', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (raw) => readAnswer(verdictSpec, raw).ok === false));
  });

  test('property: a valid answer is read back whole, alone or with prose around it', () => {
    fc.assert(
      fc.property(verdict, (value) => {
        const json = JSON.stringify(value, null, 1);
        expect(readAnswer(verdictSpec, json)).toEqual({ ok: true, value, method: 'json' });
        const fenced = `Here:\n\`\`\`json\n${json}\n\`\`\`\nDone.`;
        expect(readAnswer(verdictSpec, fenced)).toEqual({ ok: true, value, method: 'embedded-json' });
      }),
      { numRuns: 2000 },
    );
  });

  test('property: no beginning of a JSON answer gives a wrong value', () => {
    const thought = '<think>Is {"prediction":"NO","confidence":20} it?</think>\n';
    const opening = fc.constantFrom('', 'My answer: ', '```json\n', thought);
    fc.assert(
      fc.property(verdict, opening, (value, before) => expectNoWrongBeginning(`${before}${JSON.stringify(value)}\n`, value)),
      { numRuns: 300 },
    );
  });

  test('property: no beginning of a labelled answer gives a wrong value', () => {
    const confidence = fc.constantFrom(7, 70, 100, 70.5, 99.25);
    const simple = fc.record({ prediction: fc.constantFrom('NO', 'YES'), confidence });
    fc.assert(
      fc.property(simple, fc.constantFrom('', '**'), fc.constantFrom('', '%', '.'), (value, bold, after) => {
        const lines = [`${bold}Prediction:${bold} ${value.prediction}`, `${bold}Confidence:${bold} ${value.confidence}${after}`];
        expectNoWrongBeginning(`${lines.join('\n')}\n`, value);
        expectNoWrongBeginning(`${lines.toReversed().join('\n')}\n`, value);
        expect(readAnswer(verdictSpec, `${lines.join('\n')}\n`)).toEqual({ ok: true, value, method: 'labelled-fields' });
      }),
    );
  });

  test('no beginning of an answer with slips gives a wrong value', () => {
    const value = { prediction: 'YES', confidence: 70 };
    expectNoWrongBeginning("{'prediction': 'YES', 'confidence': 70}", value);
    expectNoWrongBeginning('Well: {prediction: YES, confidence: 70,} // ok', value);
    expectNoWrongBeginning('[{"prediction":"YES" "confidence":"70%"}]', value);
  });
});
