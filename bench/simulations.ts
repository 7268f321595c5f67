// Simulated experiments: how far statistics are from the truth that made them, and how often they say what is not so.
// Prints a line for each design: node bench/simulations.ts [RUNS] [best|beats|power|f1|calibration]
import { randomSource } from '../src/core/cases/shuffle.ts';
import { bestOf } from '../src/core/statistics/bestOf.ts';
import { bootstrapDifference } from '../src/core/statistics/bootstrap.ts';
import { valueOfAll } from '../src/core/statistics/caseStatistic.ts';
import { comparisonsOf, contender } from '../src/core/statistics/measures/comparisons.ts';
import { estimates } from '../src/core/statistics/measures/estimates.ts';
import { beats } from '../src/core/statistics/measures/finding.ts';
import { macroF1Measure } from '../src/core/statistics/measures/labelMeasures.ts';
import { casedTrials, type MeasuredTrial } from '../src/core/statistics/measures/trials.ts';
import { prepareMiscalibration } from '../src/core/statistics/miscalibration.ts';
import { normalQuantile } from '../src/core/statistics/normalQuantile.ts';
import { smallestDetectable } from '../src/core/statistics/pairedVariance.ts';
import { signFlipTest } from '../src/core/statistics/signFlipTest.ts';
import { wilson } from '../src/core/statistics/wilson.ts';
import type { Comparison } from '../src/shared/statistics.ts';

const runs = Number(process.argv[2] ?? 1000);
const level = 0.95;
const random = randomSource(20, 'simulations');
const list = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));
const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
const inPoints = (share: number) => `${(100 * share).toFixed(1)}`;

/** How hard each case is for everybody, from -1/2 to 1/2. */
const hardness = (cases: number) => list(cases, () => random.next() - 0.5);
const isRight = (accuracy: number, hard: number) => random.next() < accuracy + hard / 2;

/** The best of several arms: raw and corrected less the truth, and how often the truth lies below and above the interval. */
function best(name: string, truths: readonly number[], cases: number): string {
  const found = list(runs, (seed) => {
    const hard = hardness(cases);
    const arms = truths.map((truth) => Float64Array.from(hard, (each) => Number(isRight(truth, each))));
    const chosen = bestOf(arms, { resamples: 400, seed, level });
    const truth = truths[chosen?.place ?? 0] ?? Number.NaN;
    const value = chosen?.value ?? Number.NaN;
    const high = wilson(Math.round(value * cases), cases, level)?.high ?? Number.NaN;
    return {
      raw: value - truth,
      corrected: (chosen?.corrected ?? Number.NaN) - truth,
      below: (chosen?.low ?? 0) > truth,
      above: high < truth,
    };
  });
  const share = (of: 'below' | 'above') => inPoints(mean(found.map((each) => Number(each[of]))));
  return `best arm, ${name}, ${cases} cases: too high by ${inPoints(mean(found.map(({ raw }) => raw)))} points, corrected ${inPoints(mean(found.map(({ corrected }) => corrected)))}; truth below the interval in ${share('below')}%, above in ${share('above')}%`;
}

function trialsOf(accuracy: number, hard: readonly number[], times: number): MeasuredTrial[] {
  return hard.flatMap((each, index) =>
    list(times, () => ({
      case: `c${index}`,
      outcome: 'decided' as const,
      incomplete: false,
      inconsistent: false,
      prediction: isRight(accuracy, each) ? 'NO' : 'YES',
      confidence: null,
      belief: null,
      truth: 'NO',
      groups: {},
      path: null,
    })),
  );
}

