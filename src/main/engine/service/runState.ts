// What screens get to know of a run.
import type { Run } from '../../../shared/api/engine.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { RunProgress } from '../lab/progressMeter.ts';
import type { WantedRun } from '../queries/experiment.ts';
import type { Order } from './activeRun.ts';
import { screenMessage } from './failures.ts';
import type { Gate } from './gate.ts';

const before = { planned: 0, done: 0, decided: 0, calls: 0, finished_now: 0 };

export function newRun(
  experiment: string,
  order: Pick<Order, 'backend' | 'concurrency' | 'resumed' | 'closed' | 'between'>,
  state: Run['state'],
): Run {
  const { backend, concurrency, resumed, closed = false, between = null } = order;
  return {
    experiment,
    state,
    backend,
    concurrency,
    ...before,
    per_minute: null,
    tokens_per_second: null,
    energy: null,
    seconds_left: null,
    seconds_left_range: null,
    arms: [],
    queues: [],
    waiting_for: null,
    gives_way: false,
    paused_until: null,
    between,
    warnings: [],
    error: null,
    resumed,
    closed,
  };
}

export const interruptedRun = ({ recoveries, heldUntil, planned, done, decided, ...order }: WantedRun): Run => ({
  ...newRun(order.experiment, { ...order, resumed: recoveries }, 'interrupted'),
  ...{ planned, done, decided, paused_until: heldUntil },
});

export const progressOf = ({ paused, stoppedAfter: _cases, outcomes: _outcomes, ...progress }: RunProgress) => ({
  ...progress,
  waiting_for: paused,
});

export function stateOf(
  { gate, controller }: { readonly gate: Gate; readonly controller: AbortController },
  progress: RunProgress,
): Run['state'] {
  if (controller.signal.aborted) return 'stopping';
  if (gate.closedBy('pause')) return 'paused';
  return progress.paused === null ? 'running' : 'waiting';
}

/** Why a run failed; the details of an error that should not have happened are kept. */
export function runError(error: unknown, keepError: (error: unknown) => void): NonNullable<Run['error']> {
  if (!(error instanceof AssizeError) || error.code === 'internal') keepError(error);
  if (error instanceof AssizeError) return { code: error.code, message: screenMessage(error) };
  return { code: 'internal', message: 'The run ended by an error of the program. The details are in its log.' };
}
