import type { Belief } from '../../shared/domain.ts';
import type { SampledBelief } from './sampledBelief.ts';

/** From this probability on a label counts as one that applies. */
export const appliesFrom = 0.5;

/** The named labels in the order of `labels`, each once. RangeError where labels repeat or a name is none of them. */
export function labelSetOf(labels: readonly string[], named: readonly string[]): string[] {
  if (new Set(labels).size !== labels.length) throw new RangeError('the labels are not distinct');
  const foreign = named.find((label) => !labels.includes(label));
  if (foreign !== undefined) throw new RangeError(`"${foreign}" is not a label`);
  const set = new Set(named);
  return labels.filter((label) => set.has(label));
}

/** The labels that a belief says apply: those with a probability of one half or more, in the order of `labels`. */
export const believedSet = (labels: readonly string[], belief: Belief): string[] =>
  labels.filter((label) => (belief[label] ?? 0) >= appliesFrom);

export function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  const [first, second] = [new Set(one), new Set(other)];
  return first.size === second.size && [...first].every((label) => second.has(label));
}

/**
 * The belief behind a set of labels, from a percentage stated for each:
 *
 *   P(label applies) = percent / 100
 *
 * Source: the multi-label task of "Debate-Feedback" (section 4.1), which asks for several labels of a case and says
 * nothing of beliefs; independent probabilities cut at one half are this program's own, the usual reading of
 * multi-label classifiers. Nothing is normalised: three labels at 90 percent each are three sure labels.
 *
 * @param named the labels that the answer says apply
 * @param percents 0-100 for every label
 * Throws RangeError on labels that are not distinct, on a name that is none of them, and on numbers that are missing,
 * foreign or out of range.
 */
export function independentBelief(
  labels: readonly string[],
  named: readonly string[],
  percents: Readonly<Record<string, number>>,
) {
  const set = labelSetOf(labels, named);
  labelSetOf(labels, Object.keys(percents));
  const belief = Object.fromEntries(
    labels.map((label) => {
      const percent = Object.hasOwn(percents, label) ? percents[label] : undefined;
      if (percent === undefined) throw new RangeError(`no number is stated for "${label}"`);
      if (!(percent >= 0 && percent <= 100)) throw new RangeError(`${percent} for "${label}" is not within 0-100`);
      return [label, percent / 100];
    }),
  );
  return {
    /** Label -> P(the label applies), each 0-1 by itself: they need not sum to 1. */
    belief,
    /** Whether the named set is another one than that of the numbers. The named set is kept anyway. */
    inconsistent: !isSameSet(set, believedSet(labels, belief)),
  };
}

/**
 * The belief behind a set of labels, from further answers to the same prompt:
 *
 *   P(label applies) = answers whose set has it / valid answers
 *
 * Self-consistency as in `sampledBelief`, label by label, with the same limits. An empty set is a valid answer.
 *
 * @param sets the named labels of each valid answer. Throws RangeError on one that is not among `labels`.
 */
export function sampledLabelSets(labels: readonly string[], sets: readonly (readonly string[])[]): SampledBelief {
  const found = sets.map((set) => labelSetOf(labels, set));
  const counts = labels.map((label) => [label, found.filter((set) => set.includes(label)).length] as const);
  return {
    belief: sets.length === 0 ? null : Object.fromEntries(counts.map(([label, count]) => [label, count / sets.length])),
    counts: Object.fromEntries(counts),
  };
}
