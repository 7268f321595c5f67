import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AnswerSpec } from './answer.ts';
import { readAnswer } from './read.ts';

const specOf = (labels: readonly string[]): AnswerSpec<{ prediction: string; confidence: number }> => ({
  name: 'verdict',
  schema: z.object({ prediction: z.enum(labels), confidence: z.number().min(0).max(100) }),
  labelFields: ['prediction'],
  labels,
});

const sets = [
  ['NO', 'YES'],
  ['Entailment', 'Neutral', 'Contradiction'],
  ['GUILTY', 'NOT GUILTY', 'HIT-AND-RUN'],
  ['<=50K', '>50K'],
];

const noun = fc.constantFrom('answer', 'verdict', 'prediction', 'decision', 'conclusion', 'final answer', 'correct label');
const opening = fc.constantFrom('', 'So ', 'Sorry, ', 'Therefore ', 'He works. ', 'Thinking about the case again, ', '- ', '> ');
const wrap = fc.constantFrom<readonly [string, string]>(['', ''], ['**', '**'], ['"', '"'], ['`', '`']);
const close = fc.constantFrom('', '.', '!', ', since he works.', ' because of his age.', '\n');

/** Sentences with a place for a label, verdict-like and passing ones. */
const frame = fc.oneof(
  fc.tuple(opening, noun).map(([start, name]) => [`${start}the ${name} is `, ''] as const),
  fc.tuple(opening, noun).map(([start, name]) => [`${start}my ${name} should be `, ''] as const),
  noun.map((name) => [`${name}: `, ''] as const),
  opening.map((start) => [start, ''] as const),
  opening.map((start) => [`${start}I predict `, ''] as const),
  opening.map((start) => [`${start}I change my answer to `, ''] as const),
  opening.map((start) => [start, ' is the answer'] as const),
  fc.constantFrom(
    ['I preferred it to ', ''] as const,
    ['I looked at ', ' as well'] as const,
    ['The defense argues that the answer is ', ''] as const,
    ['If he had a job, the answer would be ', ''] as const,
    ['rather than ', ''] as const,
    ['It is not ', ''] as const,
    ['although ', ' would be possible'] as const,
  ),
);

const sentence = (labels: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(frame, fc.constantFrom(...labels), wrap, close)
    .map(([[before, after], label, [open, shut], end]) => `${before}${open}${label}${shut}${after}${end}`);

const prose = (labels: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(sentence(labels), fc.constantFrom('He has two priors.', 'There is no more to say.', 'Age: 31', '')), {
      maxLength: 3,
    })
    .map((parts) => parts.join('\n'));

const composed = fc.constantFrom(...sets).chain((labels) =>
  fc.record({
    labels: fc.constant(labels),
    before: prose(labels),
    after: prose(labels),
    prediction: fc.constantFrom(...labels),
    strict: fc.boolean(),
  }),
);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/**
 * The plainest statements of a verdict, found line by line in an own, simpler way: a noun of verdict, a copula or colon
 * and a label; `I predict`; a line that is a label. Lines with a word of doubt are left alone.
 */
function plainVerdicts(text: string, labels: readonly string[]): string[] {
  const longestFirst = labels.toSorted((first, second) => second.length - first.length);
  const label = `["*\`]*(${longestFirst.map(escaped).join('|')})["*\`]*`;
  const forms = [
    new RegExp(`(?:answer|verdict|prediction|decision|conclusion|label)(?: is| should be|:) ${label}`, 'i'),
    new RegExp(`I (?:predict|change my answer to) ${label}`, 'i'),
    new RegExp(`^${label}[.!]?$`, 'i'),
    new RegExp(`${label} is the answer`, 'i'),
  ];
  return text.split('\n').flatMap((line) => {
    if (/argues|\bif\b|rather|although|It is not/i.test(line)) return [];
    return forms.flatMap((form) => {
      const said = form.exec(line.trim())?.[1]?.toUpperCase();
      return longestFirst.filter((candidate) => candidate.toUpperCase() === said);
    });
  });
}

describe('prose, an object and prose', () => {
  test('property: where an answer is read, no plain statement of another label stands outside of it', () => {
    let read = 0;
    let refused = 0;
    fc.assert(
      fc.property(composed, ({ labels, before, after, prediction, strict }) => {
        const object = strict
          ? JSON.stringify({ prediction, confidence: 70 })
          : `{'prediction': '${prediction}', 'confidence': 70,}`;
        const reading = readAnswer(specOf(labels), `${before}\n${object}\n${after}`, true);
        const others = plainVerdicts(`${before}\n${after}`, labels).filter((label) => label !== prediction);
        if (!reading.ok) {
          refused += 1;
          return;
        }
        read += 1;
        expect(reading.value).toEqual({ prediction, confidence: 70 });
        expect(others, `${before}\n${object}\n${after}`).toEqual([]);
      }),
      { numRuns: 2500 },
    );
    expect(read).toBeGreaterThan(200);
    expect(refused).toBeGreaterThan(200);
  });

  test('property: statements of the answer itself are no reason to refuse it', () => {
    const agreeing = fc.constantFrom(...sets).chain((labels) =>
      fc.constantFrom(...labels).chain((prediction) =>
        fc.record({
          labels: fc.constant(labels),
          prediction: fc.constant(prediction),
          name: noun,
          wrapped: wrap,
          first: fc.boolean(),
        }),
      ),
    );
    fc.assert(
      fc.property(agreeing, ({ labels, prediction, name, wrapped: [open, shut], first }) => {
        const said = `So the ${name} is ${open}${prediction}${shut}.`;
        const object = JSON.stringify({ prediction, confidence: 70 });
        const raw = first ? `${said}\n${object}` : `${object}\n${said}`;
        expect(readAnswer(specOf(labels), raw, true)).toMatchObject({ ok: true, value: { prediction } });
      }),
    );
  });

  test('property: a key that names the verdict refuses another label and lets the same one stand', () => {
    const key = fc.constantFrom(
      'final_answer',
      'answer',
      'verdict',
      'correction',
      'new_prediction',
      'decision',
      'finalVerdict',
      'revised',
    );
    const holder = fc.constantFrom<(label: string) => unknown>(
      (label) => label,
      (label) => [label],
      (label) => ({ value: label }),
      (label) => ({ deeper: { label } }),
    );
    const choice = fc
      .constantFrom(...sets)
      .chain((labels) =>
        fc.record({ labels: fc.constant(labels), own: fc.constantFrom(...labels), rival: fc.constantFrom(...labels) }),
      );
    fc.assert(
      fc.property(choice, key, holder, fc.boolean(), ({ labels, own, rival }, name, hold, beside) => {
        const object = { prediction: own, confidence: 70 };
        const extra = { [name]: hold(rival) };
        const raw = beside ? `${JSON.stringify(object)}\n${JSON.stringify(extra)}` : JSON.stringify({ ...object, ...extra });
        expect(readAnswer(specOf(labels), raw, true).ok).toBe(own === rival);
      }),
    );
  });
});
