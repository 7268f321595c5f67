import { expect, test } from 'vitest';
import { type ReviewLine, reviewOrders } from '../../shared/reviews.ts';
import { randomSource } from '../cases/shuffle.ts';
import { reviewAgreement } from './agreement.ts';
import { nextReview, type ReviewableTrial } from './queue.ts';

const trials: readonly ReviewableTrial[] = Array.from({ length: 40 }, (_, index) => ({
  trial: `t${index}`,
  confidence: (index % 7) / 10 + 0.3,
  inTruth: (index % 9) / 10,
}));

test.each(reviewOrders)('in the order "%s" every trial comes once, and each tenth review is one judged before', (order) => {
  const judged: string[] = [];
  const again: number[] = [];
  for (let next = nextReview(trials, judged, order, 5); next !== null; next = nextReview(trials, judged, order, 5)) {
    if (next.again) again.push(judged.length);
    expect(judged.includes(next.trial)).toBe(next.again);
    judged.push(next.trial);
  }
  expect(new Set(judged).size).toBe(trials.length);
  expect(again).toEqual([9, 19, 29, 39]);
});

test('the doubtful come first, the same seed gives the same lots, and what is new does not end the order of the rest', () => {
  expect(nextReview(trials, [], 'doubtful', 1)?.trial).toBe('t0');
  expect(nextReview(trials, [], 'label-in-doubt', 1)?.trial).toBe('t0');
  expect(nextReview(trials, [], 'random', 8)).toEqual(nextReview(trials.toReversed(), [], 'random', 8));
  expect(nextReview(trials, [], 'random', 8)).not.toEqual(nextReview(trials, [], 'random', 9));
});

const line = (change: Partial<ReviewLine>): ReviewLine => ({
  ...{ seq: 0, at: '', head: '', reviewer: 'A', judgement: 'label', label: 'YES', reason: null, blind: true, seconds: 10 },
  ...{
    trial: 't',
    arm: 'a',
    case: 't',
    prediction: 'YES',
    truth: 'YES',
    current: true,
    varied: false,
    repeated: false,
    ...change,
  },
});
const settings = { labels: ['NO', 'YES'], seed: 1 };
const of = (index: number, change: Partial<ReviewLine>) => line({ trial: `t${index}`, case: `c${index}`, ...change });

test('by hand: agreement, kappa, accuracy of each and of the two where they agree', () => {
  const lines = [
    of(0, {}),
    of(1, { label: 'NO', prediction: 'NO', truth: 'NO' }),
    of(2, { label: 'NO', truth: 'NO' }),
    of(3, { label: 'NO' }),
    of(4, { judgement: 'flag', label: null, seconds: 40 }),
    of(0, { repeated: true, label: 'NO' }),
    // Tried again since: no part of any agreement.
    of(5, { current: false, label: 'NO' }),
  ];
  const [reviewer] = reviewAgreement(lines, settings).reviewers;
  expect(reviewer).toMatchObject({ reviews: 7, labels: 6, flags: 1, unsure: 0, seconds: 10 });
  expect(reviewer?.agreement).toMatchObject({ value: 0.5, n: 4 });
  // Court YES YES YES NO, reviewer YES NO NO NO: p_e = (3 * 1 + 1 * 3) / 16.
  expect(reviewer?.kappa.value).toBeCloseTo((0.5 - 6 / 16) / (1 - 6 / 16), 12);
  expect(reviewer?.accuracy).toMatchObject({ value: 0.75, n: 4 });
  expect(reviewer?.court_accuracy).toMatchObject({ value: 0.75, n: 4 });
  expect(reviewer?.agreed_accuracy).toMatchObject({ value: 1, n: 2 });
  expect(reviewer?.self).toMatchObject({ value: 0, n: 1 });
});

test('with planted pull of the verdict, open less blind is found with its interval, and without it the interval has zero', () => {
  const lots = randomSource(3, 'test');
  const drawn = (pull: number) =>
    Array.from({ length: 400 }, (_, index) => {
      const blind = index % 2 === 0;
      const agrees = lots.next() < 0.6 + (blind ? 0 : pull);
      return of(index, { blind, label: agrees ? 'YES' : 'NO' });
    });
  const { open_less_blind: pulled } = reviewAgreement(drawn(0.25), settings);
  expect(pulled.low).toBeGreaterThan(0);
  expect(pulled.low ?? 1).toBeLessThan(0.25);
  expect(pulled.high).toBeGreaterThan(0.25);
  const { open_less_blind: none } = reviewAgreement(drawn(0), settings);
  expect(none.low).toBeLessThan(0);
  expect(none.high).toBeGreaterThan(0);
});

test('two reviewers who always agree have an alpha of 1; without reviews there is no value and a reason', () => {
  const both = [0, 1, 2].flatMap((index) =>
    ['A', 'B'].map((reviewer) => of(index, { reviewer, label: index === 0 ? 'NO' : 'YES' })),
  );
  expect(reviewAgreement(both, settings).between).toMatchObject({ value: 1, n: 6 });
  expect(reviewAgreement([], settings).between).toMatchObject({ value: null, n: 0, why_null: 'there are no such reviews' });
});

test('by hand: labels that most reviewers contradict, and what becomes of the accuracy of the court', () => {
  const lines = [
    // The label is YES, two of three reviewers say NO, as does the court.
    of(0, { label: 'NO', prediction: 'NO' }),
    of(0, { label: 'NO', prediction: 'NO', reviewer: 'B' }),
    of(0, { prediction: 'NO', reviewer: 'C' }),
    // A second thought of one reviewer counts for nothing.
    of(0, { prediction: 'NO', repeated: true }),
    of(1, {}),
    of(2, { truth: 'NO', label: 'NO' }),
    // Two reviewers who disagree decide nothing.
    of(3, {}),
    of(3, { label: 'NO', reviewer: 'B' }),
    of(4, { judgement: 'unsure', label: null }),
    of(5, { label: 'NO', current: false }),
    of(6, { label: 'NO', varied: true }),
  ];
  const { label_errors: found } = reviewAgreement(lines, settings);
  expect(found).toMatchObject({ disputed: 1, wrong_labels: { n: 3, interval_method: 'wilson' } });
  expect(found.wrong_labels.value).toBeCloseTo(1 / 3, 12);
  // By the labels the court is right on case 1 alone, by the reviewers on 0 and 1.
  expect(found.accuracy_by_label.value).toBeCloseTo(1 / 3, 12);
  expect(found.accuracy_by_people.value).toBeCloseTo(2 / 3, 12);
  expect(found.accuracy_change.value).toBeCloseTo(1 / 3, 12);
  expect(reviewAgreement([], settings).label_errors.wrong_labels).toMatchObject({ value: null, n: 0 });
});
