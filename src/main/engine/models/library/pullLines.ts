import { z } from 'zod';

const bytes = z.number().min(0).max(Number.MAX_SAFE_INTEGER).catch(0);

/** A line of a pull. Ollama leaves out what is zero. */
export const pullLineSchema = z.object({
  status: z.string().transform((text) => text.slice(0, 300)),
  digest: z.string().max(200).optional().catch(undefined),
  total: bytes.default(0),
  completed: bytes.default(0),
});
export type PullLine = z.infer<typeof pullLineSchema>;

/** The stream ended, or was given up, before the server said `success`. */
export class CutPull extends Error {
  constructor(reason = 'the connection ended before the model was there') {
    super(reason);
    this.name = 'CutPull';
  }
}
