// What all baselines share that learn from cases.
import type { Belief, CaseKind, DatasetCase } from '../../shared/domain.ts';
import type { BaselineAbout } from '../../shared/statistics.ts';
import { randomSource, shuffled } from '../cases/shuffle.ts';
import type { Baseline, BaselineName, MissingBaseline } from './baseline.ts';

export interface BaselineTask {
  readonly kind: CaseKind;
  /** Candidate labels in order; none for open cases. */
  readonly labels: readonly string[];
  readonly multiLabel: boolean;
  /** The cases of the training split. Those that are on trial are left out. */
  readonly training: readonly DatasetCase[];
  /** The cases on trial, in the order of the sample. Their truths are not looked at. */
  readonly onTrial: readonly DatasetCase[];
  /** The experiment's. */
  readonly seed: number;
  /** Gets the share of the work that is done, 0-1; may throw to give up. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

export type LabelledCase = DatasetCase & { readonly truth: string | string[] };

export interface Lessons {
  readonly used: readonly LabelledCase[];
  /** Labels that they have, in the order of the labels: the classes. Two at least. */
  readonly present: readonly string[];
  readonly classes: Int32Array;
  readonly about: BaselineAbout;
}

/** Training cases that the learned baselines take; a seeded choice where there are more. */
export const mostLearned = 20_000;
/** Numbers in the encoded training cases: half a gigabyte for all learners together. */
export const mostNumbers = 20_000_000;

export const missing = (names: readonly BaselineName[], why: string): MissingBaseline[] => names.map((name) => ({ name, why }));

/** What a baseline says of itself, apart from what only some have. */
export const aboutOf = (trained: number, seed: number | null): BaselineAbout => ({
  ...{ trained_on: trained, columns: [], dropped: [], library: 'Assize' },
  ...{ seed, parameters: {}, notes: [] },
});

/** The first of the training cases in an order drawn by the seed, until one is too many; all where none is. */
function drawn(training: readonly LabelledCase[], seed: number, sizeOf: (kase: LabelledCase) => number, most: number) {
  let size = 0;
  const fits = (kase: LabelledCase) => {
    size += sizeOf(kase);
    return size <= most;
  };
  if (training.length <= mostLearned && training.every(fits)) return training;
  size = 0;
  const order = shuffled(training, randomSource(seed, 'baseline/training')).slice(0, mostLearned);
  const end = order.findIndex((kase) => !fits(kase));
  return end < 0 ? order : order.slice(0, end);
}

/** The training cases that are learned from with their classes, or why none are. @param sizeOf what `most` counts of each case */
export function lessons(
  { labels, multiLabel, seed }: BaselineTask,
  training: readonly LabelledCase[],
  sizeOf: (kase: LabelledCase) => number = () => 0,
  most = 0,
): Lessons | string {
  if (multiLabel) return 'it learns one label a case, and these cases can have several';
  const used = drawn(training, seed, sizeOf, most);
  const seen = new Set(used.map(({ truth }) => truth));
  const present = labels.filter((label) => seen.has(label));
  if (present.length < 2) return `every training case has the label ${JSON.stringify(present[0] ?? '')}`;
  const places = new Map(present.map((label, place) => [label, place]));
  const absent = labels.filter((label) => !seen.has(label)).map((label) => JSON.stringify(label));
  const about: BaselineAbout = {
    ...aboutOf(used.length, used === training ? null : seed),
    notes: [
      ...(used === training ? [] : [`${used.length} of ${training.length} training cases, drawn by the seed, were used`]),
      ...(absent.length === 0 ? [] : [`no training case has ${absent.join(', ')}`]),
    ],
  };
  return { used, present, classes: Int32Array.from(used, ({ truth }) => places.get(String(truth)) ?? 0), about };
}

/** Of each case the likeliest label (the first of equals) and its distribution. @param probabilities P(class), case after case */
export function predictionsOf(
  { onTrial, labels }: BaselineTask,
  { present }: Pick<Lessons, 'present'>,
  probabilities: Float64Array,
): Baseline['predictions'] {
  return onTrial.map(({ id }, row) => {
    const own = new Map(present.map((label, place) => [label, probabilities[row * present.length + place] ?? 0]));
    const belief: Belief = Object.fromEntries(labels.map((label) => [label, own.get(label) ?? 0]));
    const prediction = present.reduce((best, label) => ((own.get(label) ?? 0) > (own.get(best) ?? 0) ? label : best));
    return { case: id, prediction, belief };
  });
}
