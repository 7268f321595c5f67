import { splitCases } from '../../../core/cases/split.ts';
import { numberIn } from '../../../core/imported/prediction.ts';
import type { DatasetCase, SplitName, Truth } from '../../../shared/domain.ts';
import { badInput } from '../../../shared/errors.ts';
import type { FrozenArm } from '../../../shared/events.ts';
import { type Experiment, recordedExperimentSchema } from '../../../shared/experiment.ts';
import type { ImportMapping, NewExperiment, PredictionColumns } from '../../../shared/imported.ts';
import { missingAsEmpty } from '../datasets/cases.ts';
import { noWeight, weightIn } from '../datasets/cells.ts';
import { sortedLabels } from '../datasets/columns.ts';
import { listed, quoted } from '../datasets/spelling.ts';
import { refuseErased } from '../lab/erasedData.ts';
import { loadFrozen } from '../lab/frozen.ts';
import type { Store } from '../store/store.ts';
import type { FileFault, PredictionFile, PredictionRow, PredictionRows } from './predictionRows.ts';

/** A cell with a value, and its line. */
interface FilledCell {
  readonly value: string;
  readonly line: number;
}

type Part = Pick<PredictionColumns, 'groups' | 'weight'>;

const whatOf = (column: string, { weight }: Part) => (column === weight ? 'weight' : 'group');

const remedyOf = (column: string, { weight }: Part) =>
  column === weight
    ? 'Correct the file, or choose no column of weights'
    : 'If the column names the system that predicted, choose it as the system, or choose it as the prediction if it is what was predicted; if neither, take it out of the groups';

/** Each column with its cell in a row; a weight as its number is spelled. */
function cellsIn({ groups, weight, line }: PredictionRow, columns: Part, fault: FileFault): (readonly [string, string])[] {
  const own = columns.groups.map((column, place) => [column, missingAsEmpty(groups[place] ?? '')] as const);
  if (columns.weight === null) return own;
  const number = weightIn(weight ?? '');
  if (number === null) throw fault(noWeight(weight ?? ''), { line, field: columns.weight });
  return [...own, [columns.weight, String(number)]];
}

/**
 * Case -> what each column says of it. A column that says nothing of a case is not in its map, and a case of which no column
 * says anything has no map. Throws bad input, with both lines, where two rows of a case say different things, and for a weight
 * that is none.
 */
function partsOf(rows: PredictionRows, columns: Part, fault: FileFault): Map<string, Map<string, FilledCell>> {
  const cases = new Map<string, Map<string, FilledCell>>();
  for (const row of rows) {
    const { case: caseId, line } = row;
    for (const [column, value] of cellsIn(row, columns, fault)) {
      if (value === '') continue;
      const filled = cases.get(caseId) ?? new Map<string, FilledCell>();
      cases.set(caseId, filled);
      const before = filled.get(column);
      if (before === undefined) filled.set(column, { value, line });
      else if (before.value !== value) {
        throw fault(
          `in column ${quoted(column)}, case ${quoted(caseId)} has ${quoted(value)} here and ${quoted(before.value)} in line ${before.line}; a case has one ${whatOf(column, columns)}. ${remedyOf(column, columns)}`,
          { line, field: column },
        );
      }
    }
  }
  return cases;
}

/** Throws bad input where a row states a group or a weight that is not the data set's, or a column that it does not have. */
export function refuseOtherParts(
  rows: PredictionRows,
  { caseOf, definition: { name, dataset } }: { definition: Experiment; caseOf(id: string): DatasetCase | undefined },
  columns: Part,
  fault: FileFault,
): void {
  const of = `of the data set of experiment ${quoted(name)}`;
  const advice =
    'it is recorded with the data set and cannot be added later: leave this column out, or import into a new experiment with --truth';
  const stray = columns.groups.find((column) => !dataset.groups.includes(column));
  if (stray !== undefined) {
    const has = dataset.groups.length === 0 ? 'none' : listed(dataset.groups);
    throw fault(`${quoted(stray)} is no group column ${of} (it has ${has}); ${advice}`, { field: stray });
  }
  if (columns.weight !== null && dataset.weight === undefined) {
    throw fault(`the cases ${of} have no weight; ${advice}`, { field: columns.weight });
  }
  for (const [caseId, filled] of partsOf(rows, columns, fault)) {
    const kase = caseOf(caseId);
    for (const [column, { value, line }] of filled) {
      const recorded = column === columns.weight ? String(kase?.weight ?? '') : (kase?.groups[column] ?? '');
      if (recorded === value) continue;
      throw fault(
        `the ${whatOf(column, columns)} of case ${quoted(caseId)} is ${quoted(value)} here and ${quoted(recorded)} in the data set`,
        { line, field: column },
      );
    }
  }
}

