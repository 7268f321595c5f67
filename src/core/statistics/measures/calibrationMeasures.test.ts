import { expect, test } from 'vitest';
import { calibrationMeasures, labelReliability } from './calibrationMeasures.ts';
import { reliability } from './confidenceMeasures.ts';
import { trial, valuesOf } from './trials.fixture.ts';
import { casedTrials } from './trials.ts';

test('the parts of the Brier score add up, for each of three labels', () => {
  const labels = ['A', 'B', 'C'];
  const trials = Array.from({ length: 90 }, (_, index) => {
    const [a, b] = [((index * 7) % 10) / 20, ((index * 3) % 10) / 20];
    return trial(`c${index}`, { truth: labels[(index * 5) % 3] ?? '', prediction: 'A', belief: { A: a, B: b, C: 1 - a - b } });
  });
  const found = valuesOf(calibrationMeasures(casedTrials(trials), labels, null));
  for (const label of labels) {
    const of = (name: string) => found[`${name} believed ${label}`]?.value ?? Number.NaN;
    expect(of('brier_reliability') - of('brier_resolution') + of('brier_uncertainty')).toBeCloseTo(of('brier_binned'), 12);
    expect(found[`calibration_slope believed ${label}`]).toMatchObject({
      n: 90,
      cases: 90,
      interval_method: 'sandwich',
      why_null: null,
    });
    expect(found[`brier_reliability believed ${label}`]?.why_null).toContain('no interval');
  }
  expect(found['certain_belief believed A']).toMatchObject({ value: 0.1, n: 90, interval_method: 'wilson' });
});

test('two labels have one row, of the positive one, and certain beliefs alone have no slope', () => {
  const trials = casedTrials(
    [1, 1, 0, 0, 1].map((yes, index) =>
      trial(`c${index}`, { truth: index % 2 === 0 ? 'YES' : 'NO', prediction: 'YES', belief: { YES: yes, NO: 1 - yes } }),
    ),
  );
  const planned = calibrationMeasures(trials, ['YES', 'NO'], 'YES');
  expect(new Set(planned.map(({ label }) => label))).toEqual(new Set(['YES']));
  expect(valuesOf(planned)['calibration_slope believed YES']).toMatchObject({
    value: null,
    n: 5,
    why_null: 'all beliefs are alike, or all are 0 or 1: a slope needs beliefs between 0 and 1 that differ',
  });
});

test('the mean probability less the share, each case with the same weight', () => {
  const of = (id: string, yes: number, truth: string, replicate = 0) => ({
    ...trial(id, { truth, prediction: 'YES', belief: { YES: yes, NO: 1 - yes } }),
    replicate,
  });
  // Two trials of the second case count half each: (0.9 + (0.5 + 0.7) / 2 + 0.6) / 3 = 0.7; one of three cases is YES.
  const trials = casedTrials([of('a', 0.9, 'YES'), of('b', 0.5, 'NO'), of('b', 0.7, 'NO', 1), of('c', 0.6, 'NO')]);
  const found = valuesOf(calibrationMeasures(trials, ['YES', 'NO'], 'YES'));
  expect(found['mean_probability believed YES']).toMatchObject({ value: expect.closeTo(0.7, 12), n: 4, cases: 3 });
  expect(found['observed_share believed YES']?.value).toBeCloseTo(1 / 3, 12);
  expect(found['probability_excess believed YES']?.value).toBeCloseTo(0.7 - 1 / 3, 12);
  expect(labelReliability(trials, ['YES', 'NO'], 'YES')).toMatchObject({
    label: 'YES',
    bins: [0.5, 0.6, 0.7, 0.9].map((confidence) => ({ n: 1, confidence, accuracy: confidence === 0.9 ? 1 : 0 })),
  });
});

test('no bin lies over a gap, and the calibration error keeps its bins', () => {
  // 31 trials at 9% and 31 at 91%, each different: the middle bin of equal frequency has some of both.
  const at = (base: number) =>
    Array.from({ length: 31 }, (_none, place) => {
      const yes = base + place / 10_000;
      return trial(`${base}/${place}`, { truth: 'YES', prediction: 'YES', confidence: yes, belief: { YES: yes, NO: 1 - yes } });
    });
  const trials = casedTrials([...at(0.09), ...at(0.9)]);
  const bins = labelReliability(trials, ['YES', 'NO'], 'YES')?.bins ?? [];
  expect(reliability(trials)).toEqual(bins);
  expect(bins).toHaveLength(16);
  expect(bins.reduce((sum, { n }) => sum + n, 0)).toBe(62);
  expect(bins.filter(({ confidence }) => confidence > 0.1 && confidence < 0.9)).toEqual([]);
  const error = valuesOf(calibrationMeasures(trials, ['YES', 'NO'], 'YES'))['expected_calibration_error believed YES'];
  expect(error?.value).toBeCloseTo(1 - (0.09 + 0.9) / 2 - 15 / 10_000, 12);
});
