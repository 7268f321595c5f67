import { z } from 'zod';
import { numberIn, writtenProbability } from '../../../core/imported/prediction.ts';
import { telling } from '../../../core/imported/scoreColumns.ts';
import type { FileReading, Inspection } from '../../../shared/api/dataFiles.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { type ImportDraft, type ImportPreview, importDraftSchema } from '../../../shared/api/imports.ts';
import { type DatasetDefinition, longestName } from '../../../shared/experiment.ts';
import type { NewExperiment } from '../../../shared/imported.ts';
import { wrong } from '../importing/chosen.ts';
import type { FormState } from '../importing/ImportWizard.tsx';
import type { Checked, Lacking } from '../importing/useImportForm.ts';

export const columnParts = ['case', 'prediction', 'confidence', 'repeat', 'system', 'truth', 'weight'] as const;
export type ColumnPart = (typeof columnParts)[number];

export const comparisonSigns = ['>=', '>', '<=', '<', '='] as const;

/** What the form holds. An empty string is a column or a label that was not chosen. */
export const predictionFormSchema = z.strictObject({
  arm: z.string(),
  columns: z.record(z.enum(columnParts), z.string()),
  /** Label -> the column of its probability. */
  probabilities: z.record(z.string(), z.string()),
  /** Columns of the opinions before the prediction, in their order. Kept forms of earlier versions have none. */
  opinions: z.array(z.string()).default([]),
  /** Columns of groups: those of the data set that are compared, or those of a new experiment. */
  groups: z.array(z.string()),
  scale: z.enum(['1', '100']),
  /** Whether values are labels, or numbers that a comparison makes labels of. */
  reading: z.enum(['labels', 'scores']),
  sign: z.enum(comparisonSigns),
  limit: z.string(),
  /** Value of the file -> label. */
  map: z.record(z.string(), z.string()),
  /** Of a new experiment. */
  name: z.string().default(''),
  positive: z.string().default(''),
  question: z.string().default(''),
});
export type PredictionForm = z.infer<typeof predictionFormSchema>;

export type FormPart =
  | ColumnPart
  | ('probability' | 'opinion' | 'group' | 'arm' | 'limit')
  | ('name' | 'labels' | 'positive' | 'question');

export type PredictionState = FormState<PredictionForm, FormPart, ImportPreview>;

/** What the screen knows of the data set that the predictions are for; null: a new experiment is made from the file. */
export type OwnColumns = Partial<Pick<DatasetDefinition, 'id' | 'groups' | 'weight'>> | null;

const usedIn = (form: Pick<PredictionForm, 'columns' | 'probabilities' | 'opinions'>) => [
  ...Object.values(form.columns),
  ...Object.values(form.probabilities),
  ...form.opinions,
];

export function unusedColumns({ columns }: Inspection, form: PredictionForm): string[] {
  const used = [...usedIn(form), ...form.groups];
  return columns.flatMap(({ name }) => (used.includes(name) ? [] : [name]));
}

/** Columns that nothing is read from: those with labels where no column is the prediction, and scores where no label has a probability. */
export function unread(inspection: Inspection, form: PredictionForm, labels: readonly string[]) {
  const names = unusedColumns(inspection, form);
  const columns = inspection.columns
    .filter(({ name }) => names.includes(name))
    .map((column) => ({ ...column, values: column.values?.map((value) => form.map[value] ?? value) ?? null }));
  const told = telling(columns, labels);
  const stated = statedIn(form).some(([label]) => labels.includes(label));
  return {
    labels: form.columns.prediction !== '' || labels.length < 2 ? [] : told.labels,
    scores: stated || labels.length < 2 ? [] : told.scores,
  };
}

/** More different values are no groups. */
const mostGroups = 20;

/** Group columns of the data set that the file has too; for a new experiment, columns of few values that nothing else is read from and that a case has one of. */
export function groupColumns(
  { columns }: Inspection,
  form: Pick<PredictionForm, 'columns' | 'probabilities' | 'opinions'>,
  own: OwnColumns,
) {
  if (own !== null) return (own.groups ?? []).filter((group) => columns.some(({ name }) => name === group));
  const used = usedIn(form);
  return columns.flatMap(({ name, values, variesPer }) =>
    variesPer === form.columns.case || values === null || values.length < 2 || values.length > mostGroups || used.includes(name)
      ? []
      : [name],
  );
}

/** The values of a new experiment's truths, as the file has them; null where there are too many to list. */
export function truthValues({ columns }: Inspection, form: PredictionForm): string[] | null {
  const found = columns.find(({ name }) => name === form.columns.truth);
  return found === undefined ? [] : (found.values?.filter((value) => value.trim() !== '') ?? null);
}

export type Labels = Pick<ExperimentView, 'labels' | 'positive'>;

export function newLabels(inspection: Inspection, form: PredictionForm): Labels {
  const meant = (truthValues(inspection, form) ?? []).map((value) => form.map[value] ?? value);
  const labels = [...new Set(meant)].filter((label) => label !== '').toSorted();
  return { labels, positive: labels.includes(form.positive) ? form.positive : null };
}

export const statedIn = ({ probabilities }: Pick<PredictionForm, 'probabilities'>): [string, string][] =>
  Object.entries(probabilities).filter(([, column]) => column !== '');

