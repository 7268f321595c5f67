import { expect, test } from 'vitest';
import type { StatsReport } from '../../shared/outputs.ts';
import { baselineColumnTexts, orderText } from './findingTexts.ts';

const baseline = (arm: string, columns: string[], dropped: { column: string; why: string }[] = []) =>
  ({ arm, about: { columns, dropped } }) as unknown as StatsReport['baselines'][number];

test('baselines that use the same columns share a sentence, and one that only knows labels has none', () => {
  const dropped = [{ column: 'letter', why: 'it reads like text' }];
  const baselines = [baseline('majority', []), baseline('logistic', ['value'], dropped), baseline('forest', ['value'], dropped)];
  expect(baselineColumnTexts({ baselines })).toEqual([
    'The baselines logistic and forest use value, and not letter (it reads like text).',
  ]);
  expect(baselineColumnTexts({ baselines: [baseline('logistic', ['value'])] })).toEqual(['The baseline logistic uses value.']);
  expect(baselineColumnTexts({ baselines: [baseline('majority', [])] })).toEqual([]);
});

test('of very many columns the first are named and the others counted', () => {
  const columns = Array.from({ length: 1_030 }, (_, place) => `column ${place}`);
  const [text] = baselineColumnTexts({ baselines: [baseline('logistic', columns)] });
  expect(text).toMatch(/column 19 and 1,010 more\.$/);
});

test('the order of the arms says which is best only where none lacks cases, and is apart from that of the baselines', () => {
  type Arm = { cases?: object; n?: number };
  const order = (arms: Arm[], hasBaselines: boolean, paired = 10) =>
    orderText(
      {
        arms: arms.map(({ cases, n = 10 }, place) => ({
          ...{ arm: `${place}`, base_arm: null, cases },
          measures: [{ name: 'accuracy', over: 'all', label: null, cases: n }],
        })),
        comparisons: [
          { a: '0', b: '1', paired_cases: paired },
          { a: '0', b: 'majority', paired_cases: 0 },
        ],
      } as unknown as StatsReport,
      hasBaselines,
    );
  const whole = { cases: { done: 10, of: 10, missing: [] } };
  const part = { cases: { done: 4, of: 10, missing: ['c1'] } };
  expect(order([whole, {}], false)).toBe('The best arm is at the top.');
  expect(order([whole, whole], true)).toBe('Arms are above baselines, the best of each at the top.');
  expect(order([part], true)).toBe('Arms are above baselines, the best of each at the top.');
  const unfair = 'The order of the arms is no comparison: some lack cases.';
  expect(order([whole, part], false)).toBe(unfair);
  expect(order([part, part], true)).toBe(`Arms are above baselines, of which the best is at the top. ${unfair}`);
  // Over a part: other numbers of cases, or as many but others.
  expect(order([{}, { n: 3 }], false)).toBe(unfair);
  expect(order([{}, {}], false, 2)).toBe(unfair);
});
