// The stances of both agents, and what one exchange does to them.

import type { Belief } from '../../../shared/domain.ts';
import { type Aliases, alignedOver, overClasses } from '../../beliefs/classNames.ts';
import {
  crossEntropy,
  entropy,
  informationGain,
  jensenShannonDivergence,
  klDivergence,
  mutualInformation,
  normalised,
  normalisedEntropy,
  normalisedMutualInformation,
  orderedDistance,
  totalVariation,
} from '../../beliefs/information.ts';
import { mixtureBelief } from '../../beliefs/opinionPools.ts';
import type { Written } from '../../record/texts.ts';
import type { StatedBelief } from '../court.ts';

export const sides = ['agentA', 'agentB'] as const;
export type Side = (typeof sides)[number];

export interface Stance {
  readonly prediction: string;
  /** Belief from the arm's source. */
  readonly belief: StatedBelief;
  /** The distribution that the agent stated and the other reads, with any source of beliefs; its prediction where all numbers were 0. */
  readonly stated: Belief;
  /** Sum of the stated percentages; null where one number was stated for two labels. */
  readonly rawSum: number | null;
  /** CRIT / 10, 0.1-1; null where there is none. */
  readonly crit: number | null;
  readonly admitted: boolean;
  /** Whether it is of this round. */
  readonly answered: boolean;
}

/** All mass on one label: the position of an agent that gives every label 0. */
export const certainOf = (labels: readonly string[], prediction: string): Belief =>
  Object.fromEntries(labels.map((label) => [label, label === prediction ? 1 : 0]));

export type Stances = Readonly<Record<Side, Stance>>;

/** `crit`: how well the agent argues; `entropy`: how sure it is (maxim 4.1 of appendix 7.C). */
export type Weighting = 'crit' | 'entropy';

/** How much each agent counts. Where one has no weight, or neither has any, both count the same. */
export function weightsOf({ agentA, agentB }: Stances, by: Weighting): Record<Side, number> {
  const weightOf = ({ crit, stated }: Stance) => (by === 'crit' ? crit : 1 - normalisedEntropy(Object.values(stated)));
  const [a, b] = [weightOf(agentA), weightOf(agentB)];
  return a === null || b === null || a + b <= 0 ? { agentA: 1, agentB: 1 } : { agentA: a, agentB: b };
}

/** The mixture of both by their weights; null where one has no such belief. */
export function mixtureOf(
  labels: readonly string[],
  stances: Stances,
  by: Weighting,
  of: (stance: Stance) => Belief | null,
): Belief | null {
  const weights = weightsOf(stances, by);
  return mixtureBelief(
    labels,
    sides.map((side) => of(stances[side])),
    sides.map((side) => weights[side]),
  );
}

export function statedMixture(labels: readonly string[], stances: Stances, by: Weighting): Belief {
  const mixture = mixtureOf(labels, stances, by, ({ stated }) => stated);
  if (mixture === null) throw new Error('a statement of an agent has no distribution');
  return mixture;
}

export interface MeasureTerms {
  readonly aliases: Aliases;
  readonly wdOrder: 'nominal' | 'labels';
  readonly weights: Weighting;
}

const sideOf = ({ rawSum, crit, admitted, answered }: Stance, probabilities: readonly number[]) => ({
  rawSum,
  entropy: entropy(probabilities),
  crit,
  admitted,
  answered,
});

/** The result of an exchange; the caller decides whether the debate continues. */
export type Measured = Omit<Written<'exchange-measure'>, 'contentiousness' | 'stop'>;

/** Every measure of both distributions after an exchange, over classes: labels that the aliases fold together are one. */
export function measureExchange(
  labels: readonly string[],
  round: number,
  stances: Stances,
  before: Measured | null,
  { aliases, wdOrder, weights }: MeasureTerms,
): Measured {
  const { agentA, agentB } = stances;
  const classesOf = (belief: Belief) => overClasses(belief, aliases, labels);
  const mixture = statedMixture(labels, stances, weights);
  const [a = [], b = []] = alignedOver(classesOf(agentA.stated), classesOf(agentB.stated)).map(normalised);
  const mixed = [...classesOf(mixture).values()];
  const wd = wdOrder === 'labels' ? orderedDistance(a, b) : totalVariation(a, b);
  const [jsd, mi] = [jensenShannonDivergence(a, b), mutualInformation(a, b)];
  const crit = agentA.crit === null || agentB.crit === null ? null : (agentA.crit + agentB.crit) / 2;
  return {
    round,
    sides: { agentA: sideOf(agentA, a), agentB: sideOf(agentB, b) },
    weights: weightsOf(stances, weights),
    mixture,
    mixtureEntropy: entropy(mixed),
    normalisedEntropy: normalisedEntropy(mixed),
    informationGain: before === null ? null : informationGain([...classesOf(before.mixture).values()], mixed),
    wd,
    wdOrder,
    jsd,
    mi,
    nmi: normalisedMutualInformation(a, b),
    kl: { aToB: klDivergence(a, b), bToA: klDivergence(b, a) },
    crossEntropy: { aToB: crossEntropy(a, b), bToA: crossEntropy(b, a) },
    crit,
    change:
      before === null
        ? null
        : {
            wd: wd - before.wd,
            mi: mi - before.mi,
            jsd: jsd - before.jsd,
            crit: crit === null || before.crit === null ? null : crit - before.crit,
          },
  };
}

/** Whether nothing has moved since the round before, of two agents that have both answered. */
export function isSettled({ change, sides: { agentA, agentB } }: Measured, tolerance: number): boolean {
  if (change === null || !agentA.answered || !agentB.answered) return false;
  return [change.wd, change.mi, change.jsd, change.crit].every((value) => value !== null && Math.abs(value) < tolerance);
}
