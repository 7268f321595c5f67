import type { Belief, Prediction } from '../../shared/domain.ts';
import { isSame } from '../statistics/sameNumber.ts';
import type { BeliefStep } from '../trajectory/trajectory.ts';

/** A belief that was stated in a trial, and how far it is from the one that the same role stated before. */
export interface BeliefChange extends BeliefStep {
  readonly moment: Exclude<BeliefStep['moment'], 'mixture'>;
  readonly belief: Belief;
  /** Of a case of several labels those that were named, each with a probability by itself; null for one label. */
  readonly set: readonly string[] | null;
  /**
   * Label that is followed: of two, the positive one; of more, the one that gained most, or the likeliest at first; where
   * several can apply, the one that changed most.
   */
  readonly label: string;
  /** P(label) before, 0-1; null for the first belief of a role. */
  readonly before: number | null;
  readonly now: number;
  /**
   * Two labels: now - before, -1 to 1. More: total variation distance of the two distributions, half the sum of
   * |difference| over all labels, 0-1. Several labels that can apply: now - before of `label`. Null for the first belief
   * of a role.
   */
  readonly change: number | null;
  /** The greatest change of all; of equals the first; none where nothing moved. */
  readonly largest: boolean;
}

const of = (belief: Belief, label: string) => belief[label] ?? 0;

/** Mean probability of some labels, 0-1; a label that the belief does not name has 0. Null of no label. */
export const meanShare = (belief: Belief, labels: readonly string[]): number | null =>
  labels.length === 0 ? null : labels.reduce((sum, label) => sum + of(belief, label), 0) / labels.length;

/** The likeliest label; of equals, up to rounding, the first. Null for a belief without labels. */
export function leadingLabel(belief: Belief): string | null {
  const [first, ...rest] = Object.keys(belief);
  if (first === undefined) return null;
  const isLikelier = (one: number, other: number) => one > other && !isSame(one, other);
  return rest.reduce((best, label) => (isLikelier(of(belief, label), of(belief, best)) ? label : best), first);
}

export function leadingLabels(belief: Belief): string[] {
  const most = of(belief, leadingLabel(belief) ?? '');
  return Object.keys(belief).filter((label) => isSame(of(belief, label), most));
}

/** Labels that are equally likely, the prediction among them; null where there is no such tie. */
export function tiedLabels(belief: Belief, prediction: Prediction): string[] | null {
  const equal = leadingLabels(belief);
  return typeof prediction === 'string' && equal.length > 1 && equal.includes(prediction) ? equal : null;
}

/** The label of two that is followed: the positive one, else the last. */
export const followedLabel = (labels: readonly string[], positive: string | null) =>
  positive !== null && labels.includes(positive) ? positive : labels.at(-1);

/** Whether the belief is one of two labels, of which one is true. */
export const isPair = ({ belief, set }: Pick<BeliefChange, 'belief' | 'set'>): boolean =>
  set === null && Object.keys(belief).length === 2;

/** Whether `change` has a direction: that of one label. */
export const isDirected = (step: Pick<BeliefChange, 'belief' | 'set'>): boolean => step.set !== null || isPair(step);

/** The shares by which a belief is shown: of two labels the followed one, of more the likeliest; of a set each of its labels. */
export function shownShares(step: BeliefChange): { label: string; share: number }[] {
  const labels = step.set ?? [isPair(step) ? step.label : (leadingLabel(step.belief) ?? '')];
  return labels.map((label) => ({ label, share: of(step.belief, label) }));
}

function compared(
  belief: Belief,
  before: Belief | null,
  positive: string | null,
  ofSets: boolean,
): Pick<BeliefChange, 'label' | 'before' | 'now' | 'change'> {
  const labels = [...new Set([...Object.keys(before ?? {}), ...Object.keys(belief)])];
  if (ofSets && before !== null) {
    const difference = (label: string) => Math.abs(of(belief, label) - of(before, label));
    const label = labels.reduce((most, other) => (difference(other) > difference(most) ? other : most));
    return { label, now: of(belief, label), before: of(before, label), change: of(belief, label) - of(before, label) };
  }
  if (labels.length <= 2 && !ofSets) {
    const label = followedLabel(labels, positive) ?? '';
    const now = of(belief, label);
    return { label, now, before: before && of(before, label), change: before && now - of(before, label) };
  }
  if (before === null) {
    const label = leadingLabel(belief) ?? '';
    return { label, now: of(belief, label), before: null, change: null };
  }
  const gain = (label: string) => of(belief, label) - of(before, label);
  const label = labels.reduce((best, other) => (gain(other) > gain(best) ? other : best));
  const distance = labels.reduce((sum, other) => sum + Math.abs(gain(other)), 0) / 2;
  return { label, now: of(belief, label), before: of(before, label), change: distance };
}

/** A seat of a bench answers once: a ruling that only repeats its belief is no second statement. */
export const statements = (steps: readonly BeliefStep[]): BeliefStep[] =>
  steps.filter(
    ({ moment, role, belief }, place) =>
      moment !== 'ruling' ||
      !/^(?:judge|voter)\d+$/.test(role) ||
      !steps.slice(0, place).some((before) => before.role === role && JSON.stringify(before.belief) === JSON.stringify(belief)),
  );

const setOf = (prediction: Prediction) => (Array.isArray(prediction) ? prediction : null);

/** The stated beliefs in order, each with its change. One without a distribution is left out; the next is compared past it. */
export function beliefChanges(steps: readonly BeliefStep[], positive: string | null): BeliefChange[] {
  const last = new Map<string, Belief>();
  const beliefs = steps.flatMap((step): BeliefChange[] => {
    const { role, moment, belief, prediction } = step;
    if (moment === 'mixture' || belief === null) return [];
    const set = setOf(prediction);
    const change = compared(belief, last.get(role) ?? null, positive, set !== null);
    last.set(role, belief);
    return [{ ...step, moment, belief, set, ...change, largest: false }];
  });
  const greatest = Math.max(0, ...beliefs.map(({ change }) => Math.abs(change ?? 0)));
  const at = isSame(greatest, 0) ? -1 : beliefs.findIndex(({ change }) => isSame(Math.abs(change ?? 0), greatest));
  return beliefs.map((step, index) => (index === at ? { ...step, largest: true } : step));
}
