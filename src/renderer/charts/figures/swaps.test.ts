import { expect, test } from 'vitest';
import { behindMark, optionOf } from '../kit/plot.ts';
import { armOf, dataOf, mark, paint, seriesOf, size, sourcesOf } from './report.fixture.ts';
import { changesFigure, swapsFigure as figure } from './swaps.ts';

/** Verdicts of twenty cases; the first so many are YES. */
const verdicts = (yes: number) => Array.from({ length: 20 }, (_none, place) => ['YES', place < yes ? 'YES' : 'NO'] as const);
const again = (lines: ReturnType<typeof armOf>) => lines.map((line) => ({ ...line, replicate: 1, trial: `${line.trial}/1` }));
const swapped = { swap: 'sides', base_arm: 'court' } as const;

const once = [...armOf('court', verdicts(20)), ...armOf('court~sides', verdicts(15), swapped)];
// Replicates of the arm itself differ in one of twenty cases.
const twice = (yes: number) => [
  ...armOf('court', verdicts(20)),
  ...again(armOf('court', verdicts(19))),
  ...armOf('court~sides', verdicts(yes), swapped),
  ...again(armOf('court~sides', verdicts(yes), swapped)),
];

test('flips are of pairs, with those by chance if there are replicates', () => {
  const data = dataOf(figure, sourcesOf(once));
  expect(seriesOf(data)['flip-rate']?.data).toEqual([[5 / 20, 0]]);
  expect(data.caption).toContain('Without replicates we do not know');
  const both = dataOf(figure, sourcesOf(twice(15), { resamples: 200 }));
  expect(seriesOf(both).chance?.data).toEqual([[1 / 20, 0]]);
});

test('a sentence is said where the two intervals lie apart, and never without replicates', () => {
  expect(dataOf(figure, sourcesOf(twice(2), { resamples: 200 })).finding?.sentence).toBe(
    'More verdicts flip than by chance alone: court: sides exchanged.',
  );
  expect(dataOf(figure, sourcesOf(twice(18), { resamples: 200 })).finding).toBeNull();
  expect(dataOf(figure, sourcesOf(once)).finding).toBeNull();
});

test('a mark leads to the trials with something exchanged, chance to those of the arm', () => {
  const data = dataOf(figure, sourcesOf(twice(15), { resamples: 200 }));
  expect(behindMark(data, mark('flip-rate', 0))).toMatchObject({
    subset: { arms: ['court', 'court~sides'], outcomes: ['decided'] },
    matched: { arms: ['court', 'court~sides'], by: 'replicate' },
    counts: { of: 'pairs' },
  });
  expect(behindMark(data, mark('chance', 0))).toMatchObject({
    arm: 'court',
    outcome: 'decided',
    counts: { of: 'pairs of replicates' },
  });
});

test('without a swap it is absent', () => {
  expect(figure.plot(sourcesOf(armOf('court', verdicts(3))))).toBeNull();
});

test('each declared change has its flips and those by other seeds, and leads to its pairs', () => {
  const changed = (kind: 'noise' | 'seed', text: string) =>
    ({ base_arm: 'court', change: { kind, text, applies: true, from: null, to: null } }) as const;
  const lines = [
    ...armOf('court', verdicts(20)),
    ...armOf('court (slips)', verdicts(15), changed('noise', 'typing errors in the facts')),
    ...armOf('court (seeds 1)', verdicts(19), changed('seed', 'seeds 1')),
  ];
  const data = dataOf(changesFigure, sourcesOf(lines));
  expect(seriesOf(data)['flip-rate']?.data).toEqual([
    [5 / 20, 0],
    [1 / 20, 1],
  ]);
  expect(seriesOf(data).chance?.data?.[0]).toEqual([1 / 20, 0]);
  expect(behindMark(data, mark('flip-rate', 0))).toMatchObject({
    subset: { arms: ['court', 'court (slips)'], outcomes: ['decided'] },
    counts: { of: 'pairs' },
  });
  expect(changesFigure.plot(sourcesOf(once))).toBeNull();
});

test('of a single pair a change has its flip without an interval, and what chance does is in the rows of other seeds', () => {
  const changed = (kind: 'noise' | 'seed', text: string) =>
    ({ base_arm: 'court', change: { kind, text, applies: true, from: null, to: null } }) as const;
  const lines = [
    ...armOf('court', [['YES', 'YES']]),
    ...armOf('court (slips)', [['YES', 'NO']], changed('noise', 'typing errors in the facts')),
    ...armOf('court (seeds 1)', [['YES', 'YES']], changed('seed', 'seeds 1')),
  ];
  const data = dataOf(changesFigure, sourcesOf(lines));
  const drawn = seriesOf(data);
  expect(drawn['flip-rate']?.data).toEqual([
    [1, 0],
    [0, 1],
  ]);
  expect(drawn['flip-rate-interval']?.data).toEqual([
    [0, '-', '-'],
    [1, '-', '-'],
  ]);
  expect(drawn).not.toHaveProperty('chance');
  expect(data.caption).toContain('Rows of other seeds show what chance alone does.');
});

test('the change of the belief has a scale around 0 that fits it, and its unit', () => {
  const change = { kind: 'noise', text: 'typing errors in the facts', applies: true, from: null, to: null } as const;
  const believing = (name: string, yes: number, more = {}) =>
    armOf(name, verdicts(20), more).map((line) => ({ ...line, belief: { NO: 1 - yes, YES: yes } }));
  const lines = [...believing('court', 0.6), ...believing('court (slips)', 0.63, { base_arm: 'court', change })];
  const { xAxis } = optionOf(dataOf(changesFigure, sourcesOf(lines)), paint, size) as { xAxis: object[] };
  expect(xAxis[1]).toMatchObject({ min: -0.05, max: 0.05, name: 'change of P(YES), points' });
});
