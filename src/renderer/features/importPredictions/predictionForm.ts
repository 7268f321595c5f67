import { z } from 'zod';
import { numberIn } from '../../../core/imported/prediction.ts';
import type { Inspection } from '../../../shared/api/dataFiles.ts';
import { type ImportDraft, type ImportPreview, importDraftSchema } from '../../../shared/api/imports.ts';
import type { DatasetDefinition } from '../../../shared/experiment.ts';
import { nameOfFile } from '../datasets/importForm.ts';
import type { FormState } from '../importing/ImportWizard.tsx';
import type { Checked } from '../importing/useImportForm.ts';

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
  /** Group columns of the data set that are compared. */
  groups: z.array(z.string()),
  scale: z.enum(['1', '100']),
  /** Whether values are labels, or numbers that a comparison makes labels of. */
  reading: z.enum(['labels', 'scores']),
  sign: z.enum(comparisonSigns),
  limit: z.string(),
  /** Value of the file -> label. */
  map: z.record(z.string(), z.string()),
});
export type PredictionForm = z.infer<typeof predictionFormSchema>;

/** The parts that a message can stand at. */
export type FormPart = ColumnPart | 'probability' | 'opinion' | 'group' | 'arm' | 'limit';

export type PredictionState = FormState<PredictionForm, FormPart, ImportPreview>;

const usualNames: Readonly<Record<ColumnPart, readonly string[]>> = {
  case: ['case', 'case_id', 'id'],
  prediction: ['prediction', 'predicted', 'pred', 'verdict', 'answer', 'label'],
  confidence: ['confidence', 'probability', 'certainty'],
  repeat: ['repeat', 'repeat_id', 'replicate', 'run'],
  system: ['system', 'model', 'model_name'],
  truth: ['truth', 'ground_truth', 'gold'],
  weight: [],
};

/** What the screen knows of the data set that the predictions are for. */
type OwnColumns = Partial<Pick<DatasetDefinition, 'id' | 'groups' | 'weight'>>;

/** Group columns of the data set that the file has too. */
export const sharedGroups = ({ columns }: Inspection, { groups = [] }: OwnColumns): string[] =>
  groups.filter((group) => columns.some(({ name }) => name === group));

/** The labels whose probability has a column. */
export const statedIn = ({ probabilities }: Pick<PredictionForm, 'probabilities'>): [string, string][] =>
  Object.entries(probabilities).filter(([, column]) => column !== '');

/** A form that fits what the columns are called, for the user to check. */
export function formOf(inspection: Inspection, fileName: string, dataset: OwnColumns): PredictionForm {
  const { columns } = inspection;
  const find = (names: readonly string[]) =>
    names.flatMap((name) => columns.filter((column) => column.name.toLowerCase() === name.toLowerCase()))[0]?.name ?? '';
  const confidence = find(usualNames.confidence);
  const certain = columns.find(({ name }) => name === confidence);
  const inPercent = (certain?.values ?? certain?.examples ?? []).some((cell) => (numberIn(cell) ?? 0) > 1);
  return {
    arm: nameOfFile(fileName),
    columns: {
      case: find([...(dataset.id === undefined ? [] : [dataset.id]), ...usualNames.case]),
      prediction: find(usualNames.prediction),
      confidence,
      repeat: find(usualNames.repeat),
      system: find(usualNames.system),
      truth: find(usualNames.truth),
      weight: find(dataset.weight === undefined ? [] : [dataset.weight]),
    },
    probabilities: {},
    opinions: [],
    groups: sharedGroups(inspection, dataset),
    scale: inPercent ? '100' : '1',
    reading: 'labels',
    sign: '>=',
    limit: '',
    map: {},
  };
}

type CheckedForm = Checked<ImportDraft, FormPart>;

const wrong = (part: FormPart, message: string): CheckedForm => ({ draft: null, wrong: { part, message } });

/** What the form asks for, or the first thing that it lacks. */
export function checkForm(
  form: PredictionForm,
  of: Pick<ImportDraft, 'upload' | 'experiment' | 'delimiter' | 'encoding' | 'sheet'>,
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
    // A limit says what numbers mean.
    map: Object.entries(map).filter(([value, label]) => label !== '' && (reading === 'labels' || numberIn(value) === null)),
    positiveIf: reading === 'scores' ? `${sign}${limit.trim()}` : null,
    confidenceScale: Number(scale),
  });
  if (draft.success) return { draft: draft.data, wrong: null };
  return wrong('arm', draft.error.issues[0]?.message ?? 'This cannot be imported.');
}

/** Where in the form a failure of the engine belongs, by the field that it names; null where nowhere. */
export function partOf(field: string | null, form: PredictionForm): FormPart | null {
  const { columns } = form;
  if (field === null) return null;
  if (field === 'arm') return 'arm';
  if (field === 'positive-if' || field === 'positiveIf') return 'limit';
  if (field === 'probability' || statedIn(form).some(([, column]) => column === field)) return 'probability';
  if (field === 'opinion' || form.opinions.includes(field)) return 'opinion';
  return columnParts.find((part) => columns[part] === field) ?? (form.groups.includes(field) ? 'group' : null);
}