/** How often an arm is said to beat every baseline though all are equally good. */
function falseBeats(arms: number, cases: number, times: number): string {
  const terms = { labels: ['NO', 'YES'], multiLabel: false };
  const wrong = list(runs, (seed) => {
    const hard = hardness(cases);
    const of = (name: string, baseline: boolean) => {
      const trials = trialsOf(0.6, hard, baseline ? 1 : times);
      return contender(name, baseline, () => trials, terms);
    };
    const all = [...list(arms, (index) => of(`arm ${index}`, false)), of('one', true), of('two', true)];
    const against = (resamples: number) => {
      const { comparisons } = comparisonsOf(all, { resamples, seed, level });
      const pairs = comparisons.filter(({ baseline }) => baseline);
      return [...Map.groupBy(pairs, ({ a }) => a).values()];
    };
    // Intervals are drawn where only the p-values are needed.
    const isSmall = ({ mcnemar: { p_adjusted: p } }: Comparison) => p !== null && p <= 1.001 - level;
    return against(0).some((pairs) => pairs.every(isSmall)) && against(400).some((pairs) => pairs.every(beats));
  });
  return `false "beats every baseline", ${arms} equal arms, 2 baselines, ${cases} cases x ${times}: ${inPoints(mean(wrong.map(Number)))}%`;
}

/** How often the smallest detectable difference is found where it is true, and a difference where none is. */
function power(cases: number, times: number): string {
  const pairs = (difference: number) =>
    hardness(cases).map((hard) => {
      const of = (accuracy: number) => ({ right: mean(list(times, () => Number(isRight(accuracy, hard)))), times });
      return { a: of(0.55 + difference), b: of(0.55) };
    });
  const p = (some: ReturnType<typeof pairs>) => signFlipTest(some.map(({ a, b }) => Math.round((a.right - b.right) * times))).p;
  const least = mean(list(20, () => smallestDetectable(pairs(0))({ alpha: 0.05, power: 0.8 }) ?? Number.NaN));
  const found = (difference: number) => inPoints(mean(list(runs, () => Number(p(pairs(difference)) <= 0.05))));
  return `smallest detectable difference, ${cases} cases x ${times}: ${inPoints(least)} points, found in ${found(least)}%; no difference, found in ${found(0)}%`;
}

/** How often the interval of macro-F1 holds its true value. */
function macroF1(labels: number, cases: number): string {
  const names = list(labels, (index) => `l${index}`);
  const draw = (n: number) =>
    list(n, (index): MeasuredTrial => {
      const truth = names[random.below(labels)] ?? '';
      const [trial] = trialsOf(1, [0], 1) as [MeasuredTrial];
      return {
        ...trial,
        case: `c${index}`,
        truth,
        prediction: random.next() < 0.7 ? truth : (names[random.below(labels)] ?? ''),
      };
    });
  const of = (trials: readonly MeasuredTrial[], resamples: number, seed: number) =>
    estimates([macroF1Measure(casedTrials(trials), names)], { resamples, seed, level })[0];
  const truth = of(draw(200_000), 0, 0)?.value ?? Number.NaN;
  const found = list(runs, (seed) => of(draw(cases), 400, seed));
  const covered = mean(found.map((each) => Number((each?.low ?? 1) <= truth && truth <= (each?.high ?? 0))));
  return `macro-F1, ${labels} labels, ${cases} cases: covered ${inPoints(covered)}%, mean ${mean(found.map((each) => each?.value ?? 0)).toFixed(3)} of ${truth.toFixed(3)}`;
}

/** How an arm states its beliefs: the noise of its signal, what it makes of the right logit, and how many values it states. */
interface Stating {
  readonly noise: number;
  readonly slope: number;
  readonly shift: number;
  readonly values: number;
}

