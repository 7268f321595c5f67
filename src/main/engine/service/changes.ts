import { randomBytes } from 'node:crypto';
import type { Changes, TrialListener } from './service.ts';

/** Changes of trials that are remembered for screens that fell behind. */
const mostRemembered = 20_000;

/** Listeners by name; those of a name that nobody listens to any more are forgotten. */
function listenersByName<Listener>() {
  const all = new Map<string, Set<Listener>>();
  return {
    of: (name: string): Iterable<Listener> => all.get(name) ?? [],
    has: (name: string) => all.has(name),
    add(name: string, listener: Listener): () => void {
      const mine = all.get(name) ?? new Set();
      all.set(name, mine.add(listener));
      return () => {
        mine.delete(listener);
        if (mine.size === 0) all.delete(name);
      };
    },
  };
}

/** Tells streams what changed. Cursors are valid within one engine process. */
export function openChangeLog(incarnation: number): Changes {
  const epoch = `${incarnation}-${randomBytes(4).toString('hex')}`;
  const trials = listenersByName<TrialListener>();
  const experiments = listenersByName<() => void>();
  const statusListeners = new Set<() => void>();
  let remembered: { experiment: string; trial: string }[] = [];
  /** Number of the first remembered change. */
  let first = 0;

  const cursorAt = (place: number) => `${epoch}:${place}`;
  const placeOf = (cursor: string): number | null => {
    const [of, digits = ''] = cursor.split(':');
    const place = /^\d{1,15}$/.test(digits) ? Number(digits) : null;
    return of === epoch && place !== null && place >= first && place <= first + remembered.length ? place : null;
  };
  const status = () => {
    for (const listener of statusListeners) listener();
  };

  return {
    trial(experiment, trial, what) {
      if (what === 'line') {
        remembered.push({ experiment, trial });
        if (remembered.length > 2 * mostRemembered) {
          first += remembered.length - mostRemembered;
          remembered = remembered.slice(-mostRemembered);
        }
        for (const listener of experiments.of(experiment)) listener();
      }
      for (const listener of trials.of(trial)) listener(what);
    },
    tokens(trial, key, role, text) {
      for (const listener of trials.of(trial)) listener({ key, role, text });
    },
    watched: (trial) => trials.has(trial),
    status,
    onTrial: (trial, listener) => trials.add(trial, listener),
    onExperiment: (experiment, listener) => experiments.add(experiment, listener),
    onStatus(listener) {
      statusListeners.add(listener);
      return () => void statusListeners.delete(listener);
    },
    cursor: () => cursorAt(first + remembered.length),
    after(cursor, experiment, most) {
      const place = placeOf(cursor);
      if (place === null) return null;
      const changed = new Set<string>();
      let index = place - first;
      for (; index < remembered.length && changed.size < most; index++) {
        const change = remembered[index];
        if (change?.experiment === experiment) changed.add(change.trial);
      }
      return { trials: [...changed], cursor: cursorAt(first + index) };
    },
  };
}
