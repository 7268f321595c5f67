import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { yes } from '../../trajectory/trajectory.fixture.ts';
import { type Contender, caseStandings, comparisonsOf, contender } from './comparisons.ts';
import { chanceText, disagreementText, shownComparisons } from './shownComparisons.ts';
import { answered, drawing, trial } from './trials.fixture.ts';

const terms = { labels: ['NO', 'YES'], multiLabel: false };

/** Right on the cases with a 1, wrong on those with a 0, failed on those with a -. */
const of = (name: string, pattern: string, baseline = false): Contender =>
  contender(
    name,
    baseline,
    () => answered([...pattern].map((mark) => ['YES', mark === '1' ? 'YES' : mark === '0' ? 'NO' : '-'])),
    terms,
  );
const compare = (...contenders: Contender[]) => comparisonsOf(contenders, drawing(200)).comparisons;

it('writes a p-value so that its side of 5% shows', () => {
  expect([0.0004, 0.04921, 0.0496, 0.05, 0.04999, 0.05001, 0.0512, null].map((p) => chanceText(p))).toEqual([
    ...['< 0.001', '0.049', '0.0496', '≤ 0.05', '≤ 0.05', '> 0.05', '0.051', '-'],
  ]);
});

describe('a comparison', () => {
  it('is over the cases that both have, a failure as not correct', () => {
    // a: 6 of 8; b: 3 of 8 with a failure. Only a: 4 cases, only b: 1.
    const [pair] = compare(of('a', '11111100'), of('b', '1-100010'));
    expect(pair).toMatchObject({
      a: 'a',
      b: 'b',
      baseline: false,
      paired_cases: 8,
      difference: { value: 3 / 8, resamples: 200, seed: 7 },
      // Two-sided exact: 2 (1 + 5) / 32.
      mcnemar: { a_only: 4, b_only: 1, p: 12 / 32, p_adjusted: 12 / 32 },
      wilcoxon: null,
      cliffs_delta: null,
    });
    expect(pair?.difference.low).toBeLessThan(3 / 8);
    expect(pair?.difference.high).toBeGreaterThan(3 / 8);
  });

  it('leaves out cases that one of them lacks, and those without a truth', () => {
    const one = contender('a', false, () => [trial('c0'), trial('c1'), trial('c2', { truth: null })], terms);
    const other = contender('b', false, () => [trial('c1', { prediction: 'YES' }), trial('c2', { truth: null })], terms);
    expect(compare(one, other)).toMatchObject([{ paired_cases: 1, mcnemar: { a_only: 1, b_only: 0 } }]);
    const stranger = contender('c', false, () => [trial('c9')], terms);
    expect(compare(one, stranger)).toMatchObject([
      {
        paired_cases: 0,
        difference: { value: null },
        mcnemar: { p: null, p_adjusted: null },
        smallest_detectable_difference: null,
      },
    ]);
  });

  it('counts a case once, however often it was tried', () => {
    const tried = (name: string, rights: readonly (readonly boolean[])[]) =>
      contender(
        name,
        false,
        () => rights.flatMap((each, index) => each.map((right) => trial(`c${index}`, right ? {} : { prediction: 'YES' }))),
        terms,
      );
    // Shares of a: 1, 1/2, 0; of b: 1/2, 1/2, 1.
    const one = tried('a', [
      [true, true],
      [true, false],
      [false, false],
    ]);
    const other = tried('b', [
      [true, false],
      [false, true],
      [true, true],
    ]);
    const [pair] = compare(one, other);
    expect(pair).toMatchObject({
      paired_cases: 3,
      mcnemar: { a_only: 1, b_only: 1, p: 1 },
      wilcoxon: { of: 'correctness', n: 2 },
    });
    expect(pair?.difference.value).toBeCloseTo((1 / 2 + 0 - 1) / 3, 12);
    // Differences 1/2, 0, -1 have the variance 7/12; trials of a case scatter by (0 + 1/4 + 1/4 + 1/4 + 0 + 0) / 3.
    expect(pair?.variance?.replicates).toBeCloseTo(1 / 4, 12);
    expect(pair?.variance?.cases).toBeCloseTo(7 / 12 - 1 / 4, 12);
    expect(caseStandings(one, other).map(({ standing }) => standing)).toEqual(['a_only', 'equally', 'b_only']);
    expect(caseStandings(one, other).map(({ mostly }) => mostly)).toEqual([null, null, 'b']);
    expect(caseStandings(one, one).map(({ standing }) => standing)).toEqual(['both_right', 'equally', 'both_wrong']);
  });

  it('ranks Brier losses where both stated beliefs, and says whose ranks are better', () => {
    const stating = (name: string, shares: readonly number[]) =>
      contender(
        name,
        false,
        () => shares.map((share, index) => trial(`c${index}`, { belief: yes(share), confidence: 1 - share })),
        terms,
      );
    // The truth is NO: losses 1/16, 1/4, 1/16, 1/16 against 1/4, 9/16, 1/4, 1/16.
    const [pair] = compare(stating('a', [0.25, 0.5, 0.25, 0.25]), stating('b', [0.5, 0.75, 0.5, 0.25]));
    // Three differences, all for a: 2 of 8 sign patterns are as extreme.
    const test = { of: 'brier', cases: 4, n: 3, statistic: 0, method: 'exact', p: 2 / 8, p_adjusted: 2 / 8, favours: 'a' };
    expect(pair?.wilcoxon).toEqual(test);
  });

  it('has the difference of every measure, a less b, over the cases of which both have it', () => {
    // Truth, P(YES) of a, P(YES) of b; a says nothing of c4, and b fails on c5.
    const rows = [
      ['YES', 0.9, 0.6],
      ['YES', 0.2, 0.7],
      ['NO', 0.3, 0.4],
      ['NO', 0.6, 0.1],
      ['YES', null, 0.9],
      ['NO', 0.1, null],
    ] as const;
    const stating = (name: string, column: 1 | 2) =>
      contender(
        name,
        false,
        () =>
          rows.map((row, index) => {
            const [truth, share] = [row[0], row[column]];
            const decided = { truth, prediction: (share ?? 1) >= 0.5 ? 'YES' : 'NO' };
            if (share !== null)
              return trial(`c${index}`, { ...decided, belief: yes(share), confidence: Math.max(share, 1 - share) });
            return trial(`c${index}`, column === 1 ? decided : { ...decided, outcome: 'timeout', prediction: null });
          }),
        terms,
      );
    const [pair] = compare(stating('a', 1), stating('b', 2));
    expect(pair?.differences.map(({ name, cases }) => [name, cases])).toEqual([
      ['accuracy', 6],
      ['macro_f1', 5],
      ['brier', 4],
      ['log_loss', 4],
      ['area_under_curve', 4],
      ['miscalibration', 4],
    ]);
    const brier = pair?.differences.find(({ name }) => name === 'brier');
    expect(brier?.low).toBeLessThan(brier?.value ?? -1);
  });

  it('says of an arm that is surer and worse that it is worse', () => {
    const sure = (name: string, sureness: number, wrongs: number) =>
      contender(
        name,
        false,
        () =>
          Array.from({ length: 60 }, (_, index) => {
            const prediction = index < wrongs ? 'YES' : 'NO';
            return trial(`c${index}`, {
              prediction,
              belief: yes(prediction === 'YES' ? sureness : 1 - sureness),
              confidence: sureness,
            });
          }),
        terms,
      );
    // Losses of a: 0.98 in 17 and 0.0001 in 43 cases; of b 0.52 in 12 and 0.08 in 48: most ranks favour a, the mean loss b.
    const [pair] = compare(sure('a', 0.99, 17), sure('b', 0.72, 12));
    expect(pair?.difference.value).toBeLessThan(0);
    expect(pair?.differences.find(({ name }) => name === 'brier')?.low).toBeGreaterThan(0);
    expect(pair?.wilcoxon?.favours).toBe('a');
    expect(pair?.cliffs_delta).toBeNull();
  });

  it('says why its interval excludes 0 where the exact test of few cases finds nothing', () => {
    const pairs = compare(of('a', '111100'), of('b', '100000'));
    const [pair] = pairs;
    expect([pair?.mcnemar.p, (pair?.difference.low ?? 0) > 0]).toEqual([0.25, true]);
    expect(disagreementText(pairs)).toMatch(
      /Here \(adjusted p 0\.250\) the interval leaves out 0, but the exact test does not show a difference: with few cases/,
    );
    const [two] = compare(of('c', '1111111111'), of('d', '1000000000'));
    expect(disagreementText([...pairs, ...(two ? [two] : [])])).toContain(
      'For a against b (adjusted p 0.250) the interval leaves out 0',
    );
    expect(disagreementText(compare(of('a', '1111111111'), of('b', '1000000000')))).toBeNull();
  });

  it('says what could be seen at the discordance that there is', () => {
    const half = '10'.repeat(20);
    const [same] = compare(of('a', half), of('b', half));
    expect(same).toMatchObject({ mcnemar: { p: 1 }, smallest_detectable_difference: null });
    const [opposite] = compare(of('a', half), of('b', '01'.repeat(20)));
    expect(opposite?.smallest_detectable_difference).toBeGreaterThan(0.2);
    expect(opposite?.smallest_detectable_difference).toBeLessThan(0.6);
  });
});

