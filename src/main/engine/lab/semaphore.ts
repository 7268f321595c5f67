import { afterPassing, nextInLine, nothingPassed } from '../../../core/schedule/waves.ts';

/** Lets at most so many calls through at a time; of those that wait, calls of the model that was asked last go first. */
export interface Semaphore {
  /** Resolves with the way out, to be called once; rejects when the signal fires. @param alone while no other call is inside */
  enter(signal: AbortSignal, model: string, alone?: boolean): Promise<() => void>;
  /** Calls inside and waiting, as a share of those that are let through. */
  load(): number;
}

interface Waiting {
  readonly model: string;
  readonly alone: boolean;
  readonly go: () => void;
}

export function semaphore(most: number): Semaphore {
  let inside = 0;
  let passed = nothingPassed;
  const waiting: Waiting[] = [];
  const placesOf = (alone: boolean) => (alone ? most : 1);
  const next = (): Waiting | undefined => {
    const alone = waiting.findIndex((each) => each.alone);
    const before = alone < 0 ? waiting : waiting.slice(0, Math.max(1, alone));
    const models = before.map(({ model }) => model);
    return before[nextInLine(models, passed)];
  };
  const admit = () => {
    for (let first = next(); first !== undefined && inside + placesOf(first.alone) <= most; first = next()) first.go();
  };

  return {
    load: () => (inside + waiting.length) / most,
    enter: (signal, model, alone = false) =>
      new Promise((resolve, reject) => {
        const places = placesOf(alone);
        const goIn = () => {
          inside += places;
          passed = afterPassing(passed, model);
          resolve(() => {
            inside -= places;
            admit();
          });
        };
        const leaveLine = () => {
          waiting.splice(waiting.indexOf(entry), 1);
          signal.removeEventListener('abort', giveUp);
        };
        const giveUp = () => {
          leaveLine();
          reject(signal.reason);
          admit();
        };
        const entry: Waiting = {
          model,
          alone,
          go() {
            leaveLine();
            goIn();
          },
        };
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        if (waiting.length === 0 && inside + places <= most) {
          goIn();
          return;
        }
        waiting.push(entry);
        signal.addEventListener('abort', giveUp, { once: true });
      }),
  };
}
