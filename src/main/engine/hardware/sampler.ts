import type { SupervisorClock } from '../service/supervisor.ts';

/** Time, as the sampler knows it. What it runs later keeps no process from ending. */
export interface Clock extends SupervisorClock {
  /** Wall time, ISO 8601. */
  stamp(): string;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  stamp: () => new Date().toISOString(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Takes samples one after the other, never two at once.
 * @param take one sample; it must not throw
 * @param interval milliseconds from one start to the next; null where no one wants any
 */
export function openSampler(clock: Clock, interval: () => number | null, take: () => Promise<void>) {
  let begun: number | null = null;
  let took = 0;
  let underWay: Promise<void> | null = null;
  let callOff: (() => void) | null = null;
  let closed = false;

  const sample = () => {
    callOff = null;
    begun = clock.now();
    const started = begun;
    underWay = take().finally(() => {
      took = clock.now() - started;
      underWay = null;
      plan();
    });
  };

  function plan(): void {
    callOff?.();
    callOff = null;
    const wanted = interval();
    if (closed || underWay !== null || wanted === null) return;
    // A tool that takes its time is left as long a rest.
    const next = begun === null ? clock.now() : begun + Math.max(wanted, 2 * took);
    const wait = next - clock.now();
    if (wait <= 0) sample();
    else callOff = clock.after(wait, sample);
  }

  return {
    /** To be called when the wanted interval may have changed: a shorter one holds at once. */
    look: plan,
    /** No further sample is begun; resolves when the one under way has ended. */
    async close() {
      closed = true;
      plan();
      await underWay;
    },
  };
}
