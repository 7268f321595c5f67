// Where a server has no room for all models that its trials ask, calls are made in waves: as many as there are of one model, then
// those of the next, so that loading models takes a small share of the time.

/** Calls of one model in a row while calls of another one wait, at most. */
const mostInARow = 256;
/** Trials that are open at a server for its waves, at most: an interruption leaves them unfinished. */
const mostOpen = 100;
/** How many times as long as loading again the work of a wave should take. */
const workForLoading = 4;
/** Calls from which on their times are believed. */
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
 * Which of the waiting calls goes next: the first of the model that was asked last; of another one if there is none, or if
 * others have waited for long.
 * @param waiting models of the calls, in the order in which they came
 * @returns its index; 0 where all are of a model that had its turn
 */
export function nextInLine(waiting: readonly string[], { model, inARow }: Passed): number {
  const staysWithModel = inARow < mostInARow;
  return Math.max(
    0,
    waiting.findIndex((each) => (each === model) === staysWithModel),
  );
}

/** How many trials should be open at a server, learned from the times of its calls. */
export interface OpenTrials {
  /**
   * @param loadMs milliseconds that the call waited for its model to be loaded
   * @param wallMs milliseconds of the whole call
   */
  answered(model: string, loadMs: number, wallMs: number): void;
  /** Null as long as no model is loaded again and again. */
  atATime(): number | null;
}

/**
 * Each model has to be loaded once. Where it is loaded again, others took its place: then more trials are opened, so many that
 * the work between two loads takes four times as long as a load.
 * @param calls calls at a time
 */
export function openTrials(calls: number): OpenTrials {
  const known = new Set<string>();
  let last: string | null = null;
  let isFirstLoad = true;
  let open: number | null = null;
  let seen = { calls: 0, loadingMs: 0, workMs: 0 };
  return {
    answered(model, loadMs, wallMs) {
      if (model !== last) {
        isFirstLoad = !known.has(model);
        known.add(model);
        last = model;
      }
      seen.calls += 1;
      seen.loadingMs += isFirstLoad ? 0 : loadMs;
      seen.workMs += Math.max(0, wallMs - loadMs);
      const present = open ?? calls;
      if (seen.calls < Math.max(fewestCalls, present)) return;
      const times = (workForLoading * seen.loadingMs) / Math.max(1, seen.workMs);
      if (times > 1) open = Math.max(present, Math.min(mostOpen, Math.ceil(present * times)));
      seen = { calls: 0, loadingMs: 0, workMs: 0 };
    },
    atATime: () => open,
  };
}
