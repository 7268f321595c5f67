import { expect, test } from 'vitest';
import { type ReviewLine, reviewOrders } from '../../shared/reviews.ts';
import { randomSource } from '../cases/shuffle.ts';
import { noticesOf } from '../telling/reviewTables.ts';
import { reviewAgreement } from './agreement.ts';
import { allLabels, type LabelledCase } from './allLabels.ts';
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
    replicate: 0,
    prediction: 'YES',
    truth: 'YES',
    current: true,
    varied: false,
    repeated: false,
    ...change,
  },
});
const settings = { labels: ['NO', 'YES'], cases: [], seed: 1, settled: new Map<string, string>() };
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
  const found = reviewAgreement(drawn(0.25), settings);
  const { open_less_blind: pulled } = found;
  const about = { disagreements: 0, settled: 0, outdated: 0 };
  expect(noticesOf({ ...found, ...about })[0]).toMatch(
    /^People agreed .* more often .* by \d+ points, \d+ to \d+ \(\d+ answers with it in view, \d+ without\)/,
  );
  expect(pulled.low).toBeGreaterThan(0);
  expect(pulled.low ?? 1).toBeLessThan(0.25);
  expect(pulled.high).toBeGreaterThan(0.25);
  const turned = { ...pulled, value: -0.2, low: -0.3, high: -0.1 };
  expect(noticesOf({ ...found, open_less_blind: turned, ...about })[0]).toMatch(
    /^People agreed .* less often .* by 20 points, 10 to 30 /,
  );
  const { open_less_blind: none } = reviewAgreement(drawn(0), settings);
  expect(noticesOf({ ...found, open_less_blind: none, ...about })[0]).toContain('No clear difference');
  const one = { ...found.open_agreement, n: 1 };
  expect(noticesOf({ ...found, open_agreement: one, ...about })[0]).toContain(
    'takes 10 answers of each kind, and there are 1 with',
  );
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

/** Cases of two arms: how many have a label that no verdict names, and how many one that each names. */
const labelled = (doubted: number, trusted: number): LabelledCase[] =>
  Array.from({ length: doubted + trusted }, (_, index) => ({
    ...{ case: `c${index}`, truth: 'YES' },
    court: ['a', 'b'].map((arm) => ({ arm, prediction: index < doubted ? 'NO' : 'YES' })),
  }));

test('by hand: the wrong labels of all cases, from all doubted ones and some of the others', () => {
  const reviewed = (index: number, label: string) => of(index, { label, prediction: index < 10 ? 'NO' : 'YES' });
  const lines = Array.from({ length: 40 }, (_, index) => reviewed(index, index < 6 || index === 10 ? 'NO' : 'YES'));
  const { all } = reviewAgreement(lines, { ...settings, cases: labelled(10, 90) }).label_errors;
  expect(all.parts).toEqual([
    { doubted: true, cases: 10, reviewed: 10, wrong: 6 },
    { doubted: false, cases: 90, reviewed: 30, wrong: 1 },
  ]);
  expect(all.wrong_labels).toMatchObject({ value: expect.closeTo(0.1 * 0.6 + 0.9 / 30, 12), n: 40 });
  // The doubted are all known, so only the others widen the interval: 0.9 of Wilson's for 1 of 30, with 60 of 89 unseen.
  const high = 0.09 + 0.9 * (0.16670391 - 1 / 30) * Math.sqrt(60 / 89);
  expect(all.wrong_labels.high).toBeCloseTo(high, 6);
  // By the labels 0.9 are right; the six gain and the one loses: 0.9 + 0.1 * 0.6 - 0.9 / 30.
  expect(all.arms).toMatchObject(
    ['a', 'b'].map((arm) => ({
      arm,
      cases: 100,
      accuracy_by_label: 0.9,
      accuracy_corrected: { value: expect.closeTo(0.93, 12) },
    })),
  );
  expect(all.to_narrow).toMatchObject({ half_width: 0.05 });
});

