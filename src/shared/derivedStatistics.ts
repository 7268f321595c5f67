import { z } from 'zod';
import { comparisonSchema, estimateShape, measureSchema } from './statistics.ts';

/** The combined result of several arms, computed from their recorded verdicts: no trial of it ran, and no call was made. */
export const derivedStatisticsSchema = z.strictObject({
  derived: z.literal(true),
  /** `majority`: the label that most arms name. `dawid-skene`: the likeliest label by how each arm seems to err, without the truth. */
  method: z.enum(['majority', 'dawid-skene']),
  arms: z.array(z.string()),
  /** Cases and replicates that three of these arms or more have finished. */
  n: z.int(),
  cases: z.int(),
  decided: z.int(),
  /** Where several labels are equally good, and where no arm has a verdict. */
  undecided: z.strictObject({ ties: z.int(), without_verdict: z.int() }),
  /** How the estimate ended; null where nothing is estimated. */
  fit: z.strictObject({ rounds: z.int(), converged: z.boolean() }).nullable(),
  /** Accuracy of all and of the decided, macro-F1, and precision, recall and F1 of each label. */
  measures: z.array(measureSchema),
  /** It less each of these arms, over the cases and replicates that both have; p-values are not adjusted, and in no family. */
  against: z
    .array(
      z.strictObject({
        arm: z.string(),
        paired_cases: z.int(),
        /** Accuracy of each over these cases. */
        derived: z.number().nullable(),
        of_arm: z.number().nullable(),
        difference: z.strictObject(estimateShape),
        /** `a` is the derived arm. */
        mcnemar: comparisonSchema.shape.mcnemar.omit({ p_adjusted: true }),
      }),
    )
    .optional(),
});
export type DerivedStatistics = z.infer<typeof derivedStatisticsSchema>;
