import { describe, expect, it } from 'vitest';
import { planArm } from './armMeasures.ts';
import { comparisonsOf, contender } from './comparisons.ts';
import { drawing, trial, valuesOf } from './trials.fixture.ts';

const labels = ['A', 'B', 'C'];
const terms = { labels, positive: null, multiLabel: true, groups: [] };

/** A decided trial whose path is a first set, then the verdict. */
const held = (id: string, truth: string[], initial: string[], prediction: string[], belief: Record<string, number> | null) =>
  trial(id, {
    truth,
    prediction,
    belief,
    path: {
      initial,
      steps: [
        { moment: 'live', prediction: initial, belief: null, after: null, speech: null },
        { moment: 'ruling', prediction, belief, after: null, speech: null },
      ],
    },
  });

const trials = [
  // Corrected, and sure of it: Brier (0.01 + 0 + 0.04) / 3.
  held('c0', ['A', 'C'], ['A'], ['A', 'C'], { A: 0.9, B: 0, C: 0.8 }),
  // Degraded; one of two labels found: Brier (1 + 0.25 + 0) / 3.
  held('c1', ['A', 'B'], ['A', 'B'], ['B'], { A: 0, B: 0.5, C: 0 }),
  // Right from the beginning, with the empty set, in another order of nothing: no belief.
  held('c2', [], [], [], null),
  trial('c3', { truth: ['C'], outcome: 'timeout', prediction: null }),
];

describe('an arm on cases of several labels', () => {
  const values = valuesOf(planArm(trials, terms).measures);

  it('is right where the set is exactly the truth, and counts every label', () => {
    expect(values['accuracy all']).toMatchObject({ value: 2 / 4, n: 4 });
    expect(values['accuracy decided']).toMatchObject({ value: 2 / 3, n: 3 });
    // A: 1 of 2 found; B: 1 of 1; C: 1 of 1.
    expect(values['f1 decided A']?.value).toBeCloseTo(2 / 3, 12);
    expect(values['f1 decided B']?.value).toBe(1);
    expect(values['macro_f1 decided']?.value).toBeCloseTo((2 / 3 + 1 + 1) / 3, 12);
    expect(values['micro_f1 decided']?.value).toBeCloseTo(6 / 7, 12);
  });

  it('has a Brier score over the labels and no ranks, and says why there is no calibration error', () => {
    expect(values['brier believed']?.n).toBe(2);
    expect(values['brier believed']?.value).toBeCloseTo((0.05 / 3 + 1.25 / 3) / 2, 12);
    expect(Object.keys(values).filter((name) => /rank|accuracy_at|area|kappa|matthews/.test(name))).toEqual([]);
    expect(values['expected_calibration_error stated']).toMatchObject({
      value: null,
      why_null: expect.stringMatching(/by itself/),
    });
  });

  it('counts corrections, degradations and changes of the set', () => {
    expect(values['corrections initial-and-verdict']?.value).toBeCloseTo(1 / 3, 12);
    expect(values['degradations initial-and-verdict']?.value).toBeCloseTo(1 / 3, 12);
    expect(values['flips paths']).toMatchObject({ value: 2 / 3, n: 3 });
    expect(values['belief_change speeches']?.value).toBeNull();
  });

  it('is compared by exact sets, and by its Brier losses', () => {
    const worse = trials.map((each) => ({ ...each, belief: each.belief && { A: 0.5, B: 0.5, C: 0.5 }, prediction: ['B'] }));
    const both = [contender('one', false, () => trials, terms), contender('other', false, () => worse, terms)];
    const [found] = comparisonsOf(both, drawing(0)).comparisons;
    expect(found).toMatchObject({ paired_cases: 4, mcnemar: { a_only: 2, b_only: 0 }, wilcoxon: { of: 'brier', cases: 2 } });
  });
});
