import { z } from 'zod';
import { uploadHandleSchema } from './dataFiles.ts';

/** How far a report is, a few times a second, and at its end the handle of its file. */
export const reportFrameSchema = z.discriminatedUnion('kind', [
  /** `share`: of the work that is done, 0-1. */
  z.strictObject({ kind: z.literal('progress'), share: z.number().min(0).max(1), what: z.string() }),
  z.strictObject({
    kind: z.literal('done'),
    file: uploadHandleSchema,
    fileName: z.string(),
    /** Why the file is HTML where a PDF was asked for; null where it is what was asked for. */
    note: z.string().nullable(),
  }),
]);
export type ReportFrame = z.infer<typeof reportFrameSchema>;
