import { expect, test } from 'vitest';
import { line, trial } from '../../../core/statistics/measures/trials.fixture.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { mistakesIn, noInstruction } from './suggestions.ts';

const ids = Array.from({ length: 12 }, (_, index) => `c${index}`);
const caseText = (id: string) =>
  `sex is male; age is 2${id.slice(1)}; arrests is 3; married is never; college is some; house is ${id}`;
const data: Dataset = {
  cases: ids.map((id) => ({ id, facts: [{ name: 'text', value: caseText(id) }], question: null, truth: 'NO', groups: {} })),
  splits: new Map(),
  sample: ids,
  labels: ['NO', 'YES'],
  positive: 'YES',
  multiLabel: false,
  fileHash: '',
  checks: [],
};
const wrong = (id: string, replicate = 0) => line('plain', trial(id, { prediction: 'YES' }), { replicate, correct: false });

test('mistakes are the first wrong verdicts of cases in the data, eight at most and no more than there is room for', () => {
  const right = line('plain', trial('c0'), { correct: true });
  const failed = line('plain', trial('c1', { outcome: 'timeout', prediction: null }), { correct: null });
  const lines = [right, failed, wrong('c2'), wrong('elsewhere'), ...ids.slice(3).map((id) => wrong(id)), wrong('c2', 1)];
  const found = mistakesIn(lines, data, 'text', 100_000);
  expect(found).toMatchObject({ cases: 13, wrong: 11 });
  expect(found.shown).toEqual(ids.slice(2, 10).map((id) => `${caseText(id)}\nRight answer: "NO"\nAnswer given: "YES"`));
  expect(mistakesIn(lines, data, 'text', 300).shown).toEqual(found.shown.slice(0, 2));
});

// The first two are of the kind that SmolLM2-135M suggested.
test.each([
  ['Mistake 1: Sex is male; age is 23, arrests is 3; married is never', 'it repeats a case'],
  ['<another instruction to prevent the next mistake>>', 'it is a placeholder'],
  ['… !', 'it has no word'],
  ['1. Weigh how often the person was arrested before', null],
  ['Age is 23; arrests is 3; say NO', null],
])('%s: %s', (instruction, problem) => {
  expect(noInstruction(instruction, [caseText('c2'), caseText('c3')])).toBe(problem);
});