test('with reviews of doubted labels alone nothing is said of all', () => {
  const lines = Array.from({ length: 10 }, (_, index) => of(index, { label: 'NO', prediction: 'NO' }));
  const { all } = reviewAgreement(lines, { ...settings, cases: labelled(10, 90) }).label_errors;
  expect(all.wrong_labels).toMatchObject({ value: null, why_null: expect.stringContaining('a verdict names') });
  expect(all.to_narrow?.reviews).toBeGreaterThan(20);
});

test('more reviews as planned bring the interval to the stated width', () => {
  const cases = labelled(50, 450);
  const reviewed = (trusted: number) => new Map(cases.slice(0, 50 + trusted).map((each) => [each.case, 'YES']));
  const { to_narrow: more, wrong_labels: now } = allLabels(cases, reviewed(30), 0.95);
  const then = allLabels(cases, reviewed(30 + (more?.reviews ?? 0)), 0.95).wrong_labels;
  expect(now.high).toBeGreaterThan(more?.half_width ?? 1);
  expect(then.high).toBeLessThanOrEqual(more?.half_width ?? 0);
});

test('a trial without a verdict is wrong, by the labels and by the reviewers', () => {
  const failed = { case: 'c9', truth: 'YES', court: [{ arm: 'a', prediction: null }] };
  const cases = [...labelled(1, 2).map((each) => ({ ...each, court: each.court.slice(0, 1) })), failed];
  const { parts, arms } = allLabels(cases, new Map(cases.map((each) => [each.case, 'YES'])), 0.95);
  expect(parts.map((part) => part.cases)).toEqual([1, 2]);
  expect(arms).toMatchObject([{ cases: 4, accuracy_by_label: 0.5, accuracy_corrected: { value: 0.5, low: null, high: null } }]);
});

test.each([
  // What a case is wrong by, right by, and is reviewed by, where its label is doubted and where it is not.
  { cases: 600, wrong: 0.08, right: 0.8, doubted: 0.7, trusted: 0.15 },
  { cases: 300, wrong: 0.1, right: 0.6, doubted: 0.9, trusted: 0.05 },
  { cases: 300, wrong: 0.1, right: 0.6, doubted: 1, trusted: 0.03 },
  { cases: 100, wrong: 0.05, right: 0.6, doubted: 1, trusted: 0.1 },
])('planted wrong labels and the accuracy without them are in their intervals: $cases cases, $trusted reviewed', (design) => {
  const lots = randomSource(9, 'test');
  const runs = 300;
  const held = { wrong: 0, accuracy: 0, of: 0 };
  for (let run = 0; run < runs; run++) {
    const drawn = Array.from({ length: design.cases }, (_, index) => {
      const wrong = lots.next() < design.wrong;
      const prediction = wrong === lots.next() < design.right ? 'NO' : 'YES';
      return { case: `c${index}`, truth: 'YES', real: wrong ? 'NO' : 'YES', court: [{ arm: 'a', prediction }] };
    });
    const chosen = drawn.filter(({ court }) => lots.next() < (court[0]?.prediction === 'NO' ? design.doubted : design.trusted));
    const { wrong_labels: share, arms } = allLabels(drawn, new Map(chosen.map((each) => [each.case, each.real])), 0.95);
    const accuracy = arms[0]?.accuracy_corrected;
    const isIn = (found: typeof accuracy, counts: (each: (typeof drawn)[number]) => boolean) => {
      const truth = drawn.filter(counts).length / drawn.length;
      return Number((found?.low ?? 1) <= truth + 1e-9 && truth <= (found?.high ?? 0) + 1e-9);
    };
    if (share.value === null) continue;
    held.of += 1;
    held.wrong += isIn(share, ({ real }) => real === 'NO');
    held.accuracy += isIn(accuracy, ({ real, court }) => court[0]?.prediction === real);
  }
  expect(held.of).toBeGreaterThan(0.9 * runs);
  expect(held.wrong / held.of).toBeGreaterThan(0.9);
  expect(held.accuracy / held.of).toBeGreaterThan(0.9);
});
