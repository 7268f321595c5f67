import { z } from 'zod';
import type { Case } from '../../shared/domain.ts';
import type { AnswerSpec } from '../answers/answer.ts';
import { type Knowledge, outsideShape } from './knowledge.ts';
import { certaintyFlags, certaintyShape, labelSchema } from './labelBelief.ts';
import { labelSetFlags, labelSetShape } from './labelSetBelief.ts';
import { textOf } from './texts.ts';

/** A reason of at most 40 words, as prompts ask for it. */
export const reasonSchema = textOf(40);

/** A case as far as the form of its verdict goes. */
export type VerdictCase = Pick<Case, 'labels' | 'multiLabel'>;

/** The fields of a verdict: one label with its certainty, or the labels that apply with theirs. */
export function verdictFields({ labels, multiLabel }: VerdictCase): Pick<AnswerSpec<unknown>, 'labelFields' | 'labels'> & {
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly flags: NonNullable<AnswerSpec<unknown>['flags']>;
} {
  return multiLabel
    ? { shape: labelSetShape(labels), labelFields: ['applies'], labels, flags: labelSetFlags }
    : {
        shape: { prediction: labelSchema(labels), ...certaintyShape(labels) },
        labelFields: ['prediction'],
        labels,
        flags: certaintyFlags,
      };
}

export interface Verdict {
  readonly reason: string;
  readonly prediction: string;
}

/** A label with a reason and how sure it is. Reason first: a model that answers first argues for its answer afterwards. */
export function verdictSpec(name: string, labels: readonly string[], knowledge: Knowledge = 'unsaid'): AnswerSpec<Verdict> {
  return {
    name,
    schema: z.object({
      reason: reasonSchema,
      ...outsideShape(knowledge),
      prediction: labelSchema(labels),
      ...certaintyShape(labels),
    }),
    labelFields: ['prediction'],
    labels,
    flags: certaintyFlags,
  };
}

/** A set of labels with a reason. */
export interface LabelSetVerdict {
  readonly reason: string;
  readonly applies: readonly string[];
}

/** The labels that apply, with a reason and how likely each is: `verdictSpec` for multi-label cases. */
export function labelSetSpec(
  name: string,
  labels: readonly string[],
  knowledge: Knowledge = 'unsaid',
): AnswerSpec<LabelSetVerdict> {
  return {
    name,
    schema: z.object({ reason: reasonSchema, ...outsideShape(knowledge), ...labelSetShape(labels) }),
    labelFields: ['applies'],
    labels,
    flags: labelSetFlags,
  };
}