/** Whether the columns of probabilities, or that of the confidence, hold percentages. */
export function scaleOf(
  { columns }: Inspection,
  form: Pick<PredictionForm, 'columns' | 'probabilities'>,
): PredictionForm['scale'] {
  const stated = statedIn(form).map(([, column]) => column);
  const read = stated.length > 0 ? stated : [form.columns.confidence];
  const cells = columns.flatMap(({ name, values, examples }) => (read.includes(name) ? (values ?? examples) : []));
  const inPercent = (cell: string) => (writtenProbability(cell, 100) ?? 0) > (cell.includes('%') ? -1 : 1);
  return cells.some(inPercent) ? '100' : '1';
}

/** What a new experiment still needs before the import; a preview can do without it. */
export function lackingIn(form: PredictionForm, inspection: Inspection): Lacking<FormPart>[] {
  const { labels, positive } = newLabels(inspection, form);
  const side: Lacking<FormPart> = { part: 'positive', message: 'Choose the positive label.' };
  const question: Lacking<FormPart> = { part: 'question', message: 'Write the question that was decided in every case.' };
  return [...(labels.length === 2 && positive === null ? [side] : []), ...(form.question.trim() === '' ? [question] : [])];
}

type CheckedForm = Checked<ImportDraft, FormPart>;

/** What the form of a new experiment means, or its first lack. @param isRecorded its question and positive label remain */
export function checkNewForm(
  form: PredictionForm,
  inspection: Inspection,
  of: Pick<ImportDraft, 'upload' | keyof FileReading>,
  isRecorded: boolean,
): CheckedForm {
  const experiment = form.name.trim();
  if (experiment === '' || experiment.length > longestName) {
    return wrong('name', `A name has 1 to ${longestName} characters.`);
  }
  if (form.columns.truth === '')
    return wrong('truth', 'Choose the column that says what was true. The experiment is made from it.');
  const values = truthValues(inspection, form) ?? [];
  if (values.some((value) => form.map[value] === '')) return wrong('labels', 'Each label needs a name.');
  const question = form.question.trim();
  const { labels, positive } = newLabels(inspection, form);
  const probabilities = Object.fromEntries(statedIn(form).filter(([label]) => labels.includes(label)));
  return checkForm(
    { ...form, probabilities, groups: groupColumns(inspection, form, null).filter((name) => form.groups.includes(name)) },
    {
      ...of,
      experiment,
      ...(isRecorded || positive === null ? {} : { positive }),
      ...(isRecorded || question === '' ? {} : { question }),
    },
  );
}

export function checkForm(
  form: PredictionForm,
  of: Pick<ImportDraft, 'upload' | 'experiment' | keyof FileReading | keyof NewExperiment>,
): CheckedForm {
  const { columns, reading, sign, limit, map, scale } = form;
  const arm = form.arm.trim();
  if (arm === '' || arm.length > 200) return wrong('arm', 'A name has 1 to 200 characters.');
  if (columns.case === '') return wrong('case', 'Choose the column with the ids of the cases.');
  const stated = statedIn(form);
  if (columns.prediction === '' && stated.length === 0) {
    return wrong('prediction', 'Choose the column with the predictions, or columns of probabilities.');
  }
  if (reading === 'scores' && numberIn(limit) === null) return wrong('limit', 'Write a number, such as 5 or 0.5.');
  const optional = (part: ColumnPart) => columns[part] || null;
  const draft = importDraftSchema.safeParse({
    ...of,
    arm,
    columns: {
      case: columns.case,
      prediction: optional('prediction'),
      confidence: stated.length === 0 ? optional('confidence') : null,
      repeat: optional('repeat'),
      system: optional('system'),
      truth: optional('truth'),
      weight: optional('weight'),
      groups: form.groups,
      opinions: form.opinions,
      probabilities: stated,
    },
    // A limit says what numbers mean, except those of the truths.
    map: Object.entries(map).filter(
      ([value, label]) => label !== '' && (reading === 'labels' || columns.truth !== '' || numberIn(value) === null),
    ),
    positiveIf: reading === 'scores' ? `${sign}${limit.trim()}` : null,
    confidenceScale: Number(scale),
  });
  if (draft.success) return { draft: draft.data, wrong: null };
  const [issue] = draft.error.issues;
  if (issue?.path[0] === 'question') return wrong('question', 'A question has at most 4,000 characters.');
  return wrong('arm', issue?.message ?? 'This cannot be imported.');
}

/** Where in the form a failure of the engine belongs, by the field that it names; null where nowhere. */
export function partOf(field: string | null, form: PredictionForm): FormPart | null {
  const { columns } = form;
  if (field === null) return null;
  if (field === 'arm' || field === 'positive' || field === 'question') return field;
  if (field === 'experiment') return 'name';
  if (field === 'positive-if' || field === 'positiveIf') return 'limit';
  if (field === 'probability' || statedIn(form).some(([, column]) => column === field)) return 'probability';
  if (field === 'opinion' || form.opinions.includes(field)) return 'opinion';
  return columnParts.find((part) => columns[part] === field) ?? (form.groups.includes(field) ? 'group' : null);
}
