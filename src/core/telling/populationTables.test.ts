import { expect, test } from 'vitest';
import type { StatsReport } from '../../shared/outputs.ts';
import { constantAnswersAt, precisionTexts, selectionText } from './populationTables.ts';

const rate = (name: string, value: number) => ({
  name,
  label: 'YES',
  value,
  level: 0.95,
  low: value - 0.105,
  high: value + 0.105,
});
const said = (more: object, counts = { tp: 6, fp: 4, fn: 2, tn: 8 }) => {
  const arms = [
    { arm: 'court', counts, measures: [rate('precision', 0.6)], at_prevalence: [rate('positive_predictive_value', 0.2)] },
  ];
  return precisionTexts({ arms, positive: 'YES', ...more } as unknown as StatsReport);
};

test('a precision has its range, says where it holds, and what it is at a stated prevalence', () => {
  expect(said({})).toEqual([
    'court: of 10 answers “YES”, 6 were truly so (precision 60%, probably 49 to 71 of 100). This holds where, as here, 40% of cases are truly “YES”; where they are rarer, fewer are.',
  ]);
  expect(said({ prevalence: 0.05 })[0]).toMatch(/ At 5% it would be 20%, probably 9 to 31 of 100, if positive and negative/);
  expect(said({}, { tp: 0, fp: 0, fn: 5, tn: 5 })).toEqual([]);
});

test('of labels that somebody decided it speaks of agreement', () => {
  const [text] = said({ decided_by: 'the bank' });
  expect(text).toContain('6 agreed with the bank (precision 60%');
  expect(text).toContain('the bank decided 40% of cases as “YES”; where that is rarer, fewer agree.');
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

test('how often the positive label is the true one is next to how often each arm gives it', () => {
  const arm = (name: string, counts: object, cases = 10) => ({
    ...{ arm: name, n: 20, decided: 20, counts },
    measures: [{ ...rate('selection_rate', 0.5), over: 'decided', n: 20, cases }],
  });
  const [court, other] = [
    { tp: 6, fp: 4, fn: 2, tn: 8 },
    { tp: 10, fp: 4, fn: 0, tn: 6 },
  ];
  const some = { labels: ['YES', 'NO'], positive: 'YES', finding: { commonest: { label: 'NO', cases: 6, of: 10 } } };
  const textOf = (more: object) => selectionText({ ...some, arms: [arm('court', court)], ...more } as unknown as StatsReport);
  expect(textOf({ decided_by: 'the bank' })).toBe(
    '“YES”: by the bank in 4 of 10 cases (40%), by court in 10 of 20 trials (50%, 95% interval 39.5% to 60.5%). Shares of trials are not tested against it, since cases were tried several times.',
  );
  expect(selectionText({ ...some, arms: [arm('court', court)] } as unknown as StatsReport, true)).toContain(
    '(50%, probably 39 to 61 of 100)',
  );
  expect(textOf({ arms: [arm('plain', other, 20), ...Array.from({ length: 5 }, () => arm('court', court))] })).toMatch(
    /^“YES”: the true label in 4 of 10 cases \(40%\), the verdict of plain in 14 of 20 cases \(70%, .*; there the true label in 50%; \+20 points, 95% interval −0\.1 to \+37\.4; only plain in 4, only the true label in 0: this can be chance, p 0\.125\), the verdict of court in 10 of 20 trials \(50%, [^;]*\), .*, and 2 more arms\. Shares of trials are not tested/,
  );
  const often = { tp: 6, fp: 8, fn: 0, tn: 6 };
  expect(textOf({ decided_by: 'the bank', arms: [arm('plain', other, 20), arm('mild', often, 20)] })).toMatch(
    /only plain in 4, only the bank in 0: this can be chance, adjusted p 0\.125\), .*; only mild in 8, only the bank in 0: chance does not explain it, adjusted p 0\.016\)\.$/,
  );
  expect(textOf({ labels: ['YES', 'NO', 'MAYBE'] })).toBeNull();
});
