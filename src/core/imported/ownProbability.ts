// Imported predictions that are not the label with their highest probability, and the thresholds that explain them.
import { rightWords } from '../../shared/decidedBy.ts';
import type { Belief } from '../../shared/domain.ts';
import type { ImportReport, OwnProbability } from '../../shared/imported.ts';
import type { ArmStatistics } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';
import { isInconsistent } from '../beliefs/verbalBelief.ts';
import { percent } from '../figures/shares.ts';
import { wilson } from '../statistics/wilson.ts';
import type { CandidateLabels } from './prediction.ts';

const level = 0.95;

/** Counts predictions, one at a time. A threshold is of the positive label, or without one of the last. */
export function ownProbabilities({ labels, positive }: CandidateLabels) {
  const label = positive ?? labels.at(-1) ?? '';
  let [of, against, chosen, from, to] = [0, 0, 0, 0, 1];
  let [right, judged] = [0, 0];
  const cases = new Set<string>();
  const byLabel = new Map(labels.map((name) => [name, { n: 0, right: 0, of: 0 }]));
  /** No threshold where none is between the probabilities; nothing of it where one label was always predicted, so that none shows. */
  const threshold = (): Pick<OwnProbability, 'threshold'> => {
    if (from < to) return { threshold: { label, from, to } };
    return chosen === 0 || chosen === of ? {} : { threshold: null };
  };
  const againstRight = (): Pick<OwnProbability, 'against_right'> => {
    if (judged === 0) return {};
    const { low, high } = (cases.size === judged ? wilson(right, judged, level) : null) ?? { low: null, high: null };
    return { against_right: { right, of: judged, level, low, high } };
  };
  const directions = (): Pick<OwnProbability, 'directions'> => {
    const found = [...byLabel].flatMap(([prediction, counts]) =>
      counts.n === 0 ? [] : [{ prediction, instead_of: labels.find((other) => other !== prediction) ?? '', ...counts }],
    );
    return found.length === 0 ? {} : { directions: found };
  };
  return {
    /** @param trial its case, and whether the prediction is right; null without a known truth */
    add(prediction: string, belief: Belief, trial?: { readonly case: string; readonly correct: boolean | null }): void {
      of += 1;
      if (isInconsistent(belief, prediction)) {
        against += 1;
        const counts = byLabel.get(prediction);
        if (counts !== undefined) counts.n += 1;
        if (trial !== undefined && trial.correct !== null) {
          judged += 1;
          right += Number(trial.correct);
          cases.add(trial.case);
          if (counts !== undefined) {
            counts.of += 1;
            counts.right += Number(trial.correct);
          }
        }
      }
      const probability = belief[label] ?? 0;
      if (prediction === label) {
        chosen += 1;
        to = Math.min(to, probability);
      } else from = Math.max(from, probability);
    },
    /** Null without a prediction that has probabilities. */
    found: (): OwnProbability | null =>
      of === 0 ? null : { of, against, ...againstRight(), ...(labels.length === 2 ? { ...directions(), ...threshold() } : {}) },
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

const mostArms = 8;

type Labelled = Parameters<typeof rightWords>[0];
type ArmProbability = Pick<ImportReport['arms'][number], 'arm' | 'own_probability'> & Partial<Pick<ArmStatistics, 'measures'>>;

function agreedText({ of, threshold }: OwnProbability): string {
  if (threshold === undefined) return '';
  return threshold === null
    ? ' (no single threshold agrees with all of them)'
    : ` (all ${count(of)} agree with a threshold ${thresholdText(threshold)})`;
}

/** In which direction: `49 are NO although YES was likelier, 6 of them right (12.2%, 95% interval 5.7% to 24.2%)`. */
function directionTexts({ directions = [], against_right: judged }: OwnProbability, labelled: Labelled): string[] {
  return directions.map(({ prediction, instead_of: other, n, right, of }) => {
    const range = judged === undefined || judged.low === null || of === 0 ? null : wilson(right, of, judged.level);
    const interval =
      range === null ? '' : `, ${percent(judged?.level ?? level)} interval ${percent(range.low)} to ${percent(range.high)}`;
    const rightOnes =
      of === 0
        ? ''
        : `, ${count(right)} of ${of === n ? 'them' : `${count(of)} with a known truth`} ${labelled.decided_by === undefined ? 'right' : `as ${labelled.decided_by} decided`} (${percent(right / of)}${interval})`;
    return `${count(n)} ${n === 1 ? 'is' : 'are'} ${prediction} although ${other} was likelier${rightOnes}`;
  });
}

/** Whether the column can be the probability of the other label: where it is known, its area under the curve does not speak against it. */
function canBeOther({ measures, own_probability: found }: ArmProbability): boolean {
  if (found?.threshold !== null) return false;
  const area = measures?.find(({ name, over }) => name === 'area_under_curve' && over === 'believed')?.value;
  return (area ?? 1 - found.against / found.of) <= 0.5;
}

/** How often such predictions were right: `Of these predictions, 5 of 12 are right and 7 wrong (41.7%, 95% interval 19.3% to 68%).` */
function rightText(some: readonly { readonly arm: string; readonly found: OwnProbability }[], labelled: Labelled): string[] {
  const { is, are } = rightWords(labelled);
  const parts = some.slice(0, mostArms).flatMap(({ arm, found: { against, against_right: found } }) => {
    if (found === undefined) return [];
    const { right, of, level: share, low, high } = found;
    const among = `${of === against ? '' : ' with a known truth'}${some.length === 1 ? '' : ` of ${arm}`}`;
    const range =
      low === null || high === null
        ? ' (no interval: some are of the same case)'
        : ` (${percent(right / of)}, ${percent(share)} interval ${percent(low)} to ${percent(high)})`;
    return [
      `${count(right)} of ${count(of)}${among} ${right === 1 ? is : are} and ${count(of - right)} ${labelled.decided_by === undefined ? 'wrong' : of - right === 1 ? 'does not' : 'do not'}${range}`,
    ];
  });
  return parts.length === 0 ? [] : [`Of these predictions, ${parts.join('; ')}.`];
}

/** That predictions go against their own probabilities, how often they are right, what is done with them, and why that can be; null where none does. */
export function ownProbabilityText(arms: readonly ArmProbability[], labelled: Labelled = {}): string | null {
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
    ...rightText(some, labelled),
    ...some.slice(0, mostArms).flatMap(({ arm, found }) => {
      const directions = directionTexts(found, labelled);
      return directions.length === 0 ? [] : [`By direction${some.length === 1 ? '' : ` of ${arm}`}: ${directions.join('; ')}.`];
    }),
    'Assize takes predictions as they are; authors often use another threshold or rule than the highest probability.',
    ...(arms.some(canBeOther)
      ? [
          'Where no threshold agrees with all, check which label the column is the probability of, or whether it is the confidence of each prediction.',
        ]
      : []),
  ].join(' ');
}
