import { expect, test } from 'vitest';
import { caseCoverage, lackText, unlabelledText } from './caseCoverage.ts';

test('an arm that lacks cases says how many, and names the first of them in the order of the sample', () => {
  const onTrial = Array.from({ length: 30 }, (_, index) => `c${index}`);
  const some = caseCoverage(onTrial, new Set(['c0', 'c3', 'elsewhere']));
  expect(some).toMatchObject({ done: 2, of: 30 });
  expect(lackText(some)).toMatch(/^lacks 28 of 30 cases: c1, c2, c4, .*, c21 and 8 more$/);
  expect(lackText(caseCoverage(['a', 'b'], new Set(['b'])))).toBe('lacks 1 of 2 cases: a');
  expect(lackText(caseCoverage(['a'], new Set(['a'])))).toBeNull();
  const unlabelled = caseCoverage(['a', 'b'], new Set(['b']));
  expect(unlabelledText({ unlabelled })).toBe(
    'The sample lacks the label of 1 of 2 cases: a. No accuracy counts what has no label.',
  );
});
