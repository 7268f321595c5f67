import { describe, expect, it, test } from 'vitest';
import equivalence from '../../../../docs/reference/values/equivalence.json' with { type: 'json' };
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import { type Primary, primarySchema } from '../../../shared/primary.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { randomSource } from '../../cases/shuffle.ts';
import { pairsInWords } from '../../telling/pairSentences.ts';
import { exploratoryPairText, exploratoryText, primaryTable } from '../../telling/primaryPart.ts';
import { contender } from './comparisons.ts';
import { primaryToCome } from './intervalsToCome.ts';
import { primaryComparison } from './primaryComparison.ts';
import { intervalNotes, plainDecision } from './primaryText.ts';
import { rightTitle, shownAdjusted } from './shownComparisons.ts';
import { measured, statisticsReport } from './statisticsReport.ts';
import { drawing, line, trial } from './trials.fixture.ts';

const terms = { labels: ['NO', 'YES'], multiLabel: false };

/** Trials of two arms: by case how much more often `court` is right than `alone`, in trials. */
function linesOf(values: readonly number[], replicates = 1): TrialLine[] {
  const of = (arm: string, rightIn: (value: number) => number) =>
    values.flatMap((value, place) =>
      Array.from({ length: replicates }, (_, replicate) => {
        const right = replicate < rightIn(value);
        const belief = right ? { NO: 0.9, YES: 0.1 } : { NO: 0.4, YES: 0.6 };
        return line(
          arm,
          { ...trial(`c${place}`), prediction: right ? 'NO' : 'YES', belief },
          { correct: right, replicate, trial: `${arm}/${place}/${replicate}` },
        );
      }),
    );
  return [...of('court', (value) => Math.max(0, value)), ...of('alone', (value) => Math.max(0, -value))];
}

const right = { prediction: 'NO', correct: true };

function resultOf(lines: readonly TrialLine[], change: Partial<Primary>, stop: { width: number } | null = null, drawn = true) {
  const primary = primarySchema.parse({ compare: ['court', 'alone'], ...change });
  const [a, b] = primary.compare.map((arm) => {
    const own = lines.filter((each) => each.arm === arm);
    return contender(arm, false, () => measured(own, new Map()), terms);
  });
  return primaryComparison({ primary, stop, seed: 7 }, [a, b], lines, drawn);
}

const tests = ['difference', 'non-inferiority', 'equivalence'] as const;

/** Each set with each test; outside the exhaustive run with one of them in turn, as all three follow from the same interval. */
const compared = equivalence.sets.flatMap((set, place) =>
  tests.filter((_, turn) => exhaustive || turn === (place + 1) % tests.length).map((name) => ({ set, name })),
);

it.each(compared)('2,000 cases, $set.name: $name comes near the paired t-test of statsmodels', ({ set, name }) => {
  const { values, replicates, margin, ...expected } = set;
  const p = { difference: expected.difference_p, 'non-inferiority': expected.non_inferiority, equivalence: expected.equivalence };
  const found = resultOf(linesOf(values, replicates), { test: name, ...(name === 'difference' ? {} : { margin }) });
  expect(found.difference.value).toBeCloseTo(expected.difference, 12);
  expect(found.difference.low).toBeCloseTo(expected.low, 2);
  expect(found.difference.high).toBeCloseTo(expected.high, 2);
  expect(Math.abs((found.p ?? 2) - p[name])).toBeLessThan(0.012);
  expect(found).toMatchObject({ final: true, p_level: name === 'difference' ? 0.05 : 0.025 });
});

test('interval, p-value and decision say the same, also where lower is better and in a larger family', () => {
  const random = randomSource(5, 'primary');
  const seen = new Set<string>();
  for (let set = 0; set < 6; set++) {
    const better = set % 3 === 1 ? -1 : 1;
    const lines = linesOf(Array.from({ length: 40 }, () => better * ([-1, 0, 0, 1, 1][Math.floor(5 * random.next())] ?? 0)));
    for (const measure of ['accuracy', 'brier'] as const) {
      for (const name of tests) {
        const margin = name === 'difference' ? {} : { margin: (measure === 'brier' ? 0.05 : 0.12) * (set % 2 === 0 ? 1 : 6) };
        const found = resultOf(lines, { measure, test: name, family: 1 + (set % 3), ...margin });
        const { low, high } = found.difference;
        const [worst, best] = measure === 'brier' ? [-(high ?? 0), -(low ?? 0)] : [low ?? 0, high ?? 0];
        const bound = found.margin ?? 0;
        const byInterval =
          name === 'difference' ? worst > 0 || best < 0 : worst > -bound && (name === 'non-inferiority' || best < bound);
        expect(found.difference.level).toBeCloseTo(1 - 0.05 / found.family, 12);
        const isConfirmed = measure === 'accuracy' && (found.exact_p ?? 2) <= found.p_level;
        const isShown = byInterval && (name !== 'difference' || isConfirmed);
        expect(found.decision, JSON.stringify(found)).toBe(isShown ? 'shown' : 'not-shown');
        expect((found.p ?? 2) <= found.p_level, JSON.stringify(found)).toBe(byInterval);
        seen.add(`${name} ${found.decision}`);
      }
    }
  }
  expect(seen.size).toBe(6);
});

