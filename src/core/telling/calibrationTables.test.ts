import { describe, expect, test } from 'vitest';
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import {
  extremeText,
  meanProbabilityText,
  plainSureness,
  probabilityTexts,
  surenessTexts,
  surerWhenRight,
  trustTexts,
} from './calibrationTables.ts';
import { binsTable, labelBinsTable, surestText } from './confidenceBins.ts';
import { decliningPieces } from './decliningTables.ts';
import { trustInShort } from './trustInShort.ts';

/** An arm of 100 trials in one bin. */
const armOf = (confidence: number, accuracy: number) =>
  ({
    arm: 'court',
    base_arm: null,
    reliability: [{ n: 100, confidence, accuracy }],
    measures: [{ name: 'expected_calibration_error', over: 'stated', label: null, n: 100, cases: 100, value: 0.1 }],
  }) as unknown as ArmStatistics;

describe('how sure an arm is and how often it is right', () => {
  test.each([
    [0.9, 0.6, 'too sure by 30 points', '20.9 to 39.8'],
    [0.4, 0.6, 'not sure enough, by 20 points', '10.2 to 29.1'],
    [0.62, 0.6, 'the difference can be chance', null],
  ])('%f against %f: %s, in both sentences with the same numbers', (sure, right, verdict, range) => {
    const arm = armOf(sure, right);
    const told = surenessTexts([arm], {})[0];
    expect(told).toMatch(/60% of 100 trials are right \(95% interval 50\.2% to 69\.1%\)/);
    expect(told).toContain(`: ${verdict}${range === null ? '' : ` (95% interval ${range})`}.`);
    expect(plainSureness(arm, [arm])).toEqual({
      ...{ sure: `${100 * sure}%`, right: '60 of 100: 60%, probably 50 to 70' },
      said: range === null ? null : `is ${verdict}, probably ${range}.`,
    });
  });

  test('each bin says what was stated, how often that was right, and how sure one can be of it', () => {
    const bins = [
      { from: 0.9, to: 0.9, n: 20, confidence: 0.9, accuracy: 0.35 },
      { from: 0.95, to: 0.99, n: 4, confidence: 0.97, accuracy: 1 },
    ];
    const arms = [{ ...armOf(0.9, 0.6), reliability: bins }] as ArmStatistics[];
    const text = JSON.stringify(binsTable({ arms, interval: { method: 'wilson', level: 0.95 } }));
    expect(text).toContain('["court","90%","20","90%","35% [18.1, 56.7]"]');
    expect(text).toContain('["court","95% to 99%","4","97%","100% [51, 100]"]');
  });

  test('the same is said of the probability of a label, in the words of who decided', () => {
    const bins = [{ from: 0.03, to: 0.09, n: 20, confidence: 0.05, accuracy: 0.35 }];
    const arms = [{ ...armOf(0.9, 0.6), label_reliability: { label: 'YES', bins } }] as ArmStatistics[];
    const about = { arms, interval: { method: 'wilson', level: 0.95 } } as const;
    const text = JSON.stringify(labelBinsTable(about));
    expect(text).toContain('What probability of YES an arm stated');
    expect(text).toContain('["arm","stated","trials","stated on average","were YES"]');
    expect(text).toContain('["court","3% to 9%","20","5%","35% [18.1, 56.7]"]');
    expect(JSON.stringify(labelBinsTable({ ...about, decided_by: 'the bank' }))).toContain('"the bank decided YES"');
    expect(labelBinsTable({ ...about, arms: [armOf(0.9, 0.6)] })).toEqual([]);
  });

  test('the gap is that of the shares before they are rounded, as in every table', () => {
    const arm = armOf(0, 0);
    const of700 = {
      ...arm,
      reliability: [{ n: 700, confidence: 0.6986, accuracy: 579 / 700 }],
      measures: arm.measures.map((measure) => ({ ...measure, n: 700, cases: 700 })),
    } as unknown as ArmStatistics;
    expect(surenessTexts([of700], {})[0]).toMatch(
      /69\.9% sure of a verdict on average, and 82\.7% .* by 12\.9 points \(95% interval 9\.9 to 15\.5\)\.$/,
    );
  });

  test('predictions with less than their highest probability are named where there are some', () => {
    const own = { ...armOf(0.7, 0.83), own_probability: { of: 100, against: 12 } };
    const words = '12 predictions are not the label with the highest probability and count with a lower one';
    expect(surenessTexts([own], {})[0]).toContain(words);
    expect(plainSureness(own, [own])?.said).toContain(words);
    expect(surenessTexts([{ ...own, own_probability: { of: 100, against: 0 } }], {})[0]).toMatch(/19\.1\)\.$/);
  });

  test('nothing is said where no confidence was stated', () => {
    expect(plainSureness({ ...armOf(0.6, 0.6), reliability: [] }, [])).toBeNull();
    expect(surestText({ ...armOf(0.6, 0.6), reliability: [] }, {})).toBeNull();
  });

  const surestOf = (to: number, [n, cases, right]: readonly number[], [all, allCases]: readonly number[], unlabelled = 0) =>
    ({
      n: (all ?? 0) + 16 + unlabelled,
      reliability: [{ from: 0.5, to, n, confidence: to, accuracy: 0.5 }],
      measures: [
        { name: 'accuracy', over: 'all', label: null, n: (all ?? 0) + 16, cases: (allCases ?? 0) + 16, value: 0.5 },
        { name: 'accuracy', over: 'decided', label: null, n: all, cases: allCases, value: 0.5 },
        {
          name: 'accuracy_when_sure',
          over: 'answered',
          label: null,
          n,
          cases,
          value: (right ?? 0) / (n ?? 1),
          ...(Number.isInteger(right) ? { count: right } : {}),
          low: 0.861,
          high: 0.987,
          level: 0.95,
        },
      ],
    }) as unknown as ArmStatistics;

  test.each([
    [
      0.97,
      [48, 48, 46],
      [120, 120],
      'is at least 90% sure in 48 of 120 cases, and 46 of these are right (95.8%, 95% interval 86.1% to 98.7%).',
    ],
    [
      0.6,
      [30, 30, 1],
      [60, 60],
      'never says 90%: it is at most 60% sure, in 30 of 60 cases, and 1 of these is right (3.3%, 95% interval 86.1% to 98.7%).',
    ],
    [
      0.9,
      [12, 8, 6],
      [60, 30],
      'is at least 90% sure in 12 of 60 trials (8 of 30 cases), and 6 of these are right (50%, 95% interval 86.1% to 98.7%).',
    ],
    [
      0.9,
      [12, 8, 6.4],
      [60, 30],
      'is at least 90% sure in 12 of 60 trials (8 of 30 cases), and 53.3% of these are right (95% interval 86.1% to 98.7%).',
    ],
  ])('where it is surest, %f at most, it says in how many cases and how often it was right', (to, sure, all, text) => {
    expect(surestText(surestOf(to, sure, all), {})).toBe(text);
  });

  test('that it is never so sure is said of the cases with a known truth, where others have none', () => {
    expect(surestText(surestOf(0.6, [3, 3, 1], [60, 60], 1), {})).toBe(
      'never says 90% where the truth is known: it is at most 60% sure there.',
    );
    const table = (unlabelled: number) => {
      const arm = surestOf(0.6, [30, 30, 1], [60, 60], unlabelled);
      const never = { name: 'accuracy_when_sure_90', over: 'answered', label: null, n: 0, cases: 0, value: null };
      const declining = { finished: 60, answerable: 60, curve: [] };
      const all = { ...arm, arm: 'vote', declining, measures: [...arm.measures, never] };
      return JSON.stringify(decliningPieces({ arms: [all], baselines: [] } as unknown as StatsReport));
    };
    expect(table(0)).toContain('"never said"');
    expect(table(1)).toContain('"none with a known truth"');
  });

  test('the same in plain words, and by who decided the labels', () => {
    expect(surestText(surestOf(0.97, [48, 48, 46], [120, 120]), { decided_by: 'the bank' }, true)).toBe(
      'is at least 90% sure in 48 of 120 cases, and 46 of these agreed with the bank (95.8%, probably 86 to 99 of 100).',
    );
  });
});

