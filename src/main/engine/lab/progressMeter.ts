// How far a run is, and how long the rest takes.
import { longestOf } from '../../../core/schedule/timeLeft.ts';
import type { Run } from '../../../shared/api/engine.ts';
import { type QueueOptions, queueProgress } from './queueProgress.ts';

type Figures = 'per_minute' | 'tokens_per_second' | 'seconds_left' | 'seconds_left_range' | 'arms' | 'queues';

/** How far a run is: sent after every answer, trial and pause. The time left is known once a trial of each queue has ended. */
export interface RunProgress extends Readonly<Pick<Run, 'planned' | 'done' | 'decided' | 'calls' | 'finished_now' | Figures>> {
  /** Ended trials by outcome, those of earlier runs too. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Set while a backend is away; the run waits so many minutes for it. */
  readonly paused: { backend: string; reason: string; minutes: number } | null;
  /** Cases after which the stopping rule ended the run; absent while it continues. */
  readonly stoppedAfter?: number;
}

interface Beginning extends Omit<QueueOptions, 'servers' | 'trials'> {
  readonly planned: number;
  readonly done: number;
  readonly outcomes: RunProgress['outcomes'];
  /** Trials by the servers that they ask. */
  readonly queues: readonly Pick<QueueOptions, 'servers' | 'trials'>[];
  readonly onProgress: (progress: RunProgress) => void;
}

/** Milliseconds for which answers leave the figures as they are: a run can have thousands of answers a second. */
const figuresMs = 100;

const sumOf = (rates: readonly (number | null)[]): number | null => {
  const known = rates.flatMap((rate) => rate ?? []);
  return known.length === 0 ? null : known.reduce((sum, rate) => sum + rate, 0);
};

/** Counts what a run has done and estimates how long the rest takes: as long as the longest of its queues, which run side by side. */
export function progressMeter({ planned, done, outcomes: before, queues: given, onProgress, ...options }: Beginning) {
  const outcomes = { ...before };
  const begun: Pick<RunProgress, 'paused' | 'stoppedAfter'> = { paused: null };
  const state = { done, calls: 0, finished_now: 0, ...begun };
  const queues = given.map((queue) => queueProgress({ ...queue, ...options }));
  /** Without those that wait for a moderator. */
  const trials = new Map(
    queues.flatMap((queue, index) => (given[index]?.trials ?? []).map((trial) => [trial.id, { queue, trial }] as const)),
  );

  const measure = () => {
    const lefts = queues.map((queue) => queue.left());
    const whole = longestOf(lefts);
    const shown = queues.map((queue, index) => queue.progress(lefts[index] ?? null));
    return {
      per_minute: sumOf(shown.map(({ per_minute }) => per_minute)),
      tokens_per_second: sumOf(queues.map((queue) => queue.tokensPerSecond())),
      seconds_left: whole === null ? null : whole.seconds,
      seconds_left_range: whole === null ? null : whole.range,
      arms: queues.flatMap((queue) => queue.arms()),
      queues: shown,
    };
  };
  let figures = measure();
  let measuredMs = 0;
  const tell = () => onProgress({ planned, ...state, decided: outcomes.decided ?? 0, outcomes: { ...outcomes }, ...figures });
  const send = () => {
    figures = measure();
    measuredMs = options.elapsedMs();
    tell();
  };
  return {
    begin(id: string) {
      const found = trials.get(id);
      found?.queue.begin(found.trial);
    },
    /** A call that begins to wait for its turn. @param id of its trial; null where several trials share it */
    call(id: string | null, model: string) {
      const found = id === null ? undefined : trials.get(id);
      const call = found?.queue.call(model, send);
      if (id === null) for (const queue of queues) queue.shares(1);
      return {
        underWay: (is: boolean) => call?.underWay(is),
        /** Its answer, or its failure, is there. @param server that gave it @param tokens of the answer */
        answered(seconds: number, server: string, tokens: number) {
          call?.underWay(false);
          found?.queue.answered(found.trial, seconds, server, tokens);
          state.calls += 1;
          if (options.elapsedMs() - measuredMs >= figuresMs) send();
          else tell();
        },
        end() {
          call?.end();
          if (id === null) for (const queue of queues) queue.shares(-1);
        },
      };
    },
    finished(id: string, outcome: string | null) {
      const found = trials.get(id);
      found?.queue.finish(found.trial);
      state.finished_now += 1;
      state.done += 1;
      if (outcome !== null) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      send();
    },
    /** It waits for its moderator: how long is not known. */
    parked(id: string) {
      const found = trials.get(id);
      found?.queue.park(found.trial);
      trials.delete(id);
    },
    /** @param away servers that calls wait for */
    paused(reason: RunProgress['paused'], away: ReadonlySet<string>) {
      for (const queue of queues) queue.away(queue.servers.some((server) => away.has(server)));
      state.paused = reason;
      send();
    },
    leave(ids: readonly string[]) {
      for (const id of ids) {
        const found = trials.get(id);
        found?.queue.drop(found.trial.arm);
      }
    },
    /** The stopping rule ended the run after so many cases. */
    stopped(cases: number) {
      state.stoppedAfter = cases;
      send();
    },
    done: () => state.done,
    finishedNow: () => state.finished_now,
    send,
  };
}
