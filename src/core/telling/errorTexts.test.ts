import { expect, test } from 'vitest';
import type { ArmStatistics } from '../../shared/outputs.ts';
import { errorTexts } from './findingTexts.ts';

type Cell = readonly [truth: string, prediction: string, n: number];

const armOf = (arm: string, cells: readonly Cell[], { n, cases }: { n?: number; cases?: number } = {}) => {
  const decided = cells.reduce((sum, [, , many]) => sum + many, 0);
  return {
    ...{ arm, base_arm: null, decided, n: n ?? decided },
    confusion: cells.map(([truth, prediction, many]) => ({ truth, prediction, n: many })),
    measures: [
      { name: 'accuracy', over: 'all', label: null, n: decided, cases: cases ?? decided },
      { name: 'recall', over: 'decided', label: 'NO', n: 7, cases: 3, low: 0.4, high: 0.9, level: 0.95 },
      { name: 'recall', over: 'decided', label: 'YES', n: 1, cases: 1, low: null, high: null, level: 0.95 },
    ],
  } as unknown as ArmStatistics;
};
const said = (arms: readonly ArmStatistics[], labels = ['NO', 'YES'], by?: string) =>
  errorTexts({ arms: [...arms], labels, ...(by === undefined ? {} : { decided_by: by }) });

const oneSided: Cell[] = [
  ['NO', 'NO', 5],
  ['YES', 'NO', 7],
];

test('one verdict for all cases is said so, once for all arms that have the same errors', () => {
  expect(said([armOf('court', oneSided), armOf('alone', oneSided)])).toEqual([
    'court, alone: each of 12 verdicts was “NO”, also for the 7 cases in which “YES” was right.',
  ]);
  expect(said([armOf('court', oneSided)], ['NO', 'YES'], 'the bank')[0]).toContain(
    'also for the 7 cases that the bank decided as “YES”',
  );
});

test('both kinds of error are counted, of trials where cases have several, and of the decided where some failed', () => {
  const cells: Cell[] = [...oneSided.slice(0, 1), ['NO', 'YES', 2], ['YES', 'YES', 1]];
  expect(said([armOf('court', cells)])).toEqual([
    'court: of the 7 cases in which “NO” was right, 5 were decided so and 2 missed (28.6%, 95% interval 10% to 60%); of the 1 case in which “YES” was right, 1 was decided so and 0 missed (0%).',
  ]);
  expect(errorTexts({ arms: [armOf('court', cells)], labels: ['NO', 'YES'] }, true)[0]).toContain(
    '2 missed (28.6%, probably 10 to 60 of 100)',
  );
  expect(said([armOf('court', cells, { cases: 4 })])[0]).toContain('of the 7 trials of 3 cases in which “NO” was right');
  expect(said([armOf('court', cells, { n: 9 })])[0]).toContain('of the 7 decided cases in which');
});

test('nothing is said without a truth, nor of more labels than a sentence can hold', () => {
  expect(said([armOf('court', [])])).toEqual([]);
  expect(said([armOf('court', oneSided)], ['NO', 'YES', 'a', 'b', 'c', 'd'])).toEqual([]);
});
