import { type Believed, rowsOf, type Spoken } from '../../../core/figures/rows.ts';
import { type Around, stepOf, type ToldStep } from '../../../core/telling/steps.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { type CallEntry, callsOf } from './trialCalls.ts';
import type { TrialState, Writing } from './trialState.ts';

type Close = Extract<TranscriptEntry, { kind: 'close' }>;

/** A row of the transcript on the screen. */
export type CourtItem =
  | {
      readonly kind: 'turn';
      readonly id: string;
      /** What came before it and after the row above. */
      readonly steps: readonly ToldStep[];
      readonly spoken: Spoken | null;
      readonly beliefs: readonly Believed[];
      /** Which of the speaker's turns of this name it is, 1-based; null where there is one. */
      readonly number: number | null;
      readonly calls: ReadonlyMap<number, readonly CallEntry[]>;
    }
  /** What was settled after the last turn. */
  | { readonly kind: 'steps'; readonly id: string; readonly steps: readonly ToldStep[] }
  | { readonly kind: 'writing'; readonly id: string; readonly writing: Writing }
  /** Between two answers of a trial that runs. */
  | { readonly kind: 'waiting'; readonly id: string; readonly calls: readonly CallEntry[] }
  /** The end of a trial that was not decided. */
  | { readonly kind: 'end'; readonly id: string; readonly close: Close; readonly calls: readonly CallEntry[] };

export type TurnItem = Extract<CourtItem, { kind: 'turn' }>;

const turnName = (spoken: Spoken | null): string | null =>
  spoken?.kind === 'utterance' ? `${spoken.role}\n${spoken.turn}` : null;

/** Every step, with a title that no other has. */
function stepsOf(around: Around): ToldStep[] {
  const steps = around.entries.flatMap((entry) => stepOf(entry, around) ?? []);
  const same = Map.groupBy(steps, ({ title }) => title);
  return steps.map((step) => {
    const named = same.get(step.title) ?? [];
    return named.length > 1 ? { ...step, title: `${step.title} ${named.indexOf(step) + 1}` } : step;
  });
}

/** What was said and believed, in order, with what the court settled before each. */
export function turnsOf(around: Around): TurnItem[] {
  const { entries } = around;
  const rows = rowsOf(entries);
  const waiting = stepsOf(around);
  const { bySeq } = callsOf(entries);
  const names = Map.groupBy(rows, ({ spoken }) => turnName(spoken));
  return rows.map((row) => {
    const { spoken, beliefs } = row;
    const same = turnName(spoken) === null ? [] : (names.get(turnName(spoken)) ?? []);
    const seqs = [...(spoken === null ? [] : [spoken.seq]), ...beliefs.map(({ seq }) => seq)];
    return {
      kind: 'turn',
      id: `turn ${seqs[0]}`,
      steps: waiting.splice(0, waiting.filter(({ seq }) => seq < (seqs[0] ?? 0)).length),
      spoken,
      beliefs,
      number: same.length > 1 ? same.indexOf(row) + 1 : null,
      calls: new Map(seqs.map((seq) => [seq, bySeq.get(seq) ?? []])),
    };
  });
}

/** What was settled after the last turn. */
export function lastSteps(around: Around, turns: readonly TurnItem[]): CourtItem[] {
  const last = turns.at(-1);
  const after = last?.spoken?.seq ?? last?.beliefs[0]?.seq ?? -1;
  const steps = stepsOf(around).filter(({ seq }) => seq > after);
  return steps.length === 0 ? [] : [{ kind: 'steps', id: 'last steps', steps }];
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
