import { z } from 'zod';
import { isEverything } from '../../../core/figures/subset.ts';
import { armAnswerSchema, caseFactSchema, caseOrders, mostFacts } from '../../../shared/api/caseTable.ts';
import { type TrialQuery, trialOrders, trialQueues } from '../../../shared/api/experiments.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { outcomes } from '../../../shared/domain.ts';
import type { TrialsBehind } from '../../charts/kit/figure.ts';

export const any = 'any';
/** No label is empty; one may be called `any`. */
export const noLabel = '';
export const filterSchema = z.strictObject({
  queue: z.enum([any, ...trialQueues]).default(any),
  outcome: z.enum([any, 'running', ...outcomes]).default(any),
  correct: z.enum([any, 'correct', 'wrong']).default(any),
  /** A label, or `noLabel`. */
  verdict: z.string().max(2000).default(noLabel),
  order: z.enum(trialOrders).default('newest'),
  search: z.string().max(200).default(''),
  /** Whether the list has a row for each trial, or for each case with the answers of all arms; what is below is of these. */
  rows: z.enum(['trials', 'cases']).default('trials'),
  disagree: z.boolean().default(false),
  caseOrder: z.enum(caseOrders).default('sample'),
  answers: z.array(armAnswerSchema).max(200).default([]),
  facts: z.array(caseFactSchema).max(mostFacts).default([]),
  untried: z.boolean().default(false),
});
export type Filter = z.infer<typeof filterSchema>;

export const noFilter: Filter = filterSchema.parse({});

/** The part of a request that the filter makes; absent parts do not filter. */
export function queryOf({
  queue,
  outcome,
  correct,
  verdict,
  order,
  search,
}: Filter): Omit<TrialQuery, 'experiment' | 'offset' | 'limit'> {
  return {
    order,
    ...(queue === any ? {} : { queue }),
    ...(outcome === any ? {} : outcome === 'running' ? { status: 'running' as const } : { outcome }),
    ...(correct === any ? {} : { correct: correct === 'correct' }),
    ...(verdict === noLabel ? {} : { prediction: verdict }),
    ...(search === '' ? {} : { search }),
  };
}

type Filtering = ReturnType<typeof queryOf>;

/** The request of a filter among trials that other conditions leave; where both say something else, there are none. */
export function queryWithin(query: Filtering, within: TrialsBehind): Filtering {
  const keys = ['queue', 'status', 'outcome', 'correct', 'prediction', 'search'] as const;
  const isContrary = keys.some((key) => query[key] !== undefined && within[key] !== undefined && query[key] !== within[key]);
  return { ...within, ...query, ...(isContrary ? { trials: [] } : {}) };
}

/** What an empty cell means in the table of cases: in a part, trials outside it are not looked at. */
export const noTrialText = (subset: Subset): string =>
  isEverything(subset)
    ? '– marks an arm that has begun no trial of the case.'
    : '– marks an arm that has no trial of the case in this part.';

/** What of a filter is not as usual: what an address has to say of it. */
export const changedIn = (filter: Filter): Partial<Filter> =>
  Object.fromEntries(
    Object.entries(filter).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(noFilter[key as keyof Filter])),
  );

export const emptyText = (what: 'trial' | 'case', isFiltered: boolean, underWay: boolean): string =>
  isFiltered
    ? `No ${what} fits. Clear the filter to see all.`
    : underWay
      ? 'The first trial is about to begin.'
      : 'No trial has begun.';
