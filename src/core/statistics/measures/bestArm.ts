// The most accurate arm, without the advantage of having been chosen among several on the same cases.
import type { Finding, Resampling } from '../../../shared/statistics.ts';
import { bestOf } from '../bestOf.ts';
import type { Contender } from './comparisons.ts';

type Best = NonNullable<Finding['best']>;

/** The best arm except for its upper end, which is that of the arm by itself: its choice makes it no lower. */
export type BestArm = Omit<Best, 'high'>;

/**
 * The best of the arms with a tried case; null where there are not two to choose from, they do not have the same cases, or no
 * resamples were asked for.
 */
export function bestArm(arms: readonly Contender[], resampling: Resampling): BestArm | null {
  const some = arms.filter(({ cases }) => cases.length > 0);
  if (some.length < 2 || resampling.resamples === 0) return null;
  const ids = [...new Set(some.flatMap(({ cases }) => cases))];
  if (some.some(({ cases }) => cases.length < ids.length)) return null;
  const candidates = some.map(({ cases, tried }) => {
    const byCase = new Map(cases.map((id, place) => [id, tried[place]?.right]));
    return Float64Array.from(ids, (id) => byCase.get(id) ?? Number.NaN);
  });
  const found = bestOf(candidates, resampling);
  if (found === null) return null;
  const { place, value, corrected, low } = found;
  const { level, resamples, seed } = resampling;
  return { arm: some[place]?.name ?? '', of: some.length, value, corrected, low, level, resamples, seed };
}
