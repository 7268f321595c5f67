import { type ToldRow, toldRows } from '../../../core/telling/rows.ts';
import { type Around, stepOf, type ToldStep } from '../../../core/telling/steps.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import type { Writing } from '../../../shared/longCalls.ts';
import { type CallEntry, callsOf, mishap, questionOf } from './trialCalls.ts';
import type { TrialState } from './trialState.ts';

type Close = Extract<TranscriptEntry, { kind: 'close' }>;

export type CourtItem =
  /** `steps`: what came before it and after the row above; `scores`: what CRIT made of its speech. */
  | (ToldRow & {
      readonly kind: 'turn';
      readonly id: string;
      readonly steps: readonly ToldStep[];
      readonly scores: readonly ToldStep[];
    })
  /** What was settled after the last turn. */
  | { readonly kind: 'steps'; readonly id: string; readonly steps: readonly ToldStep[] }
  /** `failed`: earlier attempts at the same answer. */
  | { readonly kind: 'writing'; readonly id: string; readonly writing: Writing; readonly failed: readonly CallEntry[] }
  /** Between two answers of a trial that runs. */
  | { readonly kind: 'waiting'; readonly id: string; readonly calls: readonly CallEntry[] }
  /** The end of a trial that was not decided. */
  | { readonly kind: 'end'; readonly id: string; readonly close: Close; readonly calls: readonly CallEntry[] };

export type TurnItem = Extract<CourtItem, { kind: 'turn' }>;

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
  const rows = toldRows(around.entries, around.change);
  const examined = new Map(
    around.entries.flatMap((entry) => {
      if (entry.kind !== 'evaluation') return [];
      const speech = rows.findLast(({ form, who, seq }) => form === 'utterance' && who === entry.subject && seq < entry.seq);
      return speech === undefined ? [] : [[entry.seq, speech.seq] as const];
    }),
  );
  const all = stepsOf(around);
  const waiting = all.filter(({ seq }) => !examined.has(seq));
  return rows.map((row) => {
    const steps = waiting.splice(0, waiting.filter(({ seq }) => seq < row.seq).length);
    const scores = all.filter(({ seq }) => examined.get(seq) === row.seq);
    return { ...row, kind: 'turn', id: `turn ${row.seq}`, steps, scores };
  });
}

export function lastSteps(around: Around, turns: readonly TurnItem[]): CourtItem[] {
  const after = turns.at(-1)?.seq ?? -1;
  const told = new Set(turns.flatMap(({ scores }) => scores.map(({ seq }) => seq)));
  const steps = stepsOf(around).filter(({ seq }) => seq > after && !told.has(seq));
  return steps.length === 0 ? [] : [{ kind: 'steps', id: 'last steps', steps }];
}

/** What follows the last turn: what is being written, that nothing is, or how the trial ended without a verdict. @param waits for a server that does not answer */
export function tailOf(state: Pick<TrialState, 'entries' | 'line' | 'writing'>, waits = false): CourtItem[] {
  const { entries, line } = state;
  // What was cut off is written again.
  const writing = waits ? [] : state.writing;
  const { unclaimed } = callsOf(entries);
  const close = entries.findLast((entry): entry is Close => entry.kind === 'close');
  if (close !== undefined && (close.outcome !== 'decided' || unclaimed.length > 0)) {
    return [{ kind: 'end', id: 'end', close, calls: unclaimed }];
  }
  if (line.status !== 'running') return [];
  if (writing.length === 0) return [{ kind: 'waiting', id: 'waiting', calls: unclaimed }];
  return writing.map((each) => {
    const question = questionOf(each.key);
    const failed = unclaimed.filter((call) => questionOf(call.key) === question && mishap(call) !== null);
    return { kind: 'writing', id: `writing ${each.key}`, writing: each, failed };
  });
}
