import { type TurnItem, turnsOf } from './courtItems.ts';
import { heardIn } from './finding.ts';
import type { TrialState } from './trialState.ts';

const rowKinds = new Set(['utterance', 'forfeit', 'ruling', 'belief']);

/** The trial as it was when the first `place` of its rows were on record; all of it at the last. */
export function stateAt(state: TrialState, turns: readonly TurnItem[], place: number): TrialState {
  const next = turns[place];
  if (next === undefined) return state;
  const before = state.entries.filter(({ seq }) => seq < next.seq);
  const entries = before.slice(0, before.findLastIndex(({ kind }) => rowKinds.has(kind)) + 1);
  const undecided = { outcome: null, prediction: null, confidence: null, belief: null, correct: null, incomplete: false };
  return { ...state, entries, line: { ...state.line, ...undecided } };
}

export const turnsIn = ({ entries, line }: TrialState): TurnItem[] =>
  turnsOf({ entries, isCounterbalanced: line.swap === 'sides', change: line.change });

/** How long a row stays before the next one comes: about as long as it takes to skim it. Milliseconds. */
export const skimmingMs = (turn: TurnItem | undefined): number =>
  Math.min(12_000, Math.max(1_500, heardIn(turn ?? null).length * 30));
