// Has runs give way to trials that somebody started by hand.
import type { Gate } from './gate.ts';

export interface Turn {
  /** Whether a person waits for it: other runs at its servers give way. */
  readonly first: boolean;
  readonly urls: ReadonlySet<string>;
  readonly gate: Gate;
  /** Called when it begins and ends to give way. */
  readonly onChange: () => void;
}

/** Has runs give way to trials that somebody started by hand and now waits for. Calls that are under way end as usual. */
export function openTurns() {
  const turns = new Set<Turn>();
  const settle = (): void => {
    for (const turn of turns) {
      const goesBefore = (other: Turn) => other.first && !other.gate.closedBy('pause') && !turn.urls.isDisjointFrom(other.urls);
      const waits = !turn.first && [...turns].some(goesBefore);
      if (waits === turn.gate.closedBy('turn')) continue;
      if (waits) turn.gate.close('turn');
      else turn.gate.open('turn');
      turn.onChange();
    }
  };
  return {
    /** Looks again at who gives way: after a run was paused or continued. */
    settle,
    /** Adds a run, until what is returned is called. */
    take(turn: Turn): () => void {
      turns.add(turn);
      settle();
      return () => {
        turns.delete(turn);
        settle();
      };
    },
  };
}
