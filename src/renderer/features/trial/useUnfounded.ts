import { useMemo } from 'react';
import { type Unfounded, unfoundedFinder } from '../../../core/text/unfounded.ts';
import type { TranscriptEntry, TrialView } from '../../../shared/api/trials.ts';

export type UnfoundedCounts = Readonly<Record<Unfounded['kind'], number>>;

/** Finds numbers and quotes in speeches that are not among the facts of the case, and counts those of all that was said aloud; null where there is nothing to compare. */
export function useUnfounded(
  { facts, question, labels }: Pick<TrialView, 'facts' | 'question' | 'labels'>,
  entries: readonly TranscriptEntry[],
): { unfounded: (text: string) => readonly Unfounded[]; counts: UnfoundedCounts | null } {
  return useMemo(() => {
    const speeches = entries.flatMap((entry) => (entry.kind === 'utterance' && entry.text !== null ? [entry.text] : []));
    const precedents = entries.flatMap((entry) => (entry.kind === 'precedents' ? entry.precedents : []));
    const earlier = precedents.flatMap((each) => each.facts ?? []).flatMap(({ name, value }) => [name, value]);
    const find = unfoundedFinder({ facts, others: [question, ...labels, ...earlier], speeches });
    // Of an erased case nothing is known.
    const unfounded = facts.length === 0 ? () => [] : find;
    const counts = { number: 0, quote: 0 };
    for (const { kind } of speeches.flatMap(unfounded)) counts[kind] += 1;
    return { unfounded, counts: facts.length === 0 || speeches.length === 0 ? null : counts };
  }, [facts, question, labels, entries]);
}