test.each([
  [0.06, 0.13, 'too high by 9.8 points (95% interval 6 to 13)'],
  [-0.02, 0.2, '+9.8 points, which can be chance (95% interval −2 to 20)'],
  [null, null, '+9.8 points; how far that can be chance is not known'],
])('a mean probability with an interval from %s to %s', (low, high, verdict) => {
  const measure = (name: string, value: number) => ({ name, label: 'YES', value, low, high, level: 0.95, n: 400 });
  const measures = [measure('mean_probability', 0.471), measure('observed_share', 0.373), measure('probability_excess', 0.098)];
  const arm = { arm: 'court', base_arm: null, measures } as unknown as ArmStatistics;
  expect(meanProbabilityText(arm, 'YES', { arms: [arm] })).toBe(
    `gives YES a probability of 47.1% on average, and YES was right in 37.3% of 400: ${verdict}.`,
  );
});

test('a share that is a mean over cases is not said to be of their trials', () => {
  const measure = (name: string, value: number) => ({
    ...{ name, over: 'believed', label: 'YES', value, low: -0.1, high: 0.1, level: 0.95 },
    ...{ n: 22, cases: 15 },
  });
  const measures = [measure('mean_probability', 0.5), measure('observed_share', 0.45), measure('probability_excess', 0.05)];
  const arm = { arm: 'court', base_arm: null, measures } as unknown as ArmStatistics;
  expect(meanProbabilityText(arm, 'YES', { arms: [arm] })).toContain('YES was right in 45% of 15 cases, 22 trials: +5 points');
});

