import { z } from 'zod';
import type { Case } from '../../shared/domain.ts';
import type { AnswerSpec } from '../answers/answer.ts';
import { kept } from '../answers/kept.ts';
import { type Knowledge, outsideShape } from './knowledge.ts';
import { certaintyFlags, certaintyShape, isRanked, labelSchema } from './labelBelief.ts';
import { labelSetFlags, labelSetShape } from './labelSetBelief.ts';
import { textOf } from './texts.ts';

/** A reason of at most 40 words, as prompts ask for it. */
export const reasonSchema = textOf(40);

export type VerdictCase = Pick<Case, 'labels' | 'multiLabel'>;

export interface VerdictTerms {
  /** Absent: nothing from outside the facts is asked for. */
  readonly knowledge?: Knowledge;
  /** Labels that are ranked, where there are many; absent: a number for each. */
  readonly topK?: number;
}

/** Names of the fields that hold labels, in addition to `own`. */
const labelFieldsOf = (own: string, labels: readonly string[], topK: number): string[] =>
  isRanked(labels, topK) ? [own, 'label'] : [own];

/** The fields of a verdict: one label with its certainty, or the labels that apply with theirs. */
export function verdictFields(
  { labels, multiLabel }: VerdictCase,
  { topK = 0 }: VerdictTerms = {},
): Pick<AnswerSpec<unknown>, 'labelFields' | 'labels'> & {
  readonly shape: Readonly<Record<string, z.ZodType>>;
  readonly flags: NonNullable<AnswerSpec<unknown>['flags']>;
} {
  return multiLabel
    ? {
        shape: labelSetShape(labels, topK),
        labelFields: labelFieldsOf('applies', labels, topK),
        labels,
        flags: labelSetFlags,
      }
    : {
        shape: { prediction: labelSchema(labels), ...certaintyShape(labels, topK) },
        labelFields: labelFieldsOf('prediction', labels, topK),
        labels,
        flags: certaintyFlags,
      };
}

export interface Verdict {
  readonly reason: string;
  readonly prediction: string;
}

export interface LabelSetVerdict {
  readonly reason: string;
  readonly applies: readonly string[];
}

const formOf = kept((name: string, labels: readonly string[], multiLabel: boolean, topK: number, knowledge: Knowledge) => {
  const { shape, ...rest } = verdictFields({ labels, multiLabel }, { topK });
  return { name, schema: z.object({ reason: reasonSchema, ...outsideShape(knowledge), ...shape }), ...rest };
});

function reasonedSpec<T>(
  name: string,
  { labels, multiLabel }: VerdictCase,
  { knowledge = 'unsaid', topK = 0 }: VerdictTerms,
): AnswerSpec<T> {
  // Its fields are those of T; the compiler cannot follow that through a computed shape.
  return formOf(name, labels, multiLabel, topK, knowledge) as AnswerSpec<unknown> as AnswerSpec<T>;
}

/** A label with a reason and how sure it is. Reason first: a model that answers first argues for its answer afterwards. */
export const verdictSpec = (name: string, labels: readonly string[], terms: VerdictTerms = {}): AnswerSpec<Verdict> =>
  reasonedSpec(name, { labels, multiLabel: false }, terms);

/** The labels that apply, with a reason and how likely each is: `verdictSpec` for multi-label cases. */
export const labelSetSpec = (name: string, labels: readonly string[], terms: VerdictTerms = {}): AnswerSpec<LabelSetVerdict> =>
  reasonedSpec(name, { labels, multiLabel: true }, terms);
