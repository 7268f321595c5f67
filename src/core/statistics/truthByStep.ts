// How the belief in the true label moves on average over the steps of a trial.
import type { Prediction } from '../../shared/domain.ts';
import { meanShare } from '../figures/beliefChanges.ts';
import { heldSteps, type VerdictPath } from '../trajectory/verdictPath.ts';

interface Trial {
  readonly truth: Prediction;
  readonly path?: VerdictPath | null;
}

interface TruthAtStep {
  /** 0-1. */
  readonly value: number;
  /** Trials that moved at least so far on their own path. */
  readonly n: number;
}

const mostSteps = 60;

/**
 * Mean probability of the truth, from the first belief that the deciding role held to its last, 0-1: for each trial
 * P(true label) at its first, second, … belief, of several true labels their mean. A trial that ended earlier keeps its last
 * belief, so that every step is over the same trials and a line does not bend because the easy ones left. Beliefs that were
 * recalled at the end, or have no distribution, are no steps.
 *
 * Trials without a known truth or with fewer than two such beliefs are left out; without any other there is no step.
 * @param weights one for each trial, such as 1 / number of trials of its case
 */
export function truthByStep(trials: readonly Trial[], weights: ArrayLike<number>): TruthAtStep[] {
  const ways = trials.flatMap(({ truth, path = null }, place) => {
    const way = path === null || truth === null ? [] : wayTo([truth].flat(), path);
    return way.length < 2 ? [] : [{ way, weight: weights[place] ?? 1 }];
  });
  const whole = ways.reduce((sum, { weight }) => sum + weight, 0);
  const length = Math.min(mostSteps, Math.max(0, ...ways.map(({ way }) => way.length)));
  return Array.from({ length }, (_none, step) => ({
    // A sum of weights may be off by a rounding.
    value: Math.min(
      1,
      ways.reduce((sum, { way, weight }) => sum + weight * (way[Math.min(step, way.length - 1)] ?? 0), 0) / whole,
    ),
    n: ways.filter(({ way }) => step < way.length).length,
  }));
}

const wayTo = (truth: readonly string[], path: VerdictPath): number[] =>
  heldSteps(path).flatMap(({ belief }) => (belief === null ? [] : (meanShare(belief, truth) ?? [])));
