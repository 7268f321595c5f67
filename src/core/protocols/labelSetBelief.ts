import { z } from 'zod';
import type { Case } from '../../shared/domain.ts';
import type { BeliefChoice } from '../../shared/experiment.ts';
import type { AnswerSpec } from '../answers/answer.ts';
import { isRecord } from '../answers/fields.ts';
import { independentBelief, labelSetOf } from '../beliefs/independentBelief.ts';
import type { StatedBelief } from './court.ts';
import { certaintyShape, labelSchema } from './labelBelief.ts';
import { reasonSchema } from './verdict.ts';

/** Percent, as in answers with one label. */
const percent = z.number().min(0).max(100);

/**
 * The fields that ask a multi-label case's verdict: which labels apply, none being an empty list, and for every label
 * by itself how likely it is that it applies.
 */
export function labelSetShape(labels: readonly string[]): {
  readonly applies: z.ZodType<string[]>;
  readonly likelihoods: z.ZodType<Record<string, number>>;
} {
  return {
    applies: z.array(labelSchema(labels)).max(labels.length),
    likelihoods: z
      .strictObject(Object.fromEntries(labels.map((label) => [label, percent])))
      .refine((stated) => !Object.values(stated).every((number) => number <= 1) || !Object.values(stated).includes(1), {
        message: 'nothing but 0 and 1: parts of one, or percent?',
      }),
  };
}

const labelSetSchema = z.object({
  applies: z.array(z.string()),
  likelihoods: z.record(z.string(), percent),
});

/** Whether a valid answer, or a part of one, has the fields of `labelSetShape`. */
export const hasLabelSet = (answer: unknown): boolean => isRecord(answer) && Object.hasOwn(answer, 'applies');

/** The set in an answer whose shape came from `labelSetShape`, in the order of the labels, each once. Throws where there is none. */
export const labelSetIn = (labels: readonly string[], answer: unknown): string[] =>
  labelSetOf(labels, labelSetSchema.parse(answer).applies);

/**
 * Reads the set and its numbers, as a verbal belief. There is no confidence: nobody was asked how likely it is that
 * the set as a whole is right, and the product of the numbers is what nobody said.
 */
export function statedLabelSet(labels: readonly string[], answer: unknown): StatedBelief {
  const { applies, likelihoods } = labelSetSchema.parse(answer);
  const { belief, inconsistent } = independentBelief(labels, applies, likelihoods);
  return { prediction: labelSetOf(labels, applies), confidence: null, belief, source: 'verbal', inconsistent };
}

/** A case as far as the form of its verdict goes. */
export type VerdictCase = Pick<Case, 'labels' | 'multiLabel'>;

/** The fields of a verdict: one label with its certainty, or the labels that apply with theirs. */
export function verdictFields({ labels, multiLabel }: VerdictCase): {
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly labelFields: readonly string[];
} {
  return multiLabel
    ? { shape: labelSetShape(labels), labelFields: ['applies'] }
    : { shape: { prediction: labelSchema(labels), ...certaintyShape(labels) }, labelFields: ['prediction'] };
}

/** A set of labels with a reason. */
export interface LabelSetVerdict {
  readonly reason: string;
  readonly applies: readonly string[];
}

/** The labels that apply, with a reason and how likely each is: `verdictSpec` for multi-label cases. */
export function labelSetSpec(name: string, labels: readonly string[]): AnswerSpec<LabelSetVerdict> {
  return {
    name,
    schema: z.object({ reason: reasonSchema, ...labelSetShape(labels) }),
    labelFields: ['applies'],
    labels,
  };
}

/** Why beliefs cannot come from there for cases of several labels, or null. */
export function beliefRefusal(choice: BeliefChoice, multiLabel: boolean): string | null {
  if (!multiLabel || choice !== 'logprobs') return null;
  return (
    'the tokens of a list of labels do not tell how likely each label is: which label stands first takes probability from ' +
    'those behind it, and a label that is left out has no token at all; use "verbal" or {"sampled": k}'
  );
}
