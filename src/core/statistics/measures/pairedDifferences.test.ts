import { expect, test } from 'vitest';
import reference from '../../../../docs/reference/values/differences.json' with { type: 'json' };
import { comparisonsOf, contender } from './comparisons.ts';
import { drawing, trial } from './trials.fixture.ts';

test.each(reference.sets)(
  'every difference is that of scikit-learn: $name',
  ({ labels: count, case: cases, truth, a, b, expected }) => {
    const labels = Array.from({ length: count }, (_, place) => `l${place}`);
    const trialsOf = ({ prediction, belief }: typeof a) =>
      prediction.map((said, index) =>
        trial(`c${cases[index]}`, {
          truth: labels[truth[index] ?? 0] ?? null,
          ...(said < 0
            ? { outcome: 'timeout', prediction: null, belief: null, confidence: null }
            : {
                prediction: labels[said] ?? null,
                belief: Object.fromEntries(labels.map((label, place) => [label, belief[index]?.[place] ?? 0])),
              }),
        }),
      );
    const terms = { labels, multiLabel: false };
    const arms = [contender('a', false, () => trialsOf(a), terms), contender('b', false, () => trialsOf(b), terms)];
    const [pair] = comparisonsOf(arms, drawing(0)).comparisons;
    expect(pair?.differences.map(({ name }) => name)).toEqual(Object.keys(expected));
    for (const { name, value, ...each } of pair?.differences ?? []) {
      const wanted = expected[name as keyof typeof expected];
      expect(each.a, name).toBeCloseTo(wanted.a, 9);
      expect(each.b, name).toBeCloseTo(wanted.b, 9);
      expect(value, name).toBeCloseTo(wanted.difference, 9);
    }
  },
);
