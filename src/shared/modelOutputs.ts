import { z } from 'zod';
import { ensembleSchema, fitSchema, installedModelSchema, loadedModelSchema, pullSchema } from './api/models.ts';

/** Shapes of what `assize models … --json` prints. Fields are added, never renamed. */

export const modelsReportSchema = z.strictObject({
  url: z.string(),
  /** The server is the demo model: its names have no weights. */
  standin: z.boolean(),
  installed: z.array(installedModelSchema),
  loaded: z.array(loadedModelSchema),
  /** Bytes free where the models are stored; null if unknown. */
  disk_free: z.number().nullable(),
});
export type ModelsReport = z.infer<typeof modelsReportSchema>;

/** In the order in which they were asked for. */
export const pullReportSchema = z.strictObject({ url: z.string(), pulls: z.array(pullSchema) });
export type PullReport = z.infer<typeof pullReportSchema>;

export const fitReportSchema = z.strictObject({ url: z.string(), fits: z.array(fitSchema) });
export type FitReport = z.infer<typeof fitReportSchema>;

export const ensemblesReportSchema = z.strictObject({ url: z.string(), ensembles: z.array(ensembleSchema) });
export type EnsemblesReport = z.infer<typeof ensemblesReportSchema>;

export const deleteReportSchema = z.strictObject({ url: z.string(), deleted: z.array(z.string()) });
export type DeleteReport = z.infer<typeof deleteReportSchema>;
