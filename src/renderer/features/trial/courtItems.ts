import { type Believed, rowsOf, type Spoken } from '../../../core/figures/rows.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { type CallEntry, callsOf } from './trialCalls.ts';
import type { TrialState, Writing } from './trialState.ts';

type Close = Extract<TranscriptEntry, { kind: 'close' }>;

/** A row of the transcript on the screen. */
export type CourtItem =
  | {
      readonly kind: 'turn';
      readonly id: string;
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

/** What was said and believed, in order. */
export function turnsOf(entries: readonly TranscriptEntry[]): TurnItem[] {
  const rows = rowsOf(entries);
  const { bySeq } = callsOf(entries);
  const names = Map.groupBy(rows, ({ spoken }) => turnName(spoken));
  return rows.map((row) => {
    const { spoken, beliefs } = row;
    const same = turnName(spoken) === null ? [] : (names.get(turnName(spoken)) ?? []);
    const seqs = [...(spoken === null ? [] : [spoken.seq]), ...beliefs.map(({ seq }) => seq)];
    return {
      kind: 'turn',
      id: `turn ${seqs[0]}`,
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
