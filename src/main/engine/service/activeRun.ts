// A run as the engine keeps it: what it was ordered to do, and what holds or ends it.
import type { BackendChoice } from '../../../shared/api/engine.ts';
import type { Outcome } from '../../../shared/domain.ts';
import { type Gate, openGate } from './gate.ts';

export interface Order {
  readonly backend: BackendChoice;
  readonly concurrency: number;
  readonly retry: readonly Outcome[];
  /** The only trial that it tries: such a run is not resumed by itself, since that would try all. */
  readonly only?: string | undefined;
  readonly resumed: number;
  /** Whether somebody started it by hand and waits for it: other runs at its servers give way. */
  readonly first?: boolean | undefined;
  /** Whether its cases are from the record because the data file is gone. */
  readonly isFileGone?: boolean | undefined;
  /** Whether the run begins held, as the user left it. */
  readonly held: boolean;
  /** When it continues by itself while paused; null: when the user says so. */
  readonly heldUntil?: string | null | undefined;
  /** The hours of every day in which it asks, such as `22:00-07:00`; null: all. */
  readonly between?: string | null | undefined;
  /** Whether it continues after the user had closed the program. */
  readonly closed?: boolean;
}

export interface Active {
  readonly order: Order;
  readonly gate: Gate;
  readonly controller: AbortController;
  /** When it continues by itself while it is paused. */
  until: string | null;
  /** The hours of every day in which it asks; null: all. */
  between: string | null;
  /** Set when the user stops the run, as against the engine that ends. */
  stoppedByUser: boolean;
  /** What starts in place of this run when it has ended. */
  next: Order | null;
  /** Whether the settings have other servers for it by now than it asks. */
  hasOthers: () => boolean;
  ended: Promise<void>;
}

export function activeRun(order: Order, controller: AbortController): Active {
  const gate = openGate(controller.signal);
  if (order.held) gate.close('pause');
  return {
    order,
    gate,
    controller,
    until: null,
    between: order.between ?? null,
    stoppedByUser: false,
    next: null,
    hasOthers: () => false,
    ended: Promise.resolve(),
  };
}