test('probabilities with a slope below 0 point the wrong way, and those that may have one may do so', () => {
  const sloped = (arm: string, value: number, half = 0.1) => {
    const slope = { name: 'calibration_slope', label: 'YES', value, low: value - half, high: value + half, level: 0.95, n: 100 };
    return { ...armOf(0.6, 0.6), arm, base_arm: null, measures: [slope] } as unknown as ArmStatistics;
  };
  const words = (arm: ArmStatistics, ...others: ArmStatistics[]) =>
    extremeText(arm, 'YES', [arm, ...others])?.text.split(' (')[0];
  const [wrong, unknown] = [sloped('court', -0.11), sloped('panel', 0.05)];
  expect(words(wrong)).toBe('point the wrong way: the higher they are, the rarer YES is');
  expect(words(unknown)).toBe('are too extreme, and may say nothing or point the wrong way');
  expect(trustInShort(wrong, { arms: [wrong], positive: 'YES' })).toBe('the percentages point the wrong way');
  // Below 0 by its own interval, but not after correction for two arms.
  expect(words(wrong, unknown)).toBe(words(unknown));
  // Next to an arm that is clearly above 0 and may be 1, a wide interval below 0 is corrected against 1 only.
  const [wide, good] = [sloped('wide', -20, 19.8), sloped('good', 1, 0.5)];
  expect(words(wide, good)).toBe('are not shown to be too extreme or too close to the middle');
  expect(trustInShort(wide, { arms: [wide, good], positive: 'YES' })).toBe('no fault of the percentages is shown');
});

test('what an interval by itself leaves out is no claim among many arms, and the sentence says why', () => {
  // Wilson's interval of 60 of 100 begins at 50.2%; p against 50% is 0.046.
  const close = armOf(0.5, 0.6);
  const fine = armOf(0.6, 0.6);
  expect(surenessTexts([close], {})[0]).toContain('not sure enough, by 10 points (95% interval 0.2 to 19.1).');
  expect(surenessTexts([close, fine], {})[0]).toMatch(
    /the difference can be chance \(chance is not ruled out after correction for 2 tests, adjusted p 0\.091\)\.$/,
  );
  expect(plainSureness(close, [close, fine])?.said).toBeNull();
  const probable = (value: number) => {
    const measure = (name: string, at: number, half: number) => ({
      ...{ name, label: 'YES', value: at, low: at - half, high: at + half, level: 0.95, n: 400 },
    });
    return {
      ...fine,
      measures: [
        measure('mean_probability', 0.5 + value, 0.1),
        measure('observed_share', 0.5, 0.1),
        measure('probability_excess', value, 0.05),
        measure('calibration_in_the_large', -4 * value, 0.2),
      ],
    } as unknown as ArmStatistics;
  };
  const [high, right] = [probable(0.055), probable(0)];
  const selecting = (value: number) => {
    const measures = [...high.measures, { name: 'selection_rate', over: 'decided', label: 'YES', value, n: 400 }];
    const arm = { ...high, measures } as ArmStatistics;
    return meanProbabilityText(arm, 'YES', { arms: [arm] });
  };
  expect(selecting(0.3)).toMatch(
    /too high by .*\. Yet the verdict is YES in 30%: an average does not show how often a label is the likelier one\.$/,
  );
  expect(selecting(0.6)).not.toContain('Yet');
  expect(meanProbabilityText(high, 'YES', { arms: [high] })).toContain('too high by 5.5 points');
  expect(meanProbabilityText(high, 'YES', { arms: [high, right] })).toMatch(
    /: \+5\.5 points, which can be chance \(95% interval 0\.5 to 10\.5; chance is not ruled out after correction for 2 tests, adjusted p 0\.062\)\.$/,
  );
});

