import { z } from 'zod';
import { experimentSchema } from '../experiment.ts';
import { statsReportSchema } from '../outputs.ts';
import { measureSchema } from '../statistics.ts';
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

/** `at_prevalence` of each arm in which nothing is exchanged. */
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

/** An arm, or a baseline by its name, against another on the cases that both have. */
export const differingQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  a: z.string().max(200),
  b: z.string().max(200),
  baseline: z.boolean(),
});

const differingCaseSchema = z.strictObject({
  case: z.string(),
  /** Finished trials of the case in each; none for a baseline. */
  a: z.array(z.string()),
  b: z.array(z.string()),
  /** Two of them to read side by side; null for a baseline. */
  beside: z.tuple([z.string(), z.string()]).readonly().nullable(),
});

/** Cases on which one is right more often than the other, at most 500 of each kind, in the order of the sample. */
export const differingCasesSchema = z.strictObject({
  a_only: z.array(differingCaseSchema),
  b_only: z.array(differingCaseSchema),
});
export type DifferingCases = z.infer<typeof differingCasesSchema>;
