// How far a run is, and how long the rest takes.
import { uncertainTime } from '../../../core/schedule/uncertainTime.ts';
import type { Run } from '../../../shared/api/engine.ts';

type Measured = 'planned' | 'done' | 'decided' | 'calls' | 'finished_now' | 'per_minute' | 'tokens_per_second';

/** How far a run is: sent after every answer, trial and pause. The time left is known after a whole trial. */
export interface RunProgress extends Readonly<Pick<Run, Measured | 'seconds_left' | 'seconds_left_range'>> {
  /** Set while a backend is away; the run waits so many minutes for it. */
  readonly paused: { backend: string; reason: string; minutes: number } | null;
  /** Cases after which the stopping rule ended the run; absent while it continues. */
  readonly stoppedAfter?: number;
}

interface Beginning {
  readonly planned: number;
  readonly done: number;
  readonly decided: number;
  /** Calls that each trial may take in this run, by its id. */
  readonly callsOf: ReadonlyMap<string, number>;
  /** Those of them that an earlier run began: what is left of one says little about a whole trial. */
  readonly begunBefore: ReadonlySet<string>;
  /** Milliseconds of work since the run began: what it was held is no part of it. */
  readonly elapsedMs: () => number;
  readonly onProgress: (progress: RunProgress) => void;
}

/**
 * Counts what a run has done and estimates how long the rest takes. Trials weigh as many calls as they may take, so an arm
 * of one call says little about an arm of thirteen; a trial under way counts by the calls that it has had.
 */
export function progressMeter({ planned, done, decided, callsOf, begunBefore, elapsedMs, onProgress }: Beginning) {
  const begun: Pick<RunProgress, 'paused' | 'stoppedAfter'> = { paused: null };
  const state = { done, decided, calls: 0, finished_now: 0, ...begun };
  const weightOf = (trial: string) => callsOf.get(trial) ?? 1;
  let total = [...callsOf.values()].reduce((sum, calls) => sum + calls, 0);
  const underWay = new Map<string, number>();
  /** Calls of what is finished and of what is under way. */
  let weight = 0;
  let written = 0;

  let wholeTrials = 0;
  const isRestAlone = callsOf.size === begunBefore.size;

  const time = uncertainTime();

  const timeLeft = (): Pick<RunProgress, 'seconds_left' | 'seconds_left_range'> => {
    // Early calls of a trial have shorter prompts than its later ones.
    const measured = isRestAlone ? state.finished_now : wholeTrials;
    if (measured === 0 || weight === 0) return { seconds_left: null, seconds_left_range: null };
    const rest = Math.max(0, total - weight);
    const left = ((elapsedMs() / 1000) * rest) / weight;
    const share = rest === 0 ? null : time.share(rest);
    const range = [left * Math.max(0, 1 - (share ?? 0)), left * (1 + (share ?? 0))] as const;
    return { seconds_left: left, seconds_left_range: share === null ? null : range };
  };
  const send = () => {
    const per_minute = state.finished_now === 0 ? null : state.finished_now / (elapsedMs() / 60_000);
    const tokens_per_second = written === 0 ? null : written / (elapsedMs() / 1000);
    onProgress({ planned, ...state, per_minute, tokens_per_second, ...timeLeft() });
  };
  return {
    /** Tokens of the answer that is counted next. */
    wrote(tokens: number) {
      written += tokens;
    },
    /** A call of a trial was answered; null where several trials share it. */
    answered(trial: string | null) {
      state.calls += 1;
      time.add(elapsedMs() / 1000);
      if (trial !== null) {
        const calls = underWay.get(trial) ?? 0;
        underWay.set(trial, calls + 1);
        if (calls < weightOf(trial)) weight += 1;
      }
      send();
    },
    finished(trial: string, outcome: string | null) {
      const spared = weightOf(trial) - Math.min(underWay.get(trial) ?? 0, weightOf(trial));
      if (begunBefore.has(trial)) total -= spared;
      else {
        weight += spared;
        wholeTrials += 1;
      }
      underWay.delete(trial);
      state.finished_now += 1;
      state.done += 1;
      if (outcome === 'decided') state.decided += 1;
      send();
    },
    paused(reason: RunProgress['paused']) {
      state.paused = reason;
      send();
    },
    leave(trials: readonly string[]) {
      for (const trial of trials) total -= weightOf(trial);
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
