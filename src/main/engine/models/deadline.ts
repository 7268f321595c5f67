/** A timer that fires this much too late has slept with the machine. */
const sleepMs = 30_000;
/** One that fires this much too late was held up with the whole program, and what a server sent meanwhile is not read yet. */
const heldUpMs = 1000;
/** Node fires a timer that is set for longer than this at once. */
const longestTimerMs = 2 ** 31 - 1;

const beatMs = 5_000;

export type SleepWatch = ReturnType<typeof watchSleep>;

/** Notices from now on whether the machine sleeps: that shows in a timer that fires late, or is overdue. */
export function watchSleep() {
  let beatAt = Date.now();
  let slept = false;
  const beat = () => {
    const now = Date.now();
    if (now - beatAt > beatMs + sleepMs) slept = true;
    beatAt = now;
  };
  const timer = setInterval(beat, beatMs).unref();
  return {
    /** Whether it has slept since this was asked last. */
    slept() {
      // What the machine wakes to can come before the timer does.
      beat();
      const found = slept;
      slept = false;
      return found;
    },
    stop: () => clearInterval(timer),
  };
}

/** Why what is left of a call ends with it. Made once: a new error for each call would cost more than the rest here. */
const isOver = new DOMException('the call is over', 'AbortError');

/**
 * Limits one call. The total time runs from the start; the idle time only from the first sign of an
 * answer on, since a queued request is rightly silent. Where the machine slept or the program was stopped when the time ran
 * out, it gets as much time again as it was late, and at most the whole time.
 * @param totalMs longest time for the whole call
 * @param idleMs longest silence inside an answer
 */
export function startDeadline(outer: AbortSignal, totalMs: number, idleMs: number) {
  const controller = new AbortController();
  let expired: 'total' | 'idle' | null = null;

  const arm = (kind: 'total' | 'idle', limitMs: number) => {
    const usualMs = Math.min(limitMs, longestTimerMs);
    let timer: NodeJS.Timeout;
    let dueAt: number;
    let isUsual = true;
    const start = (ms: number) => {
      dueAt = Date.now() + ms;
      isUsual = ms === usualMs;
      timer = setTimeout(() => {
        const lateMs = Date.now() - dueAt;
        if (lateMs > heldUpMs) start(Math.min(limitMs, lateMs, longestTimerMs));
        else {
          expired ??= kind;
          controller.abort(isOver);
        }
      }, ms);
    };
    start(usualMs);
    const clear = () => clearTimeout(timer);
    return {
      clear,
      /** The whole time again: for every piece of an answer, so without a new timer. */
      again() {
        if (isUsual) {
          dueAt = Date.now() + usualMs;
          timer.refresh();
        } else {
          clear();
          start(usualMs);
        }
      },
    };
  };

  const total = arm('total', totalMs);
  let idle: ReturnType<typeof arm> | null = null;
  const stop = () => controller.abort(isOver);
  if (outer.aborted) stop();
  else outer.addEventListener('abort', stop, { once: true });

  return {
    /** Fires when time is up or the outer signal does. */
    signal: controller.signal,
    /** What ran out; null while nothing has. */
    expired: () => expired,
    /** The answer has moved: the idle time starts again. */
    touch() {
      if (idle === null) idle = arm('idle', idleMs);
      else idle.again();
    },
    /** Stops the clocks, and anything that still runs under the signal. */
    clear() {
      total.clear();
      idle?.clear();
      outer.removeEventListener('abort', stop);
      stop();
    },
  };
}
