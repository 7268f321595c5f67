import { z } from 'zod';
import type { BeliefChoice } from '../../shared/experiment.ts';
import type { AnswerFlag } from '../answers/answer.ts';
import { isRecord } from '../answers/fields.ts';
import { independentBelief, labelSetOf } from '../beliefs/independentBelief.ts';
import type { StatedBelief } from './court.ts';
import { isRanked, labelSchema, percent, percentEach, rankedParts, rankingSchema, rankingShape } from './labelBelief.ts';

/**
 * The fields that ask a multi-label case's verdict: which labels apply, none being an empty list, and for every label
 * by itself how likely it is that it applies; of many labels for the likeliest alone.
 */
export function labelSetShape(
  labels: readonly string[],
  topK = 0,
): { readonly applies: z.ZodType<string[]> } & Readonly<Record<string, z.ZodType>> {
  const ranked = isRanked(labels, topK);
  const applies = z.array(labelSchema(labels)).max(ranked ? topK : labels.length);
  return { applies, ...(ranked ? rankingShape(labels, topK) : { likelihoods: percentEach(labels) }) };
}

const labelSetSchema = z.object({
  applies: z.array(z.string()),
  likelihoods: z.record(z.string(), percent).optional(),
  ranking: rankingSchema.optional(),
});

type LabelSet = z.infer<typeof labelSetSchema>;

const numbersIn = ({ likelihoods, ranking }: LabelSet): number[] => [
  ...Object.values(likelihoods ?? {}),
  ...Object.values(ranking ?? {}).map((place) => place.percent),
];

/** Whether a valid answer, or a part of one, has the fields of `labelSetShape`. */
export const hasLabelSet = (answer: unknown): boolean => isRecord(answer) && Object.hasOwn(answer, 'applies');

/** The set in an answer whose shape came from `labelSetShape`, in the order of the labels, each once. Throws where there is none. */
export const labelSetIn = (labels: readonly string[], answer: unknown): string[] =>
  labelSetOf(labels, labelSetSchema.parse(answer).applies);

/** Whether labels apply though every number says that none can. */
const hasNoMass = (stated: LabelSet): boolean => stated.applies.length > 0 && numbersIn(stated).every((number) => number === 0);

/** What is odd about an answer whose shape came from `labelSetShape`. */
export function labelSetFlags(answer: unknown): AnswerFlag[] {
  const stated = labelSetSchema.parse(answer);
  const ranked = Object.values(stated.ranking ?? {}).map(({ label }) => label);
  const isRepeated = [stated.applies, ranked].some((names) => new Set(names).size < names.length);
  return [...(isRepeated ? (['repeated'] as const) : []), ...(hasNoMass(stated) ? (['no-mass'] as const) : [])];
}

/**
 * Reads the set and its numbers, as a verbal belief, which is null where labels apply and all numbers are 0. There is
 * no confidence: the model was not asked how likely the whole set is right, and did not state the product of the
 * numbers.
 */
export function statedLabelSet(labels: readonly string[], answer: unknown): StatedBelief {
  const stated = labelSetSchema.parse(answer);
  const prediction = labelSetOf(labels, stated.applies);
  // A label that is ranked twice cannot be surer than sure.
  const ranked = Object.entries(rankedParts(labels, stated.ranking ?? {})).map(([label, part]) => [label, Math.min(100, part)]);
  const percents = stated.likelihoods ?? Object.fromEntries(ranked);
  if (hasNoMass(stated)) return { prediction, confidence: null, belief: null, source: 'verbal', inconsistent: false };
  return { prediction, confidence: null, source: 'verbal', ...independentBelief(labels, stated.applies, percents) };
}

/** Why beliefs cannot come from there for cases of several labels, or null. */
export function beliefRefusal(choice: BeliefChoice, multiLabel: boolean): string | null {
  if (!multiLabel || choice !== 'logprobs') return null;
  return (
    'the tokens of a list of labels do not tell how likely each label is: the label that comes first takes probability from ' +
    'those behind it, and a label that is left out has no token at all; use "verbal" or {"sampled": k}'
  );
}
