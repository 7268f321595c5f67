/** Time, as the sampler knows it. */
export interface Clock {
  /** Milliseconds that only ever grow. */
  now(): number;
  /** Wall time, ISO 8601. */
  stamp(): string;
  /** Calls back once; returns what calls it off. It keeps no process from ending. */
  after(milliseconds: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  stamp: () => new Date().toISOString(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
