import { columnTitle } from '../../../core/cases/columnNames.ts';
import { partColumns, textColumns, type WantedColumn } from '../../../core/cases/columnsRead.ts';
import { byCodeUnits } from '../../../core/cases/split.ts';
import { numberIn } from '../../../core/imported/prediction.ts';
import { tellingOf } from '../../../core/retrieval/sameText.ts';
import type { Truth } from '../../../shared/domain.ts';
import { type AssizeError, badInput } from '../../../shared/errors.ts';
import { type DatasetDefinition, impossibleLabel } from '../../../shared/experiment.ts';
import { attempt } from '../attempt.ts';
import { parseKeepingSpelling } from './jsonl.ts';
import { limits } from './limits.ts';
import { headerBelow } from './rows.ts';
import type { DataSource } from './source.ts';
import { listed, nearest, quoted } from './spelling.ts';

/** A column under the name by which a case knows it. */
interface NamedColumn {
  readonly name: string;
  readonly index: number;
}

/** Which columns of a file make up a case; indexes are undefined where a column is not asked for or not there. */
export type ColumnPlan = Readonly<ReturnType<typeof planColumns>>;

/** Finds the columns of the cases among those of the file. Throws bad input where the choice of a pair is not clear. */
export function planColumns(source: DataSource, definition: DatasetDefinition, columns: readonly string[], line: number) {
  const indexes = new Map(columns.map((column, index) => [column, index]));
  const texts = wantedTexts(source, definition, indexes, line);
  const question = definition.kind === 'open' ? (definition.columns.question ?? 'question') : undefined;
  checkTexts(definition, [...texts, ...wantedAs(question, 'question')]);
  const groups = definition.groups.map((column) => ({ column, name: column, use: 'groups' }));
  const wanted: WantedColumn[] = [
    ...wantedAs(definition.id, 'id'),
    ...wantedAs(definition.label?.column, 'label'),
    ...wantedAs(question, 'question'),
    ...texts,
    ...groups,
    ...wantedAs(definition.weight, 'weight'),
    ...Object.keys(definition.names ?? {}).flatMap((column) => wantedAs(column, 'names')),
    ...Object.keys(definition.units ?? {}).flatMap((column) => wantedAs(column, 'units')),
    ...wantedAs(definition.split.by, 'split.by'),
    ...definition.exclude.map((column) => ({ column, name: column, use: 'exclude' })),
  ];
  const indexOf = (column: string | undefined): number | undefined => (column === undefined ? undefined : indexes.get(column));
  const found = (parts: readonly WantedColumn[]): NamedColumn[] =>
    parts.flatMap(({ column, name }) => {
      const index = indexes.get(column);
      return index === undefined ? [] : [{ name, index }];
    });
  const facts = definition.kind === 'tabular' ? tableFacts(definition, columns) : found(texts);
  checkTitles(definition, [...facts, ...found(groups)]);
  return {
    id: indexOf(definition.id),
    label: indexOf(definition.label?.column),
    question: indexOf(question),
    weight: indexOf(definition.weight),
    time: indexOf(definition.split.by),
    facts: definition.namesInPrompts === true ? titled(definition, facts) : facts,
    groups: found(groups),
    /** Columns that the definition names and the file does not have (so far). */
    missing: wanted.filter(({ column }) => !indexes.has(column)),
  };
}

const titled = (definition: DatasetDefinition, columns: readonly NamedColumn[]): readonly NamedColumn[] =>
  columns.map((column) => ({ ...column, name: columnTitle(column.name, definition) }));

/** Throws bad input where a column would be shown by the name of another. */
function checkTitles(definition: DatasetDefinition, columns: readonly NamedColumn[]): void {
  const known = [...columns, ...titled(definition, columns)];
  for (const { name, index } of columns) {
    const title = columnTitle(name, definition);
    const other = title === name ? undefined : known.find((each) => each.index !== index && each.name === title);
    if (other === undefined) continue;
    throw badInput(
      `column ${quoted(name)} would be shown as ${quoted(title)}, which is the name of another column; give it another name`,
      'dataset.names',
    );
  }
}

/** The label must not be seen by a model, and what makes up a case cannot be left out of it. */
function checkTexts({ label, exclude }: DatasetDefinition, texts: readonly WantedColumn[]): void {
  for (const { column, name } of texts) {
    if (column === label?.column) {
      throw badInput(
        `${quoted(column)} is the label column, which models never see, and cannot be the ${quoted(name)} of a case; ` +
          'name another column',
        'dataset.label.column',
      );
    }
    if (exclude.includes(column)) {
      throw badInput(`${quoted(column)} is the ${quoted(name)} of the cases and cannot be excluded`, 'dataset.exclude');
    }
  }
}

function wantedAs(column: string | undefined, use: string): WantedColumn[] {
  return column === undefined ? [] : [{ column, name: column, use }];
}

function tableFacts(definition: DatasetDefinition, columns: readonly string[]): NamedColumn[] {
  const withheld = new Set([definition.id, definition.label?.column, definition.weight, ...definition.exclude]);
  return columns.flatMap((name, index) => (withheld.has(name) ? [] : [{ name, index }]));
}

/** The columns that hold the facts of a case that are texts, under the names that the case gives them. */
function wantedTexts(
  source: DataSource,
  definition: DatasetDefinition,
  indexes: ReadonlyMap<string, number>,
  line: number,
): WantedColumn[] {
  if (definition.kind === 'tabular' || definition.kind === 'open') return [];
  return textColumns(definition) ?? wantedPair(source, definition, indexes, line);
}

