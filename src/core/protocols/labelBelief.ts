import { z } from 'zod';
import { distributionBelief, pairBelief } from '../beliefs/verbalBelief.ts';
import type { StatedBelief } from './court.ts';

/** Percent, as the papers ask for it. */
const percent = z.number().min(0).max(100);

/** The schema of a label field: one of the candidate labels, in their order also where they look like numbers. */
export function labelSchema(labels: readonly string[]): z.ZodType<string> {
  return z.literal(labels);
}

/** With two labels one number says it all; with more the whole distribution is asked for, never spread. */
export function certaintyShape(labels: readonly string[]): Record<string, z.ZodType> {
  if (labels.length === 2) return { confidence: percent };
  const distribution = z
    .strictObject(Object.fromEntries(labels.map((label) => [label, percent])))
    .refine((stated) => Object.values(stated).some((value) => value > 0), {
      message: 'some answer must be possible: all numbers are 0',
    });
  return { distribution };
}

const certaintySchema = z.object({
  prediction: z.string(),
  confidence: percent.optional(),
  distribution: z.record(z.string(), percent).optional(),
});

/** The label in an answer whose shape came from `labelSchema`. Throws where there is none. */
export const predictionIn = (answer: unknown): string => certaintySchema.parse(answer).prediction;

/** Reads prediction and certainty of an answer whose shape came from `certaintyShape`, as a verbal belief. */
export function statedBelief(labels: readonly string[], answer: unknown): StatedBelief {
  const { prediction, confidence, distribution } = certaintySchema.parse(answer);
  const stated =
    distribution === undefined
      ? pairBelief(labels, prediction, confidence === undefined ? null : confidence / 100)
      : distributionBelief(labels, prediction, distribution);
  return {
    prediction,
    confidence: stated.confidence,
    belief: stated.belief,
    source: 'verbal',
    inconsistent: stated.inconsistent,
  };
}
