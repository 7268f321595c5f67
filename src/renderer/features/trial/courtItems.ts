import { type Believed, rowsOf, type Spoken } from '../../../core/figures/rows.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { type CallEntry, callsOf, type ListedCall, sharedCallsOf } from './trialCalls.ts';
import type { TrialState, Writing } from './trialState.ts';

type Close = Extract<TranscriptEntry, { kind: 'close' }>;

type StepEntry = Extract<TranscriptEntry, { kind: 'sides' | 'ambiguity' | 'precedents' }>;

/** What the court settled or looked up between two speeches. */
export interface Step {
  readonly entry: StepEntry;
  /** Shared calls behind each of its hearings, or of its precedents, in their order. */
  readonly calls: readonly (readonly ListedCall[])[];
}

/** A row of the transcript on the screen. */
export type CourtItem =
  | {
      readonly kind: 'turn';
      readonly id: string;
      /** What came before it and after the row above. */
      readonly steps: readonly Step[];
      readonly spoken: Spoken | null;
      readonly beliefs: readonly Believed[];
      /** Which of the speaker's turns of this name it is, 1-based; null where there is one. */
      readonly number: number | null;
      readonly calls: ReadonlyMap<number, readonly CallEntry[]>;
    }
  | { readonly kind: 'writing'; readonly id: string; readonly writing: Writing }
  /** Between two answers of a trial that runs. */
  | { readonly kind: 'waiting'; readonly id: string; readonly calls: readonly CallEntry[] }
  /** The end of a trial that was not decided. */
  | { readonly kind: 'end'; readonly id: string; readonly close: Close; readonly calls: readonly CallEntry[] };

export type TurnItem = Extract<CourtItem, { kind: 'turn' }>;

const turnName = (spoken: Spoken | null): string | null =>
  spoken?.kind === 'utterance' ? `${spoken.role}\n${spoken.turn}` : null;

function stepsOf(entries: readonly TranscriptEntry[]): Step[] {
  const shared = new Map(
    entries.flatMap((entry) => (entry.kind === 'share' ? [[entry.key, sharedCallsOf(entry)] as const] : [])),
  );
  const callsUnder = (key: string, part: string, count: number) =>
    Array.from({ length: count }, (_none, index) => shared.get(`${key}/${part}-${index + 1}`) ?? []);
  return entries.flatMap((entry): Step[] => {
    if (entry.kind === 'sides') return [{ entry, calls: [] }];
    if (entry.kind === 'ambiguity') return [{ entry, calls: callsUnder(entry.key, 'hearing', entry.labels.length) }];
    if (entry.kind === 'precedents') return [{ entry, calls: callsUnder(entry.key, 'reason', entry.precedents.length) }];
    return [];
  });
}

/** What was said and believed, in order, with what the court settled before each. */
export function turnsOf(entries: readonly TranscriptEntry[]): TurnItem[] {
  const rows = rowsOf(entries);
  const waiting = stepsOf(entries);
  const { bySeq } = callsOf(entries);
  const names = Map.groupBy(rows, ({ spoken }) => turnName(spoken));
  return rows.map((row) => {
    const { spoken, beliefs } = row;
    const same = turnName(spoken) === null ? [] : (names.get(turnName(spoken)) ?? []);
    const seqs = [...(spoken === null ? [] : [spoken.seq]), ...beliefs.map(({ seq }) => seq)];
    return {
      kind: 'turn',
      id: `turn ${seqs[0]}`,
      steps: waiting.splice(0, waiting.filter(({ entry }) => entry.seq < (seqs[0] ?? 0)).length),
      spoken,
      beliefs,
      number: same.length > 1 ? same.indexOf(row) + 1 : null,
      calls: new Map(seqs.map((seq) => [seq, bySeq.get(seq) ?? []])),
    };
  });
}

/** What follows the last turn: what is being written, that nothing is, or how the trial ended without a verdict. */
export function tailOf({ entries, line, writing }: Pick<TrialState, 'entries' | 'line' | 'writing'>): CourtItem[] {
  const { unclaimed } = callsOf(entries);
  const close = entries.findLast((entry): entry is Close => entry.kind === 'close');
  if (close !== undefined && (close.outcome !== 'decided' || unclaimed.length > 0)) {
    return [{ kind: 'end', id: 'end', close, calls: unclaimed }];
  }
  if (line.status !== 'running') return [];
  if (writing.length === 0) return [{ kind: 'waiting', id: 'waiting', calls: unclaimed }];
  return writing.map((each) => ({ kind: 'writing', id: `writing ${each.key}`, writing: each }));
}
