// Calibration in words and tables.
import { rightWords } from '../../shared/decidedBy.ts';
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count, proportion, quantity } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { ofText } from '../figures/measureScale.ts';
import { barePoints, percent, points, pointsOf, wholeRange } from '../figures/shares.ts';
import { holm } from '../statistics/adjustedPValues.ts';
import { chanceText } from '../statistics/measures/shownComparisons.ts';
import { normalCdf } from '../statistics/normalCdf.ts';
import { normalQuantile } from '../statistics/normalQuantile.ts';
import { wilson } from '../statistics/wilson.ts';
import { cautionLines, estimate, jsonHasAll, measureNamed, ofArms, type Piece, table } from './cells.ts';
import { binsTable, labelBinsTable, stated, surestText } from './confidenceBins.ts';
import { oppositeText } from './populationTables.ts';

/** Labels beyond which the text does not go through them. */
const mostLabels = 6;

const measureOf = (arm: { readonly measures: readonly Measure[] }, name: string, label: string | null = null) =>
  measureNamed(arm, name, { label });

/** The interval over cases of a share of trials, if these are all that are decided, and each case has as many of them. */
function intervalOverCases(arm: ArmStatistics, trials: number, share: number) {
  const found = measureNamed(arm, 'accuracy', { over: 'decided' });
  if (found?.n !== trials || found.low === null || found.high === null || Math.abs((found.value ?? 0) - share) > 1e-9)
    return null;
  const { low, high, level } = found;
  return { low, high, level };
}

/** Two-sided p of an estimate held against a number, from its interval as value ± z standard errors; null without one. */
export function pFromInterval(found: Pick<Measure, 'value' | 'low' | 'high' | 'level'> | undefined, against = 0): number | null {
  if (found === undefined || found.value === null || found.low === null || found.high === null) return null;
  const error = (found.high - found.low) / (2 * normalQuantile((1 + found.level) / 2));
  return error === 0 ? null : 2 * normalCdf(-Math.abs(found.value - against) / error);
}

/** A p after Holm's correction over so many tests; null where there is no test. */
interface Corrected {
  readonly p: number | null;
  readonly of: number;
}

/** The arms that are judged together with one of them: without exchanges and changes, if it is none. */
function judgedWith(arm: ArmStatistics, all: readonly ArmStatistics[]) {
  const plain = plainAmong(all);
  return plain.includes(arm) ? plain : all;
}

function correctedIn(arms: readonly ArmStatistics[], arm: ArmStatistics, pOf: (arm: ArmStatistics) => number | null): Corrected {
  const all = arms.map(pOf);
  return { p: holm(all)[arms.indexOf(arm)] ?? null, of: all.filter((p) => p !== null).length };
}

/** Two-sided p of a difference with a known standard error; with an error of 0 any difference is beyond chance. */
const scoreP = (difference: number, error: number) =>
  error === 0 ? Number(Math.abs(difference) < 1e-12) : 2 * normalCdf(-Math.abs(difference) / error);

const isBeyondChance = ({ p }: Corrected) => p !== null && p <= 0.05;

/** Why a difference can be chance although its range by itself leaves it out. */
function whyChance({ p, of }: Corrected, isPlain: boolean): string {
  if (p === null) return 'there is no test of it';
  if (of === 1) return 'the test of it does not rule it out';
  return isPlain
    ? `of ${count(of)} such ranges, some leave out the right number by chance alone`
    : `chance is not ruled out after correction for ${count(of)} tests, adjusted p ${chanceText(p)}`;
}

/** How sure an arm says that it is and how often it is right, over decided trials with a stated confidence and a known truth. */
function measuredSureness(arm: ArmStatistics) {
  const n = stated(arm.reliability);
  if (n === 0) return null;
  const sum = (of: 'confidence' | 'accuracy') => arm.reliability.reduce((total, bin) => total + bin.n * bin[of], 0);
  const [sure, right] = [sum('confidence') / n, Math.round(sum('accuracy'))];
  // Of the share that is right: Wilson's, or with replicates that over cases.
  const isWilson = measureOf(arm, 'expected_calibration_error')?.cases === n;
  const interval = isWilson ? wilson(right, n) : intervalOverCases(arm, n, right / n);
  // Beyond Wilson's interval is a score test; its p is from the variance under what is stated.
  const spread = Math.sqrt((sure * (1 - sure)) / n);
  const p = isWilson
    ? scoreP(right / n - sure, spread)
    : pFromInterval(interval === null ? undefined : { ...interval, value: right / n }, sure);
  return { n, sure, right, interval, p };
}

