import { useMemo } from 'react';
import { beliefChanges, statements } from '../../../core/figures/beliefChanges.ts';
import { drawnLabel } from '../../../core/figures/swapText.ts';
import { timelineOf } from '../../../core/figures/timeline.ts';
import type { Around } from '../../../core/telling/steps.ts';
import { stepsOf } from '../../../core/trajectory/trajectory.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { turnsOf } from './courtItems.ts';
import type { TrialState } from './trialState.ts';

export type Court = ReturnType<typeof useCourt>;

/** What was said in a trial so far, and the belief of its judge at each moment. */
export function useCourt({ cast, positive, labels }: TrialView, { line, entries }: TrialState) {
  const { swap, change } = line;
  const around: Around = useMemo(() => ({ entries, isCounterbalanced: swap === 'sides', change }), [entries, swap, change]);
  const turns = useMemo(() => turnsOf(around), [around]);
  const drawn = drawnLabel(Object.fromEntries(cast.map(({ role, claim }) => [role, claim])), positive);
  const isOpen = line.outcome === null;
  const beliefs = useMemo(() => {
    const all = beliefChanges(statements(stepsOf(entries)), drawn);
    // Which change is the greatest is known at the end.
    return isOpen ? all.map((step) => ({ ...step, largest: false })) : all;
  }, [entries, drawn, isOpen]);
  /** One row for each turn. */
  const timeline = useMemo(
    () =>
      timelineOf(
        turns.map((turn) => turn.beliefs.map(({ seq }) => seq)),
        beliefs,
        labels,
      ),
    [turns, beliefs, labels],
  );
  return useMemo(() => ({ around, turns, beliefs, timeline }), [around, turns, beliefs, timeline]);
}
