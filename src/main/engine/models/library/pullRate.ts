import type { PullLine } from './pullLines.ts';

/**
 * How fast a pull goes: an exponential moving average over `settleMs`, r := r + (1 - exp(-dt / settle)) (d/dt - r), fed at
 * most twice a second. What the server had of a layer when it was first told of is not counted as fetched. Null until a
 * second has been seen. Times are milliseconds of a clock that never goes back.
 */
const settleMs = 8000;
const leastStepMs = 500;
const leastSeenMs = 1000;

export class PullRate {
  readonly #layers = new Map<string, number>();
  readonly #startedAt: number;
  #fetched = 0;
  #counted = 0;
  #countedAt: number;
  #rate: number | null = null;

  /** One for each connection. */
  constructor(now: number) {
    this.#startedAt = now;
    this.#countedAt = now;
  }

  see({ digest, completed }: PullLine, now: number): void {
    if (digest !== undefined) {
      const before = this.#layers.get(digest);
      if (before !== undefined) this.#fetched += Math.max(0, completed - before);
      this.#layers.set(digest, completed);
    }
    const elapsed = now - this.#countedAt;
    if (elapsed < leastStepMs) return;
    const recent = ((this.#fetched - this.#counted) / elapsed) * 1000;
    const before = this.#rate ?? recent;
    this.#rate = before + (1 - Math.exp(-elapsed / settleMs)) * (recent - before);
    this.#counted = this.#fetched;
    this.#countedAt = now;
  }

  /** Bytes a second. */
  bytesPerSecond(now: number): number | null {
    return now - this.#startedAt < leastSeenMs ? null : this.#rate;
  }

  /** Bytes that this connection has brought. */
  get fetched(): number {
    return this.#fetched;
  }
}

/** Seconds until `bytes` are there; null where nobody can tell. */
export function secondsLeft(bytes: number, rate: number | null): number | null {
  return rate === null || rate < 1 ? null : bytes / rate;
}
