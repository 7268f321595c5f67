import { z } from 'zod';
import { areLabels } from '../../../core/cases/peculiarities.ts';
import { type CaseDefinition, type CasePreview, caseDefinitionSchema, type Inspection } from '../../../shared/api/dataFiles.ts';
import { caseKindSchema } from '../../../shared/domain.ts';
import { longestDecider } from '../../../shared/experiment.ts';
import { nameOfFile, wrong } from '../importing/chosen.ts';
import type { FormState } from '../importing/ImportWizard.tsx';
import type { Checked, Lacking } from '../importing/useImportForm.ts';
import { suggestedFor, termsFor } from './columnTerms.ts';

const textColumns = ['text', 'premise', 'hypothesis', 'question', 'passage'] as const;
export type TextColumn = (typeof textColumns)[number];

/** What the form holds. An empty string is a column or value that was not chosen. */
export const importFormSchema = z.strictObject({
  name: z.string(),
  kind: caseKindSchema,
  id: z.string(),
  label: z.string(),
  /** `one`: one label in each cell; else the separator, or `json`. */
  multiple: z.string(),
  /** Source value -> label. */
  map: z.record(z.string(), z.string()),
  /** Who decided what the labels are; null: they are what happened or what is right. */
  decidedBy: z.string().nullable(),
  /** The possible labels where no column has them, or all that are possible beyond those in the file. */
  labels: z.array(z.string()),
  /** A value of the label column, so that it keeps its side when its label is renamed; a label where no values are known. */
  positive: z.string(),
  question: z.string(),
  columns: z.record(z.enum(textColumns), z.string()),
  pair: z.enum(['inference', 'reading']),
  sections: z.array(z.string()),
  exclude: z.array(z.string()),
  groups: z.array(z.string()),
  names: z.record(z.string(), z.string()),
  units: z.record(z.string(), z.string()),
  namesInPrompts: z.boolean(),
  /** Per cent. */
  split: z.strictObject({ test: z.number(), train: z.number(), validation: z.number() }),
  /** The column in whose order cases go to the shares; empty: they are dealt by lot. */
  splitBy: z.string(),
});
export type ImportForm = z.infer<typeof importFormSchema>;

const percent = (share: number) => Math.round(share * 10_000) / 100;

/** The source value with a label; the label itself where none has. */
export const valueWithLabel = (map: ImportForm['map'], label: string): string =>
  Object.keys(map).find((value) => map[value] === label) ?? label;

/** The label that the prosecution argues for; empty while none was chosen. */
export const positiveLabel = ({ map, positive }: Pick<ImportForm, 'map' | 'positive'>): string => map[positive] ?? positive;

export function formOf({ guess, columns: found }: Inspection, fileName: string): ImportForm {
  const { columns } = guess;
  // A column of the part's own name needs no mention in a definition.
  const columnFor = (name: TextColumn) => columns[name] ?? (found.some((column) => column.name === name) ? name : '');
  return {
    name: nameOfFile(fileName),
    kind: guess.kind,
    id: guess.id ?? '',
    label: guess.label?.column ?? '',
    multiple: guess.label?.multiple ?? 'one',
    map: { ...guess.label?.map },
    decidedBy: null,
    labels: guess.labels ?? [],
    positive: valueWithLabel(guess.label?.map ?? {}, guess.positive ?? ''),
    question: guess.question ?? '',
    columns: {
      text: columnFor('text'),
      premise: columnFor('premise'),
      hypothesis: columnFor('hypothesis'),
      question: columnFor('question'),
      passage: columnFor('passage'),
    },
    pair: columnFor('premise') === '' && columnFor('passage') !== '' ? 'reading' : 'inference',
    sections: guess.sections ?? [],
    exclude: guess.exclude,
    groups: guess.groups,
    ...suggestedFor(found.map(({ name }) => name)),
    namesInPrompts: false,
    split: { test: percent(guess.split.test), train: percent(guess.split.train), validation: percent(guess.split.validation) },
    splitBy: guess.split.by ?? '',
  };
}

export const isGuessed = ({ guess }: Inspection, { label }: Pick<ImportForm, 'label'>): boolean =>
  label !== '' && label === guess.label?.column;

export function textColumnsOf({ kind, pair }: Pick<ImportForm, 'kind' | 'pair'>): readonly TextColumn[] {
  if (kind === 'text') return ['text'];
  if (kind === 'open') return ['question'];
  if (kind !== 'pair') return [];
  return pair === 'inference' ? ['premise', 'hypothesis'] : ['question', 'passage'];
}