describe('all comparisons', () => {
  it('are arms with baselines, then arms among themselves, with p adjusted over all of them', () => {
    const pairs = compare(of('a', '1111111111'), of('b', '1111100000'), of('guess', '0000000000', true));
    expect(pairs.map(({ a, b, baseline }) => [a, b, baseline])).toEqual([
      ['a', 'guess', true],
      ['b', 'guess', true],
      ['a', 'b', false],
    ]);
    // p: 2/1024, 2/32, 2/32. Smallest of three: 3 * 2/1024; the others tie.
    const adjusted = pairs.map(({ mcnemar }) => mcnemar.p_adjusted ?? 0);
    expect(adjusted[0]).toBeCloseTo(6 / 1024, 12);
    expect(adjusted[1]).toBeCloseTo(2 / 32, 12);
    expect(adjusted[2]).toBeCloseTo(2 / 32, 12);
  });

  it.each([13, 16, 26])('of %i arms are all made, and a table shows those with the smallest p-values', (count) => {
    const arms = Array.from({ length: count }, (_, index) =>
      of(`arm ${index}`, index === count - 1 ? '1'.repeat(12) : '10'.repeat(6)),
    );
    const baselines = ['majority', 'logistic-regression', 'random-forest', 'gradient-boosting'].map((name) =>
      of(name, '0'.repeat(12), true),
    );
    const { comparisons, family } = comparisonsOf([...arms, ...baselines], drawing(0));
    expect(family.tests).toBe(count * 4 + (count * (count - 1)) / 2);
    expect(comparisons).toHaveLength(family.tests);
    const { shown, more } = shownComparisons(comparisons);
    expect([shown.length, more]).toEqual([50, family.tests - 50]);
    expect(shown.filter(({ a, baseline }) => a === `arm ${count - 1}` && baseline)).toHaveLength(4);
  });

  it('adjust over all arms, even those not reported, and never over a baseline that is drawn by lot', () => {
    const arms = [of('a', '1111111111'), of('b', '1111100000'), of('c', '1010101010')];
    const all = [...arms, of('guess', '0000000000', true), { ...of('lot', '0000000000', true), drawn: true }];
    const whole = comparisonsOf(all, drawing(0));
    expect(whole.family).toEqual({
      arms: 3,
      baselines: 1,
      tests: 6,
      text: '6 tests: 3 of an arm with a baseline (3 arms, 1 baseline), 3 of two arms; lot is drawn by lot and not among them',
    });
    const part = comparisonsOf(all, drawing(0), (name) => name !== 'b');
    expect(part.family).toEqual(whole.family);
    expect(part.comparisons).toEqual(whole.comparisons.filter(({ a, b }) => a !== 'b' && b !== 'b'));
    expect(
      whole.comparisons.filter(({ in_family }) => !in_family).map(({ a, b, mcnemar }) => [a, b, mcnemar.p_adjusted]),
    ).toEqual(['a', 'b', 'c'].map((name) => [name, 'lot', null]));
    // A pair that is not among them is tested as the next one.
    const rejected = whole.comparisons.filter(({ mcnemar }) => (mcnemar.p_adjusted ?? 1) <= 0.05).length;
    for (const { mcnemar, detectable_at, in_family } of whole.comparisons) {
      if (!in_family) expect(detectable_at).toBeCloseTo(0.05, 12);
      else expect(detectable_at).toBeCloseTo((0.05 * ((mcnemar.p_adjusted ?? 1) <= 0.05 ? rejected : rejected + 1)) / 6, 12);
    }
    // p of a with guess is 2/1024, the smallest of six.
    expect(whole.comparisons[0]?.mcnemar.p_adjusted).toBeCloseTo(12 / 1024, 12);
  });

  it('state the number of tests that p-values are adjusted by, for any comparison', () => {
    // What is tried of three cases by each arm, by two baselines, and by one that is drawn by lot; a space is no trial.
    const tried = fc.array(fc.constantFrom(' ', '0', '1', '-'), { minLength: 3, maxLength: 3 });
    const contenders = fc
      .tuple(fc.array(tried, { maxLength: 4 }), fc.array(tried, { maxLength: 2 }), fc.option(tried))
      .map(([arms, baselines, lot]) => [
        ...arms.map((marks, place) => on(`arm ${place}`, marks)),
        ...baselines.map((marks, place) => on(`baseline ${place}`, marks, true)),
        ...(lot === null ? [] : [{ ...on('lot', lot, true), drawn: true }]),
      ]);
    const on = (name: string, marks: readonly string[], baseline = false) => {
      const trials = answered(marks.map((mark) => ['YES', mark === '1' ? 'YES' : mark === '0' ? 'NO' : '-']));
      return contender(name, baseline, () => trials.filter((_trial, place) => marks[place] !== ' '), terms);
    };
    fc.assert(
      fc.property(contenders, fc.option(fc.tuple(fc.nat(), fc.nat())), (all, chosen) => {
        const decided = chosen && { pair: chosen.map((place) => all[place % Math.max(1, all.length)]), family: 1 };
        const { comparisons, family } = comparisonsOf(all, drawing(0), undefined, decided);
        const tests = comparisons.flatMap(({ in_family, mcnemar: { p, p_adjusted } }) =>
          in_family && p !== null ? [{ p, p_adjusted }] : [],
        );
        expect(family.tests).toBe(tests.length);
        const [stated, ...parts] = [...family.text.matchAll(/(\d+) (?:tests?:|of )/g)].map(([, number]) => Number(number));
        expect([stated, parts.reduce((sum, part) => sum + part, 0)]).toEqual([tests.length, tests.length]);
        const ranked = tests.toSorted((one, other) => one.p - other.p);
        for (const [place, { p_adjusted }] of ranked.entries()) {
          const bounds = ranked.slice(place).map(({ p }, further) => (p * family.tests) / (place + further + 1));
          expect(p_adjusted).toBeCloseTo(Math.min(1, ...bounds), 12);
        }
      }),
    );
  });

  it('have no interval where no resamples were asked for', () => {
    const [pair] = comparisonsOf([of('a', '10'), of('b', '01')], drawing(0)).comparisons;
    expect(pair?.difference).toMatchObject({ value: 0, low: null, high: null, why_null: 'no resamples were asked for' });
  });
});
