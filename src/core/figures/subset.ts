// Whether a trial meets the conditions of a filter.
import type { Knowable, Subset } from '../../shared/api/subset.ts';
import type { Prediction, Truth } from '../../shared/domain.ts';
import type { TrialLine } from '../../shared/trialLine.ts';

type Line = Pick<TrialLine, 'arm' | 'models' | 'groups' | 'outcome' | 'truth' | 'confidence'>;

/** What is in no line itself: read of the trial's trajectory, of the labels, or of other trials. */
export interface SubsetReading<Read extends Line = Line> {
  firstAnswer(line: Read): Prediction;
  hasBelief(line: Read): boolean;
  /** Whether each of these arms has a finished trial of the line's case. */
  isPaired(line: Read, arms: readonly string[]): boolean;
}

/** The lists of values, in the order and with the words in which they are said. */
const words = {
  ...{ arms: 'arm ', models: 'model ', outcomes: 'outcome ', known: 'known ' },
  ...{ truths: 'truth ', first: 'first answer ', paired: 'cases of ' },
} as const;
const lists = Object.keys(words) as (keyof typeof words)[];
/** Whose values have all to hold: of the others one has to. */
const isOfAll = (list: keyof typeof words) => list === 'known' || list === 'paired';

/** Whether nothing is left out: no condition is given. An empty list is a condition that nothing meets. */
export const isEverything = (subset: Subset | undefined): boolean =>
  subset === undefined || (lists.every((list) => subset[list] === undefined) && Object.keys(subset.groups ?? {}).length === 0);

/** Whether a label is, or is among, what was said or is true. */
export const namesLabel = (said: Prediction | Truth, label: string): boolean =>
  Array.isArray(said) ? said.includes(label) : said === label;

function isKnown<Read extends Line>(line: Read, what: Knowable, reading: SubsetReading<Read>): boolean {
  if (what === 'truth') return line.truth !== null;
  if (what === 'confidence') return line.confidence !== null;
  return what === 'belief' ? reading.hasBelief(line) : reading.firstAnswer(line) !== null;
}

/** Whether a trial meets every condition of a subset. A case without a value in a column meets none on that column. */
export function fitsSubset<Read extends Line>(line: Read, subset: Subset | undefined, reading: SubsetReading<Read>): boolean {
  if (subset === undefined) return true;
  const { arm, models, groups, outcome, truth } = line;
  if (subset.arms !== undefined && !subset.arms.includes(arm)) return false;
  if (subset.models !== undefined && !models.some((model) => subset.models?.includes(model))) return false;
  if (subset.outcomes !== undefined && (outcome === null || !subset.outcomes.includes(outcome))) return false;
  if (subset.truths !== undefined && !subset.truths.some((label) => namesLabel(truth, label))) return false;
  const fitsGroups = Object.entries(subset.groups ?? {}).every(([column, values]) => {
    const value = Object.hasOwn(groups, column) ? groups[column] : undefined;
    return value !== undefined && values.includes(value);
  });
  if (!fitsGroups || subset.known?.length === 0 || subset.paired?.length === 0) return false;
  // What has to be read comes last.
  return (
    (subset.known ?? []).every((what) => isKnown(line, what, reading)) &&
    (subset.first === undefined || subset.first.some((label) => namesLabel(reading.firstAnswer(line), label))) &&
    (subset.paired === undefined || (truth !== null && reading.isPaired(line, subset.paired)))
  );
}

/** The same conditions in one order, for keys of what is kept; null where nothing is left out. */
export function subsetKey(subset: Subset | undefined): string | null {
  if (subset === undefined || isEverything(subset)) return null;
  const sorted = (values: readonly string[] | undefined) => values && [...new Set(values)].toSorted();
  const groups = Object.entries(subset.groups ?? {}).map(([column, values]) => [column, sorted(values)] as const);
  return JSON.stringify({
    ...Object.fromEntries(lists.map((list) => [list, sorted(subset[list])])),
    groups: groups.toSorted(([one], [other]) => (one < other ? -1 : 1)),
  });
}

const both = <Value>(one: readonly Value[] | undefined, other: readonly Value[] | undefined): Value[] | undefined =>
  one === undefined ? other && [...other] : other === undefined ? [...one] : one.filter((value) => other.includes(value));

/** Of conditions that all have to hold; an empty list, which nothing meets, stays one. */
const all = <Value>(one: readonly Value[] | undefined, other: readonly Value[] | undefined): Value[] | undefined =>
  one === undefined || other === undefined || one.length === 0 || other.length === 0
    ? both(one, other)
    : [...new Set([...one, ...other])];

/** Values that a subset asks of a column; undefined where it asks none. A column may be called `constructor`. */
export const valuesIn = ({ groups }: Subset, column: string): readonly string[] | undefined =>
  groups !== undefined && Object.hasOwn(groups, column) ? groups[column] : undefined;

/** Trials that meet the conditions of both. */
export function bothSubsets(one: Subset | undefined, other: Subset | undefined): Subset {
  const merged = lists.flatMap((list) => {
    const values = (isOfAll(list) ? all<string> : both<string>)(one?.[list], other?.[list]);
    return values === undefined ? [] : [[list, values] as const];
  });
  const columns = [...new Set([...Object.keys(one?.groups ?? {}), ...Object.keys(other?.groups ?? {})])];
  const groups = columns.map(
    (column) => [column, both(valuesIn(one ?? {}, column), valuesIn(other ?? {}, column)) ?? []] as const,
  );
  return {
    ...(Object.fromEntries(merged) as Subset),
    ...(columns.length === 0 ? {} : { groups: Object.fromEntries(groups) }),
  };
}

/** A subset in words: `arm court or alone; sex = Female`. */
export function subsetText(subset: Subset): string {
  const listed = (values: readonly string[] | undefined, word = ' or ') =>
    values === undefined ? null : values.join(word) || 'none';
  const parts = [
    ...lists.map((list) => [words[list], listed(subset[list], isOfAll(list) ? ' and ' : ' or ')] as const),
    ...Object.entries(subset.groups ?? {}).map(([column, values]) => [`${column} = `, listed(values)] as const),
  ];
  return parts.flatMap(([what, values]) => (values === null ? [] : [`${what}${values}`])).join('; ');
}