test('the finding has mean, sureness and slope of an arm together, and the part on calibration repeats none of them', () => {
  const measure = (name: string, value: number, half: number, label: string | null = 'YES') => ({
    ...{ name, label, value, low: value - half, high: value + half, level: 0.95, n: 100 },
  });
  const probable = (name: string, slope: number, half: number) => {
    const arm = armOf(0.9, 0.6);
    const means = [
      measure('mean_probability', 0.43, 0.1),
      measure('observed_share', 0.4, 0.1),
      measure('probability_excess', 0.03, 0.05),
    ];
    const others = [measure('calibration_slope', slope, half), measure('brier_skill', -0.05, 0.1, null)];
    return { ...arm, arm: name, measures: [...arm.measures, ...means, ...others] } as unknown as ArmStatistics;
  };
  const report = { arms: [probable('court', 0.3, 0.1), probable('panel', 0.9, 0.2)], positive: 'YES' };
  const said = trustTexts(report);
  expect(said.map(({ text }) => text.split(' (')[0])).toEqual([
    'court gives YES a probability of 43% on average, and YES was right in 40% of 100: +3 points, which can be chance',
    'court is 90% sure of a verdict on average, and 60% of 100 trials are right',
    'The probabilities of court for YES are too extreme',
    'panel gives YES a probability of 43% on average, and YES was right in 40% of 100: +3 points, which can be chance',
    'panel is 90% sure of a verdict on average, and 60% of 100 trials are right',
    'The probabilities of panel for YES are not shown to be too extreme or too close to the middle',
  ]);
  expect(said.map(({ isFound }) => isFound)).toEqual([false, true, true, false, true, false]);
  // A part shows nothing: it says what was seen.
  const ofPart = trustTexts({ ...report, part: 'sex = female' });
  expect(ofPart.map(({ text }) => text.split(' (')[0])).toEqual(
    [said[0], said[1], said[3], said[4]].map((each) => each?.text.split(' (')[0]?.replace(', which can be chance', '')),
  );
  expect(ofPart.some(({ text, isFound }) => isFound || /too |chance/.test(text))).toBe(false);
  const onlySlopes = (slope: number) => ({ ...probable('court', slope, 0.1), reliability: [] });
  const inShort = (arm: ArmStatistics) => trustInShort(arm, { arms: [arm], positive: 'YES' });
  expect([probable('court', 1, 0.1), onlySlopes(0.3), onlySlopes(1)].map(inShort)).toEqual([
    'too sure: it is right less often than it says; not shown to be better than the same number for everybody',
    'too extreme: the percentages are too near to 0 and 100%; not shown to be better than the same number for everybody',
    'no fault of the percentages is shown; not shown to be better than the same number for everybody',
  ]);
  const below = probabilityTexts(report);
  expect(below).toHaveLength(2);
  expect(below.every((text) => text.includes('Brier skill'))).toBe(true);
  // An arm that the finding has no room for has all of it below.
  const many = { ...report, arms: Array.from({ length: 9 }, (_none, at) => probable(`arm ${at}`, 0.3, 0.1)) };
  const last = probabilityTexts(many).filter((text) => text.includes('arm 8'));
  expect(last).toHaveLength(4);
  expect(trustTexts(many).some(({ text }) => text.includes('arm 8'))).toBe(false);
  // By its own interval too extreme, but not after correction for two arms.
  const close = probable('court', 0.79, 0.2);
  expect(trustTexts({ ...report, arms: [close] })[2]?.text).toContain('too extreme (slope 0.790');
  expect(trustTexts({ ...report, arms: [close, probable('panel', 1, 0.2)] })[2]?.text).toMatch(
    /not shown to be too extreme .*; chance is not ruled out after correction for 2 tests, adjusted p 0\.079\)\.$/,
  );
});

