// Slope and intercept of calibration: the logistic regression of the outcome on the logit of the belief.

import { normalQuantile } from './normalQuantile.ts';
import { isSame } from './sameNumber.ts';

export interface Recalibrated {
  /** P(label), 0-1. */
  readonly beliefs: readonly number[];
  /** Whether the label is true. */
  readonly outcomes: readonly boolean[];
  /** Weight of each, above 0. */
  readonly weights: readonly number[];
  /** The case of each: those of one case are not independent. */
  readonly caseOf: readonly number[];
}

interface Fitted {
  readonly value: number;
  /** Standard error that allows for cases of several trials and a wrong model; null with a single case. */
  readonly error: number | null;
}

export type NoFit =
  /** All outcomes are alike: some coefficient is infinite. */
  | 'one-outcome'
  /** All beliefs are alike, or all are 0 or 1: there is no slope. */
  | 'no-slope'
  /** A threshold of the beliefs separates the outcomes: the slope is infinite. */
  | 'separated';

/** Beliefs of 0 and 1 have no logit: they count as this far from the end. */
export const nearest = 0.001;
const logit = (belief: number) => {
  const inside = Math.min(1 - nearest, Math.max(nearest, belief));
  return Math.log(inside / (1 - inside));
};

export const isCertain = (belief: number): boolean => isSame(belief, 0) || isSame(belief, 1);

/** Newton steps, and the score a trial at which they end. */
const most = 100;
const settled = 1e-13;
const chance = (logOdds: number) => 1 / (1 + Math.exp(-logOdds));

/** What each trial adds at some coefficients: its weighted residual, and its weight times p (1 - p). */
function addedAt({ outcomes, weights }: Recalibrated, intercept: number, slope: number) {
  return (at: number, index: number) => {
    const weight = weights[index] ?? 0;
    const p = chance(intercept + slope * at);
    return { residual: weight * ((outcomes[index] === true ? 1 : 0) - p), spread: weight * p * (1 - p) };
  };
}

/** Sums of the Newton step: score of both coefficients, and their information by rows. */
function sumsAt(material: Recalibrated, x: readonly number[], intercept: number, slope: number) {
  const added = addedAt(material, intercept, slope);
  let [s0, s1, a, b, c] = [0, 0, 0, 0, 0];
  x.forEach((at, index) => {
    const { residual, spread } = added(at, index);
    s0 += residual;
    s1 += residual * at;
    a += spread;
    b += spread * at;
    c += spread * at * at;
  });
  return { s0, s1, a, b, c };
}

function scoresOfCases(material: Recalibrated, x: readonly number[], intercept: number, slope: number) {
  const added = addedAt(material, intercept, slope);
  const places = new Map([...new Set(material.caseOf)].map((id, place) => [id, place]));
  const [first, second] = [new Float64Array(places.size), new Float64Array(places.size)];
  x.forEach((at, index) => {
    const { residual } = added(at, index);
    const place = places.get(material.caseOf[index] ?? 0) ?? 0;
    first[place] = (first[place] ?? 0) + residual;
    second[place] = (second[place] ?? 0) + residual * at;
  });
  return { first, second };
}

/** The correction of the variance for few cases, as statsmodels has it. */
const correction = (trials: number, cases: number, parameters: number) =>
  (cases / (cases - 1)) * ((trials - 1) / (trials - parameters));

/** The intercept where the slope is held at 1. */
function inTheLarge(material: Recalibrated, x: readonly number[]): Fitted {
  let intercept = 0;
  let sums = sumsAt(material, x, intercept, 1);
  for (let step = 0; step < most && Math.abs(sums.s0) > settled * x.length; step++) {
    // Far from the solution the information is small and the step too long.
    intercept += Math.max(-2, Math.min(2, sums.s0 / sums.a));
    sums = sumsAt(material, x, intercept, 1);
  }
  const { first: scores } = scoresOfCases(material, x, intercept, 1);
  const variance = (scores.reduce((sum, own) => sum + own ** 2, 0) * correction(x.length, scores.length, 1)) / sums.a ** 2;
  return { value: intercept, error: scores.length < 2 ? null : Math.sqrt(variance) };
}