test('of two arms that are right in the same cases it is said, and how many others could differ', () => {
  const lines = linesOf(Array.from({ length: 30 }, () => 0)).map((each, place) => ({ ...each, ...(place % 3 === 0 && right) }));
  const found = resultOf(lines, {});
  const unshown = 'No difference in accuracy is shown between court and alone; this does not show that they are equal.';
  expect(found).toMatchObject({ exact_p: 1, discordant: { a_only: 0, b_only: 0 }, decision: 'not-shown', p: null });
  expect(found.sentence).toBe(
    `Both gave the same verdict in all 30 cases; so few cannot exclude that up to 11.4 of 100 others would differ. ${unshown}`,
  );
  expect(plainDecision(found, {})).toBe(found.sentence);
  expect(primaryTable(found, { arms: [] }).rows[0]).toEqual(expect.arrayContaining(['0 : 0', '1.000']));
  expect(intervalNotes(found, { arms: [], comparisons: [] }).join(' ')).not.toContain('fixed-n interval leaves out 0');
  const other = lines.map((each, place) => (place === 1 ? { ...each, prediction: null } : each));
  expect(resultOf(other, { test: 'equivalence', margin: 0.05 }).sentence).toMatch(
    /^Both are right equally often in each of the 30 cases; .* It is not shown that court and alone differ by less than 5 points/,
  );
});

test('of one arm that is right in every case and another in none the exact test decides, since there is no interval', () => {
  const found = resultOf(linesOf(Array.from({ length: 30 }, () => -1)), {});
  expect(found).toMatchObject({ difference: { value: -1, low: null }, discordant: { a_only: 0, b_only: 30 }, decision: 'shown' });
  expect(found.sentence).toBe(
    'court is worse than alone in accuracy. One of the two is ahead in every one of the 30 cases, by as much in each, so there is no interval; the exact test decides (p < 0.001).',
  );
  expect(plainDecision(found, {})).toBe(found.sentence);
  expect(resultOf(linesOf([1, 1, 1, 1]), {})).toMatchObject({ exact_p: 0.125, decision: 'not-shown' });
});

test('a difference in accuracy takes the exact test too, and one without such a test an interval that is wide enough', () => {
  // Of 24 cases tried twice one arm is right more often on six, and the other on one.
  const lines = linesOf([1, 1, 1, 1, 1, 2, -1, ...Array.from({ length: 17 }, () => 0)], 2);
  const found = resultOf(lines, {});
  expect(found.difference.low).toBeGreaterThan(0);
  expect(found.p).toBeLessThan(0.05);
  expect(found).toMatchObject({ exact_p: 0.109375, decision: 'not-shown' });
  expect(found.sentence).toBe(
    'No difference in accuracy is shown between court and alone: the interval lies above 0, but at this n such intervals are too narrow, and the exact test does not show one (p 0.109); this does not show that they are equal.',
  );
  expect(plainDecision(found, {})).toBe(
    'No difference in accuracy is shown between court and alone; this does not show that they are equal. Over 24 cases: court less alone is +12.5 points, 95% interval +2.1 to +27.1, p 0.109. The interval leaves out 0, but the exact test does not rule out chance. This interval is too narrow: in simulations of 50 cases, each tried for example 3 times, 95% intervals held the true value in 91.8%.',
  );
  expect(primaryTable(found, { arms: [] }).rows[0]).toEqual(expect.arrayContaining(['6 : 1', '0.109']));
  const brier = resultOf(lines, { measure: 'brier' });
  expect(brier).toMatchObject({ decision: 'not-shown', difference: { caution: expect.stringContaining('too narrow') } });
  expect(brier.sentence).toContain(
    'the interval lies below 0, but at this n such intervals are too narrow, and there is no exact test',
  );
  const notWorse = resultOf(lines, { test: 'non-inferiority', margin: 0.05 });
  expect(notWorse.sentence).toMatch(
    /then by less than 5 points\. This rests on the interval alone, which is too narrow: in simulations of 50 cases/,
  );
  expect(plainDecision(notWorse, {})).toMatch(
    /then by less than 5 points\. Over 24 cases: court less alone is .*This interval is too narrow: .* held the true value in 91\.8%\.$/,
  );
});

