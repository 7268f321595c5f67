import { z } from 'zod';
import { bothSubsets, isEverything, subsetText, valuesIn } from '../../../core/figures/subset.ts';
import { trialQuerySchema } from '../../../shared/api/experiments.ts';
import { type ShareRange, type Subset, subsetSchema } from '../../../shared/api/subset.ts';
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
const beliefPrefix = 'belief.';
const rangeText = ({ from, to }: ShareRange) => `${from}..${to}`;

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
  const addRange = (key: string, condition: (range: { from: number; to: number }) => object) => {
    const [from = Number.NaN, to = Number.NaN] = values.get(key)?.split('..').map(Number) ?? [];
    const all = subsetSchema.safeParse({ ...found, ...condition({ from, to }) });
    if (all.success) found = all.data;
  };
  addRange('confidence', (confidence) => ({ confidence }));
  for (const key of new Set(values.keys())) {
    const label = key.slice(beliefPrefix.length);
    if (key.startsWith(beliefPrefix) && label !== '__proto__') {
      addRange(key, (range) => ({ beliefs: { ...found.beliefs, [label]: range } }));
    }
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
  return { list: filterSchema.safeParse(own), subset: subset.success ? subset.data : {} };
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

export function stateOf({ part, subset, behind, list, pair }: DashboardFilter): string {
  const values = new URLSearchParams();
  for (const [key, list] of Object.entries(lists)) for (const value of subset[list] ?? []) values.append(key, value);
  for (const [column, some] of Object.entries(subset.groups ?? {})) {
    for (const value of some) values.append(`${groupPrefix}${column}`, value);
  }
  if (subset.confidence !== undefined) values.set('confidence', rangeText(subset.confidence));
  for (const [label, range] of Object.entries(subset.beliefs ?? {})) values.set(`${beliefPrefix}${label}`, rangeText(range));
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

/** The subset with another range of the stated confidence, or of the probability of a label; without the range where it is null. */
export function withRange(subset: Subset, label: string | null, range: ShareRange | null): Subset {
  const { confidence: _before, beliefs, ...rest } = subset;
  const { [label ?? '']: _range, ...others } = beliefs ?? {};
  const changed = label === null ? (beliefs ?? {}) : { ...others, ...(range === null ? {} : { [label]: range }) };
  const confidence = label === null ? (range ?? undefined) : subset.confidence;
  return {
    ...rest,
    ...(confidence === undefined ? {} : { confidence }),
    ...(Object.keys(changed).length === 0 ? {} : { beliefs: changed }),
  };
}

/** Such a request split into what a subset can say and the rest. */
function splitBehind({ arm, outcome, confidence, truth, first, subset, ...rest }: TrialsBehind) {
  const own = {
    ...(arm === undefined ? {} : { arms: [arm] }),
    ...(outcome === undefined ? {} : { outcomes: [outcome] }),
    ...(truth === undefined ? {} : { truths: [truth] }),
    ...(first === undefined ? {} : { first: [first] }),
    ...(confidence === undefined ? {} : { confidence }),
  };
  return { part: bothSubsets(own, subset), rest };
}

/** The subset with exactly the finished trials of such a request; null where there is none. */
export function subsetBehind(behind: TrialsBehind): Subset | null {
  const { part, rest } = splitBehind(behind);
  const { counts: _counts, pair: _pair, status, ...others } = rest;
  return isEverything(part) || status === 'running' || Object.keys(others).length > 0 ? null : part;
}

/** A request for the trials behind a mark of a figure that was drawn over a subset; what the mark says of them is no part of it. */
export function withinSubset(behind: TrialsBehind, within: Subset): Omit<TrialsBehind, 'counts' | 'pair'> {
  const {
    part,
    rest: { counts: _counts, pair: _pair, ...rest },
  } = splitBehind(behind);
  const narrowed = bothSubsets(part, within);
  return isEverything(narrowed) ? rest : { ...rest, subset: narrowed };
}

export function behindText(behind: TrialsBehind): string {
  const { part, rest } = splitBehind(behind);
  const { correct, prediction, ambiguous, trials, queue, status, search, matched } = rest;
  const words = [
    isEverything(part) ? null : subsetText(part),
    queue === undefined ? null : queueText(queue).title.toLowerCase(),
    status === undefined ? null : status === 'done' ? 'finished' : status,
    correct === undefined ? null : correct === null ? 'truth not known' : correct ? 'correct' : 'wrong',
    prediction === undefined ? null : `verdict ${prediction}`,
    matched === undefined
      ? null
      : `of a ${matched.by === 'case' ? 'case' : 'case and replicate'} that ${matched.arms.join(' and ')} have`,
    ambiguous === undefined ? null : ambiguous ? 'ambiguous' : 'not ambiguous',
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
