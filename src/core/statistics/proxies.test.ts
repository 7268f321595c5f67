import { expect, test } from 'vitest';
import { randomSource } from '../cases/shuffle.ts';
import { proxiesOf } from './proxies.ts';

test('a fact that is associated with the attribute is named, and another is not; ids are passed over', () => {
  const lots = randomSource(2, 'test');
  const cases = Array.from({ length: 80 }, (_, index) => {
    const sex = index % 2 === 0 ? 'female' : 'male';
    const facts = {
      sex,
      id: `person ${index}`,
      height: String((sex === 'male' ? 70 : 64) + lots.below(5)),
      town: 'abc'[lots.below(3)],
    };
    return Object.entries(facts).map(([name, value]) => ({ name, value: value ?? '' }));
  });
  const [height, town, ...others] = proxiesOf('sex', cases, 1);
  expect(others).toEqual([]);
  expect(height).toMatchObject({ attribute: 'sex', fact: 'height', n: 80 });
  expect(height?.association).toBeGreaterThan(0.9);
  expect(height?.p_adjusted).toBeLessThan(0.01);
  expect(town?.association).toBeLessThan(0.3);
});

test('by hand: an association, corrected for the size of the table', () => {
  const cell = (sex: string, town: string, times: number) =>
    Array.from({ length: times }, () => [
      { name: 'sex', value: sex },
      { name: 'town', value: town },
    ]);
  // 10 f in a; of 10 m 5 in a and 5 in b. phi² = 100/150 + 25/150 + 25/50 - 1 = 1/3; less 1/19; over min(2 - 1/19) - 1 = 18/19.
  const [town] = proxiesOf('sex', [...cell('f', 'a', 10), ...cell('m', 'a', 5), ...cell('m', 'b', 5)], 1);
  expect(town?.association).toBeCloseTo(Math.sqrt((1 / 3 - 1 / 19) / (18 / 19)), 12);
});
