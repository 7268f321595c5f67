import { z } from 'zod';
import { experimentSchema } from '../experiment.ts';
import { type ImportReport, newExperimentSchema, predictionColumnsSchema, predictionReadingSchema } from '../imported.ts';
import { fileReadingSchema, uploadHandleSchema } from './dataFiles.ts';

/** What a screen asks to be imported, into an experiment on the record or a new one. */
export const importDraftSchema = z.strictObject({
  upload: uploadHandleSchema,
  experiment: experimentSchema.shape.name,
  /** Name of the arm, or the part of it before the system's name. */
  arm: z.string().trim().min(1).max(200),
  ...fileReadingSchema.shape,
  columns: predictionColumnsSchema,
  ...predictionReadingSchema.shape,
  map: predictionReadingSchema.shape.map.max(1000),
  ...newExperimentSchema.shape,
});
export type ImportDraft = z.infer<typeof importDraftSchema>;

/** What an import would do; nothing is written. */
export interface ImportPreview {
  /** As the import would report it; `imported_now`: what is not on the record yet. */
  readonly report: ImportReport;
  /** Values of the file with their predictions, the most frequent first, at most 50; a null label is undecided. */
  readonly values: readonly { readonly value: string; readonly trials: number; readonly label: string | null }[];
  /** Further different values. */
  readonly more_values: number;
  /** The first predictions, at most 8; cells shortened to 200 characters. */
  readonly first: readonly {
    readonly line: number;
    readonly case: string;
    readonly value: string;
    readonly prediction: string | null;
    readonly confidence: number | null;
  }[];
}
