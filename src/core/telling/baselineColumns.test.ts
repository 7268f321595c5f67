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

test('the order of the arms says which is best only where all have all cases, and is apart from that of the baselines', () => {
  const whole = { cases: { done: 10, of: 10, missing: [] } };
  const part = { cases: { done: 4, of: 10, missing: ['c1'] } };
  expect(orderText([whole, {}], false)).toBe('The best arm is at the top.');
  expect(orderText([whole, whole], true)).toBe('Arms are above baselines, the best of each at the top.');
  expect(orderText([part], true)).toBe('Arms are above baselines, the best of each at the top.');
  expect(orderText([whole, part], false)).toBe('The order of the arms is no comparison: some lack cases.');
  expect(orderText([part, part], true)).toBe(
    'Arms are above baselines, of which the best is at the top. The order of the arms is no comparison: some lack cases.',
  );
});
