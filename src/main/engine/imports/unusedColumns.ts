// What the command line says after an import about the columns of the file from which nothing was read.
import { telling } from '../../../core/imported/scoreColumns.ts';
import type { Inspection } from '../../../shared/api/dataFiles.ts';
import type { ImportMapping, ImportReport } from '../../../shared/imported.ts';
import { listed, quoted } from '../datasets/spelling.ts';

/** Every unused column by its name, and what those could be that look like predictions or scores. */
export function unusedHints(
  { columns }: Pick<Inspection, 'columns'>,
  { columns: { probabilities, groups, opinions, ...single }, map }: Pick<ImportMapping, 'columns' | 'map'>,
  { labels }: Pick<ImportReport, 'labels'>,
): string[] {
  const used = new Set([...Object.values(single), ...groups, ...opinions, ...probabilities.map(([, column]) => column)]);
  const unused = columns.filter(({ name }) => !used.has(name));
  if (unused.length === 0) return [];
  const mapped = new Map(map);
  const read = unused.map((column) => ({ ...column, values: column.values?.map((value) => mapped.get(value) ?? value) ?? null }));
  const { labels: decisions, scores } = telling(read, labels);
  const again = 'import the file under another arm name with';
  return [
    `Not used: ${listed(unused.map(({ name }) => name))}.`,
    ...(single.system !== null
      ? []
      : unused.flatMap(({ name, eachOncePer }) =>
          eachOncePer === undefined || eachOncePer !== single.case
            ? []
            : [`Every case has each value of ${quoted(name)} once. If they are systems, ${again} --system ${quoted(name)}.`],
        )),
    ...(single.prediction !== null
      ? []
      : decisions.map(
          (name) => `${quoted(name)} holds labels. If they are what was decided, ${again} --prediction ${quoted(name)}.`,
        )),
    ...(probabilities.length > 0
      ? []
      : scores.map(({ column, scale, why }) =>
          scale === null
            ? `${quoted(column)} has ${why}; such ranks are no probabilities. If it is the prediction, ${again} --prediction ${quoted(column)} --positive-if '>=N'.`
            : `${quoted(column)} has ${why}. If it is the probability of a label, ${again} --probability LABEL=${quoted(column)}${scale === 1 ? '' : ' --confidence-scale 100'}, where LABEL is ${labels.map(quoted).join(' or ')}.`,
        )),
  ];
}
