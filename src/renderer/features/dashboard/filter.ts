import { z } from 'zod';
import { percent } from '../../../core/figures/shares.ts';
import { bothSubsets, isEverything, subsetText, valuesIn } from '../../../core/figures/subset.ts';
import { trialQuerySchema } from '../../../shared/api/experiments.ts';
import { type Subset, subsetSchema } from '../../../shared/api/subset.ts';
import { toExperiment } from '../../app/routes.ts';
import { type Counted, countedUnits, type TrialsBehind } from '../../charts/kit/figure.ts';
import { quantity } from '../../ui/quantity.ts';
import { type Pair, pairIn, writePair } from '../compare/pair.ts';
import { queueText } from '../experiments/queueTexts.ts';
import { any, changedIn, type Filter, filterSchema, noFilter, noLabel } from '../experiments/trialFilter.ts';

export const parts = ['overview', 'figures', 'compare', 'trials'] as const;
export type Part = (typeof parts)[number];

const behindSchema = trialQuerySchema.omit({ experiment: true, order: true, offset: true, limit: true }).extend({
  counts: z.strictObject({ n: z.int().min(0), of: z.enum(countedUnits) }).optional(),
  pair: z.strictObject({ a: z.string().max(200), b: z.string().max(200), baseline: z.boolean() }).optional(),
});

/** The part of an experiment in view. It is in the address, so that it can be shared and returned to. */
export interface DashboardFilter {
  readonly part: Part;
  readonly subset: Subset;
  /** Trials of a mark of a figure. */
  readonly behind: { readonly trials: TrialsBehind; readonly figure: string; readonly title: string } | null;
  /** The filter of the list of trials; absent where it has none. */
  readonly list?: Filter;
  /** What is compared; absent where nothing is chosen. */
  readonly pair?: Pair;
}

const lists = {
  arm: 'arms',
  model: 'models',
  outcome: 'outcomes',
  known: 'known',
  truth: 'truths',
  first: 'first',
  paired: 'paired',
} as const;
const groupPrefix = 'group.';

const parsedJson = (text: string | null): unknown => {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
};

/** The conditions of an address; a value that cannot be one is left out, and no other with it. */
function subsetIn(values: URLSearchParams): Subset {
  let found: Subset = {};
  const add = (key: string, condition: (some: string[]) => object) => {
    const right = values.getAll(key).filter((value) => subsetSchema.safeParse(condition([value])).success);
    const all = subsetSchema.safeParse({ ...found, ...condition(right) });
    if (right.length > 0 && all.success) found = all.data;
  };
  for (const [key, list] of Object.entries(lists)) add(key, (some) => ({ [list]: some }));
  for (const key of new Set(values.keys())) {
    const column = key.slice(groupPrefix.length);
    // What checks the conditions knows no column of this name.
    if (!key.startsWith(groupPrefix) || column === '__proto__') continue;
    add(key, (some) => ({ groups: { ...found.groups, [column]: some } }));
  }
  return found;
}

/** The filter of the list, and the conditions that addresses of earlier versions have in it: arm, first answer and group. */
function listIn(values: URLSearchParams) {
  const { arm = any, first = noLabel, group = null, ...own } = Object(parsedJson(values.get('list')));
  const subset = subsetSchema.safeParse({
    ...(arm === any ? {} : { arms: [arm] }),
    ...(first === noLabel ? {} : { first: [first] }),
    ...(Array.isArray(group) ? { groups: { [group[0]]: [group[1]] } } : {}),
  });
  return { list: filterSchema.safeParse({ ...noFilter, ...own }), subset: subset.success ? subset.data : {} };
}

/** What an address says; what it says wrongly is left out. @param state the last part of the address, as written */
export function parseFilter(part: string | undefined, state: string | undefined): DashboardFilter {
  const values = new URLSearchParams(state ?? '');
  const behind = behindSchema.safeParse(parsedJson(values.get('behind')));
  const pair = pairIn(values);
  const { list, subset } = listIn(values);
  return {
    part: parts.find((each) => each === part) ?? 'overview',
    subset: bothSubsets(subsetIn(values), subset),
    behind: behind.success
      ? { trials: behind.data, figure: values.get('figure') ?? '', title: values.get('title')?.slice(0, 300) ?? '' }
      : null,
    ...(list.success && values.has('list') ? { list: list.data } : {}),
    ...(pair === null ? {} : { pair }),
  };
}

/** What an address says of a look, after experiment and part. */
export function stateOf({ part, subset, behind, list, pair }: DashboardFilter): string {
  const values = new URLSearchParams();
  for (const [key, list] of Object.entries(lists)) for (const value of subset[list] ?? []) values.append(key, value);
  for (const [column, some] of Object.entries(subset.groups ?? {})) {
    for (const value of some) values.append(`${groupPrefix}${column}`, value);
  }
  if (behind !== null) {
    values.set('behind', JSON.stringify(behind.trials));
    values.set('figure', behind.figure);
    values.set('title', behind.title);
  }
  const changed = changedIn(list ?? noFilter);
  if (Object.keys(changed).length > 0) values.set('list', JSON.stringify(changed));
  if (pair !== undefined && part === 'compare') writePair(values, pair);
  return values.toString();
}

