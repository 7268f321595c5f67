import { expect, test } from 'vitest';
import type { ArmStatistics } from '../../shared/outputs.ts';
import { otherAnswerTexts } from './otherAnswers.ts';

const armOf = (arm: string, base: string | null = null) => ({ arm, base_arm: base }) as ArmStatistics;

/** Of each case its tries: right, not right, or null without a decision. */
const linesOf = (arm: string, cases: readonly (readonly (boolean | null)[])[], truth: string | null = 'YES') =>
  cases.flatMap((tries, place) =>
    tries.map((correct) => ({
      ...{ arm, case: `case ${place}`, status: 'done' as const, truth, correct: truth === null ? null : correct === true },
      outcome: correct === null ? ('malformed' as const) : ('decided' as const),
    })),
  );

const mixed = [[false, false], [true, false], [true, true], [true, true], [false]];

test('of cases that were tried several times it is said in how many each try, some or none had another answer', () => {
  const lines = [...linesOf('panel', mixed), ...linesOf('once', [[false]]), ...linesOf('panel, swapped', mixed)];
  const arms = [armOf('panel'), armOf('once'), armOf('panel, swapped', 'panel')];
  expect(otherAnswerTexts({ arms, decided_by: 'the bank' }, lines)).toEqual([
    'Of 4 cases, panel answered otherwise than the bank in every try in 1, in some in 1, in none in 2.',
  ]);
  expect(otherAnswerTexts({ arms }, lines)[0]).toContain('panel was wrong in every try in 1');
  expect(otherAnswerTexts({ arms }, linesOf('panel', mixed, null))).toEqual([]);
});

test('a try without a decision is no other answer, and the sentence says so; one that has not ended is none', () => {
  const lines = linesOf('panel', [
    [false, null],
    [null, null],
    [false, false],
  ]);
  const open = linesOf('panel', [[], [], [true, true]]).map((line) => ({ ...line, status: 'running' as const, outcome: null }));
  expect(otherAnswerTexts({ arms: [armOf('panel')] }, [...lines, ...(open as never[])])).toEqual([
    'Of 3 cases, panel was wrong in every try in 1, in some in 1, in none in 1. A try without a decision is no other answer.',
  ]);
});