/** The distinct labels as in the cells of a column; null where there are too many to list. */
export function sourceValues({ columns }: Inspection, form: Pick<ImportForm, 'label' | 'multiple'>): string[] | null {
  const values = columns.find(({ name }) => name === form.label)?.values ?? null;
  if (values === null) return null;
  const filled = values.filter((value) => value.trim() !== '');
  if (form.multiple === 'one') return filled;
  if (form.multiple === 'json') return null;
  return [...new Set(filled.flatMap((value) => value.split(form.multiple).map((part) => part.trim())))].filter(
    (part) => part !== '',
  );
}

function factColumns({ columns }: Inspection, { kind, exclude, label, id, sections }: ImportForm): string[] {
  if (kind === 'sections') return sections;
  return kind === 'tabular'
    ? without(
        columns.map(({ name }) => name),
        label,
        id,
        ...exclude,
      )
    : [];
}

/** The columns that people read under names of their choice: facts and groups. */
export function namedColumns(inspection: Inspection, form: ImportForm): string[] {
  const facts = factColumns(inspection, form);
  return inspection.columns.flatMap(({ name }) =>
    facts.includes(name) || (form.groups.includes(name) && name !== form.label) ? [name] : [],
  );
}

/** Columns that may hold the answer, where no column is the truth. They are facts only where the user says so. */
export const answerColumns = ({ columns }: Inspection, { kind, label, labels }: Pick<ImportForm, 'kind' | 'label' | 'labels'>) =>
  kind === 'tabular' && label === ''
    ? columns.flatMap(({ name, values }) => (values !== null && areLabels(values, labels) ? [name] : []))
    : [];

export function withTruth(inspection: Inspection, form: ImportForm, change: Partial<ImportForm>): Partial<ImportForm> {
  const before = answerColumns(inspection, form);
  const held = answerColumns(inspection, { ...form, ...change }).filter((name) => !before.includes(name));
  // What was taken for the truth until now is hardly a fact.
  if (change.label === '' && form.label !== '' && !held.includes(form.label)) held.push(form.label);
  return { ...change, exclude: [...without(form.exclude, ...held), ...held] };
}

type DefinitionInput = z.input<typeof caseDefinitionSchema>;

/** Undefined where nobody decided or nobody was named yet. */
const deciderOf = ({ decidedBy, label }: Pick<ImportForm, 'decidedBy' | 'label'>): string | undefined =>
  label === '' ? undefined : decidedBy?.trim() || undefined;

/** The same for the preview; empty where somebody decided whom nobody named yet. */
export const shownDecider = (form: Pick<ImportForm, 'decidedBy' | 'label'>): string | undefined =>
  deciderOf(form) ?? (form.label === '' || form.decidedBy === null ? undefined : '');

function labelOf(form: ImportForm, values: readonly string[] | null): DefinitionInput['label'] {
  if (form.kind === 'open' || form.label === '') return undefined;
  const named = (values ?? []).map((value) => [value, form.map[value] ?? value] as const);
  const renamed = named.some(([value, label]) => value !== label);
  return {
    column: form.label,
    multiple: form.multiple === 'one' ? null : form.multiple,
    ...(renamed ? { map: Object.fromEntries(named) } : {}),
    ...(deciderOf(form) === undefined ? {} : { decidedBy: deciderOf(form) }),
  };
}

/** Labels that the positive one can be chosen from, as far as the form alone knows them. */
export function labelsOf(form: ImportForm, values: readonly string[] | null): string[] {
  if (form.labels.length > 0) return form.labels;
  return [...new Set((values ?? []).map((value) => form.map[value] ?? value))].filter((label) => label !== '').toSorted();
}

const without = (names: readonly string[], ...others: readonly string[]) => names.filter((name) => !others.includes(name));

/** The definition that a form means, yet unchecked: `checkForm` says what is wrong with it. */
export function definitionInput(form: ImportForm, inspection: Inspection): DefinitionInput {
  const label = labelOf(form, sourceValues(inspection, form));
  const { delimiter, encoding, sheet } = inspection.guess;
  const open = form.kind === 'open';
  const terms = termsFor(form, namedColumns(inspection, form));
  const columns = textColumnsOf(form).flatMap((name) => (form.columns[name] === '' ? [] : [[name, form.columns[name]] as const]));
  return {
    format: inspection.format,
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(sheet === undefined ? {} : { sheet }),
    kind: form.kind,
    ...(form.id === '' ? {} : { id: form.id }),
    ...(label === undefined ? {} : { label }),
    ...(open || form.labels.length === 0 ? {} : { labels: form.labels }),
    ...(open || form.multiple !== 'one' || form.positive === '' ? {} : { positive: positiveLabel(form) }),
    ...(form.question.trim() === '' || open ? {} : { question: form.question.trim() }),
    columns: Object.fromEntries(columns),
    ...(form.kind === 'sections' ? { sections: form.sections } : {}),
    exclude: form.kind === 'tabular' ? without(form.exclude, form.label, form.id) : [],
    groups: without(form.groups, form.label),
    ...terms,
    ...(form.namesInPrompts && Object.keys(terms).length > 0 ? { namesInPrompts: true } : {}),
    split: {
      ...{ test: form.split.test / 100, train: form.split.train / 100, validation: form.split.validation / 100 },
      ...(form.splitBy === '' ? {} : { by: form.splitBy }),
    },
  };
}