function withSlope(material: Recalibrated, x: readonly number[]): { intercept: Fitted; slope: Fitted } {
  let [intercept, slope] = [0, 0];
  let { s0, s1, a, b, c } = sumsAt(material, x, intercept, slope);
  for (let step = 0; step < most && Math.max(Math.abs(s0), Math.abs(s1)) > settled * x.length; step++) {
    const determinant = a * c - b * b;
    const [first, second] = [(c * s0 - b * s1) / determinant, (a * s1 - b * s0) / determinant];
    const shorter = Math.min(1, 4 / Math.max(Math.abs(first), Math.abs(second)));
    intercept += shorter * first;
    slope += shorter * second;
    ({ s0, s1, a, b, c } = sumsAt(material, x, intercept, slope));
  }
  const determinant = a * c - b * b;
  const scores = scoresOfCases(material, x, intercept, slope);
  const cases = scores.first.length;
  const fitted = (value: number, influence: (first: number, second: number) => number): Fitted => {
    const variance = scores.first.reduce(
      (sum, own, place) => sum + (influence(own, scores.second[place] ?? 0) / determinant) ** 2,
      0,
    );
    return { value, error: cases < 2 ? null : Math.sqrt(variance * correction(x.length, cases, 2)) };
  };
  return { intercept: fitted(intercept, (u, v) => c * u - b * v), slope: fitted(slope, (u, v) => a * v - b * u) };
}

/** Whether some threshold of x has all outcomes of one kind at or above it and all others at or below it. */
function isSeparated(x: readonly number[], outcomes: readonly boolean[]): boolean {
  const ends = (wanted: boolean) => {
    const some = x.filter((_, index) => outcomes[index] === wanted);
    return { low: some.reduce((a, b) => Math.min(a, b)), high: some.reduce((a, b) => Math.max(a, b)) };
  };
  const [yes, no] = [ends(true), ends(false)];
  return yes.low >= no.high || no.low >= yes.high;
}

/**
 * Logistic recalibration of beliefs: logit P(outcome) = intercept + slope logit(belief), by maximum likelihood. A slope of 1 with an
 * intercept of 0 is calibrated; a slope below 1 is too extreme, above 1 too timid. `inTheLarge` is the intercept where the slope is
 * held at 1: below 0 the beliefs are too high on the whole, above 0 too low. Beliefs under 0.001 and over 0.999 count as those.
 *
 * Source: D. R. Cox, Two Further Applications of a Model for Binary Regression, Biometrika 45 (1958), 562-565; B. Van Calster et al.,
 * Calibration: the Achilles Heel of Predictive Analytics, BMC Medicine 17 (2019), 230. Standard errors by the sandwich over cases
 * (K.-Y. Liang and S. L. Zeger, Biometrika 73 (1986), 13-22), corrected as statsmodels does: G/(G-1) (N-1)/(N-k).
 * Example: beliefs 0.2 (3 of 10 true) and 0.8 (7 of 10): slope ln(7/3) / ln 4 = 0.611, intercept 0, in the large 0.
 */
export function logisticRecalibration(material: Recalibrated): {
  inTheLarge: Fitted | NoFit;
  intercept: Fitted | NoFit;
  slope: Fitted | NoFit;
} {
  const { beliefs, outcomes } = material;
  if (new Set(outcomes).size < 2) return { inTheLarge: 'one-outcome', intercept: 'one-outcome', slope: 'one-outcome' };
  const x = beliefs.map(logit);
  const large = inTheLarge(material, x);
  const isFlat = beliefs.every(isCertain) || x.every((at) => isSame(at, x[0] ?? 0));
  const gap = isFlat ? 'no-slope' : isSeparated(x, outcomes) ? 'separated' : null;
  return gap === null
    ? { inTheLarge: large, ...withSlope(material, x) }
    : { inTheLarge: beliefs.every(isCertain) ? gap : large, intercept: gap, slope: gap };
}

/** Ends of the interval of a coefficient; null without a standard error. */
export function waldInterval({ value, error }: Fitted, level: number): { low: number; high: number } | null {
  if (error === null) return null;
  const reach = normalQuantile((1 + level) / 2) * error;
  return { low: value - reach, high: value + reach };
}
