import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CostedTrial, changeMeasures } from './changeMeasures.ts';
import { drawing, trial } from './trials.fixture.ts';

const terms = { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false };

const costed = (id: string, change: Partial<CostedTrial>): CostedTrial => ({
  ...trial(id),
  ...{ replicate: 0, trial: id, calls: 1, prompt_tokens: 100, completion_tokens: 10 },
  ...change,
});

function changed(a: readonly CostedTrial[], b: readonly CostedTrial[], resamples = 0) {
  const found = changeMeasures(a, b, terms, drawing(resamples));
  return Object.fromEntries(found.map((measure) => [measure.name, measure]));
}

// Truths are NO. a: right at 90%, wrong at 80%, failed; b: right at 60%, right at 60%, right at 60%.
const a = [
  costed('c0', { confidence: 0.9, prompt_tokens: 130 }),
  costed('c1', { confidence: 0.8, prediction: 'YES', prompt_tokens: 150 }),
  costed('c2', { outcome: 'timeout', prediction: null }),
];
const b = [0, 1, 2].map((index) => costed(`c${index}`, { confidence: 0.6 }));

test('measures are over the pairs that both have, as derived by hand', () => {
  const { brier, miscalibration, ...others } = changed(a, b);
  const { expected_calibration_error: calibration, overconfidence, failed, prompt_tokens: tokens } = others;
  const { selection_rate: selection } = others;
  // Mean of 0.1^2 and 0.8^2; 0.4^2.
  expect(brier).toMatchObject({ pairs: 2, cases: 2 });
  expect([brier?.a, brier?.b].map((value) => value?.toFixed(6))).toEqual(['0.325000', '0.160000']);
  expect(brier?.difference.value).toBeCloseTo(0.165, 12);
  // All are NO, so that the outcomes have no variance.
  expect(miscalibration?.difference.value).toBeCloseTo(0.325 - 0.16, 12);
  expect(miscalibration?.difference.why_null).toBe('no resamples were asked for');
  // Bins of one case each: (0.1 + 0.8) / 2; one bin of 0.6, both right.
  expect(calibration?.difference.value).toBeCloseTo(0.45 - 0.4, 12);
  expect(calibration?.difference).toMatchObject({ low: null, high: null });
  // 0.85 - 0.5 less 0.6 - 1.
  expect(overconfidence?.difference.value).toBeCloseTo(0.75, 12);
  // Of the two pairs that both decided a gives YES in one.
  expect(selection).toMatchObject({ pairs: 2, cases: 2, a: 0.5, b: 0, difference: { value: 0.5 } });
  expect(failed).toMatchObject({ pairs: 3, b: 0 });
  expect(failed?.difference.value).toBeCloseTo(1 / 3, 12);
  expect(tokens?.difference.value).toBeCloseTo(80 / 3, 12);
});

test('a trial without its pair is in no measure, and predictions without calls have no tokens', () => {
  const found = changed([...a, costed('c9', {})], [...b, costed('c0', { replicate: 1 })]);
  expect(found).toEqual(changed(a, b));
  expect(
    changed(
      a.map((each) => ({ ...each, calls: 0 })),
      b,
    ),
  ).not.toHaveProperty('prompt_tokens');
});

test('exchanging the arms turns every difference and its interval around', () => {
  const confidence = fc.constantFrom(0.5, 0.6, 0.75, 0.9);
  const one = fc.record({
    confidence,
    prediction: fc.constantFrom('YES', 'NO'),
    prompt_tokens: fc.integer({ min: 1, max: 500 }),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(one, one), { minLength: 3, maxLength: 12 }), (rows) => {
      const [first, second] = [0, 1].map((side) => rows.map((row, index) => costed(`c${index}`, row[side] ?? {})));
      const [there, back] = [changed(first ?? [], second ?? [], 50), changed(second ?? [], first ?? [], 50)];
      expect(Object.keys(back)).toEqual(Object.keys(there));
      for (const [name, { difference, a: of, b: against }] of Object.entries(there)) {
        const turned = back[name];
        expect([turned?.a, turned?.b]).toEqual([against, of]);
        expect(turned?.difference.value).toBeCloseTo(-(difference.value ?? 0), 9);
        const width = (each: typeof difference | undefined) => (each?.low == null ? null : (each.high ?? 0) - each.low);
        if (width(difference) === null) expect(width(turned?.difference)).toBeNull();
        else expect(width(turned?.difference)).toBeGreaterThan(0);
      }
    }),
    { numRuns: 50 },
  );
});
