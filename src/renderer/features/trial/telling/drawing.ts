import { createContext, useContext, useMemo } from 'react';
import type { Unfounded } from '../../../../core/text/unfounded.ts';
import type { TranscriptEntry, TrialView } from '../../../../shared/api/trials.ts';
import type { Fact } from '../../../../shared/domain.ts';
import type { Found } from '../finding.ts';
import { callsOf, type ListedCall, sharedCallsOf } from '../trialCalls.ts';
import type { Writing } from '../trialState.ts';

type MarkedCalls = readonly Pick<ListedCall, 'key' | 'failure' | 'rejected'>[];

/** What blocks need of their trial. */
export interface Drawing {
  readonly facts: readonly Fact[];
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

/** Finds the calls behind an entry, its own or those that other trials share. */
export function useCallsBehind(entries: readonly TranscriptEntry[]): Drawing['callsOf'] {
  return useMemo(() => {
    const shared = entries.flatMap((entry) => (entry.kind === 'share' ? [[entry.seq, sharedCallsOf(entry)] as const] : []));
    const behind = new Map<number, MarkedCalls>([...callsOf(entries).bySeq, ...shared]);
    return (seq) => behind.get(seq) ?? [];
  }, [entries]);
}