test('two arms that are right equally often are rarely found to differ, also over few cases', () => {
  const random = randomSource(11, 'alike');
  const draws = exhaustive ? 1000 : 100;
  const isFound = Array.from({ length: draws }, () => {
    const values = Array.from({ length: 24 }, () => (random.next() < 0.3 ? (random.next() < 0.5 ? 1 : -1) : 0));
    return resultOf(linesOf(values, 2), {}).decision === 'shown';
  });
  expect(isFound.filter(Boolean).length / draws).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / draws));
});

test('a decision stays while further trials run, and without one it is said when there will be one', () => {
  const lines = linesOf(Array.from({ length: 60 }, (_, place) => (place % 3 === 0 ? 0 : 1)));
  const [earlier, again] = [resultOf(lines, {}), resultOf(lines, {}, null, false)];
  const now = { ...again, planned: { cases: 60, replicates: 1 } };
  const shown = primaryToCome(now, earlier, false);
  expect(shown).toMatchObject({ decision: 'shown', planned: now.planned, difference: earlier.difference });
  expect(shown.sentence).toBe('From before the extension (n = 60): court is better than alone in accuracy.');
  expect(primaryToCome(now, { ...earlier, of: 59 }, false).sentence).toContain('when the run has ended');
  expect(primaryToCome(now, null, true).sentence).toContain('being computed now');
  expect(primaryToCome(earlier, null, true)).toBe(earlier);
  const row = primaryTable(resultOf(lines, { test: 'equivalence', margin: 0.05 }), { arms: [] }).rows[0];
  expect(row?.slice(0, 4)).toEqual(['60', '66.7%', '0%', expect.stringMatching(/^\+66\.7 \[\+5\d.*, \+7\d.*\]$/)]);
});

describe('a run that is not over', () => {
  const values = Array.from({ length: 60 }, (_, place) => (place % 3 === 0 ? 1 : 0));
  const unfinished = (from: number): TrialLine[] =>
    linesOf(values).map((each) =>
      each.arm === 'alone' && Number(each.case.slice(1)) >= from && each.case !== 'c59'
        ? { ...each, status: 'queued', outcome: null, correct: null, prediction: null }
        : each,
    );

  it('has no decision; the anytime-valid interval takes the beginning of the sample, not what ended first', () => {
    const found = resultOf(unfinished(40), {});
    expect(found).toMatchObject({ final: false, decision: 'open', cases: 41, of: 60, anytime: { cases: 40 } });
    expect(found.sentence).toBe('There is no decision before the end: 41 of 60 cases are finished in both.');
    // With two replicates a case is finished once all its trials have ended, though one is enough to compare it.
    const once = linesOf(values, 2).map((each) => (each.replicate === 1 ? { ...each, status: 'queued' as const } : each));
    const half = resultOf(once, {});
    expect(half).toMatchObject({ cases: 60, anytime: { cases: 0 } });
    expect(half.sentence).toBe('There is no decision before the end: 0 of 60 cases are finished in both, with all replicates.');
    expect(primaryTable(half, { arms: [] }).rows[0]?.at(-1)).toBe('the first case is not finished yet with all its trials');
    expect(intervalNotes({ ...half, looks: [2, 9, 20, 31, 40] }, { arms: [], comparisons: [] }).join(' ')).toContain(
      'when 2 to 40 cases had an ended trial',
    );
    const whole = resultOf(unfinished(60), {});
    expect(whole).toMatchObject({ final: true, anytime: { cases: 60 } });
    const notesOf = (change: object) => intervalNotes({ ...half, ...change }, { arms: [], comparisons: [] }).join(' ');
    expect(notesOf({ looks: [], look_uncounted: 'another program is writing to the record' })).toContain(
      'This look at results before the end could not be counted: another program is writing to the record.',
    );
    expect(notesOf({ ...whole, looks: [] })).toContain('As far as was counted, nobody looked');
    expect(notesOf({ ...whole, looks: [3] })).not.toContain('nobody looked');
    const cited = (result: typeof found) =>
      primaryTable(result, { arms: [] }).head.flatMap(
        (title) => /^.*(fixed-n|anytime-valid) .* \(cite this one\)$/.exec(title)?.[1] ?? [],
      );
    expect([half, found, whole, resultOf(unfinished(40), {}, { width: 0.7 })].map(cited)).toEqual([
      [],
      ['anytime-valid'],
      ['fixed-n'],
      ['anytime-valid'],
    ]);
    expect(notesOf(whole)).toContain('Cite this p with the fixed-n interval.');
  });

  it('is over once its interval is narrow enough, and the anytime-valid interval then decides', () => {
    const found = resultOf(unfinished(40), {}, { width: 0.7 });
    expect(found).toMatchObject({ final: true, decided_by: 'anytime', decision: 'shown' });
    const after = found.stop?.after ?? 0;
    expect(after).toBeGreaterThan(10);
    // The case before did not suffice.
    expect(resultOf(unfinished(after - 1), {}, { width: 0.7 })).toMatchObject({ final: false, stop: { after: null } });
    expect(resultOf(unfinished(after), {}, { width: 0.7 }).stop?.after).toBe(after);
  });
});

