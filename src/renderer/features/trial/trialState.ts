import type { TranscriptEntry, TrialFrame, TrialView } from '../../../shared/api/trials.ts';
import type { Writing } from '../../../shared/longCalls.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';

/** A trial as the screen knows it: what was read at first, and what its stream brought since. */
export interface TrialState {
  readonly line: TrialLine;
  /** Of the last attempt, in order of seq. */
  readonly entries: readonly TranscriptEntry[];
  /** Highest seq known; the stream is opened after it. */
  readonly lastSeq: number;
  readonly writing: readonly Writing[];
}

export function openingState({ line, entries, lastSeq }: TrialView): TrialState {
  return { line, entries, lastSeq, writing: [] };
}

/** An attempt ends with its close: entries before one that is not the last are of an earlier attempt. */
function ofLastAttempt(entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] {
  return entries.slice(entries.findLastIndex(({ kind }, index) => kind === 'close' && index < entries.length - 1) + 1);
}

function withEntries(state: TrialState, lastSeq: number, incoming: readonly TranscriptEntry[]): TrialState {
  const latest = state.entries.at(-1)?.seq ?? -1;
  const fresh = incoming.filter(({ seq }) => seq > latest && seq > state.lastSeq).toSorted((one, other) => one.seq - other.seq);
  const answered = new Set(fresh.flatMap(({ kind, key }) => (kind === 'call' ? [key] : [])));
  const ended = fresh.some(({ kind }) => kind === 'close');
  return {
    ...state,
    entries: ofLastAttempt([...state.entries, ...fresh]),
    lastSeq: Math.max(state.lastSeq, lastSeq),
    writing: ended ? [] : state.writing.filter(({ key }) => !answered.has(key)),
  };
}

function withLine(state: TrialState, line: TrialLine): TrialState {
  // A further attempt that has no entries yet: all there are belong to the one before.
  const begunAnew = line.attempt > state.line.attempt && line.status === 'running' && state.entries.at(-1)?.kind === 'close';
  return {
    ...state,
    line,
    entries: begunAnew ? [] : state.entries,
    writing: begunAnew || line.status === 'done' ? [] : state.writing,
  };
}

export function follow(state: TrialState, body: TrialFrame): TrialState {
  switch (body.kind) {
    case 'entries':
      return withEntries(state, body.lastSeq, body.entries);
    case 'line':
      return withLine(state, body.line);
    case 'tokens': {
      if (state.line.status === 'done') return state;
      const { kind: _kind, ...written } = body;
      const { key } = written;
      const known = state.writing.some((writing) => writing.key === key);
      return {
        ...state,
        writing: known ? state.writing.map((writing) => (writing.key === key ? written : writing)) : [...state.writing, written],
      };
    }
  }
}
