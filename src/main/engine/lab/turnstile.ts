/** Lets at most so many through at a time; the others wait in the order in which they came. */
export interface Turnstile {
  /** Resolves with the way out, to be called once. Rejects with the signal's reason when it fires first. */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function turnstile(most: number): Turnstile {
  let inside = 0;
  const waiting = new Set<() => void>();

  const leave = () => {
    inside -= 1;
    const [next] = waiting;
    next?.();
  };

  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        const giveUp = () => {
          waiting.delete(go);
          reject(signal.reason);
        };
        const go = () => {
          waiting.delete(go);
          signal.removeEventListener('abort', giveUp);
          inside += 1;
          resolve(leave);
        };
        if (signal.aborted) reject(signal.reason);
        else if (inside < most) go();
        else {
          waiting.add(go);
          signal.addEventListener('abort', giveUp, { once: true });
        }
      }),
  };
}
