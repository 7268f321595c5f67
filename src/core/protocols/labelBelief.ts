import { z } from 'zod';
import type { AnswerFlag } from '../answers/answer.ts';
import { distributionBelief, pairBelief } from '../beliefs/verbalBelief.ts';
import type { StatedBelief } from './court.ts';
import type { PaperContractEntry } from './protocol.ts';

/** How papers are read in which one answer names the label and how sure it is. */
export const tieEntry: PaperContractEntry = {
  subject: 'tie',
  paper: 'nothing',
  gap: 'two labels can be equally likely',
  decision:
    'the label that is named is the verdict, also at 50%; where its numbers make another one likelier, the trial is marked inconsistent',
};

/** Percent, as the papers ask for it. */
export const percent = z.int().min(0).max(100);

/** The schema of a label field: one of the candidate labels, in their order also where they look like numbers. */
export function labelSchema(labels: readonly string[]): z.ZodType<string> {
  return z.literal(labels);
}

export const percentEach = (labels: readonly string[]): z.ZodType<Record<string, number>> =>
  z.strictObject(Object.fromEntries(labels.map((label) => [label, percent])));

/** Labels up to which an answer has a number for each; of more it ranks the likeliest. */
export const mostNumbered = 12;

/** How many labels an answer ranks where there are more than `mostNumbered`; 0: it has a number for each. */
export const topKSchema = z.int().min(0).max(10).default(5);

export const isRanked = (labels: readonly string[], topK: number): boolean => topK > 0 && labels.length > mostNumbered;

/** Two labels: one number; more: the whole distribution, never spread; many: the likeliest with their numbers. */
export function certaintyShape(labels: readonly string[], topK = 0): Record<string, z.ZodType> {
  if (isRanked(labels, topK)) return rankingShape(labels, topK);
  return labels.length === 2 ? { confidence: percent } : { distribution: percentEach(labels) };
}

const places = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'] as const;

export const rankingPlaces = (most: number): readonly string[] => places.slice(0, most);

/** The likeliest labels by the names of their places: an object has as many as it is asked for. @param most at most 10 */
export function rankingShape(labels: readonly string[], most: number): Record<string, z.ZodType> {
  const place = z.strictObject({ label: labelSchema(labels), percent });
  return { ranking: z.strictObject(Object.fromEntries(rankingPlaces(most).map((name) => [name, place]))) };
}

export const rankingSchema = z.record(z.string(), z.object({ label: z.string(), percent }));

/** Label -> its part in a ranking: 0 where it is left out; the parts of one that is in it twice are added. */
export function rankedParts(labels: readonly string[], ranking: z.infer<typeof rankingSchema>): Record<string, number> {
  const ranked = Object.values(ranking);
  const part = (name: string) => ranked.reduce((sum, { label, percent: stated }) => (label === name ? sum + stated : sum), 0);
  return Object.fromEntries(labels.map((label) => [label, part(label)]));
}

const certaintySchema = z.object({
  prediction: z.string(),
  confidence: percent.optional(),
  distribution: z.record(z.string(), percent).optional(),
  ranking: rankingSchema.optional(),
});

type Certainty = z.infer<typeof certaintySchema>;

const partsOf = (labels: readonly string[], { distribution, ranking }: Certainty): Record<string, number> | undefined =>
  ranking === undefined ? distribution : rankedParts(labels, ranking);

/** Sum of the stated percentages before they are divided by it; null where one number is stated for two labels. */
export function rawSumIn(labels: readonly string[], answer: unknown): number | null {
  const parts = partsOf(labels, certaintySchema.parse(answer));
  return parts === undefined ? null : Object.values(parts).reduce((sum, part) => sum + part, 0);
}

/** What is odd about the numbers of an answer whose shape came from `certaintyShape` or `rankingShape`. */
export function certaintyFlags(answer: unknown): AnswerFlag[] {
  const { distribution, ranking } = certaintySchema.parse(answer);
  const ranked = Object.values(ranking ?? {});
  const numbers = [...Object.values(distribution ?? {}), ...ranked.map((place) => place.percent)];
  const isRepeated = new Set(ranked.map(({ label }) => label)).size < ranked.length;
  const hasNoMass = numbers.length > 0 && numbers.every((number) => number === 0);
  return [...(isRepeated ? (['repeated'] as const) : []), ...(hasNoMass ? (['no-mass'] as const) : [])];
}

/** The label in an answer whose shape came from `labelSchema`. Throws where there is none. */
export const predictionIn = (answer: unknown): string => certaintySchema.parse(answer).prediction;

/** Prediction and certainty of an answer shaped by `certaintyShape` or `rankingShape`; a belief of zeros is null. */
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
