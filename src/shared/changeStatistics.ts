import { z } from 'zod';
import { expectationSchema, trialChangeSchema } from './changes.ts';
import { measureSchema, swapStatisticsSchema } from './statistics.ts';

export const changeStatisticsSchema = z.strictObject({
  arm: z.string(),
  changed_arm: z.string(),
  kind: trialChangeSchema.shape.kind,
  /** In a few words. */
  change: z.string(),
  /** The speech that is withheld; absent for other changes. */
  speech: z.string().optional(),
  /** What was expected of it in advance; absent: nothing. */
  expect: expectationSchema.optional(),
  /** Pairs of finished trials of the same case, replicate and seed in which the change applies, and those in which it does not. */
  pairs: z.int(),
  unchanged: z.int(),
  /** Pairs of erased cases, where it cannot be known whether the change applied; no rate includes them. */
  erased: z.int(),
  /** Pairs whose changed speech nobody heard: in no rate. `own_belief`: those whose speaker's own belief counts. Absent: none. */
  unheard: z.strictObject({ pairs: z.int(), own_belief: z.int() }).optional(),
  failed: swapStatisticsSchema.shape.failed,
  measures: z.array(measureSchema),
  moves: swapStatisticsSchema.shape.moves,
  /** Of an attribute: the same by its value before and after. */
  directions: z.array(
    z.strictObject({
      from: z.string(),
      to: z.string(),
      pairs: z.int(),
      measures: z.array(measureSchema),
      moves: swapStatisticsSchema.shape.moves,
    }),
  ),
});
export type ChangeStatistics = z.infer<typeof changeStatisticsSchema>;

/** A fact that is associated with an attribute over the cases on trial. */
export const proxySchema = z.strictObject({
  attribute: z.string(),
  fact: z.string(),
  /** Cramér's V, 0-1. */
  association: z.number().min(0).max(1),
  /** Cases that have both. */
  n: z.int(),
  p_value: z.number(),
  p_adjusted: z.number(),
});
export type AttributeProxy = z.infer<typeof proxySchema>;

/** What a speech was worth: trials that hear it, less trials with the same seeds in which it is withheld. */
export const speechWorthSchema = z.strictObject({
  arm: z.string(),
  /** Key of the speech, such as `turn-2/defense`. */
  speech: z.string(),
  /** The label whose probability is followed; null where there are more than two and no positive one. */
  label: z.string().nullable(),
  /** Cases with a pair, pairs of finished trials, and seeds of the trials: with and without the speech each pair has the same. */
  cases: z.int(),
  pairs: z.int(),
  seeds: z.int(),
  /** Pairs that were left out: nobody whose belief counts heard the speech, so that its worth would be 0 by construction. */
  unheard: z.int(),
  /** `worth_belief`, `worth_verdict`: P(label) and verdicts lost without the speech. `observed_movement`: after it, no cause. */
  measures: z.array(measureSchema),
});
export type SpeechWorth = z.infer<typeof speechWorthSchema>;

/** The effect of a speech, from debates that were cut at random: heard last, less cut before it. */
export const turnEffectSchema = z.strictObject({
  ...speechWorthSchema.pick({ arm: true, speech: true, label: true, cases: true }).shape,
  draws: z.int(),
  /** Pairs of decided trials, cut right after the speech (whole for the last) and before. `lost`: pairs without a decision. */
  heard: z.int(),
  unheard: z.int(),
  heard_lost: z.int(),
  unheard_lost: z.int(),
  /**
   * `turn_belief`, `turn_verdict`: what the speech adds to P(label) and to verdicts for it. `observed_movement`: the change of belief right
   * after it, which is no cause.
   */
  measures: z.array(measureSchema),
});
export type TurnEffect = z.infer<typeof turnEffectSchema>;

/** What the facts of one case do to its verdict: it was tried without sets of them. */
export const factStatisticsSchema = z.strictObject({
  arm: z.string(),
  facts: z.int(),
  /** The label whose probability the Shapley values share out; null where there are more than two and no positive one. */
  label: z.string().nullable(),
  /** The smallest sets, of three facts at most, without which the verdict is another; none where no set that was tried changes it. */
  smallest: z.array(z.array(z.string())),
  /** Of each size that was planned: sets that there are, and those that were tried and decided. */
  sizes: z.array(z.strictObject({ size: z.int(), of: z.int(), tried: z.int() })),
  /** Null where too few sets were tried. `error`: standard error of sampling; null where the values are exact. */
  shapley: z
    .strictObject({
      method: z.enum(['exact', 'sampled']),
      permutations: z.int().nullable(),
      /** P(label) with all facts and with none: the values sum to their difference. */
      all: z.number(),
      none: z.number(),
      values: z.array(z.strictObject({ fact: z.string(), value: z.number(), error: z.number().nullable() })),
    })
    .nullable(),
});
export type FactStatistics = z.infer<typeof factStatisticsSchema>;
