import { expect, test } from 'vitest';
import type { ArmStatistics } from '../../shared/outputs.ts';
import { errorPieces } from './findingTexts.ts';

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
const shown = (arms: readonly ArmStatistics[], labels = ['NO', 'YES'], by?: string) =>
  errorPieces({ arms: [...arms], labels, ...(by === undefined ? {} : { decided_by: by }) }).filter(
    (piece) => typeof piece === 'object' && 'rows' in piece,
  )[0];

const oneSided: Cell[] = [
  ['NO', 'NO', 5],
  ['YES', 'NO', 7],
];
const mixed: Cell[] = [
  ['NO', 'NO', 5],
  ['NO', 'YES', 2],
  ['YES', 'YES', 1],
];

test('arms with the same errors have rows together, one of which is of a label that was never given', () => {
  expect(shown([armOf('court', oneSided), armOf('alone', oneSided)], ['NO', 'YES'], 'the bank')).toEqual({
    head: ['arm', 'decided by the bank', 'trials', 'answered NO', 'answered YES', 'missed'],
    rows: [
      ['court, alone', 'NO', '5 (3 cases)', '5', '0', '0 of 5 (0%, 95% interval 10% to 60%)'],
      ['court, alone', 'YES', '7 (1 case)', '7', '0', '7 of 7 (100%)'],
    ],
  });
});

test('each answer to each label is counted, with the share that was missed', () => {
  expect(shown([armOf('court', mixed)])).toMatchObject({
    head: ['arm', 'right answer', 'trials', 'answered NO', 'answered YES', 'missed'],
    rows: [
      ['court', 'NO', '7 (3 cases)', '5', '2', '2 of 7 (28.6%, 95% interval 10% to 60%)'],
      ['court', 'YES', '1', '0', '1', '0 of 1 (0%)'],
    ],
  });
  expect(JSON.stringify(errorPieces({ arms: [armOf('court', mixed)], labels: ['NO', 'YES'] }, true))).toContain(
    '2 of 7 (28.6%, probably 10 to 60 of 100)',
  );
  expect(shown([armOf('court', mixed, { n: 9 })])).toMatchObject({ head: expect.arrayContaining(['decided trials']) });
  expect(errorPieces({ arms: [armOf('court', mixed, { n: 9 }), armOf('alone', mixed)], labels: ['NO', 'YES'] })).toContain(
    'Trials without a verdict are not in it: 1 of court.',
  );
});

test('nothing is shown without a truth, nor of more labels than a table can hold', () => {
  expect(errorPieces({ arms: [armOf('court', [])], labels: ['NO', 'YES'] })).toEqual([]);
  expect(shown([armOf('court', oneSided)], ['NO', 'YES', 'a', 'b', 'c', 'd'])).toBeUndefined();
});