/** The part of the form that shows each place of a definition. */
const parts = {
  name: 'name',
  kind: 'kind',
  id: 'id',
  label: 'label',
  'label.column': 'label',
  'label.multiple': 'label',
  'label.map': 'map',
  'label.decidedBy': 'decidedBy',
  labels: 'labels',
  positive: 'positive',
  question: 'question',
  groups: 'groups',
  exclude: 'exclude',
  sections: 'sections',
  names: 'names',
  split: 'split',
  'split.by': 'splitBy',
  'columns.text': 'text',
  'columns.premise': 'premise',
  'columns.hypothesis': 'hypothesis',
  'columns.question': 'question',
  'columns.passage': 'passage',
} as const;
export type FormPart = (typeof parts)[keyof typeof parts];

export type CaseForm = FormState<ImportForm, FormPart, CasePreview>;

const partAt: Readonly<Record<string, FormPart>> = parts;

/** Where in the form a failure belongs; null where it is about the file as a whole, or a column without a field. */
export function partOf(field: string | null, form: ImportForm): FormPart | null {
  if (field === null) return null;
  const key = field.replace(/^(definition|dataset)\./, '');
  const exact = partAt[key] ?? partAt[key.split('.').slice(0, 2).join('.')] ?? partAt[key.split('.')[0] ?? ''];
  if (field !== key || exact !== undefined) return exact ?? null;
  if (field === form.label) return 'label';
  if (field === form.id) return 'id';
  const text = textColumnsOf(form).find((name) => form.columns[name] === field);
  // Any other column of a table is a fact, and can be left out.
  return text ?? (form.kind === 'tabular' ? 'exclude' : null);
}

/** What the schema of an experiment file would say in its own words. */
const plainWords: Partial<Record<FormPart, string>> = {
  labels: 'Name at least two labels, each once.',
  question: 'A question has at most 4,000 characters.',
  map: 'Each label needs a name.',
  decidedBy: `Write a name of at most ${longestDecider} visible characters.`,
};

/** A case with one of two labels has two sides, and which of them the prosecution takes is for the user to say. */
export const hasSides = (form: ImportForm, inspection: Inspection): boolean =>
  form.kind !== 'open' && form.multiple === 'one' && labelsOf(form, sourceValues(inspection, form)).length === 2;

/** What has still to be said before the cases can be imported; a preview can do without it. */
export function lackingIn(form: ImportForm, inspection: Inspection): Lacking<FormPart>[] {
  if (form.kind === 'open') return [];
  const question: Lacking<FormPart> = { part: 'question', message: 'Write the question that the court decides in every case.' };
  const side: Lacking<FormPart> = { part: 'positive', message: 'Choose the answer that the prosecution argues for.' };
  const decider: Lacking<FormPart> = { part: 'decidedBy', message: 'Write who decided.' };
  return [
    ...(form.question.trim() === '' ? [question] : []),
    ...(form.label !== '' && form.decidedBy !== null && deciderOf(form) === undefined ? [decider] : []),
    ...(form.positive === '' && hasSides(form, inspection) ? [side] : []),
  ];
}

/** Checks what the form alone can know; the rest is found when the file is read. */
export function checkForm(form: ImportForm, inspection: Inspection): Checked<CaseDefinition, FormPart | null> {
  const name = form.name.trim();
  if (name === '' || name.length > 200) return wrong('name', 'A name has 1 to 200 characters.');
  const total = form.split.test + form.split.train + form.split.validation;
  if (Math.abs(total - 100) > 1e-6) {
    return wrong('split', `The three shares add up to ${Math.round(total * 100) / 100}%; they must add up to 100%.`);
  }
  if (form.kind === 'sections' && form.sections.length === 0) return wrong('sections', 'Choose at least one column.');
  const missing = textColumnsOf(form).find((name) => form.columns[name] === '');
  if (missing !== undefined) return wrong(missing, 'Choose its column.');
  if (form.kind !== 'open' && form.label === '' && form.labels.length === 0) {
    return wrong('label', 'Choose the column with the label. Where no label is known, name the labels to choose from.');
  }
  const parsed = caseDefinitionSchema.safeParse(definitionInput(form, inspection));
  if (parsed.success) return { draft: parsed.data, wrong: null };
  const [issue] = parsed.error.issues;
  const part = partOf(issue?.path.join('.') ?? null, form);
  return wrong(part, (part === null ? null : plainWords[part]) ?? issue?.message ?? 'This does not fit.');
}
