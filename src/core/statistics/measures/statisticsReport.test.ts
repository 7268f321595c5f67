import { describe, expect, it } from 'vitest';
import { statsReportSchema } from '../../../shared/outputs.ts';
import { primarySchema } from '../../../shared/primary.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import type { Baselines } from '../../baselines/baseline.ts';
import type { OnProgress } from './estimates.ts';
import { toCome } from './intervalsToCome.ts';
import { byPairs, rightTogether } from './shownAgreement.ts';
import { type ReportMaterial, statisticsReport } from './statisticsReport.ts';
import { answered, drawing, line } from './trials.fixture.ts';

const about = { trained_on: 8, columns: [], dropped: [], library: 'Assize', seed: null, parameters: {}, notes: [] };
const pattern = Array.from({ length: 12 }, (_, index): [string, string] => ['YES', index < 9 ? 'YES' : 'NO']);
const worse = pattern.map(([truth], index): [string, string] => [truth, index % 2 === 0 ? 'YES' : '-']);

const baselines: Baselines = {
  baselines: [
    {
      name: 'majority',
      predictions: pattern.map((_, index) => ({ case: `c${index}`, prediction: 'NO', belief: { NO: 0.75, YES: 0.25 } })),
      about,
    },
  ],
  missing: [{ name: 'random-forest', why: 'only the cases of a table have columns to learn from' }],
};

const lines = [
  ...answered(pattern).map((each) => line('court', { ...each, groups: { sex: 'f' } })),
  ...answered(worse).map((each) => line('cot', { ...each, groups: { sex: 'f' } })),
];
const material: ReportMaterial = {
  experiment: 'e',
  lines,
  arms: ['court', 'cot'],
  paths: new Map(),
  terms: { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false, groups: ['sex'] },
  baselines,
  resampling: drawing(100),
};
const make = (change: Partial<ReportMaterial> = {}, onProgress: OnProgress = () => undefined) =>
  statsReportSchema.parse({ ...statisticsReport({ ...material, ...change }, onProgress), store: 's' });

describe('a report that arrives in stages', () => {
  const stages: ReturnType<typeof statisticsReport>[] = [];
  const whole = statisticsReport(
    material,
    () => undefined,
    (report) => stages.push(report),
  );
  const everyMeasure = ({ arms, baselines: fitted }: typeof whole) =>
    [...arms, ...fitted].flatMap(({ arm, measures }) => measures.map((measure) => ({ arm, ...measure })));

  it('has the finding and the accuracies at once, as the whole has them', () => {
    const [first] = stages;
    expect(first?.finding).toEqual(whole.finding);
    expect(first?.comparisons.map(({ difference, mcnemar }) => ({ difference, mcnemar }))).toEqual(
      whole.comparisons.map(({ difference, mcnemar }) => ({ difference, mcnemar })),
    );
    const accuracies = (report: typeof whole) => everyMeasure(report).filter(({ name }) => name === 'accuracy');
    expect(first && accuracies(first)).toEqual(accuracies(whole));
  });

  it('has every value from the first stage on, and says of an interval that it is to come until it is there', () => {
    const keyOf = ({ arm, name, over, label, side, turn }: ReturnType<typeof everyMeasure>[number]) =>
      JSON.stringify([arm, name, over, label, side, turn]);
    const last = new Map(everyMeasure(whole).map((measure) => [keyOf(measure), measure]));
    const missing = stages.map((stage) => {
      const measures = everyMeasure(stage);
      expect(new Set(measures.map(keyOf))).toEqual(new Set(last.keys()));
      const open = measures.filter(({ why_null }) => why_null === toCome);
      for (const measure of measures) {
        const final = last.get(keyOf(measure));
        expect(measure.value).toBe(final?.value);
        if (!open.includes(measure)) expect(measure.low).toBe(final?.low);
      }
      return open.length;
    });
    expect(missing).toEqual(missing.toSorted((one, other) => other - one));
    expect(missing[0]).toBeGreaterThan(0);
    expect([missing.at(-1), JSON.stringify(whole).includes(toCome)]).toEqual([0, false]);
  });
});

