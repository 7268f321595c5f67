import { z } from 'zod';

/** How well a reason carries what it is given for. */
export const weighedSchema = z.strictObject({
  text: z.string(),
  /** 1-10: how well it follows. */
  validity: z.number().min(1).max(10),
  /** 0-1: how far what it rests on can be believed. */
  credibility: z.number().min(0).max(1),
});
export type Weighed = z.infer<typeof weighedSchema>;

/** A reason, and its own evaluation if it was examined as a claim: that score then replaces its validity. */
export interface CritReason extends Weighed {
  readonly examined: Evaluation | null;
}

export interface Evaluation {
  readonly claim: string;
  readonly reasons: readonly CritReason[];
  readonly rivals: readonly Weighed[];
  readonly justification: string;
  /** 1-10. */
  readonly score: number;
}

/** An evaluation as the record keeps it, reasons that were examined inside of it. */
export const evaluationSchema: z.ZodType<Evaluation> = z.strictObject({
  claim: z.string(),
  reasons: z.array(weighedSchema.extend({ examined: z.lazy(() => evaluationSchema).nullable() })),
  rivals: z.array(weighedSchema),
  justification: z.string(),
  score: z.number().min(1).max(10),
});
