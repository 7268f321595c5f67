import type { Subset } from '../../shared/api/subset.ts';
import type { TrialLine } from '../../shared/trialLine.ts';

type Line = Pick<TrialLine, 'arm' | 'models' | 'groups' | 'outcome'>;

/** Whether nothing is left out: no condition is given. An empty list is a condition that nothing meets. */
export const isEverything = (subset: Subset | undefined): boolean =>
  subset === undefined ||
  (subset.arms === undefined &&
    subset.models === undefined &&
    subset.outcomes === undefined &&
    Object.keys(subset.groups ?? {}).length === 0);

/** Whether a trial meets every condition of a subset. A case without a value in a column meets none on that column. */
export function fitsSubset({ arm, models, groups, outcome }: Line, subset: Subset | undefined): boolean {
  if (subset === undefined) return true;
  if (subset.arms !== undefined && !subset.arms.includes(arm)) return false;
  if (subset.models !== undefined && !models.some((model) => subset.models?.includes(model))) return false;
  if (subset.outcomes !== undefined && (outcome === null || !subset.outcomes.includes(outcome))) return false;
  return Object.entries(subset.groups ?? {}).every(([column, values]) => {
    const value = Object.hasOwn(groups, column) ? groups[column] : undefined;
    return value !== undefined && values.includes(value);
  });
}

/** The same conditions in one order, for keys of what is kept; null where nothing is left out. */
export function subsetKey(subset: Subset | undefined): string | null {
  if (subset === undefined || isEverything(subset)) return null;
  const sorted = (values: readonly string[] | undefined) => values && [...new Set(values)].toSorted();
  const groups = Object.entries(subset.groups ?? {}).map(([column, values]) => [column, sorted(values)] as const);
  return JSON.stringify({
    arms: sorted(subset.arms),
    models: sorted(subset.models),
    outcomes: sorted(subset.outcomes),
    groups: groups.toSorted(([one], [other]) => (one < other ? -1 : 1)),
  });
}

const both = <Value>(one: readonly Value[] | undefined, other: readonly Value[] | undefined): Value[] | undefined =>
  one === undefined ? other && [...other] : other === undefined ? [...one] : one.filter((value) => other.includes(value));

/** Values that a subset asks of a column; undefined where it asks none. A column may be called `constructor`. */
export const valuesIn = ({ groups }: Subset, column: string): readonly string[] | undefined =>
  groups !== undefined && Object.hasOwn(groups, column) ? groups[column] : undefined;

/** Trials that meet the conditions of both. */
export function bothSubsets(one: Subset | undefined, other: Subset | undefined): Subset {
  const arms = both(one?.arms, other?.arms);
  const models = both(one?.models, other?.models);
  const outcomes = both(one?.outcomes, other?.outcomes);
  const columns = [...new Set([...Object.keys(one?.groups ?? {}), ...Object.keys(other?.groups ?? {})])];
  const groups = columns.map(
    (column) => [column, both(valuesIn(one ?? {}, column), valuesIn(other ?? {}, column)) ?? []] as const,
  );
  return {
    ...(arms === undefined ? {} : { arms }),
    ...(models === undefined ? {} : { models }),
    ...(outcomes === undefined ? {} : { outcomes }),
    ...(columns.length === 0 ? {} : { groups: Object.fromEntries(groups) }),
  };
}

/** A subset in words: `arm court or alone; sex = Female`. */
export function subsetWords(subset: Subset): string {
  const listed = (values: readonly string[] | undefined) => (values === undefined ? null : values.join(' or ') || 'none');
  const parts = [
    ['arm ', listed(subset.arms)],
    ['model ', listed(subset.models)],
    ['outcome ', listed(subset.outcomes)],
    ...Object.entries(subset.groups ?? {}).map(([column, values]) => [`${column} = `, listed(values)]),
  ] as const;
  return parts.flatMap(([what, values]) => (values === null ? [] : [`${what}${values}`])).join('; ');
}