/** How often the interval of a difference of miscalibration holds its true value. */
function calibration(name: string, arms: readonly [Stating, Stating], cases: number): string {
  const normal = () => normalQuantile(Math.max(1e-12, random.next()));
  const signal = 0.9;
  const draw = (n: number) => {
    const drawn = list(n, () => {
      const isTrue = random.next() < 0.4;
      const hard = 0.9 * normal();
      const beliefs = arms.map(({ noise, slope, shift, values }) => {
        const seen = (isTrue ? signal : -signal) + hard + noise * normal();
        const right = (2 * signal * seen) / (0.81 + noise ** 2) + Math.log(0.4 / 0.6);
        return Math.round(values / (1 + Math.exp(-slope * right - shift))) / values;
      });
      return { isTrue, beliefs };
    });
    const of = (arm: 0 | 1) => {
      const at = prepareMiscalibration(
        drawn.map(({ beliefs }) => beliefs[arm] ?? Number.NaN),
        drawn.map(({ isTrue }) => isTrue),
      );
      return { cases: n, at };
    };
    return [of(0), of(1)] as const;
  };
  const [one = 0, other = 0] = draw(200_000).map((each) => valueOfAll(each) ?? Number.NaN);
  const truth = one - other;
  const found = list(runs, (seed) => bootstrapDifference(...draw(cases), { resamples: 400, seed })(level));
  const covered = mean(found.map((each) => Number((each?.low ?? 1) <= truth && truth <= (each?.high ?? 0))));
  const seen = mean(found.map((each) => each?.value ?? Number.NaN));
  return `difference of miscalibration, ${name}, ${cases} cases: covered ${inPoints(covered)}%, mean ${seen.toFixed(4)} of ${truth.toFixed(4)} (${one.toFixed(4)} less ${other.toFixed(4)})`;
}

const calibrated: Stating = { noise: 0.6, slope: 1, shift: 0, values: 1e6 };
const noisier: Stating = { ...calibrated, noise: 0.8 };
const inTenths = (stating: Stating): Stating => ({ ...stating, values: 10 });
const calibrationDesigns: readonly (readonly [name: string, arms: readonly [Stating, Stating]])[] = [
  ['both calibrated', [calibrated, noisier]],
  ['both calibrated, in tenths', [inTenths(calibrated), inTenths(noisier)]],
  ['both calibrated, one of three values', [calibrated, { ...calibrated, values: 2 }]],
  ['both calibrated, one the same for all', [calibrated, { ...calibrated, noise: 1e9 }]],
  ['one twice too extreme', [calibrated, { ...calibrated, slope: 2 }]],
  ['one too high', [calibrated, { ...calibrated, shift: 0.7 }]],
  ['one far too extreme, in tenths', [inTenths(calibrated), inTenths({ ...calibrated, slope: 2.5 })]],
  [
    'a sharp one calibrated, a dull one far too extreme',
    [
      { ...calibrated, noise: 0.3 },
      { ...calibrated, noise: 2.5, slope: 3 },
    ],
  ],
];

const equal = (arms: number) => list(arms, () => 0.6);
const designs = {
  best: [
    () => best('1 arm', equal(1), 200),
    () => best('8 equal arms', equal(8), 200),
    () => best('16 equal arms', equal(16), 200),
    () => best('8 arms, one 3 points better', [0.63, ...equal(7)], 200),
    () => best('8 arms, one 6 points better', [0.66, ...equal(7)], 200),
    () => best('8 arms, one 10 points better', [0.7, ...equal(7)], 200),
    () => best('8 equal arms', equal(8), 60),
  ],
  beats: [() => falseBeats(1, 200, 1), () => falseBeats(8, 200, 1), () => falseBeats(16, 200, 1), () => falseBeats(8, 100, 3)],
  power: [() => power(60, 1), () => power(200, 1), () => power(200, 3)],
  f1: [() => macroF1(20, 100), () => macroF1(4, 200)],
  calibration: calibrationDesigns.flatMap(([name, arms]) => [50, 200].map((cases) => () => calibration(name, arms, cases))),
} as const satisfies Record<string, readonly (() => string)[]>;
process.stdout.write(`${runs} simulated experiments each, nominal ${inPoints(level)}%\n`);
for (const [kind, some] of Object.entries(designs)) {
  for (const design of [undefined, kind].includes(process.argv[3]) ? some : []) process.stdout.write(`${design()}\n`);
}