test('a report over some arms still has the primary comparison of all, with a baseline too', () => {
  const lines = linesOf([1, 1, 1, 0, -1, 1, 0, 1, 1, 1]);
  const about = { trained_on: 8, columns: [], dropped: [], library: 'Assize', seed: null, parameters: {}, notes: [] };
  const predictions = lines.slice(0, 10).map(({ case: id }) => ({ case: id, prediction: 'YES', belief: null }));
  const material = {
    experiment: 'e',
    lines: lines.filter(({ arm }) => arm === 'court'),
    others: lines.filter(({ arm }) => arm === 'alone'),
    arms: ['court'],
    paths: new Map(),
    terms: { ...terms, positive: 'YES', groups: [] },
    baselines: {
      baselines: [{ name: 'majority' as const, predictions, about }],
      missing: [],
    },
    resampling: drawing(50),
  };
  const reportWith = (primary: object) =>
    statisticsReport({ ...material, decided: { primary: primarySchema.parse(primary), stop: null, seed: 1 } }, () => undefined);
  const made = (compare: [string, string]) => reportWith({ compare }).primary;
  expect(made(['court', 'alone'])).toMatchObject({ cases: 10, difference: { resamples: 10_000, seed: 1 } });
  expect(made(['court', 'baseline:majority'])).toMatchObject({ cases: 10, of: 10, final: true, b: 0, anytime: null });
  const { primary, comparisons, family } = statisticsReport(material, () => undefined);
  expect([primary, family.tests]).toEqual([null, 3]);
  expect(comparisons.map((each) => [each.b, each.in_family, each.primary])).toEqual([['majority', true, undefined]]);

  // The pair is a test by itself: with those that were decided beforehand, and none of the exploratory ones.
  const decided = reportWith({ compare: ['court', 'baseline:majority'], family: 2 });
  expect(decided.family).toMatchObject({
    tests: 2,
    text: expect.stringMatching(/; the primary comparison is not among them and has no adjusted p$/),
  });
  expect(exploratoryText(decided)).toContain(
    'court against baseline majority is among these pairs too, without an adjusted p, since its test is the one above; cite what is above, which decides.',
  );
  const [pair] = decided.comparisons;
  expect(pair).toMatchObject({ b: 'majority', in_family: false, primary: true, detectable_at: expect.closeTo(0.025, 12) });
  expect(pair?.mcnemar.p_adjusted).toBeCloseTo(2 * (pair?.mcnemar.p ?? 2), 12);
  expect(decided.comparisons.map(shownAdjusted)).toEqual([null]);
  expect(rightTitle(decided)).toBe('right alone');
  const twice = lines.flatMap((each) => [each, { ...each, replicate: 1, trial: `${each.trial} again` }]);
  expect(rightTitle(statisticsReport({ ...material, lines: twice }, () => undefined))).toBe('right more often');
  // Another measure was decided, and the accuracy of the pair was not.
  const ofBrier = reportWith({ compare: ['court', 'alone'], measure: 'brier' });
  expect(ofBrier.family.tests).toBe(3);
  const ofF1 = reportWith({ compare: ['court', 'baseline:majority'], measure: 'macro_f1' });
  expect(exploratoryText(ofF1)).toContain('is among these pairs too, with the test that all of them have;');
});

