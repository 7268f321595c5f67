import { z } from 'zod';
import type { AnswerSpec } from '../answers/answer.ts';
import type { Court } from './court.ts';
import { certaintyShape, labelSchema } from './labelBelief.ts';

export interface Verdict {
  readonly reason: string;
  readonly prediction: string;
}

/** Room for about 120 words. */
const longestReason = 900;
export const reasonSchema = z.string().min(1).max(longestReason);

/** A label with a reason and how sure it is. Reason first: a model that answers first argues for its answer afterwards. */
export function verdictSpec(name: string, labels: readonly string[]): AnswerSpec<Verdict> {
  return {
    name,
    schema: z.object({ reason: reasonSchema, prediction: labelSchema(labels), ...certaintyShape(labels) }),
    labelFields: ['prediction'],
    labels,
  };
}

/** The words that ask for a certainty, from the templates `certaintyOfOne` and `certaintyOfMany`. */
export const certaintyWords = (text: Court['text'], labels: readonly string[]): string =>
  text(labels.length === 2 ? 'certaintyOfOne' : 'certaintyOfMany');

/** Candidate labels as a prompt lists them. */
export const labelList = (labels: readonly string[]): string => labels.join(', ');
