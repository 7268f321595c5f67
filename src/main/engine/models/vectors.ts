// Checks the vectors that a server sent.
import { z } from 'zod';
import { CallFailure } from '../../../shared/model.ts';

const vectorsSchema = z.array(z.array(z.number()).min(1));

/** Vectors as a server sent them. Throws `CallFailure` where they are none, not one for each text, or of several lengths. */
export function checkedVectors(value: unknown, texts: number): number[][] {
  const parsed = vectorsSchema.safeParse(value);
  const vectors = parsed.data ?? [];
  if (!parsed.success || vectors.length !== texts || new Set(vectors.map(({ length }) => length)).size > 1) {
    throw new CallFailure('backend_error', `the server did not send one vector for each of ${texts} texts`, false);
  }
  return vectors;
}
