import type { Settings } from '../../../shared/api/engine.ts';

export type Change = Partial<Settings>;

/** The same keys with the values that they have now: what undoes a change. */
export function inverseOf(change: Change, now: Settings): Change {
  const keys = Object.keys(change) as (keyof Settings)[];
  return Object.fromEntries(keys.map((key) => [key, now[key]]));
}
