import { expect, test } from 'vitest';
import { datasetSchema } from '../../shared/experiment.ts';
import { sampleSentence, splitSentence } from './shares.ts';

const said = (split: Record<string, unknown>, sample: Record<string, unknown>) =>
  sampleSentence(datasetSchema.parse({ path: 'cases.csv', question: 'Which?', split, sample }));

test('shares are said without those that are empty', () => {
  expect(splitSentence({ test: 0.625, train: 0.375, validation: 0 })).toBe('62.5% test, 37.5% training');
});

test('every way to draw a sample is said', () => {
  const split = { test: 0.2, train: 0.8 };
  expect(said(split, { n: 30 })).toBe('20% test, 80% training, dealt by the seed; on trial are 30 cases of the test share');
  expect(said({ ...split, by: 'day' }, { from: 'all' })).toBe(
    '20% test, 80% training, in the order of the column day; cases of the same time are in one share, so that none is tested on what was learned from its own moment; on trial are all cases',
  );
  expect(said(split, { from: 'train', n: 1_200, by: 'desk', each: 5, distinct: true })).toMatch(
    /on trial are 1,200 cases of the training share, in proportion by desk, at most 5 of each value, cases with the same content only once$/,
  );
  expect(said(split, { ids: ['a', 'b'] })).toMatch(/on trial are the 2 cases that the experiment names$/);
});
