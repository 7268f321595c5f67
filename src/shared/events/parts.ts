import { z } from 'zod';
import { beliefGroundsSchema, beliefSchema, beliefSourceSchema, predictionSchema } from '../domain.ts';
import { callFailureKindSchema } from '../model.ts';

/** base64url SHA-256 of a text; see docs/record-format.md. */
export const ref = z.string().length(43);

/** Ref of a text that is stored next to the event. `holds`: what the text is, JSON that fits a schema or (null) plain text. */
export type Stored<T> = z.ZodString & { readonly holds: z.ZodType<T> | null };

/** A plain text: stored once, salted, and lost where it is erased. */
export const text: Stored<string> = Object.assign(z.string().length(43), { holds: null });

/** A text that is JSON of this form. */
export const json = <T>(form: z.ZodType<T>): Stored<T> => Object.assign(z.string().length(43), { holds: form });

export const version = z.literal(1);

/** How most events begin: their key says where in the protocol they are. */
export const keyed = { v: version, key: z.string() };
export const ofRole = { ...keyed, role: z.string() };

/** Wall time, ISO 8601. Information only: order is the sequence number. */
export const at = z.string();

/** How a request for vectors begins, and what came of it. */
export const vectorsAsked = {
  ...{ v: version, at, key: z.string() },
  /** Hash of everything the model was sent. */
  request: ref,
  /** Embedding model, digest, backend, its version and address, as JSON text. */
  setup: text,
};
export const vectorsMade = {
  /** The vectors one after the other, 32-bit floats, little-endian; null where there are none. */
  vectors: text.nullable(),
  dimensions: z.int().min(0),
  failure: z.strictObject({ kind: callFailureKindSchema, message: text, permanent: z.boolean() }).optional(),
  promptTokens: z.int().min(0),
  modelMs: z.number().min(0),
  wallMs: z.number().min(0),
};

/** What a role holds: the fields of every event that states a belief. */
export const statedBelief = {
  prediction: predictionSchema,
  /** P(prediction) as stated, 0-1. */
  confidence: z.number().min(0).max(1).nullable(),
  belief: beliefSchema.nullable(),
  source: beliefSourceSchema,
  /** The prediction is not the belief's most likely label; it is kept anyway. */
  inconsistent: z.boolean(),
  /** Absent where the belief is verbal. */
  grounds: beliefGroundsSchema.optional(),
};
