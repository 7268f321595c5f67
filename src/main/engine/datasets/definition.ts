// Checks the definition of a data set before its file is opened.
import type { AssizeError } from '../../../shared/errors.ts';
import { badInput } from '../../../shared/errors.ts';
import type { DatasetDefinition } from '../../../shared/experiment.ts';
import { listed, quoted } from './spelling.ts';

const columnKeysOf: Record<DatasetDefinition['kind'], readonly (keyof DatasetDefinition['columns'])[]> = {
  tabular: [],
  text: ['text'],
  pair: ['premise', 'hypothesis', 'question', 'passage'],
  sections: [],
  open: ['question'],
};

function fault(key: string, message: string): AssizeError {
  return badInput(message, `dataset.${key}`);
}

function firstRepeated(values: readonly string[]): string | undefined {
  return values.find((value, index) => values.indexOf(value) !== index);
}

/** Checks a definition before its data file is opened. Throws bad input whose field is a key path in the experiment file. */
export function checkDefinition(definition: DatasetDefinition): void {
  checkReading(definition);
  checkKind(definition);
  checkLabelColumn(definition);
  if (definition.kind === 'open') checkOpen(definition);
  else checkLabels(definition);
  checkSample(definition);
  for (const key of ['sections', 'groups'] as const) {
    const repeated = firstRepeated(definition[key] ?? []);
    if (repeated !== undefined) throw fault(key, `${quoted(repeated)} is named twice; name it once`);
  }
}

function checkSample({ sample: { by, each, ids, n, distinct }, label, groups }: DatasetDefinition): void {
  if (ids !== undefined) {
    const repeated = firstRepeated(ids);
    if (repeated !== undefined) throw fault('sample.ids', `${quoted(repeated)} is named twice; name each case once`);
    if (n !== undefined || by !== undefined || distinct) {
      throw fault('sample.ids', 'named cases are all tried; remove "n", "by", "each" and "distinct"');
    }
  }
  if (each !== undefined && by === undefined) {
    throw fault('sample.each', 'this is a number of cases for each value of a column; name the column in "by"');
  }
  const usable = [...(label === undefined ? [] : [label.column]), ...groups];
  if (by === undefined || usable.includes(by)) return;
  const advice = usable.length === 0 ? 'this data set has neither' : `it has ${listed(usable)}`;
  throw fault('sample.by', `a sample can be drawn by the label column or a group column; ${advice}`);
}

function checkReading({ format, delimiter, sheet }: DatasetDefinition): void {
  if (delimiter !== undefined && format !== undefined && format !== 'csv') {
    throw fault(
      'delimiter',
      `only CSV files have a delimiter to choose, this is "${format}"; set "format" to "csv" or remove "delimiter"`,
    );
  }
  if (sheet !== undefined && format !== undefined && format !== 'xlsx') {
    throw fault('sheet', `only an Excel workbook has sheets, this is "${format}"; set "format" to "xlsx" or remove "sheet"`);
  }
}

function checkKind({ kind, columns, sections }: DatasetDefinition): void {
  if (kind === 'sections' && sections === undefined) {
    throw fault('sections', 'kind "sections" needs the names of its columns, in order');
  }
  if (kind !== 'sections' && sections !== undefined) {
    throw fault('sections', `only kind "sections" has sections, this is kind "${kind}"; set "kind" or remove "sections"`);
  }
  for (const key of Object.keys(columns)) {
    const usable: readonly string[] = columnKeysOf[kind];
    if (!usable.includes(key)) {
      const advice = usable.length === 0 ? 'it has no column names' : `it has ${listed(usable)}`;
      throw fault(`columns.${key}`, `kind "${kind}" has no use for this name; ${advice}`);
    }
  }
  const named = Object.values(columns).filter((column) => column !== undefined);
  const repeated = firstRepeated(named);
  if (repeated !== undefined) throw fault('columns', `${quoted(repeated)} is named twice; each text has its own column`);
  if ((columns.premise ?? columns.hypothesis) !== undefined && (columns.question ?? columns.passage) !== undefined) {
    throw fault('columns', 'a pair is either "premise" and "hypothesis" or "question" and "passage"; name one of the two');
  }
}

/** The label must never be seen by a model, so no other part of a case may come from its column. */
function checkLabelColumn({ label, id, columns, sections = [], groups }: DatasetDefinition): void {
  if (label === undefined) return;
  const uses: readonly (readonly [key: string, names: readonly (string | undefined)[]])[] = [
    ['id', [id]],
    ['columns', Object.values(columns)],
    ['sections', sections],
    ['groups', groups],
  ];
  for (const [key, names] of uses) {
    if (names.includes(label.column)) {
      throw fault(key, `${quoted(label.column)} is the label column, which models never see; remove it from "${key}"`);
    }
  }
}

function checkOpen({ label, labels, positive }: DatasetDefinition): void {
  const [key] = Object.entries({ label, labels, positive }).find(([, value]) => value !== undefined) ?? [];
  if (key !== undefined) throw fault(key, `an open data set has questions and no labels; remove "${key}" or change "kind"`);
}

function checkLabels({ kind, label, labels, positive, question }: DatasetDefinition): void {
  if (question === undefined) {
    throw fault('question', `kind "${kind}" needs the question that is put about every case; only kind "open" has none`);
  }
  if (label === undefined && labels === undefined) {
    throw fault('labels', 'without a label column the possible labels must be named here');
  }
  if (positive !== undefined && (label?.multiple ?? null) !== null) {
    throw fault('positive', 'where a case can have several labels none of them is the positive one; remove "positive"');
  }
  if (labels === undefined) return;
  const stray = Object.entries(label?.map ?? {}).find(([, target]) => !labels.includes(target));
  if (stray !== undefined) {
    const [value, target] = stray;
    throw fault('label.map', `${quoted(value)} becomes ${quoted(target)}, which is not among the labels ${listed(labels)}`);
  }
  checkPositive(positive, labels);
}

export function checkPositive(positive: string | undefined, labels: readonly string[]): void {
  if (positive !== undefined && !labels.includes(positive)) {
    throw fault('positive', `${quoted(positive)} is not among the labels ${listed(labels)}`);
  }
}
