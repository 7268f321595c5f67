// What an experiment decides beforehand: its primary comparison and when it stops.
import { z } from 'zod';
import { estimateShape } from './statistics.ts';

/** Marks a baseline among the two that are compared: `baseline:majority`. */
export const baselineMark = 'baseline:';

export const primaryTests = ['difference', 'non-inferiority', 'equivalence'] as const;

export const primarySchema = z.strictObject({
  /** An arm, and an arm or a baseline (`baseline:majority`) that it is compared with. */
  compare: z.tuple([z.string().min(1), z.string().min(1)]),
  measure: z.enum(['accuracy', 'macro_f1', 'brier', 'log_loss', 'area_under_curve']).default('accuracy'),
  test: z.enum(primaryTests).default('difference'),
  /** The smallest difference that would matter, in the measure's own units; for non-inferiority and equivalence. */
  margin: z.number().positive().max(1).optional(),
  /** Tests that are decided beforehand, this one included: the level is 5% divided by it. */
  family: z.int().min(1).max(100).default(1),
});
export type Primary = z.infer<typeof primarySchema>;

/** The level of the primary comparison, two-sided: its share of 5%. */
export const familyLevel = ({ family }: Pick<Primary, 'family'>): number => 0.05 / family;

export const stopSchema = z.strictObject({
  /** The run ends once the anytime-valid interval of the primary comparison is narrower. */
  width: z.number().positive().max(2),
});

export const primaryResultSchema = z.strictObject({
  compare: z.tuple([z.string(), z.string()]),
  measure: primarySchema.shape.measure.unwrap(),
  test: z.enum(primaryTests),
  margin: z.number().nullable(),
  /** Tests decided beforehand; the level of both intervals is 1 - 0.05 / family. */
  family: z.int(),
  /** Cases that both have, and cases on trial with a known truth. */
  cases: z.int(),
  of: z.int(),
  /** Whether the run has reached its planned end, or that of its stopping rule. */
  final: z.boolean(),
  /** The measure of each over these cases. */
  a: z.number().nullable(),
  b: z.number().nullable(),
  /** a less b with its interval for a number of cases that was fixed beforehand: it holds for one look, at the end. */
  difference: z.strictObject(estimateShape),
  /** From the fixed-n test, one-sided except for `difference`; null without an interval to invert, or if the anytime-valid one decides. */
  p: z.number().nullable(),
  /**
   * Two-sided p of the exact test, which a difference in accuracy needs beside the interval; absent for other tests and measures,
   * without resamples, and where the anytime-valid interval decides.
   */
  exact_p: z.number().optional(),
  /** Cases on which one of the two is right more often; there with `exact_p`. */
  discordant: z.strictObject({ a_only: z.int(), b_only: z.int() }).optional(),
  /** The anytime-valid interval of a less b; null where it is not for two arms' accuracy. */
  anytime: z
    .strictObject({
      /** Cases of the sample's beginning that both arms have finished. */
      cases: z.int(),
      low: z.number(),
      high: z.number(),
      level: z.number(),
    })
    .nullable(),
  /** The level that `p` and `exact_p` are compared with. */
  p_level: z.number(),
  stop: z
    .strictObject({
      width: z.number(),
      /** Cases after which the rule ended the run; null where it has not. */
      after: z.int().nullable(),
    })
    .nullable(),
  /** Arms that were added or imported after the comparison was decided; absent without one. */
  later_arms: z.array(z.string()).optional(),
  /**
   * Cases and replicates that were planned when the first trial began: the comparison is over these alone. Absent where nothing
   * was added to them. `ids`: of these cases, in the order of the sample.
   */
  planned: z.strictObject({ cases: z.int(), replicates: z.int(), ids: z.array(z.string()).optional() }).optional(),
  decided_by: z.enum(['fixed', 'anytime']),
  /** `open`: there is no decision before the end. */
  decision: z.enum(['shown', 'not-shown', 'open']),
  sentence: z.string(),
  /** Finished cases at which results of the unfinished run were shown, as far as that was recorded. */
  looks: z.array(z.int()).optional(),
  /** In what the two arms differ, in words, where that is more than one setting; absent elsewhere. */
  differ_in: z.array(z.string()).optional(),
  /** Why this look at the unfinished run could not be counted; absent where it was, and where it is none. */
  look_uncounted: z.string().optional(),
});
export type PrimaryResult = z.infer<typeof primaryResultSchema>;