/** The address of a look. */
export function toFiltered(experiment: string, look: DashboardFilter): string {
  const { part } = look;
  const state = stateOf(look);
  if (state === '') return part === 'overview' ? toExperiment(experiment) : `${toExperiment(experiment)}/${part}`;
  return `${toExperiment(experiment)}/${part}/${state}`;
}

export type List = (typeof lists)[keyof typeof lists];

const toggled = <Value>(values: readonly Value[] | undefined, value: Value): Value[] | undefined => {
  const next = values?.includes(value) ? values.filter((each) => each !== value) : [...(values ?? []), value];
  return next.length === 0 ? undefined : next;
};

const given = <Whole extends object>(whole: Whole): Whole =>
  Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) as Whole;

/** The subset with a value added or taken out; without the last value of a list, that condition is gone. */
export function withToggled(subset: Subset, list: List, value: string): Subset {
  const changed = subsetSchema.safeParse(given({ ...subset, [list]: toggled<string>(subset[list], value) }));
  return changed.success ? changed.data : subset;
}

export function withGroupToggled(subset: Subset, column: string, value: string): Subset {
  const groups = given({ ...subset.groups, [column]: toggled(valuesIn(subset, column), value) });
  const { groups: _before, ...rest } = subset;
  return Object.keys(groups).length === 0 ? rest : { ...rest, groups: groups as Record<string, string[]> };
}

/** The part of such a request that the dashboard can be narrowed to; null where there is none. */
export function subsetBehind({ arm, outcome, subset }: TrialsBehind): Subset | null {
  const own = {
    ...(arm === undefined ? {} : { arms: [arm] }),
    ...(outcome === undefined ? {} : { outcomes: [outcome] }),
  };
  const both = bothSubsets(own, subset);
  return isEverything(both) ? null : both;
}

/** A request for the trials behind a mark of a figure that was drawn over a subset; what the mark says of them is no part of it. */
export function withinSubset(
  { arm, outcome, subset, counts: _counts, pair: _pair, ...rest }: TrialsBehind,
  within: Subset,
): Omit<TrialsBehind, 'counts' | 'pair'> {
  const narrowed = bothSubsets(subsetBehind({ arm, outcome, subset }) ?? {}, within);
  return isEverything(narrowed) ? rest : { ...rest, subset: narrowed };
}

/** Such a request in words, for the chip over the list. */
export function behindText({
  correct,
  prediction,
  truth,
  first,
  ambiguous,
  confidence,
  trials,
  queue,
  status,
  search,
  matched,
  counts: _counts,
  pair: _pair,
  ...rest
}: TrialsBehind): string {
  const subset = subsetBehind(rest);
  const words = [
    subset === null ? null : subsetText(subset),
    queue === undefined ? null : queueText(queue).title.toLowerCase(),
    status === undefined ? null : status === 'done' ? 'finished' : status,
    correct === undefined ? null : correct === null ? 'truth not known' : correct ? 'correct' : 'wrong',
    prediction === undefined ? null : `verdict ${prediction}`,
    matched === undefined
      ? null
      : `of a ${matched.by === 'case' ? 'case' : 'case and replicate'} that ${matched.arms.join(' and ')} have`,
    truth === undefined ? null : `truth ${truth}`,
    first === undefined ? null : `first answer ${first}`,
    ambiguous === undefined ? null : ambiguous ? 'ambiguous' : 'not ambiguous',
    confidence === undefined ? null : `confidence ${percent(confidence.from)} to ${percent(confidence.to)}`,
    trials === undefined ? null : `${trials.length} named`,
    search === undefined ? null : `case holds ${search}`,
  ];
  return words.filter((each) => each !== null).join('; ') || 'all trials';
}

/** What a mark counts, where that is not as many trials as its list has; null where it is. @param listed trials of the list */
export function countedText(counts: Counted | undefined, listed: number): string | null {
  if (counts === undefined) return null;
  const { n, of } = counts;
  if (of === 'trials') {
    return n === listed
      ? null
      : `The mark counts ${quantity(n, 'trial')}: not every one of them is known by its name, or more have ended since.`;
  }
  const singular = {
    cases: 'case',
    speeches: 'speech',
    pairs: 'pair',
    'pairs of replicates': 'pair of replicates',
    sheets: 'sheet',
  } as const;
  const which = listed === 1 ? 'this is the trial' : 'these are the trials';
  return `The mark counts ${quantity(n, singular[of], of)}: ${which} that ${n === 1 ? 'it is' : 'they are'} of.`;
}
