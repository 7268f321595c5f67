// Whether a trial meets the conditions of a filter.
import type { Knowable, ShareRange, Subset } from '../../shared/api/subset.ts';
import type { Prediction, Truth } from '../../shared/domain.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import { noise } from '../statistics/sameNumber.ts';
import { percentTo } from './shares.ts';

type Line = Pick<TrialLine, 'arm' | 'models' | 'groups' | 'outcome' | 'truth' | 'confidence'>;

/** What is in no line itself: read of the trial's trajectory, of the labels, or of other trials. */
export interface SubsetReading<Read extends Line = Line> {
  firstAnswer(line: Read): Prediction;
  hasBelief(line: Read): boolean;
  /** Probability that a decided trial gives a label, 0-1; null where it is not known. */
  probabilityOf(line: Read, label: string): number | null;
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
  subset === undefined ||
  (lists.every((list) => subset[list] === undefined) &&
    subset.confidence === undefined &&
    Object.keys({ ...subset.groups, ...subset.beliefs }).length === 0);

/** Whether a label is, or is among, what was said or is true. */
export const namesLabel = (said: Prediction | Truth, label: string): boolean =>
  Array.isArray(said) ? said.includes(label) : said === label;

/** As bins count: what differs from an edge only by rounding is on it, and so above it. A share that is not known is in none. */
export const isInRange = (share: number | null, { from, to }: ShareRange): boolean =>
  share !== null && share >= from - noise && (to === 1 || share < to - noise);

function isKnown<Read extends Line>(line: Read, what: Knowable, reading: SubsetReading<Read>): boolean {
  if (what === 'truth') return line.truth !== null;
  if (what === 'confidence') return line.confidence !== null;
  return what === 'belief' ? reading.hasBelief(line) : reading.firstAnswer(line) !== null;
}

/** Whether a trial meets every condition of a subset. A case without a value in a column meets none on that column. */
export function fitsSubset<Read extends Line>(line: Read, subset: Subset | undefined, reading: SubsetReading<Read>): boolean {
  if (subset === undefined) return true;
  const { arm, models, groups, outcome, truth, confidence } = line;
  if (subset.arms !== undefined && !subset.arms.includes(arm)) return false;
  if (subset.models !== undefined && !models.some((model) => subset.models?.includes(model))) return false;
  if (subset.outcomes !== undefined && (outcome === null || !subset.outcomes.includes(outcome))) return false;
  if (subset.truths !== undefined && !subset.truths.some((label) => namesLabel(truth, label))) return false;
  if (subset.confidence !== undefined && !isInRange(confidence, subset.confidence)) return false;
  const fitsGroups = Object.entries(subset.groups ?? {}).every(([column, values]) => {
    const value = Object.hasOwn(groups, column) ? groups[column] : undefined;
    return value !== undefined && values.includes(value);
  });
  if (!fitsGroups || subset.known?.length === 0 || subset.paired?.length === 0) return false;
  // What has to be read comes last.
  return (
    (subset.known ?? []).every((what) => isKnown(line, what, reading)) &&
    Object.entries(subset.beliefs ?? {}).every(([label, range]) => isInRange(reading.probabilityOf(line, label), range)) &&
    (subset.first === undefined || subset.first.some((label) => namesLabel(reading.firstAnswer(line), label))) &&
    (subset.paired === undefined || (truth !== null && reading.isPaired(line, subset.paired)))
  );
}

/** The same conditions in one order, for keys of what is kept; null where nothing is left out. */
export function subsetKey(subset: Subset | undefined): string | null {
  if (subset === undefined || isEverything(subset)) return null;
  const sorted = (values: readonly string[] | undefined) => values && [...new Set(values)].toSorted();
  const byName = (entries: readonly (readonly [string, unknown])[]) =>
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const ends = (range: ShareRange | undefined) => range && [range.from, range.to];
  return JSON.stringify({
    ...Object.fromEntries(lists.map((list) => [list, sorted(subset[list])])),
    groups: byName(Object.entries(subset.groups ?? {}).map(([column, values]) => [column, sorted(values)])),
    confidence: ends(subset.confidence),
    beliefs: byName(Object.entries(subset.beliefs ?? {}).map(([label, range]) => [label, ends(range)])),
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
export const valuesIn = ({ groups }: Subset, column: string): readonly string[] | undefined => own(groups, column);

/** What is in both ranges; a range that ends before it begins has nothing in it. */
export const bothRanges = (one: ShareRange | undefined, other: ShareRange | undefined): ShareRange | undefined =>
  one === undefined || other === undefined
    ? (one ?? other)
    : { from: Math.max(one.from, other.from), to: Math.min(one.to, other.to) };

const own = <Value>(record: Readonly<Record<string, Value>> | undefined, key: string): Value | undefined =>
  record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;

/** The range that a subset asks of the probability of a label; undefined where it asks none. */
export const beliefIn = ({ beliefs }: Subset, label: string): ShareRange | undefined => own(beliefs, label);

export function bothSubsets(one: Subset | undefined, other: Subset | undefined): Subset {
  const merged = lists.flatMap((list) => {
    const values = (isOfAll(list) ? all<string> : both<string>)(one?.[list], other?.[list]);
    return values === undefined ? [] : [[list, values] as const];
  });
  const columns = Object.keys({ ...one?.groups, ...other?.groups });
  const labels = Object.keys({ ...one?.beliefs, ...other?.beliefs });
  const confidence = bothRanges(one?.confidence, other?.confidence);
  const groups = columns.map(
    (column) => [column, both(valuesIn(one ?? {}, column), valuesIn(other ?? {}, column)) ?? []] as const,
  );
  return {
    ...(Object.fromEntries(merged) as Subset),
    ...(columns.length === 0 ? {} : { groups: Object.fromEntries(groups) }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(labels.length === 0
      ? {}
      : {
          beliefs: Object.fromEntries(
            labels.flatMap((label) => {
              const range = bothRanges(beliefIn(one ?? {}, label), beliefIn(other ?? {}, label));
              return range === undefined ? [] : [[label, range]];
            }),
          ),
        }),
  };
}

/** `90% to 100%`, `0% to below 10%`: only an end of 1 is in its range, see `isInRange`. */
export const rangeText = ({ from, to }: ShareRange): string =>
  `${percentTo(2, from)} to ${to === 1 ? '' : 'below '}${percentTo(2, to)}`;

export const beliefTitle = (label: string): string => `probability of ${label}`;

/** A subset in words: `arm court or alone; sex = Female`. */
export function subsetText(subset: Subset): string {
  const listed = (values: readonly string[] | undefined, word = ' or ') =>
    values === undefined ? null : values.join(word) || 'none';
  const parts = [
    ...lists.map((list) => [words[list], listed(subset[list], isOfAll(list) ? ' and ' : ' or ')] as const),
    ...Object.entries(subset.groups ?? {}).map(([column, values]) => [`${column} = `, listed(values)] as const),
    ...(subset.confidence === undefined ? [] : [['confidence ', rangeText(subset.confidence)] as const]),
    ...Object.entries(subset.beliefs ?? {}).map(([label, range]) => [`${beliefTitle(label)} `, rangeText(range)] as const),
  ];
  return parts.flatMap(([what, values]) => (values === null ? [] : [`${what}${values}`])).join('; ');
}

/** The subset with trials of any true label. */
export const withoutTruths = ({ truths: _any, ...rest }: Subset): Subset => rest;