describe('the report', () => {
  const report = make();

  it('has baselines in the same form as arms, and those that there cannot be', () => {
    expect(report.arms.map(({ arm }) => arm)).toEqual(['court', 'cot']);
    expect(report.baselines).toMatchObject([
      {
        arm: 'majority',
        protocol: 'baseline',
        baseline: true,
        n: 12,
        decided: 12,
        calls: 0,
        accuracy_all: { value: 0, n: 12 },
        about: { trained_on: 8 },
      },
    ]);
    expect(report.baselines[0]?.measures.find(({ name }) => name === 'brier')?.value).toBeCloseTo(0.75 ** 2, 12);
    expect(report.missing_baselines).toEqual(baselines.missing);
  });

  it('says of every number its n, and of every interval its method, resamples and seed', () => {
    const measures = [...report.arms, ...report.baselines].flatMap(({ measures: all, groups }) => [
      ...all,
      ...groups.flatMap((group) => group.measures),
    ]);
    expect(measures.length).toBeGreaterThan(50);
    for (const measure of measures) {
      if (measure.value === null || measure.interval_method === null) expect(measure.why_null).not.toBeNull();
      if (measure.value !== null) expect(measure.n).toBeGreaterThan(0);
      expect(measure.low === null).toBe(measure.interval_method === null);
      const drawn = measure.interval_method === 'bca' || measure.interval_method === 'percentile';
      expect([measure.resamples !== null, measure.seed !== null], JSON.stringify(measure)).toEqual(
        measure.interval_method === null ? [measure.resamples !== null, measure.resamples !== null] : [drawn, drawn],
      );
    }
  });

  it('counts the decided by truth and prediction, and by the confidence that was stated', () => {
    const [court, cot] = report.arms;
    expect(court?.confusion).toEqual([
      { truth: 'YES', prediction: 'NO', n: 3 },
      { truth: 'YES', prediction: 'YES', n: 9 },
    ]);
    expect(cot?.confusion).toEqual([{ truth: 'YES', prediction: 'YES', n: 6 }]);
    expect(court?.confidence_bins.map(({ correct, wrong, unknown }) => correct + wrong + unknown)).toEqual(Array(10).fill(0));
    const sure = make({
      lines: lines.map((each, place) => ({
        ...each,
        confidence: 0.75,
        correct: place % 2 === 0 ? null : each.prediction === 'YES',
      })),
    });
    // Of court's twelve the even ones have no truth here; of the odd ones c9 and c11 are wrong.
    expect(sure.arms[0]?.confidence_bins[7]).toEqual({ from: 0.7, to: 0.8, correct: 4, wrong: 2, unknown: 6 });
    // A failure is in no bin.
    expect(sure.arms[1]?.confidence_bins.map(({ correct, wrong, unknown }) => correct + wrong + unknown)).toEqual([
      0, 0, 0, 0, 0, 0, 0, 6, 0, 0,
    ]);
  });

  it('has no cells for cases of several labels', () => {
    const several = lines.map((each) => ({ ...each, truth: ['NO', 'YES'], prediction: ['NO'] }));
    const terms = { labels: ['NO', 'YES'], positive: null, multiLabel: true, groups: [] };
    expect(make({ lines: several, terms }).arms.map(({ confusion }) => confusion)).toEqual([[], []]);
  });

  it('compares every pair and says the finding', () => {
    expect(report.comparisons.map(({ a, b, baseline, paired_cases }) => [a, b, baseline, paired_cases])).toEqual([
      ['court', 'majority', true, 12],
      ['cot', 'majority', true, 12],
      ['court', 'cot', false, 12],
    ]);
    expect(report.finding.sentence).toMatch(
      /^2 arms beat every baseline: court \(75% of 12, 95% interval .*; [\d.]+% corrected for being the best of 2 arms.*\), .* 12 cases are few/,
    );
    expect(report.comparisons_left_out).toBe(0);
  });

  it.each([13, 16, 26])('names the last of %i arms where it alone beats every baseline', (count) => {
    const names = Array.from({ length: count }, (_, index) => `m${index}`);
    const [majority] = baselines.baselines;
    if (majority === undefined) throw new Error('there is a baseline');
    const rightOf = (name: string) =>
      pattern.map(([truth], index): [string, string] => [truth, name === `m${count - 1}` && index > 0 ? 'YES' : 'NO']);
    const report = make({
      lines: names.flatMap((name) => answered(rightOf(name)).map((each) => line(name, each))),
      arms: names,
      baselines: {
        ...baselines,
        baselines: (['majority', 'stratified-random', 'logistic-regression', 'random-forest', 'gradient-boosting'] as const).map(
          (name) => ({ ...majority, name }),
        ),
      },
      resampling: drawing(50),
    });
    expect(report.finding.sentence).toMatch(new RegExp(`^One arm beats every baseline: m${count - 1} `));
  });

  it('of some arms says that there are more, with the same adjusted p-values', () => {
    const of = (arm: string) => (each: TrialLine) => each.arm === arm;
    const part = make({ arms: ['court'], lines: lines.filter(of('court')), others: lines.filter(of('cot')) });
    expect(part.finding.sentence).toMatch(/^This report names 1 of the 2 arms of the experiment\. Of these: One arm beats/);
    expect(part.unreported_arms).toEqual(['cot']);
    expect(part.family).toEqual(report.family);
    expect(part.comparisons).toEqual(report.comparisons.slice(0, 1));
  });

  it('is the same each time, and another one under another seed', () => {
    expect(make()).toEqual(report);
    expect(make({ resampling: { ...drawing(100), seed: 8 } })).not.toEqual(report);
  });

  it('reports all of its work', () => {
    const reported: number[] = [];
    make({}, (share) => reported.push(share));
    expect(reported.at(-1)).toBeCloseTo(1, 9);
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
    expect(reported.length).toBeGreaterThan(10);
  });

  it('compares no arm in which something is exchanged, and reports it separately', () => {
    const exchanged = answered(worse).map((each) => line('court~order', each, { swap: 'order', base_arm: 'court' }));
    const counterbalanced = make({ lines: [...lines, ...exchanged], arms: ['court', 'cot', 'court~order'] });
    expect(counterbalanced.comparisons).toEqual(report.comparisons);
    expect(counterbalanced.finding).toEqual(report.finding);
    expect(counterbalanced.arms.map(({ arm, swap, base_arm }) => [arm, swap, base_arm])).toEqual([
      ['court', null, null],
      ['cot', null, null],
      ['court~order', 'order', 'court'],
    ]);
    // Of six pairs, both decided, the last two (c9 is decided only in court) are in cases 9 and later: c10 flips.
    const [swap] = counterbalanced.swaps;
    expect(swap).toMatchObject({ arm: 'court', swap: 'order', pairs: 12, failed: { base: 0, swapped: 6, both: 0 } });
    expect(swap?.measures[0]).toMatchObject({ name: 'flip_rate', value: 1 / 6, n: 6 });
    expect(swap?.moves).toEqual([{ from: 'NO', to: 'YES', n: 1 }]);
    const reported: number[] = [];
    make({ lines: [...lines, ...exchanged], arms: ['court', 'court~order'] }, (share) => reported.push(share));
    expect(reported.at(-1)).toBeCloseTo(1, 9);
  });

  it.each([
    ['difference', undefined],
    ['non-inferiority', 0.05],
    ['equivalence', 0.05],
  ])('decides a %s that was declared beforehand of an arm with something changed', (test, margin) => {
    const change = { kind: 'facts', text: 'without a', applies: true, from: null, to: null } as const;
    const changed = answered(worse).map((each) => line('court (without a)', each, { base_arm: 'court', change }));
    const judged = [...lines, ...changed].map((each) => ({ ...each, correct: each.prediction === each.truth }));
    const primary = primarySchema.parse({ compare: ['court (without a)', 'court'], test, margin });
    const decided = { primary, stop: null, seed: 7 };
    const arms = ['court', 'cot', 'court (without a)'];
    const both = make({ lines: judged, arms, decided });
    // Of 12 cases court is right in the first nine, the changed arm in every second one.
    expect(both.primary).toMatchObject({ cases: 12, of: 12, final: true, a: 0.5, b: 0.75, anytime: { cases: 12 } });
    expect(both.primary?.difference).toMatchObject({ value: -0.25, low: expect.any(Number), high: expect.any(Number) });
    expect(both.primary?.decision).toBe('not-shown');
    expect(both.primary?.sentence).not.toContain('Nothing can be decided');
    expect(both.comparisons).toEqual(report.comparisons);
    // An arm that is not reported counts all the same.
    const isReported = ({ arm }: TrialLine) => arm === 'court';
    const others = judged.filter((each) => !isReported(each));
    const one = make({ lines: judged.filter(isReported), others, arms: ['court'], decided });
    expect(one.primary).toEqual(both.primary);
    const few = new Set(['c0', 'c1', 'c2', 'c3']);
    const planned = make({ lines: judged, arms, decided: { ...decided, planned: { cases: few, replicates: 1 } } });
    expect(planned.primary).toMatchObject({ cases: 4, a: 0.5, b: 1 });
  });

  it('compares an arm that only has such a name, and no swap without its base', () => {
    const named = make({
      lines: lines.map((each) => ({ ...each, arm: each.arm === 'cot' ? 'court~sides' : each.arm })),
      arms: ['court', 'court~sides'],
    });
    expect(named.comparisons.some(({ a, b }) => a === 'court' && b === 'court~sides')).toBe(true);
    expect(named.swaps).toEqual([]);
    const alone = lines.map((each) => ({ ...each, swap: 'sides' as const, base_arm: 'other' }));
    expect(make({ lines: alone }).swaps).toEqual([]);
  });

  it('keeps the name of an arm that is called like a baseline', () => {
    const named = lines.map((each) => ({ ...each, arm: each.arm === 'cot' ? 'majority' : each.arm }));
    const same = make({ lines: named, arms: ['court', 'majority'] });
    expect(same.baselines[0]?.arm).toBe('majority (baseline)');
    expect(same.comparisons[0]).toMatchObject({ a: 'court', b: 'majority (baseline)', baseline: true });
  });

  it('of cases without labels or truths has counts, and says that there is nothing to compare', () => {
    const open = answered(pattern).map((each) => line('court', { ...each, truth: null, prediction: null }));
    const none = { baselines: [], missing: [] };
    const terms = { labels: [], positive: null, multiLabel: false, groups: [] };
    const report = make({ lines: open, arms: ['court'], terms, baselines: none });
    expect(report.arms).toMatchObject([{ n: 12, decided: 12, without_truth: 12 }]);
    expect(report.finding.sentence).toMatch(/^No trial of a case with a known truth has ended/);
  });

  it('of an arm without a trial is whole', () => {
    const report = make({ lines: [], arms: ['court'] });
    expect(report.arms).toMatchObject([{ arm: 'court', n: 0, planned: 0 }]);
    expect(report.arms[0]?.measures.every(({ value, why_null }) => value === null && why_null !== null)).toBe(true);
  });

  it('notes arms whose debates hardly ever pass', () => {
    const notes = (settled: number, unreliable: number) => make({ rounds: new Map([['debate', { settled, unreliable }]]) }).notes;
    expect(notes(12, 11).join(' ')).toContain('debate: 11 of 12 rounds did not pass');
    for (const [settled, unreliable] of [
      [12, 10],
      [9, 9],
      [0, 0],
    ] as const)
      expect(notes(settled, unreliable).join(' ')).not.toContain('did not pass');
  });

  it('notes arms that decided nothing, and labels that are true of few cases', () => {
    const none = lines.map((each) => (each.arm === 'cot' ? { ...each, outcome: 'undecided' as const, prediction: null } : each));
    expect(make({ lines: none }).notes.join(' ')).toContain(
      'cot: all 12 trials are undecided, since none of its values is a label.',
    );
    expect(make().notes.join(' ')).not.toContain('undecided');
    expect(make().notes.join(' ')).toContain('1 of 2 labels are the truth of fewer than 10 cases');
  });

  it('notes arms that were added later', () => {
    expect(make({ added: ['cot'] }).notes[0]).toBe(
      'cot was added after the experiment was first fixed, when results could be known.',
    );
    expect(make({ added: [] }).notes).toEqual(make().notes);
  });

  it('notes replicates', () => {
    const twice = [...lines, ...lines.map((each) => ({ ...each, replicate: 1, trial: `${each.trial}/1` }))];
    const report = make({ lines: twice });
    expect(report.notes.join(' ')).toContain('each case weighs the same');
    // The same accuracy by trials has no second interval that contradicts the one over cases.
    expect(report.arms[0]?.accuracy_all).toMatchObject({ n: 24, low: null, high: null });
    expect(report.arms[0]?.measures[0]).toMatchObject({ name: 'accuracy', n: 24, cases: 12, interval_method: 'bca' });
  });
});

it('says how often two arms are right where they agree, a failure left out, and not where a case was tried several times', () => {
  // court is right in c0 to c8. Both say YES in c0 to c5, and NO in c10 and c11; they differ in c6 and c7, and one fails in c8 and c9.
  const other = pattern.map(([truth], index): [string, string] => [
    truth,
    index < 6 ? 'YES' : index < 8 || index > 9 ? 'NO' : '-',
  ]);
  const both = [lines.slice(0, 12), answered(other).map((each) => line('cot', each))].flat();
  const togetherIn = (some: typeof lines) => {
    const report = make({ lines: some });
    return byPairs(report.agreement ?? []).pairs.map((pair) => rightTogether(pair, report));
  };
  expect(togetherIn(both)).toEqual([{ n: 8, accuracy: 6 / 8 }]);
  expect(togetherIn([...both, ...both.map((each) => ({ ...each, trial: `${each.trial} again`, replicate: 1 }))])).toEqual([null]);
});
