import { z } from 'zod';
import { ref, version } from './parts.ts';

const argumentEvaluateSchema = z.strictObject({
  v: version,
  key: z.string(),
  /** Who evaluates. */
  role: z.string(),
  /** Whose argument it is, as the prompt names it. */
  subject: z.string(),
  /** 1-10; see `core/crit`. */
  score: z.number().min(1).max(10),
  /** Claim, reasons, rivals and justification as JSON text; `evaluationSchema` in `shared/crit.ts`. */
  evaluation: ref,
});

export const critEvents = { 'argument-evaluate': argumentEvaluateSchema } as const;
