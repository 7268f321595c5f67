import { randomBytes } from 'node:crypto';
import type { Writing } from '../../../shared/longCalls.ts';
import type { CallListener } from '../lab/countedCalls.ts';

/** Called when a trial begins or ends, when its chain grows, or when what is being written does. */
type TrialListener = (what: 'line' | 'events' | 'writing') => void;

/** Changes of trials that are remembered for screens that fell behind. */
const mostRemembered = 20_000;

/** Listeners by name; a name without listeners is forgotten. */
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

/** Informs streams of changes. Cursors are valid within one engine process. Every `on…` returns what ends the listening. */
export function openChangeLog(incarnation: number) {
  const epoch = `${incarnation}-${randomBytes(4).toString('hex')}`;
  const trials = listenersByName<TrialListener>();
  /** By experiment, and of all by no name. */
  const experiments = listenersByName<(experiment: string, trial: string) => void>();
  const statuses = listenersByName<() => void>();
  /** By trial, and by key of the call. */
  const calls = new Map<string, Map<string, Writing>>();
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
    for (const listener of statuses.of('')) listener();
  };

  return {
    /** A trial began or ended, or its chain grew. */
    trial(experiment: string, trial: string, what: 'line' | 'events'): void {
      if (what === 'line') {
        remembered.push({ experiment, trial });
        if (remembered.length > 2 * mostRemembered) {
          first += remembered.length - mostRemembered;
          remembered = remembered.slice(-mostRemembered);
        }
        for (const name of [experiment, '']) for (const listener of experiments.of(name)) listener(experiment, trial);
      }
      for (const listener of trials.of(trial)) listener(what);
    },
    /** Follows a call of a trial until it ends. */
    call(trial: string, call: Pick<Writing, 'key' | 'role' | 'idleSeconds' | 'isAskedAgain'>): CallListener {
      const mine = calls.get(trial) ?? new Map<string, Writing>();
      calls.set(trial, mine);
      let writing: Writing = { ...call, text: '', pieces: 0, sentAt: null };
      const change = (news: Partial<Writing>) => {
        writing = { ...writing, ...news };
        mine.set(call.key, writing);
        for (const listener of trials.of(trial)) listener('writing');
      };
      return {
        // After an outage the answer starts again.
        underWay: (is) => change(is ? { text: '', pieces: 0, sentAt: Date.now() } : { sentAt: null }),
        text: (text) => change({ text, pieces: writing.pieces + 1 }),
        end() {
          mine.delete(call.key);
          if (mine.size === 0) calls.delete(trial);
        },
      };
    },
    /** What is being written in a trial; what has not changed is the same object. */
    writing: (trial: string): readonly Writing[] => [...(calls.get(trial)?.values() ?? [])],
    /** Whether anybody follows it: a stream that has ended leaves no listener. */
    watched: (trial: string): boolean => trials.has(trial),
    status,
    onTrial: (trial: string, listener: TrialListener) => trials.add(trial, listener),
    onExperiment: (experiment: string, listener: () => void) => experiments.add(experiment, listener),
    onLines: (listener: (experiment: string, trial: string) => void) => experiments.add('', listener),
    onStatus: (listener: () => void) => statuses.add('', listener),
    /** The present place among the changes of trials. */
    cursor: (): string => cursorAt(first + remembered.length),
    /** At most `most` trials changed after a place, and the place of that; null for another engine process or too long ago. */
    after(cursor: string, experiment: string, most: number): { trials: string[]; cursor: string } | null {
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

export type Changes = ReturnType<typeof openChangeLog>;
