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
  ...{ trial: 't', arm: 'a', case: 't', prediction: 'YES', truth: 'YES', current: true, repeated: false, ...change },
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
