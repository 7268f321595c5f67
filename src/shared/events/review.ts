import { z } from 'zod';
import { at, text, version } from './parts.ts';

/** A reviewer's judgement of a trial: the label that is right, no opinion, a flag, or an earlier review taken back. */
export const judgements = ['label', 'unsure', 'flag', 'withdrawn'] as const;

const reviewGiveSchema = z.strictObject({
  v: version,
  at,
  /** The trial, and the head of its chain at that time: a trial that is tried again later was not what the reviewer judged. */
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

/** The common fields of all other statements about a trial: who made it, and for which end of its chain. */
const about = { v: version, at, trial: z.string(), head: z.string().length(64), reviewer: text };

const commentGiveSchema = z.strictObject({
  ...about,
  /** 1: on an utterance; 2: on a ruling. */
  v: z.literal([1, 2]),
  /** Place of the utterance or ruling in the chain of its trial, and its text or opinion. */
  utterance: z.int().min(0),
  text,
  /** The range that the comment is on: characters (code points) of the text from 0, `end` not among them. */
  start: z.int().min(0),
  end: z.int().min(1),
  /** Null where it takes back the one that it replaces. */
  comment: text.nullable(),
  /** Place in this chain of the same person's earlier one on the trial that this one takes the place of; null for a new one. */
  replaces: z.int().min(0).nullable(),
});

const reviewAdjudicateSchema = z.strictObject({
  ...about,
  /** The label that is right; null where the adjudication that this one replaces is taken back. */
  label: z.string().nullable(),
  reason: text.nullable(),
  /** Places of the reviews of the trial that differ, at that time; empty where it takes one back. */
  settles: z.array(z.int().min(0)),
  replaces: z.int().min(0).nullable(),
});

const recordSignSchema = z.strictObject({
  v: version,
  at,
  reviewer: text,
  reason: text,
  /** Heads of the experiment's chain and of ended trials, sorted: all that is signed. Null: the earlier sign-off is withdrawn. */
  heads: z.array(z.string().length(64)).nullable(),
  replaces: z.int().min(0).nullable(),
});

export const reviewEvents = {
  'review-give': reviewGiveSchema,
  'comment-give': commentGiveSchema,
  'review-adjudicate': reviewAdjudicateSchema,
  'record-sign': recordSignSchema,
} as const;
