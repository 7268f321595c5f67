import { z } from 'zod';
import { shownFactSchema, truthSchema } from '../domain.ts';
import { experimentSchema } from '../experiment.ts';
import { comparisonSchema, estimateShape, measureBases, swapStatisticsSchema } from '../statistics.ts';
import { trialLineSchema } from '../trialLine.ts';
import { settingSchema } from './protocolFigures.ts';
import { subsetSchema } from './subset.ts';

/** How two arms compare on a case: who is right more often; else always right, never, or equally often. */
export const standings = ['a_only', 'b_only', 'both_right', 'both_wrong', 'equally'] as const;
export const standingSchema = z.enum(standings);
export type Standing = z.infer<typeof standingSchema>;

/** Cases that one page may have. */
export const mostCompared = 500;

/** An arm against another arm or a baseline on the cases that both have. */
export const comparedQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  a: z.string().max(200),
  b: z.string().max(200),
  baseline: z.boolean(),
  /** Trials of this part alone: all numbers are of it. */
  subset: subsetSchema.omit({ arms: true, models: true }).optional(),
  /** Cases of these kinds alone. */
  standings: z.array(standingSchema).max(standings.length).optional(),
  /** Cases whose id or facts contain this text. */
  search: z.string().max(200).optional(),
  /** Cases of this value of a group column. */
  group: z.strictObject({ column: z.string().max(500), value: z.string().max(2000) }).optional(),
  /** Whether intervals and the papers' tests are drawn; without, the values are there alone and at once. */
  resampled: z.boolean().default(true),
  /** Whether cases have their facts, which can be long. */
  facts: z.boolean().default(true),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(mostCompared).default(50),
});
export type ComparedQuery = z.infer<typeof comparedQuerySchema>;

const verdictSchema = trialLineSchema
  .pick({ replicate: true, outcome: true, prediction: true, confidence: true, belief_source: true, correct: true })
  .extend({ /** Null for a baseline, which has no trial. */ trial: z.string().nullable() });
export type ComparedVerdict = z.infer<typeof verdictSchema>;

const comparedCaseSchema = z.strictObject({
  case: z.string(),
  standing: standingSchema,
  truth: truthSchema,
  groups: z.record(z.string(), z.string()),
  /** Null where the record no longer lists the case, or they were not asked for. */
  facts: z.array(shownFactSchema).nullable(),
  /** Finished trials of the case. */
  a: z.array(verdictSchema),
  b: z.array(verdictSchema),
  /** Two trials to read side by side; null for a baseline. */
  beside: z.tuple([z.string(), z.string()]).readonly().nullable(),
});
export type ComparedCase = z.infer<typeof comparedCaseSchema>;

/** A signed-rank test over bootstrap replicates, as papers do it: no inference. See docs/statistics.md. */
export const paperStyleSchema = z.strictObject({
  measure: z.enum(['accuracy', 'macro_f1']),
  /** Of a less b, over the replicates; -1 to 1. */
  mean_difference: z.number(),
  replicates: z.int(),
  /** Null where no replicate has a difference. */
  statistic: z.number().nullable(),
  p: z.number().min(0).max(1).nullable(),
  seed: z.int(),
});
export type PaperStyle = z.infer<typeof paperStyleSchema>;

export const comparedSchema = z.strictObject({
  /** Of these two alone: without adjusted p-values, which are of a whole report. */
  comparison: comparisonSchema,
  /** Cases by standing, for any search text. */
  counts: z.record(standingSchema, z.int()),
  /** Whether some case was tried more than once. */
  replicated: z.boolean(),
  /** Who decided what the labels of the data set are; absent where they are the truth. */
  decided_by: z.string().optional(),
  paper_style: z.array(paperStyleSchema),
  /** Group columns of the data set with the values that occur. */
  groups: z.record(z.string(), z.array(z.string())),
  /** Cases that fit the question, and the part of them that was asked for, in the order of the sample. */
  total: z.int(),
  offset: z.int(),
  cases: z.array(comparedCaseSchema),
});
export type Compared = z.infer<typeof comparedSchema>;

/** Two arms whose trials are paired by case and replicate. */
export const changedQuerySchema = comparedQuerySchema.pick({ experiment: true, a: true, b: true, subset: true });
export type ChangedQuery = z.infer<typeof changedQuerySchema>;

export const changedMeasureSchema = z.strictObject({
  /**
   * `brier`, `miscalibration`, `expected_calibration_error` and `failed` as in a report; `overconfidence`: mean confidence less accuracy;
   * `prompt_tokens` and `completion_tokens` of a trial.
   */
  name: z.string(),
  over: z.enum(measureBases),
  /** Pairs of finished trials that both have the measure, and the cases they are of: the unit that is resampled. */
  pairs: z.int(),
  cases: z.int(),
  /** Of each arm over these pairs. */
  a: z.number().nullable(),
  b: z.number().nullable(),
  /** Of a less b. */
  difference: z.strictObject(estimateShape),
});
export type ChangedMeasure = z.infer<typeof changedMeasureSchema>;

/** What differs between two arms, and what that did. */
export const changedSchema = z.strictObject({
  /** Settings in which they differ; null where an arm does not have the setting. None for predictions from elsewhere. */
  settings: z.array(z.strictObject({ name: z.string(), a: settingSchema, b: settingSchema })),
  /** From the verdicts of b to those of a. */
  flips: swapStatisticsSchema.omit({ arm: true, swap: true, swapped_arm: true }),
  measures: z.array(changedMeasureSchema),
});
export type Changed = z.infer<typeof changedSchema>;

/** An arm paired with another, such as itself with something exchanged. */
export const flippedQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  base: z.string().max(200),
  swapped: z.string().max(200),
  /** Trials of this part alone. */
  subset: subsetSchema.omit({ arms: true, models: true }).optional(),
  /** Pairs with one verdict too, and those without. */
  all: z.boolean().optional(),
});

export type FlippedQuery = z.infer<typeof flippedQuerySchema>;

const pairedVerdictSchema = trialLineSchema.pick({ trial: true, prediction: true, confidence: true, belief_source: true });

/** Pairs of trials whose verdicts differ, or all of them, at most 500, in the order of the sample. */
export const flippedPairsSchema = z.strictObject({
  total: z.int(),
  /** Trials of each case in each arm. */
  replicates: z.int(),
  pairs: z.array(
    z.strictObject({ case: z.string(), replicate: z.int(), base: pairedVerdictSchema, swapped: pairedVerdictSchema }),
  ),
});
export type FlippedPairs = z.infer<typeof flippedPairsSchema>;
