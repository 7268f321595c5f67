import { z } from 'zod';
import { experimentSchema } from '../experiment.ts';
import { statsReportSchema } from '../outputs.ts';
import { conformalSchema, measureSchema } from '../statistics.ts';
import { subsetSchema } from './subset.ts';

export const statsQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  /** Counts and accuracies alone, for a run under way: no resamples, no baselines. */
  quick: z.boolean().default(false),
  /** Of these trials alone; without it, of all. */
  subset: subsetSchema.optional(),
});

export const prevalenceQuerySchema = statsQuerySchema
  .omit({ quick: true })
  .extend({ /** Share of the positive label. */ prevalence: z.number().gt(0).lt(1) });
export type PrevalenceQuery = z.infer<typeof prevalenceQuerySchema>;

/** `at_prevalence` of each arm in which nothing is exchanged, then of each baseline. */
export const atPrevalenceSchema = z.array(z.strictObject({ arm: z.string(), measures: z.array(measureSchema) }));
export type AtPrevalence = z.infer<typeof atPrevalenceSchema>;

/** How far the statistics of an experiment are; null where none are being computed. */
export const statsFrameSchema = z.strictObject({
  progress: z.strictObject({ share: z.number().min(0).max(1), what: z.string() }).nullable(),
});
export type StatsFrame = z.infer<typeof statsFrameSchema>;

/** The statistics as they come: first the finding and the accuracies with their intervals, at last the whole. */
export const stagedStatsSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('sofar'), report: statsReportSchema }),
  z.strictObject({ kind: z.literal('whole'), report: statsReportSchema }),
]);
export type StagedStats = z.infer<typeof stagedStatsSchema>;

/** An experiment that could calibrate the sets of labels of another one. */
export const calibrationChoiceSchema = z.strictObject({
  experiment: z.string(),
  /** On trial there. */
  cases: z.int(),
  /** Why it does not fit; null where it does. */
  why: z.string().nullable(),
});
export type CalibrationChoice = z.infer<typeof calibrationChoiceSchema>;

export const calibratedQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  /** The experiment whose cases calibrate. */
  calibration: experimentSchema.shape.name,
  /** The part of the trials that the sets are tried on; without it, all. */
  subset: subsetSchema.optional(),
});
export type CalibratedQuery = z.infer<typeof calibratedQuerySchema>;

/** Sets of labels of each arm that both experiments have, where it has beliefs. */
export const calibratedSchema = z.strictObject({
  arms: z.array(z.strictObject({ arm: z.string(), conformal: conformalSchema, measures: z.array(measureSchema) })),
  /** Arms that the other experiment does not have. */
  missing: z.array(z.string()),
});
export type Calibrated = z.infer<typeof calibratedSchema>;