function wantedPair(
  source: DataSource,
  { columns, label, exclude }: DatasetDefinition,
  indexes: ReadonlyMap<string, number>,
  line: number,
): WantedColumn[] {
  const inference = partColumns(columns, 'premise', 'hypothesis');
  const reading = partColumns(columns, 'question', 'passage');
  const there = ({ column }: WantedColumn): boolean =>
    indexes.has(column) && column !== label?.column && !exclude.includes(column);
  if (inference.every(there) && reading.every(there)) {
    throw source.fault(
      'the file has both "premise" with "hypothesis" and "question" with "passage"; name the pair in "columns"',
      { line },
    );
  }
  if (inference.every(there)) return inference;
  return reading.some(there) ? reading : inference;
}

/** Says which column is missing, which there are and which of them may be meant. */
export function missingColumn(source: DataSource, missing: WantedColumn, columns: readonly string[], line?: number): AssizeError {
  const guess = nearest(missing.column, columns);
  const hint = guess === undefined ? '' : `; did you mean ${quoted(guess)}?`;
  const byDefault = missing.use === `columns.${missing.column}` ? ' by default' : '';
  const below = columns.length === 1 ? headerBelow : '';
  return source.fault(
    `there is no column ${quoted(missing.column)}, which "${missing.use}" names${byDefault}${hint} (columns: ${listed(columns)})${below}`,
    { ...(line === undefined ? {} : { line }), field: missing.column },
  );
}

type LabelDefinition = NonNullable<DatasetDefinition['label']>;

/** Turns the cells of the label column into labels and collects which labels there are. @param labels that are allowed; absent: the file says which there are */
export function labelColumn(source: DataSource, definition: LabelDefinition, labels: readonly string[] | undefined) {
  const map = definition.map && new Map(Object.entries(definition.map));
  const allowed = labels && new Set(labels);
  const seen = new Set<string>();
  const fault = (message: string, line?: number): Error =>
    source.fault(message, { ...(line === undefined ? {} : { line }), field: definition.column });

  const labelOf = (value: string, line: number): string => {
    const label = map === undefined ? value : map.get(value);
    if (label === undefined || allowed?.has(label) === false) {
      const known = [...(map?.keys() ?? allowed ?? [])];
      const guess = nearest(value, known);
      throw fault(
        `${quoted(value)} is not a known label${guess === undefined ? '' : `; did you mean ${quoted(guess)}?`}` +
          ` (known: ${listed(known)}); correct the cell, or add it to ${map ? 'the "map" of "label"' : '"labels"'}`,
        line,
      );
    }
    if (label === impossibleLabel) throw fault(`${quoted(label)} cannot be a label; rename it, here or by "map"`, line);
    seen.add(label);
    if (seen.size > limits.labels) {
      throw fault(`there are more than ${limits.labels} different labels; is this the label column?`, line);
    }
    return label;
  };

  const listIn = (cell: string, line: number): string[] => {
    const value = attempt(() => parseKeepingSpelling(cell), undefined);
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
    throw fault(`${quoted(cell)} is not a JSON list of labels such as ["a", "b"]`, line);
  };

  return {
    /** The truth in a cell; null where the cell is empty. Throws bad input for a value that is no known label. */
    truth(cell: string, line: number): Truth {
      if (cell.trim() === '' && map?.has(cell) !== true) return null;
      const { multiple } = definition;
      if (multiple === null) return labelOf(cell, line);
      const values = multiple === 'json' ? listIn(cell, line) : cell.split(multiple).map((part) => part.trim());
      return [...new Set(values.filter((value) => value !== '').map((value) => labelOf(value, line)))];
    },
    /**
     * The labels in order: those of the definition, else the targets of the map, else the values of the file; the latter
     * two sorted, by number where all are numbers. Throws bad input where there are fewer than two.
     */
    labels(): readonly string[] {
      if (allowed !== undefined) return [...allowed];
      const found = sortedLabels(new Set(map?.values() ?? seen));
      if (found.length >= 2) return found;
      const what = found.length === 0 ? 'no case has a label' : `every labelled case has the label ${listed(found)}`;
      throw fault(`${what}; name all possible labels in "labels"`);
    },
  };
}

/** By number where all are numbers, else in code unit order. */
export function sortedLabels(labels: ReadonlySet<string>): string[] {
  const all = [...labels];
  const numeric = all.every((label) => label.trim() !== '' && Number.isFinite(Number(label)));
  return numeric ? all.toSorted((a, b) => Number(a) - Number(b) || byCodeUnits(a, b)) : all.toSorted(byCodeUnits);
}

const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The same for values that differ in letter case, spaces, hidden characters, forms of letters or the spelling of a number only. */
export function readAs(value: string): string {
  const shown = tellingOf(value.replace(unseen, ''));
  // Longer ones would lose digits.
  return shown.length > 15 ? shown : String(numberIn(shown) ?? shown);
}

export function lookalikes(values: readonly string[]): string[][] {
  const groups = Map.groupBy(values, readAs);
  return [...groups.values()].filter((group) => group.length > 1);
}

/** Quoted values for a sentence in which nobody could see how they differ: what is hidden or looks like another character as \u200b. */
export function listedApart(values: readonly string[]): string {
  const text = listed(values);
  const isComposed = text.normalize('NFC') === text;
  return text.replace(/[^\x20-\x7e…]/gu, (found) =>
    found.normalize('NFKC') !== found || found.search(unseen) === 0 || (!isComposed && /\p{M}/u.test(found))
      ? `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
      : found,
  );
}
