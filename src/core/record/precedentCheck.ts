import type { EventPayload } from '../../shared/events.ts';
import { randomSource, shuffled } from '../cases/shuffle.ts';
import { byCodeUnits } from '../cases/split.ts';
import type { PrecedentQuery } from '../protocols/court.ts';
import type { Candidate } from '../retrieval/nearest.ts';

/** A training case that could be a precedent, as a second search finds it. */
export interface PossiblePrecedent extends Candidate {
  /** Of the stored text. */
  readonly ref: string;
  /** Cosines with the case on trial that it may have been seen with; empty where it had none. */
  readonly similarities: readonly number[];
  /** Whether it had no vector when it was looked for; `maybe` where one was made after a failure, and the record does not say when. */
  readonly lacking: 'no' | 'maybe' | 'yes';
  /** Whether its content is nearly that of the case on trial: an earlier program did not leave such cases out. */
  readonly double: boolean;
}

type Retrieved = EventPayload<'precedent-retrieve'>;
type Found = Retrieved['precedents'];

/** Largest difference of two cosines that are the same one: another machine may add in another order. */
export const cosineTolerance = 1e-6;

const bounded = (cosine: number) => Math.max(-1, Math.min(1, cosine));

const like = (a: number) => (b: number) => Math.abs(a - bounded(b)) <= cosineTolerance;

function labelProblem(found: Found, possible: readonly PossiblePrecedent[], perLabel: number): string | null {
  const byRef = new Map(possible.map((candidate) => [candidate.ref, candidate]));
  let before = Number.POSITIVE_INFINITY;
  for (const { case: ref, similarity } of found) {
    const candidate = byRef.get(ref);
    if (candidate === undefined || similarity === null) return 'one of the precedents could not be one';
    if (!candidate.similarities.some(like(similarity))) return `the similarity of a precedent is not ${similarity}`;
    if (similarity > before + cosineTolerance) return 'the precedents are not in the order of their similarity';
    before = similarity;
    byRef.delete(ref);
  }
  const missed = nearerThan(found, [...byRef.values()], perLabel).some(({ lacking }) => lacking === 'no');
  return missed ? 'a nearer case of the training split is not among the precedents' : null;
}

/** Those of the other cases of a label that would be among its precedents, had they been looked at. */
function nearerThan(found: Found, others: readonly PossiblePrecedent[], perLabel: number): PossiblePrecedent[] {
  const least = found.length < perLabel ? Number.NEGATIVE_INFINITY : Math.min(...found.map(({ similarity }) => similarity ?? 0));
  return others.filter(
    ({ similarities, double }) =>
      !double && similarities.length > 0 && bounded(Math.min(...similarities)) > least + cosineTolerance,
  );
}

/**
 * What is wrong with the number of training cases that are said to have had no vector, or null. It may lie between
 * those that never got one, with those that must have been without since they would have been found, and those that
 * the record leaves open.
 * @param recorded the number that is recorded
 */
export function lackingProblem(
  recorded: number,
  found: Found,
  { labels, perLabel }: PrecedentQuery,
  possible: readonly PossiblePrecedent[],
): string | null {
  const refs = new Set(found.map((each) => each.case));
  const others = possible.filter(({ ref, label }) => labels.includes(label) && !refs.has(ref));
  const never = others.filter(({ lacking }) => lacking === 'yes');
  const open = others.filter(({ lacking }) => lacking === 'maybe');
  const left = labels.flatMap((label) =>
    nearerThan(
      found.filter((each) => each.label === label),
      open.filter((each) => each.label === label),
      perLabel,
    ),
  );
  const least = never.filter(({ double }) => !double).length + left.length;
  const most = never.length + open.length;
  if (recorded >= least && recorded <= most) return null;
  const range = least === most ? `${least}` : `${least} to ${most}`;
  return `${recorded} training cases are said to have had no vector, and the record has ${range}`;
}

/** Whether the precedents are sorted label by label, in the order of the query, no more of each than were wanted. */
function isInOrder(found: Found, { labels, perLabel }: PrecedentQuery): boolean {
  const inOrder = labels.flatMap((wanted) => found.filter(({ label }) => label === wanted));
  return (
    inOrder.length === found.length &&
    inOrder.every((each, place) => each === found[place]) &&
    labels.every((wanted) => found.filter(({ label }) => label === wanted).length <= perLabel)
  );
}

/** What is wrong with recorded nearest precedents, or null. Cosines within `cosineTolerance` of each other are equal. */
export function nearestProblem(found: Found, query: PrecedentQuery, possible: readonly PossiblePrecedent[]): string | null {
  if (!isInOrder(found, query)) return 'the precedents are not those of the labels that were asked for';
  for (const label of query.labels) {
    const problem = labelProblem(
      found.filter((each) => each.label === label),
      possible.filter((each) => each.label === label),
      query.perLabel,
    );
    if (problem !== null) return problem;
  }
  return null;
}

/** The precedents that are drawn by a seed. @param possible every case that is no double of the case on trial */
export function drawnPrecedents(
  { labels, perLabel }: PrecedentQuery,
  possible: readonly PossiblePrecedent[],
  seed: number,
): Found {
  return labels.flatMap((label) => {
    const ofLabel = possible.filter((each) => each.label === label).toSorted((a, b) => byCodeUnits(a.id, b.id));
    const drawn = shuffled(ofLabel, randomSource(seed, `precedents ${label}`));
    return drawn.slice(0, perLabel).map(({ ref }) => ({ case: ref, label, similarity: null }));
  });
}
