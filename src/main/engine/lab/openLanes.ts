// Keeps trials under way in each lane: as many as there should be, of models that have their turn.
import { longestFirstAtEnd } from '../../../core/schedule/order.ts';
import { type Turns, turns } from '../../../core/schedule/turns.ts';
import type { PlannedTrial } from './frozen.ts';
import type { Lane } from './lanes.ts';
import type { PendingTrial } from './pendingTrials.ts';
import type { ServerKnowledge } from './serverKnowledge.ts';

export interface OpenLane extends Lane<PendingTrial> {
  /** Trials that are open. */
  open: number;
  /** Those of them that wait for a call of another trial. */
  waiting: number;
  readonly turns: Turns;
  /** Calls that wait until it is the turn of their trial. */
  readonly held: (() => void)[];
  /** Whether the last trials are in the order of their length: only then most is known of it. */
  isEnding: boolean;
}

export interface LaneOptions {
  readonly known: ServerKnowledge;
  readonly signal: AbortSignal;
  /** Trials to have open. */
  widthOf(lane: OpenLane): number;
  /** How long a trial takes, in any unit; null where the order of the trials is to stay as it is. */
  readonly workOf: ((trial: PendingTrial) => number) | null;
  /** A trial for a lane that has none left. */
  further(): PendingTrial | undefined;
  /** Does a trial and those that are `next`. Never rejects. */
  work(lane: OpenLane, first: PendingTrial): Promise<void>;
}

export function openLanes(divided: readonly Lane<PendingTrial>[], options: LaneOptions) {
  const { known, signal, widthOf, workOf } = options;
  const lanes = divided.map((lane): OpenLane => {
    return { ...lane, open: 0, waiting: 0, turns: turns(lane.width, known), held: [], isEnding: false };
  });
  const workers = new Set<Promise<void>>();
  /** The next trial whose models can be asked together with those of the trials under way. */
  const next = (lane: OpenLane): PendingTrial | undefined => {
    if (signal.aborted) return undefined;
    if (lane.trials.length === 0) return options.further();
    const { trials, width } = lane;
    if (workOf !== null && !lane.isEnding && trials.length <= 2 * width) {
      lane.isEnding = true;
      trials.splice(0, trials.length, ...longestFirstAtEnd(trials, workOf, width));
    }
    // Of the last ones, each can be the one whose turn it is.
    const ahead = trials.slice(0, workOf === null ? 1 : 2 * width).map(({ arm }) => known.modelsOf(arm));
    const place = lane.turns.next(ahead, performance.now());
    return place < 0 ? undefined : trials.splice(place, 1)[0];
  };
  const begin = (lane: OpenLane): void => {
    while (lane.open < widthOf(lane) && lane.trials.length > 0) {
      const trial = next(lane);
      if (trial === undefined) return;
      lane.open += 1;
      const worker: Promise<void> = options.work(lane, trial).finally(() => workers.delete(worker));
      workers.add(worker);
    }
  };
  /** Lets calls and trials continue when their turn has come. */
  const goOn = (lane: OpenLane): void => {
    for (const go of lane.held.splice(0)) go();
    begin(lane);
  };
  signal.addEventListener('abort', () => lanes.forEach(goOn), { once: true });
  return {
    lanes,
    next,
    goOn,
    /** Resolves once no trial is under way, and none can begin. */
    async ended(): Promise<void> {
      for (const lane of lanes) begin(lane);
      while (workers.size > 0) await Promise.all(workers);
    },
    /** Resolves when it is the turn of a trial under way, or the run ends. */
    async turnOf({ arm }: PlannedTrial, lane: OpenLane): Promise<void> {
      while (!signal.aborted && !lane.turns.hasTurn(known.modelsOf(arm))) {
        await new Promise<void>((resolve) => lane.held.push(resolve));
      }
    },
    /** A trial waits for a call of another one, which could itself wait for its turn: meanwhile it does not have it. */
    waits({ arm }: PlannedTrial, lane: OpenLane, isWaiting: boolean): void {
      lane.waiting += isWaiting ? 1 : -1;
      if (isWaiting) lane.turns.end(known.modelsOf(arm));
      else lane.turns.begin(known.modelsOf(arm));
      goOn(lane);
    },
  };
}
