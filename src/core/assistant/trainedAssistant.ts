import { unitVectors } from '../retrieval/vectors.ts';

/** A version of the assistant that rates the statements of debaters, as a trial uses it. */
export interface TrainedAssistant {
  readonly version: number;
  /** Of the event that records its training, hexadecimal. */
  readonly hash: string;
  /** The model whose vectors it was trained on. */
  readonly embedder: { readonly backend: string; readonly model: string; readonly digest: string | null };
  /** Coefficients, one for each dimension, and then the intercept. */
  readonly weights: Float64Array;
  /** Reliability from which a statement is taken to be right, 0-1; null where the version has learnt none. */
  readonly threshold: number | null;
}

/** The text whose vector represents a statement: background and statement, as in table 1 of the paper. */
export const ratedText = (background: string, statement: string): string => `${background}\n\n${statement}`;

/** P(the position is true) = 1 / (1 + exp(-(w · v + b))), v scaled to length 1. RangeError for another length of v. */
export function reliabilityOf({ weights }: Pick<TrainedAssistant, 'weights'>, vector: Float32Array): number {
  const dimensions = weights.length - 1;
  if (vector.length !== dimensions)
    throw new RangeError(`the vector has ${vector.length} numbers, and the assistant knows ${dimensions}`);
  const { values } = unitVectors(vector, dimensions);
  let score = weights[dimensions] ?? 0;
  for (let at = 0; at < dimensions; at++) score += (weights[at] ?? 0) * (values[at] ?? 0);
  return 1 / (1 + Math.exp(-score));
}
