import { createContext, useContext, useMemo, useRef, useState } from 'react';
import type { Unfounded } from '../../../../core/text/unfounded.ts';
import { unfoundedSpeeches } from '../../../../core/text/unfoundedSpeeches.ts';
import type { TranscriptEntry, TrialView } from '../../../../shared/api/trials.ts';
import type { Fact } from '../../../../shared/domain.ts';
import type { Writing } from '../../../../shared/longCalls.ts';
import type { Found } from '../finding.ts';
import { callsOf as callsBehind, type ListedCall, sharedCallsOf } from '../trialCalls.ts';

type MarkedCalls = readonly Pick<ListedCall, 'key' | 'failure' | 'rejected'>[];

export interface Drawing {
  readonly facts: readonly Fact[];
  /** Who plays whom, and argues for what. */
  readonly cast: TrialView['cast'];
  /** Texts that are not as they were recorded. */
  readonly faulty: TrialView['faulty_texts'];
  /** Numbers and quotes of a speech that are not among the facts. */
  readonly unfounded: (text: string) => readonly Unfounded[];
  readonly writing: readonly Writing[];
  /** Calls behind an entry, by its seq. */
  readonly callsOf: (seq: number) => MarkedCalls;
  readonly allOpen: boolean;
  /** What the reader folded and unfolded by hand, by name: rows that leave the view are not kept in the page. */
  readonly memory: Map<string, { readonly open: boolean; readonly within: boolean }>;
  /** What was searched for, and the current place of the search. */
  readonly found: readonly Found[];
  readonly here: Found | null;
  readonly onInspect: (key: string) => void;
}

export const DrawingContext = createContext<Drawing | null>(null);

export function useDrawing(): Drawing {
  const drawing = useContext(DrawingContext);
  if (drawing === null) throw new Error('blocks are outside of a trial');
  return drawing;
}

const nothing: readonly never[] = [];

/** What the blocks of a trial need, and how much of its speeches is not among the facts. `writing` is drawn by its own view alone. */
export function useTrialDrawing(
  view: TrialView,
  entries: readonly TranscriptEntry[],
  { allOpen, onInspect, writing = nothing }: Pick<Drawing, 'allOpen' | 'onInspect'> & Partial<Pick<Drawing, 'writing'>>,
) {
  const { facts, cast, faulty_texts: faulty } = view;
  const memory = useState<Drawing['memory']>(() => new Map())[0];
  const latestInspect = useRef(onInspect);
  latestInspect.current = onInspect;
  const { unfounded, counts } = useMemo(() => unfoundedSpeeches(view, entries), [view, entries]);
  const callsOf = useMemo(() => {
    const shared = entries.flatMap((entry) => (entry.kind === 'share' ? [[entry.seq, sharedCallsOf(entry)] as const] : []));
    const behind = new Map<number, MarkedCalls>([...callsBehind(entries).bySeq, ...shared]);
    return (seq: number) => behind.get(seq) ?? [];
  }, [entries]);
  const drawing = useMemo(
    (): Drawing => ({
      ...{ facts, cast, faulty, unfounded, writing, callsOf, allOpen, memory, found: nothing, here: null },
      onInspect: (key) => latestInspect.current(key),
    }),
    [facts, cast, faulty, unfounded, writing, callsOf, allOpen, memory],
  );
  return { drawing, counts };
}
