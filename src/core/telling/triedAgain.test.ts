import { expect, test } from 'vitest';
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { repeatedCases } from '../statistics/armStatistics.ts';
import { oneAnswer } from '../statistics/measures/finding.ts';
import { commonestText, constantTexts, firstAnswerTexts, triedAgainTexts } from './findingTexts.ts';

const labels = ['NO', 'YES'];

type End = string | null;

/** The verdicts of each case; null: no decision. */
const repeatedIn = (cases: readonly (readonly End[])[]) =>
  repeatedCases(
    cases.flatMap((ends, place) =>
      ends.map((prediction, replicate) => ({
        ...{ trial: `${place}-${replicate}`, case: `case ${place}`, replicate, prediction, truth: null, groups: {} },
        outcome: prediction === null ? ('malformed' as const) : ('decided' as const),
      })),
    ),
  );
const armOf = (arm: string, repeated: ArmStatistics['repeated'], rest: Partial<ArmStatistics> = {}) =>
  ({ arm, base_arm: null, n: 4, decided: 4, repeated, ...rest }) as ArmStatistics;

test('a case ended differently where any of its trials has another end; a case that was tried once does not count', () => {
  const same = ['NO', 'NO', 'NO'];
  expect(repeatedIn([['NO', 'YES'], same, ['YES', null], ['YES'], [null, null]])).toEqual({
    cases: 4,
    least: 2,
    most: 3,
    differed: 2,
    first: ['case 0', 'case 2'],
  });
  expect(repeatedIn(Array.from({ length: 30 }, () => ['NO', 'YES']))?.first).toHaveLength(20);
  expect(repeatedIn([['NO'], ['YES']])).toBeNull();
});

test('that no case was tried twice is said of trials of labels, and not of predictions or of changes', () => {
  const said = (arm: Partial<ArmStatistics>, of = labels) =>
    triedAgainTexts({ arms: [armOf('once', undefined, { protocol: 'standard', ...arm })], labels: of }).length;
  expect(triedAgainTexts({ arms: [armOf('once', undefined, { protocol: 'standard' })], labels })).toEqual([
    'No method tried a case twice, with any seed: whether it would end the same is unknown.',
  ]);
  expect([said({}), said({ n: 0 }), said({ protocol: 'imported' }), said({ change: 'seed 2' }), said({}, [])]).toEqual([
    1, 0, 0, 0, 0,
  ]);
});

test('each arm with cases that were tried several times has its sentence, many arms have one together', () => {
  const of = { cases: 14, least: 2, most: 2, differed: 8, first: ['K1', 'K2'] };
  const texts = triedAgainTexts({
    labels,
    arms: [
      armOf('court', of),
      armOf('once', undefined),
      armOf('failing', { ...of, most: 3, differed: 0, first: [] }, { decided: 3 }),
      armOf('court, swapped', of, { base_arm: 'court' }),
    ],
  });
  expect(texts).toEqual([
    'A case is tried again with another seed and the same prompts and settings; none was tried again with the same seed.',
    'court tried each of 14 cases 2 times: 8 of 14 did not end the same way each time (57.1%, 95% interval 32.6% to 78.6%): cases K1, K2 and 6 more.',
    'failing tried each of 14 cases 2 to 3 times: 0 of 14 did not end the same way each time (0%, 95% interval 0% to 21.5%; no decision is an end too).',
  ]);
  const many = triedAgainTexts({ labels, arms: Array.from({ length: 10 }, (_, place) => armOf(`arm ${place}`, of)) });
  expect(many).toHaveLength(10);
  expect(many.at(-1)).toContain('2 more arms tried 28 cases');
  const imported = triedAgainTexts({ labels, arms: [armOf('tree', of, { protocol: 'imported' })] });
  expect(imported).toHaveLength(1);
});

