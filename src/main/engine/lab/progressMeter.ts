import { uncertainTime } from '../../../core/schedule/uncertainTime.ts';

/** How far a run is; sent after every answered call, after every finished trial and at every pause. */
export interface RunProgress {
  readonly planned: number;
  readonly done: number;
  readonly decided: number;
  readonly calls: number;
  /** Finished since this run began. */
  readonly finishedNow: number;
  /** Trials a minute over this run; null before the first. */
  readonly perMinute: number | null;
  /** Tokens that models wrote a second of work, over this run; null before the first answer. */
  readonly tokensPerSecond: number | null;
  /** Seconds until this run is done, from the calls that it has made so far; null until it has done a whole trial. */
  readonly secondsLeft: number | null;
  /** Between which seconds that probably is (95%), if the rest goes like the calls so far; null while they are few. */
  readonly secondsLeftRange: readonly [number, number] | null;
  /** Set while a backend is away. */
  readonly paused: { backend: string; reason: string } | null;
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
  const state = { done, decided, calls: 0, finishedNow: 0, ...begun };
  const weightOf = (trial: string) => callsOf.get(trial) ?? 1;
  let total = [...callsOf.values()].reduce((sum, calls) => sum + calls, 0);
  const underWay = new Map<string, number>();
  /** Calls of what is finished and of what is under way. */
  let weight = 0;
  let written = 0;

  let wholeTrials = 0;
  const isRestAlone = callsOf.size === begunBefore.size;

  const time = uncertainTime();

  const timeLeft = (): Pick<RunProgress, 'secondsLeft' | 'secondsLeftRange'> => {
    // Early calls of a trial have shorter prompts than its later ones.
    const measured = isRestAlone ? state.finishedNow : wholeTrials;
    if (measured === 0 || weight === 0) return { secondsLeft: null, secondsLeftRange: null };
    const rest = Math.max(0, total - weight);
    const secondsLeft = ((elapsedMs() / 1000) * rest) / weight;
    const share = rest === 0 ? null : time.share(rest);
    const range = [secondsLeft * Math.max(0, 1 - (share ?? 0)), secondsLeft * (1 + (share ?? 0))] as const;
    return { secondsLeft, secondsLeftRange: share === null ? null : range };
  };
  const send = () => {
    const perMinute = state.finishedNow === 0 ? null : state.finishedNow / (elapsedMs() / 60_000);
    const tokensPerSecond = written === 0 ? null : written / (elapsedMs() / 1000);
    onProgress({ planned, ...state, perMinute, tokensPerSecond, ...timeLeft() });
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
      state.finishedNow += 1;
      state.done += 1;
      if (outcome === 'decided') state.decided += 1;
      send();
    },
    paused(reason: RunProgress['paused']) {
      state.paused = reason;
      send();
    },
    /** Trials that this run no longer does. */
    leave(trials: readonly string[]) {
      for (const trial of trials) total -= weightOf(trial);
    },
    /** The stopping rule ended the run after so many cases. */
    stopped(cases: number) {
      state.stoppedAfter = cases;
      send();
    },
    finishedNow: () => state.finishedNow,
    send,
  };
}
