import { subsetKey } from '../../../core/figures/subset.ts';
import type { Standing } from '../../../shared/api/compared.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { fresh, useRead } from '../../api/ApiContext.tsx';
import { changedKey, comparedKey } from '../experiments/experimentQueries.ts';
import type { Pair } from './pair.ts';

export const pageSize = 50;

export interface CaseFilter {
  readonly standings: readonly Standing[];
  readonly search: string;
  readonly group: { readonly column: string; readonly value: string } | null;
  readonly offset: number;
}

/** The cases on which they differ, from the first. */
export const usualFilter: CaseFilter = { standings: ['a_only', 'b_only'], search: '', group: null, offset: 0 };

/** What a comparison can be of: the pair alone names the arms. */
export const partOf = ({ arms: _arms, models: _models, ...part }: Subset) => part;

export function useChanged(experiment: string, { a, b }: Pair, subset: Subset) {
  const query = { experiment, a, b, subset: partOf(subset) };
  return useRead(
    [...changedKey(experiment), [a, b, subsetKey(query.subset)]],
    (api, given) => api.experiments.changed(query, given),
    fresh,
  );
}

/** The intervals and the papers' tests of a pair, which take their time. @param enabled once the counts are there */
export function useComparison(experiment: string, pair: Pair, whole: Subset, enabled: boolean) {
  const subset = partOf(whole);
  return useRead(
    [...comparedKey(experiment), [pair, subsetKey(subset)], 'drawn'],
    (api, given) => api.experiments.compared({ experiment, ...pair, subset, limit: 1 }, given),
    { enabled, ...fresh },
  );
}

/** A pair with a page of its cases, without intervals; the page before stays while the next one is read. */
export function useCompared(experiment: string, pair: Pair, whole: Subset, { standings, search, group, offset }: CaseFilter) {
  const subset = partOf(whole);
  return useRead(
    [...comparedKey(experiment), [pair, subsetKey(subset)], standings, search, group, offset],
    (api, given) => {
      const asked = { subset, standings: [...standings], search, ...(group === null ? {} : { group }), offset };
      return api.experiments.compared({ experiment, ...pair, ...asked, resampled: false, limit: pageSize }, given);
    },
    {
      placeholderData: (before, query) =>
        JSON.stringify(query?.queryKey[3]) === JSON.stringify([pair, subsetKey(subset)]) ? before : undefined,
      ...fresh,
    },
  );
}