test('what first answers became is counted, and is called more than chance only where test and interval agree', () => {
  const armWith = (arm: string, of: readonly number[], change: object, n = 20) => {
    const names = ['initial_accuracy', 'verdict_accuracy', 'corrections', 'degradations'];
    const shares = names.map((name, place) => ({
      ...{ name, value: (of[place] ?? 0) / 20, cases: 10 },
      ...(n === 20 ? { count: of[place] } : {}),
    }));
    const all = [...shares, { name: 'accuracy_change', value: ((of[1] ?? 0) - (of[0] ?? 0)) / 20, cases: 10, ...change }];
    return armOf(arm, undefined, {
      measures: all.map((each) => ({ over: 'initial-and-verdict', label: null, n, ...each })) as never,
    });
  };
  const arms = [
    armWith('debate', [8, 13, 6, 1], { low: 0.05, high: 0.4, p: 0.02 }),
    armWith('all alike', [0, 20, 20, 0], { low: null, high: null, p: 0.002 }),
    armWith('doubted', [8, 13, 6, 1], { low: -0.01, high: 0.4, p: 0.02 }),
    armWith('court', [8, 9, 4, 3], { low: -0.2, high: 0.3, p: 0.4 }),
    armWith('uneven', [8, 9, 4, 3], { low: null, high: null }, 19),
    armWith('one case', [8, 9, 4, 3], { low: null, high: null, cases: 1 }),
    armOf('one answer', undefined, { measures: [] }),
  ];
  expect(firstAnswerTexts({ arms, decided_by: 'the board' })).toEqual([
    'debate: 8 of 20 first answers agreed with the board (40%), and 13 of the verdicts after them (65%): 6 came to agree and 1 came to differ, a change of +25 points [+5, +40]; chance hardly explains it (p 0.027).',
    'all alike: 0 of 20 first answers agreed with the board (0%), and 20 of the verdicts after them (100%): 20 came to agree and 0 came to differ, a change of +100 points; chance hardly explains it (p 0.008).',
    'doubted: 8 of 20 first answers agreed with the board (40%), and 13 of the verdicts after them (65%): 6 came to agree and 1 came to differ, a change of +25 points [−1, +40]; this can be chance (p 0.027).',
    'court: 8 of 20 first answers agreed with the board (40%), and 9 of the verdicts after them (45%): 4 came to agree and 3 came to differ, a change of +5 points [−20, +30]; this can be chance (p 0.400).',
    'uneven: 40% of 19 first answers agreed with the board, and 45% of the verdicts after them: 20% came to agree and 15% came to differ, a change of +5 points.',
  ]);
  // Where no interval was drawn yet.
  const [text] = firstAnswerTexts({
    arms: [armWith('debate', [8, 13, 6, 1], { low: null, high: null, resamples: null, p: 0.02 })],
  });
  expect(text).toMatch(/a change of \+25 points; p 0\.020\.$/);
  expect(firstAnswerTexts({ arms })[0]).toContain(
    '8 of 20 first answers were right (40%), and 13 of the verdicts after them (65%): 6 became right and 1 became wrong',
  );
});

const majority = (answer: string, value: number) =>
  ({
    ...{ arm: 'majority', about: { trained_on: 20 }, measures: [{ name: 'accuracy', over: 'all', label: null, value, n: 14 }] },
    confusion: [
      { truth: 'GRANT', prediction: answer, n: 9 },
      { truth: 'REFUSE', prediction: answer, n: 5 },
    ],
  }) as unknown as StatsReport['baselines'][number];
const commonest = { label: 'GRANT', cases: 9, of: 14, trials: { n: 18, of: 28 } };
const reportOf = (baselines: StatsReport['baselines']) => ({ baselines, finding: { sentence: '', rule: '', commonest } });

test('the answer of the baseline is named, and what the most frequent answer of the cases tried would reach', () => {
  expect(constantTexts(reportOf([majority('REFUSE', 5 / 14)]))).toEqual([
    'The baseline majority always answers REFUSE, the most frequent answer in the 20 cases that it learned from: it was right in 5 of 14 cases.',
    'The same answer for everybody, GRANT (no answer is more frequent in the cases tried here), would be right in 9 of 14 cases (in each arm, 18 of 28 trials).',
  ]);
  expect(constantTexts({ ...reportOf([majority('GRANT', 9 / 14)]), decided_by: 'the board' })).toEqual([
    'The baseline majority always answers GRANT, the most frequent answer in the 20 cases that it learned from: it agreed with the board in 9 of 14 cases (in each arm, 18 of 28 trials).',
  ]);
  expect(constantTexts(reportOf([]))).toEqual([]);
  expect(commonestText(reportOf([]))).toContain('18 of 28');
  expect(oneAnswer({ ...majority('GRANT', 1), arm: 'logistic-regression' })).toBeNull();
});
