import { z } from 'zod';
import { experimentSchema } from '../experiment.ts';
import { importReportSchema, newExperimentSchema, predictionColumnsSchema, predictionReadingSchema } from '../imported.ts';
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
export const importPreviewSchema = z.strictObject({
  /** As the import would report it; `imported_now`: what is not on the record yet. */
  report: importReportSchema,
  /** Values of the file with their predictions, the most frequent first, at most 50; a null label is undecided. */
  values: z.array(z.strictObject({ value: z.string(), trials: z.int(), label: z.string().nullable() })),
  /** Further different values. */
  more_values: z.int(),
  /** The first predictions, at most 8; cells shortened to 200 characters. */
  first: z.array(
    z.strictObject({
      line: z.int(),
      case: z.string(),
      arm: z.string(),
      replicate: z.int(),
      value: z.string(),
      stated: z.string().nullable(),
      prediction: z.string().nullable(),
      confidence: z.number().nullable(),
    }),
  ),
});
export type ImportPreview = z.infer<typeof importPreviewSchema>;
