import { ORPCError } from '@orpc/client';
import { z } from 'zod';

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** Field of a form, column of a file or key of an experiment that is at fault. */
  readonly field: string | null;
  /** 1-based line of the file. */
  readonly line: number | null;
}

const placeSchema = z.object({ field: z.string().nullable(), line: z.number().nullable() });

const ownSentences: Readonly<Record<string, string>> = {
  BAD_REQUEST: 'The engine could not read this request. Please check what was entered.',
  NOT_FOUND: 'The engine does not know this request. The page may be of another version: reload it.',
};

export function failureOf(error: unknown): Failure {
  if (error instanceof ORPCError) {
    const place = placeSchema.safeParse(error.data);
    const { field, line } = place.success ? place.data : { field: null, line: null };
    return { code: error.code, message: ownSentences[error.code] ?? error.message, field, line };
  }
  return { code: 'failed', message: error instanceof Error ? error.message : String(error), field: null, line: null };
}
