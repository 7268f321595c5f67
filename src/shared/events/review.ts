import { z } from 'zod';
import { at, text, version } from './parts.ts';

/** What a reviewer makes of a trial: the label that is right, no opinion, something to be looked at, or an earlier review taken back. */
export const judgements = ['label', 'unsure', 'flag', 'withdrawn'] as const;

const reviewGiveSchema = z.strictObject({
  v: version,
  at,
  /** The trial, and the head of its chain as it stood: a trial that is tried again later was not what the reviewer judged. */
  trial: z.string(),
  head: z.string().length(64),
  reviewer: text,
  judgement: z.enum(judgements),
  /** The label that the reviewer holds right; null unless that is the judgement. */
  label: z.string().nullable(),
  reason: text.nullable(),
  /** Whether the verdict was hidden from the reviewer until then. */
  blind: z.boolean(),
  /** Time on the case before the judgement. */
  seconds: z.number().min(0),
  /** Place in this chain of the reviewer's earlier review of the trial that this one takes the place of; null for a new one. */
  replaces: z.int().min(0).nullable(),
});

export const reviewEvents = { 'review-give': reviewGiveSchema } as const;
