import { describe, expect, test } from 'vitest';
import { randomSource } from '../../cases/shuffle.ts';
import { completionMeasures } from './completionMeasures.ts';
import { estimates } from './estimates.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

const values = ['A', 'B', 'C', 'D'];
const trial = (id: string, truth: string | null, prediction: string | null): MeasuredTrial => ({
  ...{ case: id, truth, prediction, outcome: 'decided', incomplete: false, inconsistent: false },
  ...{ confidence: null, belief: null, groups: {}, path: null },
});
const measured = (trials: readonly MeasuredTrial[], resamples = 0) => {
  const planned = completionMeasures(casedTrials(trials), values);
  const [shuffled, beyond] = estimates(planned, { resamples, seed: 7, level: 0.95 });
  if (shuffled === undefined || beyond === undefined) throw new Error('two measures are planned');
  return { shuffled, beyond };
};

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first, place) => orders(items.toSpliced(place, 1)).map((rest) => [first, ...rest]));
}

describe('completions of shuffled rows', () => {
  test('are right as often as on average over all orders of the rows', () => {
    const [answers, cells] = [
      ['A', 'A', 'B', null, 'C', 'D'],
      ['A', 'B', 'B', 'B', 'C', 'C'],
    ];
    const rates = orders(cells).map((order) => order.filter((cell, row) => cell === answers[row]).length / cells.length);
    const { shuffled, beyond } = measured(cells.map((cell, row) => trial(`r${row}`, cell, answers[row] ?? null)));
    expect(shuffled.value).toBeCloseTo(rates.reduce((sum, rate) => sum + rate, 0) / rates.length, 12);
    expect(beyond.value).toBeCloseTo(3 / 6 - (shuffled.value ?? 0), 12);
    expect(beyond).toMatchObject({ n: 6, cases: 6 });
  });

  test('weigh each row the same, however often it was completed, and leave rows without a known cell out', () => {
    const once = [trial('a', 'A', 'A'), trial('b', 'B', 'A')];
    const again = [...once, trial('a', 'A', 'A'), trial('a', 'A', 'A'), trial('c', null, 'B')];
    expect(measured(again).shuffled.value).toBeCloseTo(measured(once).shuffled.value ?? Number.NaN, 12);
    expect(measured(again).beyond).toMatchObject({ n: 4, cases: 2, value: expect.closeTo(0, 12) });
    expect(measured([trial('c', null, 'B')]).beyond).toMatchObject({ value: null, n: 0 });
  });

  test('distinguish a model that knows only the column from one that knows rows', () => {
    const random = randomSource(3, 'completion');
    const drawn = () => (random.next() < 0.55 ? 'A' : random.next() < 0.5 ? 'B' : random.next() < 0.6 ? 'C' : 'D');
    /** A model that remembers this share of the rows, and else answers as often with each value as the column has it. */
    const simulate = (remembered: number) => {
      const rows = Array.from({ length: 60 }, (_, row) => {
        const cell = drawn();
        return trial(`r${row}`, cell, random.next() < remembered ? cell : drawn());
      });
      return measured(rows, 200).beyond;
    };
    const runs = 300;
    const none = Array.from({ length: runs }, () => simulate(0));
    const mean = none.reduce((sum, { value }) => sum + (value ?? 0), 0) / runs;
    const covered = none.filter(({ low, high }) => (low ?? -1) <= 0 && (high ?? 1) >= 0).length;
    // Four standard errors of a mean of 300 differences over 60 rows, and of a share of 95%.
    expect(Math.abs(mean)).toBeLessThan(4 * Math.sqrt(0.24 / 60 / runs));
    expect(covered / runs).toBeGreaterThan(0.95 - 4 * Math.sqrt((0.95 * 0.05) / runs));
    const some = Array.from({ length: 20 }, () => simulate(0.6));
    expect(some.every(({ low }) => (low ?? 0) > 0)).toBe(true);
  });
});
