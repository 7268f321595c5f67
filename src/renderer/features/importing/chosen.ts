// What the import keeps of a file, apart from its screens: those who hand a file over need no more.
import type { FileReading, Upload } from '../../../shared/api/dataFiles.ts';

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

/** What is kept of a file that has just been chosen, here or on another screen. */
export const chosen = (upload: Upload): WizardState<never> => ({ upload, reading: {}, form: null });
