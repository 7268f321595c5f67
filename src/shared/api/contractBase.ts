// What the requests of all groups have in common.
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { uploadHandleSchema } from './dataFiles.ts';

/** What a screen learns of a failure: a sentence and a code, never a stack or a path. */
const failure = { data: z.strictObject({ field: z.string().nullable(), line: z.int().nullable() }) };
const failures = Object.fromEntries(errorCodes.map((code) => [code, failure])) as Record<ErrorCode, typeof failure>;
export const base = oc.errors(failures);

export const nothing = z.strictObject({});
export const byUpload = z.strictObject({ upload: uploadHandleSchema });
/** A file that a host hands out once. */
export interface HandedOut {
  /** Its handle. */
  readonly file: string;
  readonly fileName: string;
}
