/** Lets at most so many through at a time; the others wait in the order in which they came. */
export interface Semaphore {
  /**
   * Resolves with the way out, to be called once. Rejects with the signal's reason when it fires first.
   * @param alone while nobody else is inside; whoever comes later waits behind
   */
  enter(signal: AbortSignal, alone?: boolean): Promise<() => void>;
  /** Who is inside or waits, as a share of those that are let through. */
  load(): number;
}

export function semaphore(most: number): Semaphore {
  let inside = 0;
  /** How to go in, and how many places it takes. */
  const waiting = new Map<() => void, number>();
  const admit = () => {
    for (const [go, places] of waiting) {
      if (inside + places > most) return;
      go();
    }
  };

  return {
    load: () => (inside + waiting.size) / most,
    enter: (signal, alone = false) =>
      new Promise((resolve, reject) => {
        const places = alone ? most : 1;
        const goIn = () => {
          inside += places;
          resolve(() => {
            inside -= places;
            admit();
          });
        };
        const giveUp = () => {
          waiting.delete(go);
          reject(signal.reason);
          admit();
        };
        const go = () => {
          waiting.delete(go);
          signal.removeEventListener('abort', giveUp);
          goIn();
        };
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        if (waiting.size === 0 && inside + places <= most) {
          goIn();
          return;
        }
        waiting.set(go, places);
        signal.addEventListener('abort', giveUp, { once: true });
      }),
  };
}