/** The experiment that predictions are for, on the record or about to be made from them. */
export interface ImportTarget {
  readonly definition: Experiment;
  readonly arms: readonly FrozenArm[];
  readonly labels: readonly string[];
  readonly positive: string | null;
  /** Id -> whether the case is on trial; every case of the data set. */
  readonly cases: ReadonlyMap<string, boolean>;
  caseOf(caseId: string): DatasetCase | undefined;
  /** What has to be recorded first; null where the experiment is on the record. */
  readonly draft: { readonly cases: readonly DatasetCase[]; readonly splits: ReadonlyMap<string, SplitName> } | null;
}

/** An experiment on the record. Throws not-found, and bad input for one whose cases have no single label. */
export function recordedTarget(store: Store, name: string): ImportTarget {
  refuseErased(store, name);
  const frozen = loadFrozen(store, name);
  const { label, labels = [], positive = null } = frozen.definition.dataset;
  if ((label?.multiple ?? null) !== null || labels.length === 0) {
    throw badInput(
      `the cases of experiment ${quoted(name)} have ${labels.length === 0 ? 'no' : 'several'} labels; predictions can be imported where each case has one`,
      'experiment',
    );
  }
  const onTrial = new Set(frozen.sample());
  const refs = new Map(store.datasets.cases(frozen.dataset.id).map(({ id, ref }) => [id, ref]));
  return {
    definition: frozen.definition,
    arms: frozen.arms,
    labels,
    positive,
    cases: new Map([...refs.keys()].map((id) => [id, onTrial.has(id)])),
    caseOf(caseId) {
      const ref = refs.get(caseId);
      return ref === undefined ? undefined : store.datasets.outline(ref);
    },
    draft: null,
  };
}

/** Reads a truth by the map, by the labels, or by the map of the data set's own label column. */
function truthReader(mapping: ImportMapping, { labels, definition }: Pick<ImportTarget, 'labels' | 'definition'>) {
  const [mapped, own] = [new Map(mapping.map), new Map(Object.entries(definition.dataset.label?.map ?? {}))];
  return (cell: string) => [mapped.get(cell), cell, own.get(cell)].find((label) => label !== undefined && labels.includes(label));
}

/** Throws bad input where a row states a truth that is not the data set's. A row without one, or a case without, agrees. */
export function refuseOtherTruths(
  { rows }: PredictionFile,
  target: ImportTarget,
  mapping: ImportMapping,
  fault: FileFault,
): void {
  const field = mapping.columns.truth;
  if (field === null) return;
  const truthIn = truthReader(mapping, target);
  const known = new Map<string, Truth>();
  for (const { line, case: caseId, truth: cell } of rows) {
    if (cell === null || cell.trim() === '') continue;
    const said = truthIn(cell);
    if (said === undefined) {
      throw fault(`the truth ${quoted(cell)} is none of the labels ${listed(target.labels)}; map it to the label it means`, {
        line,
        field,
      });
    }
    const recorded = known.get(caseId) ?? target.caseOf(caseId)?.truth ?? null;
    known.set(caseId, recorded);
    if (recorded !== null && recorded !== said) {
      throw fault(`the truth of case ${quoted(caseId)} is ${quoted(said)} here and ${quoted(String(recorded))} in the data set`, {
        line,
        field,
      });
    }
  }
}

/** Throws bad input where a positive label or a question is named that is not the recorded experiment's own. */
export function refuseOtherDefinition({ definition: { name, dataset } }: ImportTarget, named: NewExperiment): void {
  for (const field of ['positive', 'question'] as const) {
    if (named[field] === undefined || named[field] === dataset[field]) continue;
    const [what, own] = [field === 'positive' ? 'positive label' : 'question', dataset[field]];
    const has = own === undefined ? 'names none' : `has ${quoted(own)}`;
    throw badInput(
      `experiment ${quoted(name)} is on the record and ${has} as its ${what}, which cannot change; leave it out, or name a new experiment`,
      field,
    );
  }
}

