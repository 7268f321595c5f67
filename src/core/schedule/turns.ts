// Trials of other models begin where there is room for all of them. Where there is none, they wait until those under way have ended:
// else the server would load a model for nearly every call.
import type { Models } from './order.ts';

/** Loads that it takes to find out that models do not fit together: of the other one, and of the first once more. */
const loadsToTry = 2;

/** What is known of the servers. */
export interface KnownMemory {
  /** Whether these models stay loaded together; null where it is not known. */
  fits(models: Models): boolean | null;
  /** How long a model takes to load, in milliseconds; null before the first answer. */
  loadMs(): number | null;
}

/**
 * Which trials have their turn. As long as it is not known whether models fit together, places stay free, and models are tried
 * together once that has cost as much time as the attempt would. So a run loses at most about twice what it would with the
 * knowledge.
 * @param places trials at a time
 */
export function turns(places: number, { fits, loadMs }: KnownMemory) {
  /** Trials under way, by their models, in the order in which they began. One set of models is always the same object. */
  const open = new Map<Models, number>();
  let idleMs = 0;
  let idle: { readonly sinceMs: number; readonly share: number } | null = null;
  /** Models are tried in steps of twice as many: of many at once it would not show which had no room. */
  const isTried = (present: Models, all: Models): boolean =>
    all.size <= 2 * present.size && fits(present) !== null && idleMs >= loadsToTry * (loadMs() ?? Number.POSITIVE_INFINITY);
  const isWith = (present: Models, models: Models): boolean => {
    if (present.size === 0 || models.isSubsetOf(present)) return true;
    const all = present.union(models);
    return fits(all) ?? isTried(present, all);
  };
  /** Models that are asked: those of the oldest trials, and all that fit with them. */
  const present = (): Models => {
    let all: Models = new Set();
    for (const models of open.keys()) if (isWith(all, models)) all = all.union(models);
    return all;
  };
  return {
    /** @returns the place of the first trial that can begin, of those that wait; -1 where none can */
    next(waiting: readonly Models[], atMs: number): number {
      if (idle !== null) idleMs += (atMs - idle.sinceMs) * idle.share;
      idle = null;
      const now = present();
      const next = waiting.findIndex((models) => isWith(now, models));
      const free = places - [...open.values()].reduce((sum, count) => sum + count, 0);
      if (next < 0 && free > 0) idle = { sinceMs: atMs, share: free / places };
      return next;
    },
    begin(models: Models): void {
      open.set(models, (open.get(models) ?? 0) + 1);
    },
    end(models: Models): void {
      const left = (open.get(models) ?? 1) - 1;
      if (left === 0) open.delete(models);
      else open.set(models, left);
    },
    /** Whether a trial under way can make its next call. */
    hasTurn: (models: Models): boolean => open.size === 1 || models.isSubsetOf(present()),
  };
}

export type Turns = ReturnType<typeof turns>;
