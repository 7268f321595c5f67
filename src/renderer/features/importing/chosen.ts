// What the import keeps of a file, apart from its screens: those who hand a file over need no more.
import type { FileReading, Inspection, Upload } from '../../../shared/api/dataFiles.ts';

/** What survives a reload. The form is null until something is changed in it. */
export interface WizardState<Form> {
  readonly upload: Upload;
  readonly reading: FileReading;
  readonly form: Form | null;
}

/** What the import of cases keeps over a reload is under this name. */
export const storageKey = 'import';

/** The same of the import of predictions: for a new experiment, or with a slash and its name for one on the record. */
export const predictionsKey = 'predictions';

/** The name of a file without its ending: the name of a data set or an arm until the user names it. */
export function nameOfFile(fileName: string): string {
  return fileName.replace(/\.[A-Za-z0-9]{1,7}$/, '').slice(0, 200) || fileName.slice(0, 200);
}

/** What is kept of a file that has just been chosen, here or on another screen. */
export const chosen = (upload: Upload): WizardState<never> => ({ upload, reading: {}, form: null });

/** Parts of a form that have the name of the file at first. */
const named = ['name', 'arm'];

/** What was filled in for one file is kept for the next; names taken from the file are taken from the new one. */
export function chosenNext<Form extends object>(before: WizardState<Form> | null, upload: Upload): WizardState<Form> {
  if (before === null || before.form === null) return chosen(upload);
  const [old, name] = [nameOfFile(before.upload.fileName), nameOfFile(upload.fileName)];
  const form = Object.fromEntries(
    Object.entries(before.form).map(([part, value]) => [part, named.includes(part) && value === old ? name : value]),
  );
  return { ...chosen(upload), form: form as Form };
}

/** What was chosen in an import before, for a further file. It makes something else, so the name is that of a fresh form. */
export function chosenAgain<Form extends object>(before: WizardState<Form>, upload: Upload, fresh: Form): Form | null {
  const { form } = chosenNext(before, upload);
  return form === null || !('name' in fresh) ? form : { ...form, name: fresh.name };
}

/** A form without columns that the file lacks, and their names. @param parts that are, hold or list names; empty: none chosen */
export function fitted<Form extends object>(form: Form, parts: readonly (keyof Form)[], { columns }: Inspection) {
  const names = new Set(columns.map(({ name }) => name));
  const gone = new Set<string>();
  const kept = (column: string): string => {
    if (column === '' || names.has(column)) return column;
    gone.add(column);
    return '';
  };
  const fitOf = (value: unknown): unknown => {
    if (typeof value === 'string') return kept(value);
    if (Array.isArray(value)) return value.filter((column) => kept(column) !== '');
    return Object.fromEntries(Object.entries(value as Record<string, string>).map(([key, column]) => [key, kept(column)]));
  };
  const fits = Object.fromEntries(parts.map((part) => [part, fitOf(form[part])]));
  return { form: { ...form, ...fits } as Form, gone: [...gone] };
}

/** What is wrong with a form, at the part that shows it. */
export const wrong = <Part>(part: Part, message: string) => ({ draft: null, wrong: { part, message } });