/** The truth of every case of the file, in the order of their first rows; null where none is given. */
function truthsOf(rows: PredictionRows, mapping: ImportMapping, fault: FileFault): Map<string, string | null> {
  const mapped = new Map(mapping.map);
  const lines = new Map<string, number>();
  const truths = new Map<string, string | null>();
  for (const { line, case: caseId, truth: cell } of rows) {
    const said = cell === null || cell.trim() === '' ? null : (mapped.get(cell) ?? cell);
    const before = truths.get(caseId) ?? null;
    if (before !== null && said !== null && before !== said) {
      throw fault(
        `the truth of case ${quoted(caseId)} is ${quoted(said)} here and ${quoted(before)} in line ${lines.get(caseId)}; a case has one truth`,
        { line, field: mapping.columns.truth },
      );
    }
    if (said !== null && before === null) lines.set(caseId, line);
    truths.set(caseId, before ?? said);
  }
  return truths;
}

/** The labels that the cells of the truths mean: in the order of the cells where all of these are numbers, else sorted themselves. */
function labelsOf(cells: ReadonlySet<string>, mapped: ReadonlyMap<string, string>): string[] {
  const meant = (cell: string) => mapped.get(cell) ?? cell;
  const isNumeric = [...cells].every((cell) => numberIn(cell) !== null);
  return isNumeric ? [...new Set(sortedLabels(cells).map(meant))] : sortedLabels(new Set([...cells].map(meant)));
}

/**
 * An experiment made from the file itself: its cases with their truths, groups and weights and without facts, all of them on trial. Of
 * two labels the second is the positive one where none is named: the greater number, or the later in the alphabet. Throws bad input.
 */
export function draftedTarget(
  { name, positive, question = 'Which of the labels is the right one?' }: NewExperiment & { readonly name: string },
  { rows }: PredictionFile,
  mapping: ImportMapping,
  fault: FileFault,
): ImportTarget {
  const { case: id, truth: field, groups, weight } = mapping.columns;
  const truths = truthsOf(rows, mapping, fault);
  const cells = new Set<string>();
  for (const { truth } of rows) if (truth !== null && truth.trim() !== '') cells.add(truth);
  const mapped = new Map(mapping.map);
  const labels = labelsOf(cells, mapped);
  const forms = new Map<string, string>();
  for (const label of labels) {
    const twin = forms.get(label.normalize('NFC'));
    if (twin !== undefined) {
      throw fault(
        `the truths ${quoted(twin)} and ${quoted(label)} look the same and differ in how their letters are composed (Unicode NFC and NFD); map one to the other`,
        { field },
      );
    }
    forms.set(label.normalize('NFC'), label);
  }
  const parsed = recordedExperimentSchema.safeParse({
    version: 1,
    name,
    dataset: {
      path: mapping.file,
      id,
      label: { column: field ?? '', map: Object.fromEntries([...cells].map((cell) => [cell, mapped.get(cell) ?? cell])) },
      labels,
      positive: positive ?? (labels.length === 2 ? labels[1] : undefined),
      question,
      groups,
      ...(weight === null ? {} : { weight }),
    },
    arms: [],
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    if (issue?.path[0] === 'name') throw badInput(`the name ${issue.message}`, 'experiment');
    if (issue?.path[1] === 'question') throw badInput(`the question ${issue.message}`, 'question');
    const found = labels.length === 0 ? 'no case has a truth' : `the truths are ${listed(labels)}`;
    throw fault(`${found}, and an experiment needs 2 to 1000 different labels`, { field });
  }
  if (positive !== undefined && !labels.includes(positive)) {
    throw badInput(
      `${quoted(positive)} is none of the labels ${listed(labels)}; name one of them as the positive one`,
      'positive',
    );
  }
  const filled = partsOf(rows, mapping.columns, fault);
  const cases = [...truths].map(([caseId, truth]) => {
    const parts = filled.get(caseId);
    const own = Object.fromEntries(groups.map((column) => [column, parts?.get(column)?.value ?? '']));
    const weighed = weight === null ? {} : { weight: Number(parts?.get(weight)?.value) };
    return { id: caseId, facts: [], question: null, truth, groups: own, ...weighed };
  });
  const byId = new Map(cases.map((kase) => [kase.id, kase]));
  return {
    definition: parsed.data,
    arms: [],
    labels,
    positive: parsed.data.dataset.positive ?? null,
    cases: new Map(cases.map(({ id: caseId }) => [caseId, true])),
    caseOf: (caseId) => byId.get(caseId),
    draft: { cases, splits: splitCases([...truths.keys()], parsed.data.dataset.split, parsed.data.seed) },
  };
}