const surer = (value: number, half: number) => {
  const measure = { name: 'confidence_correctness_pearson', label: null, value, low: value - half, high: value + half };
  return { ...armOf(0.9, 0.8), measures: [{ ...measure, level: 0.95, n: 100 }] } as unknown as ArmStatistics;
};

test.each([
  [
    0.2,
    0.05,
    'is surer where the verdict is right than where it is wrong (correlation 0.200, 95% interval 0.150 to 0.250, n = 100; 1 is best, 0 is none).',
    true,
  ],
  [
    -0.2,
    0.05,
    'is surer where the verdict is wrong than where it is right (correlation −0.200, 95% interval −0.250 to −0.150, n = 100; 1 is best, 0 is none).',
    true,
  ],
  [
    -0.04,
    0.1,
    'is not shown to be surer where the verdict is right than where it is wrong (correlation −0.040, 95% interval −0.140 to 0.060, n = 100; 1 is best, 0 is none).',
    false,
  ],
])('a confidence that goes with being right by %f', (value, half, text, isFound) => {
  const arm = surer(value, half);
  expect(surerWhenRight(arm, { arms: [arm] })).toEqual({ text, isFound });
  expect(trustTexts({ arms: [arm], positive: null })).toContainEqual({ text: `court ${text}`, isFound });
  const byBank = trustTexts({ arms: [arm], positive: null, decided_by: 'the bank' }).map((each) => each.text);
  expect(byBank.find((each) => each.includes('correlation'))).toMatch(
    /surer where the verdict (agrees with|differs from) the bank than /,
  );
});

test('a confidence above 0 by its own interval only is not shown to go with being right among two arms', () => {
  const [close, none] = [surer(0.1, 0.095), surer(0, 0.1)];
  expect(surerWhenRight(close, { arms: [close] })?.isFound).toBe(true);
  expect(surerWhenRight(close, { arms: [close, none] })?.text).toContain('after correction for 2 tests, adjusted p 0.078');
});

test('the head of an arm says what is known: faults, that cases are too few to show one, or neither, and whether it is of use', () => {
  const judged = (sure: number, right: number, n: number, skill: number, slope = 1) => {
    const measure = (name: string, label: string | null, value: number) => ({
      ...{ name, label, value, low: value - 0.1, high: value + 0.1, level: 0.95, n },
    });
    const arm = {
      ...armOf(sure, right),
      reliability: [{ n, confidence: sure, accuracy: right }],
      measures: [
        { ...measure('expected_calibration_error', null, 0.1), cases: n },
        ...[measure('brier_skill', null, skill), measure('calibration_slope', 'YES', slope)],
      ],
    } as unknown as ArmStatistics;
    return trustInShort(arm, { arms: [arm], positive: 'YES', decided_by: 'the bank' });
  };
  const [better, unknown] = [
    'better than the same number for everybody',
    'not shown to be better than the same number for everybody',
  ];
  expect(judged(0.6, 0.55, 60, 0)).toBe(`no fault of the percentages is shown; 60 cases are too few to rule one out; ${unknown}`);
  expect(judged(0.6, 0.55, 60, 0.3)).toBe(
    `no fault of the percentages is shown; 60 cases are too few to rule one out; ${better}`,
  );
  expect(judged(0.61, 0.6, 1000, 0.3)).toBe(`no fault of the percentages is shown; ${better}`);
  expect(judged(0.6, 0.9, 100, 0.3)).toBe(`too modest: it agrees with the bank more often than it says; ${better}`);
  expect(judged(0.9, 0.6, 100, 0)).toBe(`too sure: it agrees with the bank less often than it says; ${unknown}`);
  expect(judged(0.61, 0.6, 1000, 0.3, 2)).toBe(`too modest: the percentages are too close to the middle; ${better}`);
  expect(judged(0.61, 0.6, 1000, 0.3, 0.4)).toBe(`too extreme: the percentages are too near to 0 and 100%; ${better}`);
});
