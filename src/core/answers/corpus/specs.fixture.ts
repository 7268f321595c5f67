import { z } from 'zod';
import { certaintyShape, labelSchema } from '../../protocols/labelBelief.ts';
import type { AnswerFailureKind, AnswerSpec, ParseMethod } from '../answer.ts';

/**
 * A raw answer, what a careful reader takes it to say (null: nothing that may be used), and what the program
 * makes of it: the method that reads it, or the failure. A failure beside a meaning is a loss, never an error;
 * a value beside null, or another value, is one.
 */
export type Row = readonly [raw: string, means: unknown, reads: ParseMethod | AnswerFailureKind];

export interface CorpusPart {
  readonly title: string;
  readonly spec: AnswerSpec<unknown>;
  readonly rows: readonly Row[];
}

const percent = z.number().min(0).max(100);

function specOf(name: string, labels: readonly string[], shape: Record<string, z.ZodType>, labelField = 'prediction') {
  return { name, schema: z.object(shape), labelFields: [labelField], labels };
}

const two = ['NO', 'YES'];
/** Prediction and confidence, as StandardLLM asks for them. */
export const verdict = specOf('verdict', two, { prediction: labelSchema(two), ...certaintyShape(two) });

/** Reasons first, as judges give them. */
export const reasoned = specOf('reasoned', two, {
  reasoning: z.string().max(700),
  prediction: labelSchema(two),
  confidence: percent,
});

/** Labels that facts may be too. */
const sexes = ['male', 'female'];
export const sex = specOf('sex', sexes, { prediction: labelSchema(sexes), confidence: percent });

/** A rating on a scale of its own beside the confidence. */
export const rated = specOf('rated', two, {
  strength: z.number().min(1).max(5),
  prediction: labelSchema(two),
  confidence: percent,
});

/** Confidence in parts of one. */
export const unit = specOf('unit', two, { prediction: labelSchema(two), confidence: z.number().min(0).max(1) });

const three = ['entailment', 'neutral', 'contradiction'];
/** Three labels with a full distribution. */
export const spread = specOf('spread', three, { prediction: labelSchema(three), ...certaintyShape(three) });

const judgeOf = (name: string, labels: readonly string[]) =>
  specOf(name, labels, { label: labelSchema(labels), confidence: percent, reason: z.string().max(300) }, 'label');

/** A judge among three labels. */
export const judge = judgeOf('judge', three);

/** Names of which one is a part of another, and which facts may be too. */
export const illness = judgeOf('illness', [
  'Arthritis',
  'Hepatitis A',
  'Hepatitis B',
  'Hepatitis C',
  'Malaria',
  'Osteoarthritis',
  'Typhoid',
]);

/** Labels that are numbers. */
export const stars = judgeOf('stars', ['1', '2', '3', '4', '5']);

/** Labels that are letters, the article among them. */
export const letter = judgeOf('letter', ['A', 'B']);

const risks = ['low risk', 'high risk'];
/** Labels with a word in common. */
export const risk = specOf('risk', risks, { prediction: labelSchema(risks), confidence: percent });

const charges = [
  'guilty',
  'not guilty',
  'guilty of theft',
  'theft',
  'theft of a vehicle',
  'aggravated theft',
  'tax fraud',
  'fraud',
  'hit-and-run',
  'no offence',
];
/** Many labels with spaces and names within names. */
export const charge = specOf('charge', charges, { prediction: labelSchema(charges), confidence: percent });

const topics = ['privacy', 'free speech', 'due process', 'equal protection'];
/** Several labels a case. */
export const multiple = specOf('multiple', topics, { labels: z.array(z.enum(topics)).max(4) }, 'labels');
