import { z } from 'zod';
import { outcomeSchema } from '../domain.ts';

/**
 * What can be known of a trial: the truth of its case; a stated confidence; a belief that can be compared with the truth, which is
 * a decided trial's distribution over the labels (of two labels one stated number is enough); a decided trial's answer from before
 * its verdict.
 */
export const knowables = ['truth', 'confidence', 'belief', 'first answer'] as const;
export type Knowable = (typeof knowables)[number];

/** Shares of at least `from` and below `to`, both up to rounding; up to and with 1 where `to` is 1. */
export const shareRangeSchema = z.strictObject({ from: z.number().min(0).max(1), to: z.number().min(0).max(1) });
export type ShareRange = z.infer<typeof shareRangeSchema>;

/** A part of an experiment's trials, by all given conditions; none: everything. Its results are a look and no finding. */
export const subsetSchema = z.strictObject({
  arms: z.array(z.string().max(200)).max(1000).optional(),
  models: z.array(z.string().max(300)).max(1000).optional(),
  /** Column of the data set -> values. */
  groups: z.record(z.string().max(500), z.array(z.string().max(2000)).max(1000)).optional(),
  outcomes: z.array(outcomeSchema).max(20).optional(),
  /** Trials for which all of these are known. */
  known: z.array(z.enum(knowables)).max(knowables.length).optional(),
  /** Labels: trials whose truth is one of them, or has one of them among several. */
  truths: z.array(z.string().max(2000)).max(1000).optional(),
  /** Labels: decided trials whose first answer is one of them, or has one of them among several. */
  first: z.array(z.string().max(2000)).max(1000).optional(),
  /** Arms: trials of cases with a known truth of which each of these arms has a finished trial, even outside the part. */
  paired: z.array(z.string().max(200)).max(100).optional(),
  /** Trials with a stated confidence in this range. */
  confidence: shareRangeSchema.optional(),
  /** Label -> range: decided trials whose probability of the label is in it. */
  beliefs: z.record(z.string().max(2000), shareRangeSchema).optional(),
});
export type Subset = z.infer<typeof subsetSchema>;
