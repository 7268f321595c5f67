// How the cases that were drawn compare with those that were not, fact by fact.
import { labelNoun } from '../../shared/decidedBy.ts';
import type { DatasetCase } from '../../shared/domain.ts';
import type { DatasetDefinition } from '../../shared/experiment.ts';
import { predictionText } from '../../shared/predictionText.ts';
import { count } from '../../shared/sizes.ts';
import { columnTitle, groupName } from '../cases/columnNames.ts';
import { percent } from '../figures/shares.ts';
import { numberIn } from '../imported/prediction.ts';
import { quantile } from '../statistics/quantile.ts';
import { capitalized } from '../text/visible.ts';
import { type StatisticsTable, table } from './cells.ts';

type Described = Pick<DatasetCase, 'facts' | 'truth' | 'groups'>;
/** Values of one fact in the cases that were drawn, and in the others; empty text where a case has none. */
type Values = readonly [drawn: readonly string[], others: readonly string[]];

/** Further values of a fact are counted together. */
const mostValues = 8;
/** Numbers with no more different values than these are named one by one. */
const fewNumbers = 4;

const rounded = new Intl.NumberFormat('en', { maximumFractionDigits: 2, useGrouping: false });

function spread(values: readonly string[]): string {
  const sorted = Float64Array.from(values.flatMap((value) => numberIn(value) ?? [])).sort();
  if (sorted.length === 0) return '-';
  const [median, least, greatest] = [0.5, 0, 1].map((share) => rounded.format(quantile(sorted, share)));
  return `${median} (${least} to ${greatest})`;
}

/** Rows of a fact: of numbers the median and the range, of values how often each comes; none where values hardly repeat, as in texts. */
function rowsOf(title: string, values: Values): string[][] {
  const counts = new Map<string, number>();
  for (const value of values.flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  const stated = [...counts.keys()].filter((value) => value !== '');
  const row = (words: string, has: (value: string) => boolean) => {
    const cells = values.map((side) => {
      const found = side.filter(has).length;
      return `${count(found)} of ${count(side.length)} (${percent(found / side.length)})`;
    });
    return [title, words, ...cells];
  };
  const missing = counts.has('') ? [row(groupName(''), (value) => value === '')] : [];
  if (stated.length > fewNumbers && stated.every((value) => numberIn(value) !== null)) {
    return [[title, 'median (least to greatest)', ...values.map(spread)], ...missing];
  }
  if (stated.length === 0) return [];
  if (stated.length > mostValues && stated.length > values.flat().length / 2) return [];
  const byCount = stated.toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || (one < other ? -1 : 1));
  const rest = new Set(byCount.slice(mostValues));
  const named = byCount.slice(0, mostValues).map((value) => row(value, (each) => each === value));
  return [
    ...named,
    ...(rest.size === 0 ? [] : [row(`${count(rest.size)} other values`, (value) => rest.has(value))]),
    ...missing,
  ];
}

/** The label, each fact of a table and each group in the cases that were drawn and in the others; null where one of these has no cases. */
export function drawnTable(
  drawn: readonly Described[],
  others: readonly Described[],
  dataset: Pick<DatasetDefinition, 'kind' | 'label' | 'names' | 'units'>,
): StatisticsTable | null {
  if (drawn.length === 0 || others.length === 0) return null;
  const valuesOf = ({ facts, groups }: Described) =>
    new Map([
      ...Object.entries(groups),
      ...(dataset.kind === 'tabular' ? facts.map(({ name, value }) => [name, value] as const) : []),
    ]);
  const [ofDrawn, ofOthers] = [drawn.map(valuesOf), others.map(valuesOf)];
  const columns = new Set([...ofDrawn, ...ofOthers].flatMap((each) => [...each.keys()]));
  const truths = (cases: readonly Described[]) => cases.map(({ truth }) => predictionText(truth) ?? '');
  const rows = [
    ...rowsOf(capitalized(labelNoun({ decided_by: dataset.label?.decidedBy })), [truths(drawn), truths(others)]),
    ...[...columns].flatMap((column) => {
      const [inDrawn, inOthers] = [ofDrawn, ofOthers].map((side) => side.map((each) => each.get(column) ?? ''));
      return rowsOf(columnTitle(column, dataset), [inDrawn ?? [], inOthers ?? []]);
    }),
  ];
  return table(['fact', 'value', `${count(drawn.length)} drawn`, `${count(others.length)} not drawn`], rows);
}
