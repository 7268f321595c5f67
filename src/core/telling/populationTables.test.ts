import { expect, test } from 'vitest';
import type { StatsReport } from '../../shared/outputs.ts';
import { constantAnswersAt, precisionTexts } from './populationTables.ts';

const rate = (name: string, value: number) => ({ name, label: 'YES', value, low: value - 0.105, high: value + 0.105 });
const said = (more: object, counts = { tp: 6, fp: 4, fn: 2, tn: 8 }) => {
  const arms = [
    { arm: 'court', counts, measures: [rate('precision', 0.6)], at_prevalence: [rate('positive_predictive_value', 0.2)] },
  ];
  return precisionTexts({ arms, positive: 'YES', ...more } as unknown as StatsReport);
};

test('a precision has its range, says where it holds, and what it is at a stated prevalence', () => {
  expect(said({})).toEqual([
    'court: of 10 answers YES, 6 were truly so (precision 60%, probably 49 to 71 of 100). This holds where, as here, 40% of cases are truly YES; where they are rarer, fewer are.',
  ]);
  expect(said({ prevalence: 0.05 })[0]).toMatch(/ At 5% it would be 20%, probably 9 to 31 of 100, if positive and negative/);
  expect(said({}, { tp: 0, fp: 0, fn: 5, tn: 5 })).toEqual([]);
});

test('of labels that somebody decided it speaks of agreement', () => {
  const [text] = said({ decided_by: 'the bank' });
  expect(text).toContain('6 agreed with the bank (precision 60%');
  expect(text).toContain('the bank decided 40% of cases as YES; where that is rarer, fewer agree.');
  expect(text).not.toContain('truly');
});

test('at another prevalence it says what one answer to everybody would be worth, and which baseline gives one', () => {
  const baselines = [
    { arm: 'majority', counts: { tp: 6, fp: 4, fn: 0, tn: 0 } },
    { arm: 'logistic-regression', counts: { tp: 3, fp: 2, fn: 3, tn: 2 } },
  ];
  const report = { baselines, labels: ['YES', 'NO'], positive: 'YES' };
  expect(constantAnswersAt(report, 0.1)).toEqual([
    'From the prevalence itself: answering NO to everybody would be right in 90% of cases, answering YES to everybody in 10%.',
    'majority (baseline) answers YES to everybody.',
  ]);
  expect(constantAnswersAt({ ...report, labels: ['YES', 'NO', 'MAYBE'], decided_by: 'the bank' }, 0.1)[0]).toContain(
    'answering anything but YES to everybody would agree with the bank in at most 90% of cases',
  );
});
