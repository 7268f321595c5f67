import { expect, test } from 'vitest';
import { behindMark } from '../kit/plot.ts';
import { accuracyAgainstTimeFigure, accuracyAgainstTokensFigure, f1AgainstTimeFigure, f1AgainstTokensFigure } from './costs.ts';
import { armOf, dataOf, mark, seriesOf, sourcesOf } from './report.fixture.ts';

const right = (count: number) => Array.from({ length: 4 }, (_none, place) => ['YES', place < count ? 'YES' : 'NO'] as const);
const lines = [
  ...armOf('quick', right(2), { wall_ms: 1000, prompt_tokens: 300, completion_tokens: 100 }),
  ...armOf('slow', right(2), { wall_ms: 30_000, prompt_tokens: 300, completion_tokens: 50 }),
  ...armOf('good', right(3), { wall_ms: 20_000, prompt_tokens: 9000, completion_tokens: 1000, protocol: 'agentic-sim' }),
];
const data = dataOf(accuracyAgainstTimeFigure, sourcesOf(lines));

test('each arm is at its mean time and its accuracy; one that is alone with its protocol gives its own name', () => {
  const series = seriesOf(data);
  expect(series['condition-0']?.data).toMatchObject([{ value: [1, 0.5] }, { value: [30, 0.5] }]);
  expect(series['condition-1']?.data).toMatchObject([{ value: [20, 0.75] }]);
  expect(series['condition-1']?.name).toBe('good');
});

test('those are ringed that no other arm beats in one respect without being worse in the other', () => {
  const series = seriesOf(data);
  expect(series['condition-0-ring']?.data).toEqual([[1, 0.5]]);
  expect(series['condition-1-ring']?.data).toEqual([[20, 0.75]]);
  // By tokens slow is the cheapest.
  const tokens = dataOf(accuracyAgainstTokensFigure, sourcesOf(lines));
  const { rows } = tokens.table;
  expect(rows.map(([arm, , price, ...rest]) => [arm, price, rest.at(-1)])).toEqual([
    ['quick', 400, 'no'],
    ['slow', 350, 'yes'],
    ['good', 10_000, 'yes'],
  ]);
});

test('arms that are equal in both respects are both ringed', () => {
  const twins = sourcesOf([...armOf('one', right(2)), ...armOf('other', right(2))]);
  expect(dataOf(f1AgainstTokensFigure, twins).table.rows.map((row) => row.at(-1))).toEqual(['yes', 'yes']);
});

test('F1 is of the positive label, and of all labels without one', () => {
  // 2 of 4 found and nothing else named so: F1 2 * 2 / (2 * 2 + 2).
  expect(dataOf(f1AgainstTimeFigure, sourcesOf(lines)).table.rows[0]?.slice(0, 5)).toEqual(['quick', 'standard', 1, 4, 4 / 6]);
  const mean = dataOf(f1AgainstTimeFigure, sourcesOf(lines, { positive: null }));
  const { columns, rows } = mean.table;
  expect([columns[4]?.name, rows[0]?.[4]]).toEqual(['macro-F1', 4 / 6 / 2]);
});

test('predictions from elsewhere took no time', () => {
  const free = sourcesOf(armOf('imported', right(3), { wall_ms: 0, prompt_tokens: 0, completion_tokens: 0 }));
  expect(accuracyAgainstTimeFigure.plot(free)).toBeNull();
  const both = dataOf(accuracyAgainstTimeFigure, sourcesOf([...lines, ...armOf('imported', right(3), { wall_ms: 0 })]));
  expect(both.caption).toContain('Left out: 1 arm without calls');
});

test('a mark leads to its trials, a ring to none', () => {
  expect(behindMark(data, mark('condition-0', 1))).toMatchObject({ arm: 'slow', status: 'done', subset: { known: ['truth'] } });
  expect(behindMark(data, mark('condition-0-interval', 1))).toMatchObject({ arm: 'slow', status: 'done' });
  expect(behindMark(data, mark('condition-0-ring', 0))).toBeNull();
});

test('without an F1 and without a known truth it is absent', () => {
  const failed = sourcesOf(armOf('failed', [['YES', '-']]));
  expect(f1AgainstTimeFigure.plot(failed)).toBeNull();
  const unknown = sourcesOf(armOf('unknown', [['YES', 'YES']], { truth: null }));
  expect(f1AgainstTimeFigure.plot(unknown)).toBeNull();
});
