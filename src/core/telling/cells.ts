// Numbers with their interval and n, as tables of text have them.
import { count } from '../../shared/sizes.ts';
import type { Measure } from '../../shared/statistics.ts';
import { countOf, ofText, type Scale, scaleOf, written } from '../figures/measureScale.ts';
import { outcomeText } from '../figures/outcomeText.ts';
import { percent } from '../figures/shares.ts';

/** What the user of the program can do next: the command line says it, a report for others leaves it out. */
export interface Advice {
  readonly advice: string;
}
/** A sentence, a table or advice; an empty sentence sets apart what follows. */
export type Piece = string | StatisticsTable | Advice;

export const isAdvice = (piece: Piece): piece is Advice => typeof piece === 'object' && 'advice' in piece;
/** Where a table has not all. */
export const jsonHasAll: Advice = { advice: '--json has all.' };

/** Columns of text; the first cell of a row is its head. */
export type StatisticsTable = Readonly<ReturnType<typeof table>>;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]) => ({ head, rows });

export type Column<Item> = readonly [title: string, cell: (item: Item) => string];

export const columnsOf = <Item>(items: readonly Item[], columns: readonly Column<Item>[]) =>
  table(
    columns.map(([title]) => title),
    items.map((item) => columns.map(([, cell]) => cell(item))),
  );

/** The first measure of a name; where `over` or `label` is given, with these. */
export const measureNamed = (
  { measures }: { readonly measures: readonly Measure[] },
  name: string,
  { over, label }: { readonly over?: string; readonly label?: string | null } = {},
) =>
  measures.find(
    (each) => each.name === name && (over === undefined || each.over === over) && (label === undefined || each.label === label),
  );

/** With the name of its measure, if it is one. */
export type Interval = Pick<Measure, 'value' | 'low' | 'high'> & { readonly name?: string };

export const interval = ({ low, high }: Pick<Interval, 'low' | 'high'>, scale: Scale = 'number') =>
  low === null || high === null ? '' : ` [${written(low, within(scale))}, ${written(high, within(scale))}]`;

/** The percent sign is with the value only. */
const within = (scale: Scale): Scale => (scale === 'share' ? 'size' : scale);

/** `, 95% interval 63.4% to 68.7%`, in a sentence; empty without an interval. */
export const rangeInWords = ({ low, high, level }: Pick<Measure, 'low' | 'high' | 'level'>): string =>
  low === null || high === null ? '' : `, ${percent(level)} interval ${percent(low)} to ${percent(high)}`;

/** `66.1% [63.4, 68.7]`. @param scale by default that of the measure */
export const estimate = (found: Interval | undefined, scale: Scale = scaleOf(found?.name ?? '')) =>
  found === undefined || found.value === null ? '-' : `${written(found.value, scale)}${interval(found, scale)}`;
/** `12 of 18 (66.7%) [31.6, 92.8]`, where it is a share of trials. */
export function countedEstimate(found: Measure | undefined): string {
  const some = found === undefined ? null : countOf(found);
  if (found === undefined || found.value === null || some === null) return estimate(found);
  return `${count(some)} of ${count(found.n)} (${percent(found.value)})${interval(found, 'share')}`;
}
/** With what it is over: measures of one arm have different denominators. */
export const estimateOf = (found: Measure | undefined) =>
  found === undefined || found.value === null ? '-' : `${estimate(found)} of ${ofText(found)}`;

/** A difference of rates between groups, which has no sign, in points: `51.2 [27.6, 74.8] of 240`. */
export const pointsOfRates = (found: Measure | undefined) =>
  found === undefined || found.value === null ? '-' : `${estimate(found, 'size')} of ${count(found.n)}`;

export const signed = (value: number) => `${value > 0 ? '+' : ''}${written(value, 'number')}`;

/** The difference of two shares in points, that of other numbers with its sign. @param scale by default that of the measure */
export function differenceText(found: Interval | undefined, scale: Scale = scaleOf(found?.name ?? '')): string {
  if (found === undefined || found.value === null) return '-';
  return scale === 'number' ? `${signed(found.value)}${interval(found)}` : estimate(found, 'points');
}

