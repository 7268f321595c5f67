import { z } from 'zod';
import { evaluationSchema } from '../crit.ts';
import { json, version } from './parts.ts';

const argumentEvaluateSchema = z.strictObject({
  v: version,
  key: z.string(),
  /** Who evaluates. */
  role: z.string(),
  /** Whose argument it is, as the prompt names it. */
  subject: z.string(),
  /** 1-10; see `core/crit`. */
  score: z.number().min(1).max(10),
  /** Claim, reasons, rivals and justification. */
  evaluation: json(evaluationSchema),
});

export const critEvents = { 'argument-evaluate': argumentEvaluateSchema } as const;
