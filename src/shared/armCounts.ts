// What of an arm's trials is counted, without weights and intervals over cases.
import { z } from 'zod';

/** A proportion of trials with its count, its n and its Wilson interval; where a case has several trials, that of `measures`, over cases. */
export const shareSchema = z.strictObject({
  value: z.number().nullable(),
  count: z.int(),
  n: z.int(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});

export const confusionCellSchema = z.strictObject({ truth: z.string(), prediction: z.string(), n: z.int() });

/** From `from`, included, to `to`, excluded but in the last bin. */
export const confidenceBinSchema = z.strictObject({
  from: z.number(),
  to: z.number(),
  correct: z.int(),
  wrong: z.int(),
  /** Trials whose truth is not known. */
  unknown: z.int(),
});

export const confusionCountsSchema = z.strictObject({ tp: z.int(), tn: z.int(), fp: z.int(), fn: z.int() });

export const classStatisticsSchema = z.strictObject({
  label: z.string(),
  /** Decided trials whose truth is this label. */
  support: z.int(),
  precision: z.number().nullable(),
  recall: z.number().nullable(),
  f1: z.number().nullable(),
});

export const repeatedSchema = z.strictObject({
  cases: z.int(),
  /** Fewest and most finished trials of such a case. */
  least: z.int(),
  most: z.int(),
  /** Cases whose trials did not all have the same verdict, no decision counted as one. */
  differed: z.int(),
  /** Ids of these cases, the first of them in the order of the sample. */
  first: z.array(z.string()),
});

export const commonestSchema = z.strictObject({
  label: z.string(),
  /** Cases of this label, of all with one label. */
  cases: z.int(),
  of: z.int(),
  /** The same in trials of one arm, where all arms without a change have as many; null where some case was tried once or they differ. */
  trials: z.strictObject({ n: z.int(), of: z.int() }).nullable(),
});