const names: Readonly<Record<string, string | undefined>> = {
  f1: 'F1',
  macro_f1: 'macro-F1',
  micro_f1: 'micro-F1',
  samples_f1: 'F1 of a case',
  brier: 'Brier score',
  brier_skill: 'Brier skill',
  brier_binned: 'Brier score of the bins',
  brier_reliability: 'reliability of the bins',
  brier_resolution: 'resolution of the bins',
  brier_uncertainty: 'uncertainty of the cases',
  matthews_correlation: 'Matthews correlation',
  cohen_kappa: "Cohen's kappa",
  area_under_curve: 'area under the curve',
  confidence_correctness_pearson: 'confidence with correctness (Pearson)',
  confidence_correctness_spearman: 'confidence with correctness (Spearman)',
  accuracy_at_1: 'true label is the likeliest',
  accuracy_at_3: 'true label among the three likeliest',
  calibration_in_the_large: 'calibration intercept alone',
  initial_accuracy: 'accuracy of the first answers',
  verdict_accuracy: 'accuracy of their verdicts',
  flips: 'changes of the likeliest answer a trial (flips)',
  answer_flips: 'changes of the stated answer a trial (answer flips)',
  accuracy_when_sure: 'right where at least 90% sure, or where surest',
  area_under_risk_coverage: 'area under risk and coverage',
  excess_area_under_risk_coverage: 'area above that of the best order',
  conformal_coverage: 'sets that hold the true label',
  conformal_set_size: 'labels in a set',
  conformal_one_label: 'sets of one label',
  conformal_empty: 'empty sets',
  conformal_all_labels: 'sets of all labels',
  equalized_odds: 'equalised odds',
  positive_change: 'change of verdicts',
  won_by_last_speaker: 'won by the last speaker',
};

/** What a measure is called in sentences, and in the head of a row or column. */
export function nameOfMeasure(name: string): string {
  const own = names[name];
  if (own !== undefined) return own;
  const [, begin, of = ''] = /^(weighted|failed|accuracy_at_coverage|accuracy_when_sure)_(.+)$/.exec(name) ?? [];
  if (begin === 'weighted') return `weighted ${nameOfMeasure(of)}`;
  if (begin === 'failed') return `failed: ${outcomeText(of)}`;
  if (begin === 'accuracy_when_sure') return `right where at least ${of}% sure`;
  if (begin !== undefined) return `right among the surest ${of}%`;
  const [, rate = '', end] = /^(.+)_(difference|ratio)$/.exec(name) ?? [];
  return end === undefined ? name.replaceAll('_', ' ') : `${end} of ${nameOfMeasure(rate)}`;
}

type Cautioned = Pick<Measure, 'name' | 'caution'> & { readonly arm?: string };

/** A line for each reason that some measures have, with the arms where it is not of all. */
function linesByReason<Each extends Cautioned>(
  measures: readonly Each[],
  title: string,
  reasonOf: (each: Each) => string | null,
) {
  const armsOf = (some: readonly Each[]) => [...new Set(some.flatMap(({ arm }) => arm ?? []))];
  const all = armsOf(measures).length;
  return [...Map.groupBy(measures, reasonOf)].flatMap(([reason, some]) => {
    if (reason === null) return [];
    const arms = armsOf(some);
    const of = [...new Set(some.map(({ name }) => nameOfMeasure(name)))].join(', ');
    return [`${title} of ${of}${arms.length < all ? ` (${arms.join(', ')})` : ''}: ${reason}.`];
  });
}

export const ofArms = <Each extends Pick<Measure, 'name' | 'caution'>>(
  arms: readonly { readonly arm: string; readonly measures: readonly Each[] }[],
) => arms.flatMap(({ arm, measures }) => measures.map((measure) => ({ ...measure, arm })));

/** A sentence for each reason why some of these intervals are to be read with care, with the arms where it is not of all. */
export const cautionLines = (measures: readonly Cautioned[]): string[] =>
  linesByReason(measures, 'Interval', ({ caution }) => caution ?? null);

const without = 'no interval: ';

export const noIntervalLines = (measures: readonly (Cautioned & Pick<Measure, 'value' | 'why_null'>)[]): string[] =>
  linesByReason(measures, 'No interval', ({ value, why_null: why }) =>
    value !== null && why?.startsWith(without) === true ? why.slice(without.length) : null,
  );