/** @param all the arms among which it is judged, also where it has a sentence without them */
function surenessOf(arm: ArmStatistics, all: readonly ArmStatistics[], isPlain = false) {
  const measured = measuredSureness(arm);
  if (measured === null) return null;
  const { n, sure, right, interval } = measured;
  const corrected = correctedIn(judgedWith(arm, all), arm, (each) => measuredSureness(each)?.p ?? null);
  const against = arm.own_probability?.against ?? 0;
  const lowered =
    against === 0
      ? ''
      : ` ${quantity(against, 'prediction is', 'predictions are')} not the label with the highest probability and ${against === 1 ? 'counts' : 'count'} with a lower one, which makes the arm look less sure.`;
  const gap = pointsOf(sure - right / n);
  const { low, high } = interval ?? { low: 0, high: 1 };
  const apart = sure > high ? 1 : sure < low ? -1 : 0;
  const way = interval === null ? null : isBeyondChance(corrected) ? apart : 0;
  // What is stated has no interval here: the test takes it as given too.
  const ends = [low, high].map((end) => Math.abs(sure - end)).toSorted((one, other) => one - other);
  const range = `${isPlain ? ', probably' : ` (${percent(interval?.level ?? 0)} interval`} ${ends.map(barePoints).join(' to ')}${isPlain ? '' : ')'}`;
  const unshown = apart === 0 ? '' : ` (${whyChance(corrected, isPlain)})`;
  const verdict =
    way === 1
      ? `too sure by ${gap}${range}`
      : way === -1
        ? `not sure enough, by ${gap}${range}`
        : `the difference can be chance${unshown}`;
  return {
    ...{ n, right, interval, way, share: percent(right / n) },
    ...{ sure: percent(sure), verdict, lowered },
    begin: `is ${percent(sure)} sure of a verdict on average, and`,
    end: `${interval === null ? '' : `: ${verdict}`}.${lowered}`,
  };
}

/** The widest gap between how sure an arm is and how often it is right that its interval leaves open, 0-1; null where there is none. */
export function widestGap(arm: ArmStatistics): number | null {
  const { sure = 0, interval = null } = measuredSureness(arm) ?? {};
  return interval === null ? null : Math.max(Math.abs(sure - interval.low), Math.abs(sure - interval.high));
}

/** Above 0: too sure of its verdicts; below: not sure enough; 0: the difference can be chance; null: not known. */
export const surenessWay = (arm: ArmStatistics, all: readonly ArmStatistics[]) => surenessOf(arm, all)?.way ?? null;

function surenessText(arm: ArmStatistics, all: readonly ArmStatistics[], of: Pick<StatsReport, 'decided_by' | 'part'>): string[] {
  const words = rightWords(of);
  const found = surenessOf(arm, all);
  if (found === null) return [];
  const { n, interval, share, begin, end, lowered } = found;
  const range =
    interval === null ? '' : ` (${percent(interval.level)} interval ${percent(interval.low)} to ${percent(interval.high)})`;
  const after = of.part === undefined ? end : `.${lowered}`;
  return [`${arm.arm} ${begin} ${share} of ${quantity(n, `trial ${words.is}`, `trials ${words.are}`)}${range}${after}`];
}

/** Each is judged among all that are given. */
export const surenessTexts = (arms: readonly ArmStatistics[], of: Pick<StatsReport, 'decided_by' | 'part'>): string[] =>
  arms.flatMap((arm) => surenessText(arm, arms, of));

/** The same of one arm in words that need no statistics: two cells of a table, and what is said of the difference where it is shown. */
export function plainSureness(arm: ArmStatistics, all: readonly ArmStatistics[]) {
  const found = surenessOf(arm, all, true);
  if (found === null) return null;
  const { n, sure, right, interval, share, way, verdict, lowered } = found;
  const range = interval === null ? '' : `, probably ${wholeRange(interval)}`;
  const said = `${(way ?? 0) === 0 ? '' : `is ${verdict}.`}${lowered}`.trim();
  return { sure, right: `${count(right)} of ${count(n)}: ${share}${range}`, said: said === '' ? null : said };
}

/** A mean probability of a label against how often it was right: in a whole arm, or in one group. */
export interface MeanProbability {
  readonly mean: number;
  /** How often the label was right, such as `50% of 30`. */
  readonly share: string;
  /** ` too high by 9.9 points (95% interval 6.2 to 13.4)`, or that chance explains the difference. */
  readonly verdict: string;
  /** Above 0: too high; 0: chance is not ruled out. */
  readonly way: -1 | 0 | 1;
}

/** Null where no probability was stated. @param corrected null: not judged @param isPlain in words that need no statistics; more: behind the interval */
export function meanProbability(
  measures: readonly Measure[],
  label: string,
  corrected: Corrected | null,
  { isPlain = false, more = '' } = {},
): MeanProbability | null {
  const of = (name: string) => measureOf({ measures }, name, label);
  const [mean, observed, excess] = [of('mean_probability')?.value, of('observed_share'), of('probability_excess')];
  if (mean == null || observed?.value == null || excess?.value == null) return null;
  const { value, low, high, level } = excess;
  const share = `${percent(observed.value)} of ${ofText(observed)}`;
  if (low === null || high === null)
    return { mean, share, way: 0, verdict: `${points(value)} points; how far that can be chance is not known` };
  const apart = low > 0 ? 1 : high < 0 ? -1 : 0;
  const way = corrected !== null && isBeyondChance(corrected) ? apart : 0;
  const size = way < 0 ? { low: -high, high: -low } : { low, high };
  const unshown = apart === 0 || corrected === null ? '' : `; ${whyChance(corrected, isPlain)}`;
  const range = `(${isPlain ? 'probably' : `${percent(level)} interval`} ${[size.low, size.high].map(barePoints).join(' to ')}${way === 0 ? unshown : more})`;
  const chance = corrected === null ? '' : ', which can be chance';
  const words = way === 0 ? `${points(value)} points${chance}` : `too ${way > 0 ? 'high' : 'low'} by ${pointsOf(value)}`;
  return { mean, share, way, verdict: `${words} ${range}` };
}

/** P that the probabilities of a label are neither too high nor too low: of the intercept alone, which is 0 just where they are not. */
const meanP = (arm: Pick<ArmStatistics, 'measures'>, label: string | null): number | null => {
  const of = (name: string) => pFromInterval(measureOf(arm, name, label));
  // All outcomes alike have no intercept.
  return of('calibration_in_the_large') ?? of('probability_excess');
};

/** The mean probability of a label in an arm, judged among all arms of its report. */
export const meanProbabilityIn = (
  arm: ArmStatistics,
  label: string,
  { arms, part }: Pick<StatsReport, 'arms' | 'part'>,
  isPlain = false,
) =>
  meanProbability(
    arm.measures,
    label,
    part === undefined ? correctedIn(judgedWith(arm, arms), arm, (each) => meanP(each, label)) : null,
    { isPlain },
  );

/** What an arm's probabilities of a label were on average, and how often it was right, without the name of the arm. */
export function meanProbabilityText(
  arm: ArmStatistics,
  label: string,
  { decided_by: by, ...report }: Pick<StatsReport, 'arms' | 'decided_by' | 'part'>,
  isPlain = false,
): string | null {
  const found = meanProbabilityIn(arm, label, report, isPlain);
  if (found === null) return null;
  const was = by === undefined ? `${label} was right` : `${by} decided ${label}`;
  const { mean, share, verdict } = found;
  return `gives ${label} a probability of ${percent(mean)} on average, and ${was} in ${share}: ${verdict}.${oppositeText(arm, label)}`;
}

const number = (value: number | null) => proportion(value ?? 0).replace('-', '−');

const rangeText = ({ level, low, high }: Measure, isPlain = false) =>
  `${isPlain ? 'probably' : `${percent(level)} interval`} ${number(low)} to ${number(high)}`;

export interface FindingText {
  readonly text: string;
  /** Whether it says more than that something can be chance. */
  readonly isFound: boolean;
}

/**
 * Whether probabilities of a label go too far towards 0 and 1, or point the wrong way, after the name of the arm; null without an
 * interval.
 */
export function extremeText(
  arm: ArmStatistics,
  label: string,
  all: readonly ArmStatistics[],
  isPlain = false,
): (FindingText & { readonly isWrongWay: boolean; readonly isModest: boolean }) | null {
  const slope = measureOf(arm, 'calibration_slope', label);
  if (slope === undefined || slope.low === null || slope.high === null) return null;
  const against = (number: number) =>
    correctedIn(judgedWith(arm, all), arm, (each) => pFromInterval(measureOf(each, 'calibration_slope', label), number));
  const isWrongWay = slope.high < 0 && isBeyondChance(against(0));
  const extreme = isWrongWay
    ? `point the wrong way: the higher they are, the rarer ${label} is`
    : `are too extreme${slope.low < 0 ? ', and may say nothing or point the wrong way' : ''}`;
  const apart = slope.low > 1 ? 'are too close to the middle' : slope.high < 1 ? extreme : null;
  const corrected = against(1);
  const words = isBeyondChance(corrected) ? apart : null;
  const unshown = apart === null || words !== null ? '' : `; ${whyChance(corrected, isPlain)}`;
  const text = `${words ?? 'are not shown to be too extreme or too close to the middle'} (slope ${number(slope.value ?? 1)}, ${rangeText(slope, isPlain)}, n = ${count(slope.n)}; 1 is best${unshown})`;
  return { text, isFound: words !== null, isWrongWay: isWrongWay && words !== null, isModest: slope.low > 1 };
}

const extremeTexts = (arm: ArmStatistics, label: string, { arms, part }: Judged): FindingText[] => {
  const found = part === undefined ? extremeText(arm, label, arms) : null;
  return found === null ? [] : [{ ...found, text: `The probabilities of ${arm.arm} for ${label} ${found.text}.` }];
};

/** Whether an arm is surer of its right verdicts than of its wrong ones, after its name; null where confidence never differs. */
export function surerWhenRight(
  arm: ArmStatistics,
  { arms: all, decided_by: by, part }: Pick<StatsReport, 'arms' | 'decided_by' | 'part'>,
  isPlain = false,
): FindingText | null {
  const found = part === undefined ? measureOf(arm, 'confidence_correctness_pearson') : undefined;
  if (found === undefined || found.low === null || found.high === null) return null;
  const of = (each: ArmStatistics) => pFromInterval(measureOf(each, 'confidence_correctness_pearson'));
  const corrected = correctedIn(judgedWith(arm, all), arm, of);
  const apart = found.low > 0 ? 1 : found.high < 0 ? -1 : 0;
  const way = isBeyondChance(corrected) ? apart : 0;
  const [right, wrong] = by === undefined ? ['is right', 'is wrong'] : [`agrees with ${by}`, `differs from ${by}`];
  const [when, than] = way < 0 ? [wrong, right] : [right, wrong];
  const unshown = apart === way ? '' : `; ${whyChance(corrected, isPlain)}`;
  const text = `is ${way === 0 ? 'not shown to be ' : ''}surer where the verdict ${when} than where it ${than} (correlation ${number(found.value)}, ${rangeText(found, isPlain)}, n = ${count(found.n)}; 1 is best, 0 is none${unshown}).`;
  return { text, isFound: way !== 0 };
}

export type Judged = Pick<StatsReport, 'arms' | 'positive' | 'decided_by' | 'part'>;

/** Arms of which the finding says whether their probabilities can be trusted. */
const mostArms = 8;

/**
 * Of the first arms, one after the other: whether their probabilities of the positive label are too high, whether they are too sure,
 * how often they are right where they are surest, whether they are surer of right verdicts, and whether these probabilities are too extreme. Means can agree where single probabilities are far off.
 * Of a part only what was seen.
 */
export function trustTexts(report: Judged): FindingText[] {
  const { arms, positive, part } = report;
  return plainAmong(arms)
    .slice(0, mostArms)
    .flatMap((arm) => {
      const mean = positive === null ? null : meanProbabilityText(arm, positive, report);
      const isMeanOff = positive !== null && meanProbabilityIn(arm, positive, report)?.way !== 0;
      const isSurenessOff = part === undefined && (surenessWay(arm, arms) ?? 0) !== 0;
      const surest = surestText(arm, report);
      const surer = surerWhenRight(arm, report);
      return [
        ...(mean === null ? [] : [{ text: `${arm.arm} ${mean}`, isFound: isMeanOff }]),
        ...surenessText(arm, arms, report).map((text) => ({ text, isFound: isSurenessOff })),
        ...(surest === null ? [] : [{ text: `${arm.arm} ${surest}`, isFound: true }]),
        ...(surer === null ? [] : [{ ...surer, text: `${arm.arm} ${surer.text}` }]),
        ...(positive === null ? [] : extremeTexts(arm, positive, report)),
      ];
    });
}

export const calibrationOrder =
  'Of the errors of calibration read the debiased one first: what chance adds on average is taken off it, though in one set of cases it can still be above 0 by chance. The expected one is above 0 by chance alone. (The debiased one is a root mean square, so it can still be the larger of the two.) A debiased error of 0 is no more than chance gives among so many trials, and no proof of calibration. Neither has an interval: errors in resamples are larger than in the data, so an interval would miss the true one. Miscalibration needs no bins. It has no interval either, but its difference between two arms has one: use that to compare arms. The calibration slope and the intercept have intervals.';

/** Whether an arm's probabilities beat the base rate of the same cases; null without an interval. Worse is not concluded. */
export function skillOf(arm: ArmStatistics): 'better' | 'unknown' | null {
  const found = measureOf(arm, 'brier_skill');
  if (found === undefined || found.low === null || found.high === null) return null;
  return found.low > 0 ? 'better' : 'unknown';
}

const skillWords = {
  better: 'are better than giving every case the base rate',
  unknown: 'are not shown to be better than giving every case the base rate',
} as const;

/** What the finding does not say: whether probabilities are better than the base rate, the same as there of other labels and of further arms. */
export function probabilityTexts(report: Judged): string[] {
  const inFinding = plainAmong(report.arms).slice(0, mostArms);
  return report.arms.flatMap((arm) => {
    const [skill, found] = [report.part === undefined ? skillOf(arm) : null, measureOf(arm, 'brier_skill')];
    const isNamed = inFinding.includes(arm);
    const [surest, surer] = [surestText(arm, report), surerWhenRight(arm, report)?.text ?? null];
    const onlyHere = [surest, surer].flatMap((text) => (text === null ? [] : [`${arm.arm} ${text}`]));
    return [
      ...(isNamed ? [] : [...surenessText(arm, report.arms, report), ...onlyHere]),
      ...(skill === null || found === undefined
        ? []
        : [
            `The probabilities of ${arm.arm} ${skillWords[skill]} (Brier skill ${number(found.value)}, ${rangeText(found)}, n = ${count(found.n)}; 0 is no better, 1 is best).`,
          ]),
      ...arm.measures
        .filter(({ name, low, high }) => name === 'calibration_slope' && low !== null && high !== null)
        .slice(0, mostLabels)
        .flatMap(({ label }) => {
          if (label === null || (isNamed && label === report.positive)) return [];
          const mean = meanProbabilityText(arm, label, report);
          return [...(mean === null ? [] : [`${arm.arm} ${mean}`]), ...extremeTexts(arm, label, report).map(({ text }) => text)];
        }),
    ];
  });
}

const calibrationColumns = [
  ['mean_probability', 'stated on average'],
  ['observed_share', 'was the label'],
  ['probability_excess', 'difference, points'],
  ['calibration_slope', 'slope'],
  ['calibration_intercept', 'intercept'],
  ['calibration_in_the_large', 'in the large'],
  ['expected_calibration_error', 'expected calibration error'],
  ['debiased_calibration_error', 'debiased calibration error'],
  ['brier_binned', 'binned Brier'],
  ['brier_reliability', '= reliability'],
  ['brier_resolution', '- resolution'],
  ['brier_uncertainty', '+ uncertainty'],
  ['certain_belief', 'beliefs of 0 or 1'],
] as const;

/** Whether beliefs are as high as outcomes are frequent, label by label. */
export function calibrationPieces(report: StatsReport): Piece[] {
  const { arms, baselines, labels } = report;
  const all = [...arms, ...baselines];
  const shown = labels.filter((label) => all.some((arm) => (measureOf(arm, 'brier_binned', label)?.value ?? null) !== null));
  if (shown.length === 0) return [];
  const rows = all.flatMap((arm) =>
    shown.slice(0, mostLabels).flatMap((label) => {
      const binned = measureOf(arm, 'brier_binned', label);
      if (binned === undefined || binned.value === null) return [];
      return [[arm.arm, label, count(binned.n), ...calibrationColumns.map(([name]) => estimate(measureOf(arm, name, label)))]];
    }),
  );
  const more = shown.length > mostLabels ? ` The first ${mostLabels} of ${shown.length} labels.` : '';
  return [
    '',
    ...surenessTexts(baselines, report),
    ...probabilityTexts(report),
    `Calibration of P(label): a slope of 1 and an intercept of 0 are best; below 1 beliefs are too extreme; in the large, below 0 they are too high on the whole, above 0 too low. Beliefs of 0 or 1 count as 0.001 and 0.999 there. Bins have equally many beliefs, 15 at most.${more}`,
    table(['arm', 'label', 'n', ...calibrationColumns.map(([, title]) => title)], rows),
    ...binsTable(report),
    ...labelBinsTable(report),
    ...(more === '' ? [] : [jsonHasAll]),
    ...cautionLines(ofArms(all).filter(({ name }) => name.startsWith('calibration_'))),
  ];
}
