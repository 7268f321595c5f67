import fc from 'fast-check';
import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/riskCoverage.json' with { type: 'json' };
import { expectAgreement, judged, repeated, weighted } from './agreement.fixture.ts';
import { prepareRiskCoverage } from './riskCoverage.ts';
import { equalWeights } from './weights.ts';

test.each(reference.sets)('numpy, by brute force: $name', ({ confidence, right, coverages, expected }) => {
  const once = equalWeights(confidence.length);
  const curve = prepareRiskCoverage(
    confidence,
    right.map((each) => each === 1),
  );
  expectAgreement(curve.under(once).area(), expected.area);
  expectAgreement(curve.under(once).excess(), expected.excess);
  for (const [place, coverage] of coverages.entries()) {
    expectAgreement(curve.under(once).accuracyAt(coverage), expected.accuracies[place] ?? null);
  }
  expect(curve.points().at(-1)).toMatchObject({
    answered: confidence.filter((each) => each !== null).length,
    wrong: expected.wrong,
  });
});

test('weights mean that a trial occurs so often, and declined ones are in no coverage', () => {
  fc.assert(
    fc.property(weighted(judged), ({ items, weights }) => {
      // What is stated as 0.5 is declined.
      const of = (some: typeof items) =>
        prepareRiskCoverage(
          some.map(({ confidence }) => (confidence === 0.5 ? null : confidence)),
          some.map(({ isCorrect }) => isCorrect),
        );
      const [once, often] = [of(items), of(repeated(items, weights))];
      const all = equalWeights(weights.reduce((sum, each) => sum + each, 0));
      expectAgreement(once.under(weights).area(), often.under(all).area());
      expectAgreement(once.under(weights).excess(), often.under(all).excess());
      expect(once.under(weights).excess() ?? 0).toBeGreaterThanOrEqual(-1e-12);
      expectAgreement(once.under(weights).accuracyAt(0.6), often.under(all).accuracyAt(0.6));
    }),
  );
});

test('by hand: equal confidences are answered together', () => {
  const curve = prepareRiskCoverage([0.9, 0.8, 0.1 + 0.7, null], [true, false, true, false]);
  expect(curve.points()).toEqual([
    { leastConfidence: 0.9, answered: 1, wrong: 0 },
    { leastConfidence: 0.1 + 0.7, answered: 3, wrong: 1 },
  ]);
  const once = equalWeights(4);
  expect(curve.under(once).area()).toBeCloseTo((0 + 1 / 3 + 1 / 3) / 3, 15);
  expect(curve.under(once).accuracyAt(0.5)).toBeCloseTo(2 / 3, 15);
  expect(curve.under(once).accuracyAt(0.76)).toBeNull();
});
