import type { Belief } from '../../shared/domain.ts';

/** A labelled case of the training split, as far as a baseline that looks at labels alone needs it. */
export interface Labelled {
  /** The label; several in the order of the labels where cases can have several. */
  readonly truth: string | readonly string[];
}

/** One answer that the training split gives, and how often it does. */
export interface Answer {
  readonly truth: string | string[];
  readonly count: number;
}

const placesOf = (truth: string | readonly string[], labels: readonly string[]): number[] =>
  (typeof truth === 'string' ? [truth] : truth).map((label) => labels.indexOf(label));

/** Lists of places by their first difference; a longer list comes after its own beginning. */
function byPlaces(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((value, index) => value !== b[index]);
  return place < 0 ? a.length - b.length : (a[place] ?? 0) - (b[place] ?? Number.NEGATIVE_INFINITY);
}

/** The different answers of the training split, in the order of the labels; a set of labels is one answer. */
export function countAnswers(training: readonly Labelled[], labels: readonly string[]): Answer[] {
  const counts = new Map<string, { places: number[]; truth: string | string[]; count: number }>();
  for (const { truth } of training) {
    const places = placesOf(truth, labels);
    const known = counts.get(places.join());
    if (known === undefined)
      counts.set(places.join(), { places, truth: typeof truth === 'string' ? truth : [...truth], count: 1 });
    else known.count += 1;
  }
  return [...counts.values()].sort((a, b) => byPlaces(a.places, b.places)).map(({ truth, count }) => ({ truth, count }));
}

/** Share of the cases of the training split that have each label; where cases can have several, each by itself. */
export function labelShares(answers: readonly Answer[], labels: readonly string[]): Belief {
  const total = answers.reduce((sum, { count }) => sum + count, 0);
  const having = (label: string) =>
    answers.reduce((sum, { truth, count }) => sum + ([truth].flat().includes(label) ? count : 0), 0);
  return Object.fromEntries(labels.map((label) => [label, having(label) / total]));
}
