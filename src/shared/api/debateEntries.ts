import { z } from 'zod';
import { predictionSchema } from '../domain.ts';
import { statedBelief } from '../events/statedBelief.ts';
import { callFailureKindSchema } from '../model.ts';

const entry = { seq: z.int().min(0), key: z.string(), role: z.string() };
const share = z.number().min(0).max(1);

/** What the transcript of a debate has beside speeches and beliefs. */
export const debateEntries = [
  z.strictObject({
    kind: z.literal('positions'),
    ...entry,
    from: z.enum(['two-labels', 'distribution', 'doubtful-label']),
    /** Role -> what it has to hold. */
    positions: z.record(z.string(), predictionSchema),
  }),
  z.strictObject({
    kind: z.literal('rating'),
    ...entry,
    /** Key of the utterance that is rated. */
    of: z.string(),
    /** Reliability, 0-1; null where it could not be had. */
    value: share.nullable(),
    /** Version of the trained assistant; null where a model rates. */
    version: z.int().nullable(),
    failure: callFailureKindSchema.nullable(),
  }),
  z.strictObject({
    kind: z.literal('round'),
    ...entry,
    round: z.int().min(1),
    assistant: z.enum(['none', 'model', 'trained']),
    ratings: z.array(z.strictObject({ role: z.string(), value: share.nullable() })),
    mean: share.nullable(),
    threshold: share,
    result: z.enum(['passed', 'unreliable', 'unheard']),
    kept: z.enum(['smoothed', 'initial', 'previous']),
    /** T. */
    weight: share,
    tie: z.boolean(),
    /** The judge's own answer of the round, before any smoothing. */
    judge: z.strictObject(statedBelief).nullable(),
  }),
] as const;
