// Where a server has no room for all models that its trials ask, calls are made in waves: as many as there are of one model, then
// those of the next, so that loading models takes a small share of the time.
import type { TimedAnswer } from './memory.ts';

/** Calls of one model in a row while calls of another one wait, at most. */
const mostInARow = 256;
/** Trials that are opened for waves, at most: an interruption leaves them unfinished. */
const mostOpen = 100;
/** How many times as long as loading again the work of a wave should take. */
const workForLoading = 4;
const fewestCalls = 8;

/** The model of the last call that went through, and how many calls of it did in a row. */
export interface Passed {
  readonly model: string | null;
  readonly inARow: number;
}

export const nothingPassed: Passed = { model: null, inARow: 0 };

export const afterPassing = ({ model, inARow }: Passed, next: string): Passed => ({
  model: next,
  inARow: next === model ? inARow + 1 : 1,
});

/**
 * Which of the waiting calls goes next: the first of the model that was asked last; else, or after 256 of one model, the first of
 * another model.
 * @param waiting models of the calls, in the order in which they came
 * @returns its index; 0 if only calls of the model are left that should let others go first
 */
export function nextInLine(waiting: readonly string[], { model, inARow }: Passed): number {
  const staysWithModel = inARow < mostInARow;
  return Math.max(
    0,
    waiting.findIndex((each) => (each === model) === staysWithModel),
  );
}

/**
 * How many trials should be open, learned from the times of their calls. Where a server loads a model again, others took its
 * place: then more trials are opened, so many that the work between two loads takes four times as long as a load.
 * @param calls calls at a time, or trials at a time if they are more
 */
export function openTrials(calls: number) {
  let open: number | null = null;
  let seen = { calls: 0, loadingMs: 0, workMs: 0 };
  return {
    /** @param isAgain whether the call waited for a model that was loaded again, and its trial asks several */
    answered({ loadMs, wallMs }: Pick<TimedAnswer, 'loadMs' | 'wallMs'>, isAgain: boolean) {
      seen.calls += 1;
      seen.loadingMs += isAgain ? loadMs : 0;
      seen.workMs += Math.max(0, wallMs - loadMs);
      const present = open ?? calls;
      if (seen.calls < Math.max(fewestCalls, present)) return;
      const times = (workForLoading * seen.loadingMs) / Math.max(1, seen.workMs);
      if (times > 1) open = Math.max(present, Math.min(mostOpen, Math.ceil(present * times)));
      seen = { calls: 0, loadingMs: 0, workMs: 0 };
    },
    /** Null as long as no model is loaded again and again. */
    atATime: () => open,
  };
}
