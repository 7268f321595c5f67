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

/** The likeliest labels alone, where there are more than anybody wants to hear of. */
export function rankingShape(labels: readonly string[], most: number): Record<string, z.ZodType> {
  const ranking = z
    .array(z.strictObject({ label: labelSchema(labels), percent }))
    .min(1)
    .max(most)
    .refine((stated) => stated.some((part) => part.percent > 0), {
      message: 'some answer must be possible: all numbers are 0',
    });
  return { ranking };
}

const certaintySchema = z.object({
  prediction: z.string(),
  confidence: percent.optional(),
  distribution: z.record(z.string(), percent).optional(),
  ranking: z.array(z.object({ label: z.string(), percent })).optional(),
});

type Certainty = z.infer<typeof certaintySchema>;

/** A label that the ranking leaves out has 0; the parts of one that it names twice are added. */
function partsOf(labels: readonly string[], { distribution, ranking }: Certainty): Record<string, number> | undefined {
  if (ranking === undefined) return distribution;
  const part = (name: string) => ranking.reduce((sum, { label, percent: stated }) => (label === name ? sum + stated : sum), 0);
  return Object.fromEntries(labels.map((label) => [label, part(label)]));
}

/** Sum of the stated percentages before they are divided by it; null where one number is stated for two labels. */
export function rawSumIn(labels: readonly string[], answer: unknown): number | null {
  const parts = partsOf(labels, certaintySchema.parse(answer));
  return parts === undefined ? null : Object.values(parts).reduce((sum, part) => sum + part, 0);
}

/** The label in an answer whose shape came from `labelSchema`. Throws where there is none. */
export const predictionIn = (answer: unknown): string => certaintySchema.parse(answer).prediction;

/** Reads prediction and certainty of an answer whose shape came from `certaintyShape` or `rankingShape`, as a verbal belief. */
export function statedBelief(labels: readonly string[], answer: unknown): StatedBelief {
  const certainty = certaintySchema.parse(answer);
  const { prediction, confidence } = certainty;
  const parts = partsOf(labels, certainty);
  const stated =
    parts === undefined
      ? pairBelief(labels, prediction, confidence === undefined ? null : confidence / 100)
      : distributionBelief(labels, prediction, parts);
  return {
    prediction,
    confidence: stated.confidence,
    belief: stated.belief,
    source: 'verbal',
    inconsistent: stated.inconsistent,
  };
}
