// Imported predictions that are not the label with their highest probability, and the thresholds that explain them.
import type { Belief } from '../../shared/domain.ts';
import type { ImportReport, OwnProbability } from '../../shared/imported.ts';
import { count } from '../../shared/sizes.ts';
import { isInconsistent } from '../beliefs/verbalBelief.ts';
import type { CandidateLabels } from './prediction.ts';

/** Counts predictions, one at a time. A threshold is of the positive label, or without one of the last. */
export function ownProbabilities({ labels, positive }: CandidateLabels) {
  const label = positive ?? labels.at(-1) ?? '';
  let [of, against, chosen, from, to] = [0, 0, 0, 0, 1];
  /** No threshold where none is between the probabilities; nothing of it where one label was always predicted, so that none shows. */
  const threshold = (): Pick<OwnProbability, 'threshold'> => {
    if (from < to) return { threshold: { label, from, to } };
    return chosen === 0 || chosen === of ? {} : { threshold: null };
  };
  return {
    add(prediction: string, belief: Belief): void {
      of += 1;
      if (isInconsistent(belief, prediction)) against += 1;
      const probability = belief[label] ?? 0;
      if (prediction === label) {
        chosen += 1;
        to = Math.min(to, probability);
      } else from = Math.max(from, probability);
    },
    /** Null without a prediction that has probabilities. */
    found: (): OwnProbability | null => (of === 0 ? null : { of, against, ...(labels.length === 2 ? threshold() : {}) }),
  };
}

/** Finest steps of a percentage, as powers of ten. */
const finest = 8;

/** Thresholds of a range above `from`, rounded inward: all that it names explain the predictions, also where a probability equal to one is enough. */
function thresholdText({ label, from, to }: NonNullable<OwnProbability['threshold']>): string {
  for (let digits = 1; digits <= finest; digits += 1) {
    const steps = 10 ** (digits + 2);
    const [low, high] = [Math.floor(from * steps + 1e-6) + 1, Math.floor(to * steps + 1e-6)];
    const percentOf = (step: number) => `${Number(((100 * step) / steps).toFixed(digits))}%`;
    if (low < high) return `for ${label} between ${percentOf(low)} and ${percentOf(high)}`;
    if (low === high) return `for ${label} of ${percentOf(low)}`;
  }
  return `for ${label} just above ${from * 100}%`;
}

/** Arms that are named. */
const mostArms = 8;

type ArmProbability = Pick<ImportReport['arms'][number], 'arm' | 'own_probability'>;

function agreedText({ of, threshold }: OwnProbability): string {
  if (threshold === undefined) return '';
  return threshold === null
    ? ' (no single threshold agrees with all of them)'
    : ` (all ${count(of)} agree with a threshold ${thresholdText(threshold)})`;
}

/** That predictions go against their own probabilities, what is done with them, and why that can be; null where none does. */
export function ownProbabilityText(arms: readonly ArmProbability[]): string | null {
  const some = arms.flatMap(({ arm, own_probability: found }) =>
    found === undefined || found.against === 0 ? [] : [{ arm, found }],
  );
  if (some.length === 0) return null;
  const parts = some.slice(0, mostArms).map(({ arm, found }, place) => {
    const { of, against } = found;
    const are = against === 1 ? 'is' : 'are';
    const which =
      place === 0
        ? `${count(against)} of ${count(of)} predictions of ${arm} ${are} not the label with the highest probability`
        : `nor ${are} ${count(against)} of ${count(of)} of ${arm}`;
    return `${which}${agreedText(found)}`;
  });
  const more = some.length > mostArms ? [`nor are some of ${count(some.length - mostArms)} more arms`] : [];
  return [
    `${[...parts, ...more].join('; ')}.`,
    'Assize takes predictions as they are; authors often use another threshold or rule than the highest probability.',
    ...(some.some(({ found }) => found.threshold === null)
      ? ['Where no threshold agrees with all, check which label the column is the probability of.']
      : []),
  ].join(' ');
}