test('arms of later are named as such, with the reason', () => {
  const lines = linesOf([1, 1, 0]);
  const resultOfLater = (later: string[]) => {
    const [a, b] = ['court', 'alone'].map((name) => {
      const own = lines.filter(({ arm }) => arm === name);
      return contender(name, false, () => measured(own, new Map()), terms);
    });
    const primary = primarySchema.parse({ compare: ['court', 'alone'] });
    return primaryComparison({ primary, stop: null, seed: 7, later }, [a, b], lines, false);
  };
  const heading = 'Exploratory: all that follows was not decided beforehand.';
  expect(exploratoryText({ primary: resultOfLater(['people']), comparisons: [], resampling: drawing(50) })).toBe(
    `${heading} people was added after the primary comparison was recorded, when results could be known.`,
  );
  expect(exploratoryText({ primary: resultOfLater([]), comparisons: [], resampling: drawing(50) })).toBe(heading);
});

test('what was added after the first trial decides nothing, and the report says over what it is', () => {
  const values = Array.from({ length: 60 }, (_, place) => (place < 40 ? (place % 4 === 0 ? 1 : 0) : -1));
  const lines = linesOf(values);
  const reportOf = (planned?: { cases: ReadonlySet<string>; replicates: number }, some = lines) => {
    const primary = primarySchema.parse({ compare: ['court', 'alone'] });
    const material = {
      ...{ experiment: 'e', lines: some, arms: ['court', 'alone'], paths: new Map(), resampling: drawing(50) },
      terms: { ...terms, positive: 'YES', groups: [] },
      baselines: { baselines: [], missing: [] },
      decided: { primary, stop: null, seed: 7, planned },
    };
    return statisticsReport(material, () => undefined);
  };
  const first = new Set(values.slice(0, 40).map((_, place) => `c${place}`));
  const early = reportOf(
    undefined,
    lines.filter((each) => first.has(each.case)),
  );
  const report = reportOf({ cases: first, replicates: 1 });
  const { primary: now, comparisons } = report;
  if (now === null || now === undefined) throw new Error('a comparison was decided');
  expect(now).toEqual({ ...early.primary, planned: { cases: 40, replicates: 1, ids: [...first] } });
  expect(reportOf().primary?.difference.value).not.toBe(now.difference.value);
  expect(intervalNotes(now, report).join(' ')).toMatch(/40 cases, each tried once.*of McNemar's exact test/);
  // A shown difference is known by its interval: what is left to say is how many cases a smaller one takes.
  const unplanned = { ...now, planned: undefined, decision: 'shown' as const };
  const [first60] = comparisons.map((each) => ({ ...each, paired_cases: 40, smallest_detectable_difference: 0.3 }));
  const shownNotes = intervalNotes(unplanned, { ...report, comparisons: first60 === undefined ? [] : [first60] });
  expect(shownNotes.at(-1)).toBe('A difference of 10 points would be found four times in five with about 360 cases.');
  const [unseen] = comparisons.map((each) => ({ ...each, paired_cases: 40, smallest_detectable_difference: null }));
  const notShown = { ...unplanned, decision: 'not-shown' as const };
  expect(intervalNotes(notShown, { ...report, comparisons: unseen === undefined ? [] : [unseen] }).at(-1)).toMatch(
    /^To be found four times in five at 5%, a difference between court and alone as large as that seen .* takes about \d+ cases, and one of 10 points about \d+, if only one of the two is right in .* of cases, as here\.$/,
  );
  expect(plainDecision(now, {})).toMatch(/Over the 40 cases planned when the first trial began: court less alone is \+25 points/);
  // Over all 60 cases the pair is another test, one of the exploratory family.
  const [pair] = comparisons;
  expect(pair).toMatchObject({ paired_cases: 60, in_family: true });
  expect(pair).not.toHaveProperty('primary');
  expect([pair?.mcnemar.p_adjusted, report.family.tests]).toEqual([pair?.mcnemar.p, 1]);
  expect(pairsInWords(report).arms).toEqual([]);
  expect(exploratoryText(report)).toMatch(/over 60 cases, with those that were added .* over 40 cases, which decide\.$/);
  expect(exploratoryText(report)).not.toContain('resamples');
  expect(exploratoryPairText(now, { paired_cases: 60 })).toMatch(/^Exploratory, 60 cases: /);
});
