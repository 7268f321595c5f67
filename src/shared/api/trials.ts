import { z } from 'zod';
import {
  beliefGroundsSchema,
  beliefSchema,
  beliefSourceSchema,
  caseKindSchema,
  factSchema,
  failureOutcomeSchema,
  outcomeSchema,
  predictionSchema,
} from '../domain.ts';
import { exchangeSchema, recommendationKindSchema } from '../events/evince.ts';
import { runtimeSchema } from '../experiment.ts';
import { importMappingSchema } from '../imported.ts';
import { callFailureKindSchema, chatMessageSchema } from '../model.ts';
import { trialLineSchema } from '../trialLine.ts';
import { debateEntries } from './debateEntries.ts';
import { backendChoiceSchema } from './engine.ts';
import { socrasynthEntries } from './socrasynthEntries.ts';
import { framesOf } from './streams.ts';

const entry = {
  /** Place in the trial's chain. */
  seq: z.int().min(0),
  key: z.string(),
  role: z.string(),
};

const stated = {
  prediction: predictionSchema,
  /** P(prediction) as stated, 0-1. */
  confidence: z.number().nullable(),
  belief: beliefSchema.nullable(),
  source: beliefSourceSchema,
  inconsistent: z.boolean(),
  /** What a belief that was not stated rests on; absent for a verbal one. */
  grounds: beliefGroundsSchema.optional(),
};

/** Texts are null where they were erased from the store. */
export const transcriptEntrySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('utterance'),
    ...entry,
    turn: z.string(),
    text: z.string().nullable(),
    /** Whether the speaker made a private plan, and the plan in words. */
    planned: z.boolean(),
    plan: z.string().nullable(),
    /** Number of the subtopic that it is about, from 1. */
    subtopic: z.int().optional(),
    /** Words as spoken and as heard, where the speech was over its limit and cut. */
    shortened: z.strictObject({ words: z.int(), kept: z.int() }).optional(),
    /** What the speech holds to be right, where debaters take positions. */
    position: predictionSchema.optional(),
  }),
  ...debateEntries,
  /** What the hearing put in dispute, and who argues for which label. */
  z.strictObject({
    kind: z.literal('sides'),
    ...entry,
    prediction: z.string(),
    alternative: z.string(),
    alternativeFrom: z.enum(['named', 'distribution', 'two-labels']),
    /** `random`: drawn by the trial's seed. */
    drawn: z.enum(['random', 'fixed']),
    /** Role -> label. */
    sides: z.record(z.string(), z.string()),
    /** Roles in the order in which their arguments are read. */
    order: z.array(z.string()),
  }),
  /** Training cases that were looked up. */
  z.strictObject({
    kind: z.literal('precedents'),
    ...entry,
    method: z.enum(['embeddings', 'tf-idf', 'random']),
    /** Embedding model; null where none was asked. */
    model: z.string().nullable(),
    /** `similarity`: cosine, -1 to 1; null where the draw was random. `facts`: null where they were erased. */
    precedents: z.array(
      z.strictObject({ label: z.string(), similarity: z.number().nullable(), facts: z.array(factSchema).nullable() }),
    ),
    /** Training cases of these labels that have no vector and could not be found; absent where there are none. */
    withoutVector: z.int().min(1).optional(),
    failure: callFailureKindSchema.nullable(),
  }),
  /** The answer to a question that is put once and serves every trial that asks it. */
  z.strictObject({
    kind: z.literal('share'),
    ...entry,
    model: z.string().nullable(),
    text: z.string().nullable(),
    failure: callFailureKindSchema.nullable(),
    rejected: failureOutcomeSchema.nullable(),
    /** Requests that it took; absent: one. */
    attempts: z.int().min(2).optional(),
  }),
  /** What fresh hearings of the case found most likely. */
  z.strictObject({
    kind: z.literal('ambiguity'),
    ...entry,
    /** Null where a hearing failed. */
    labels: z.array(z.string().nullable()),
    ambiguous: z.boolean().nullable(),
  }),
  /** Two distributions after an exchange, and how far they agree. */
  z.strictObject({ kind: z.literal('exchange'), ...entry, ...exchangeSchema.shape }),
  /** What those who argued recommend together. */
  z.strictObject({
    kind: z.literal('recommendations'),
    ...entry,
    contentiousness: z.number(),
    recommendations: z.array(
      z.strictObject({ kind: recommendationKindSchema, text: z.string().nullable(), reason: z.string().nullable() }),
    ),
  }),
  z.strictObject({
    kind: z.literal('belief'),
    ...entry,
    ...stated,
    moment: z.enum(['live', 'retrospective', 'prior']),
    /** Key of the utterance that it follows. */
    after: z.string().nullable(),
    notes: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('forfeit'), ...entry, failure: failureOutcomeSchema }),
  z.strictObject({ kind: z.literal('measure'), ...entry, name: z.string(), value: z.number() }),
  z.strictObject({
    kind: z.literal('ruling'),
    ...entry,
    ...stated,
    /** Empty where the verdict has no text of its own: the reasons are those of the bench. */
    opinion: z.string().nullable(),
  }),
  /** A prediction that was taken from a file, in the place of a trial. */
  z.strictObject({
    kind: z.literal('import'),
    ...entry,
    system: z.string(),
    /** 1-based. */
    line: z.int(),
    /** Where it stood and how it was read; null where that was erased. */
    mapping: importMappingSchema.nullable(),
    /** The cells as they stood; `stated` is null too where there is no such column. */
    value: z.string().nullable(),
    stated: z.string().nullable(),
    prediction: z.string().nullable(),
    confidence: z.number().nullable(),
  }),
  /** A model was asked: enough to list calls and their failures. */
  z.strictObject({
    kind: z.literal('call'),
    ...entry,
    failure: callFailureKindSchema.nullable(),
    rejected: failureOutcomeSchema.nullable(),
    method: z.string().nullable(),
    promptTokens: z.int(),
    completionTokens: z.int(),
    wallMs: z.number(),
  }),
  z.strictObject({ kind: z.literal('close'), ...entry, outcome: outcomeSchema, incomplete: z.boolean() }),
  ...socrasynthEntries,
]);
export type TranscriptEntry = z.infer<typeof transcriptEntrySchema>;

export const trialViewSchema = z.strictObject({
  line: trialLineSchema,
  kind: caseKindSchema,
  question: z.string(),
  labels: z.array(z.string()),
  positive: z.string().nullable(),
  facts: z.array(factSchema),
  /** Who plays whom, in the protocol's order of roles. */
  cast: z.array(
    z.strictObject({
      role: z.string(),
      model: z.string(),
      backend: z.string(),
      /** The label that the role argues for; null where it argues for none, or where the protocol's version is missing. */
      claim: z.string().nullable(),
    }),
  ),
  /** Parameters of the protocol, every default filled in. */
  params: z.record(z.string(), z.unknown()),
  /** Of the last attempt. */
  entries: z.array(transcriptEntrySchema),
  /** Highest seq among all events read, also those that make no entry; -1 for an empty chain. */
  lastSeq: z.int(),
  /** The same case and replicate in the other arms. */
  others: z.array(trialLineSchema),
});
export type TrialView = z.infer<typeof trialViewSchema>;

/** Everything about one call, as the record holds it. */
export const callViewSchema = z.strictObject({
  key: z.string(),
  role: z.string(),
  at: z.string(),
  seed: z.int(),
  messages: z.array(chatMessageSchema),
  /** Model, digest, backend and its version, address, options and answer schema. */
  setup: z.record(z.string(), z.unknown()),
  /** Raw answer of the model; null where there is none or it was erased. */
  answer: z.string().nullable(),
  thinking: z.string().nullable(),
  done: z.string().nullable(),
  failure: z.strictObject({ kind: callFailureKindSchema, message: z.string().nullable(), permanent: z.boolean() }).nullable(),
  rejected: failureOutcomeSchema.nullable(),
  method: z.string().nullable(),
  /** What is odd about an answer that was taken. */
  flags: z.array(z.string()),
  promptTokens: z.int(),
  completionTokens: z.int(),
  modelMs: z.number(),
  loadMs: z.number(),
  wallMs: z.number(),
  /** base64url SHA-256 of everything that was sent. */
  request: z.string(),
  /** The call was made once for several trials, and is no call of this one alone. */
  shared: z.boolean(),
});
export type CallView = z.infer<typeof callViewSchema>;

/** Whether a trial's chain and texts are as they were written, and whether its verdict follows from its answers. */
export const trialCheckSchema = z.strictObject({
  chain: z.enum(['intact', 'tampered']),
  replay: z.enum(['identical', 'different', 'not-replayable', 'unfinished']),
  head: z.string().nullable(),
  events: z.int(),
  problem: z.string().nullable(),
});
export type TrialCheck = z.infer<typeof trialCheckSchema>;

export const trialFrameSchema = framesOf(
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('entries'), lastSeq: z.int(), entries: z.array(transcriptEntrySchema) }),
    /** The trial's line changed: it began an attempt, or ended. A new attempt makes the earlier entries void. */
    z.strictObject({ kind: z.literal('line'), line: trialLineSchema }),
    /** The answer that is being written, as far as it goes; it replaces what was sent before for this key. */
    z.strictObject({ kind: z.literal('tokens'), key: z.string(), role: z.string(), text: z.string() }),
    /** Frames were left out, as the screen had fallen behind: the stream goes on with every entry after `after`. */
    z.strictObject({ kind: z.literal('gap'), after: z.int() }),
  ]),
);
export type TrialFrame = z.infer<typeof trialFrameSchema>;

/** A single case told in words. */
export const tryDraftSchema = z.strictObject({
  protocol: z.string().min(1).max(200),
  params: z.record(z.string(), z.unknown()).default({}),
  model: z.string().min(1).max(200),
  backend: backendChoiceSchema,
  question: z.string().min(1).max(4000),
  /** Empty only where the question is open. */
  facts: z.string().max(200_000),
  /** None: an open question. */
  labels: z.array(z.string().min(1).max(500)).max(100),
  /** A server of the settings by its name; absent: what `backend` says. */
  server: z.string().min(1).max(200).optional(),
  /** Context in tokens, prompt and answer together; absent: as of an experiment without a word on it. */
  numCtx: runtimeSchema.shape.numCtx.unwrap().optional(),
});
export type TryDraft = z.infer<typeof tryDraftSchema>;

/** Tokens of the call of a try that comes nearest to its context, or goes farthest beyond it. */
export const tryNeedSchema = z.strictObject({
  /** Characters / 4. */
  prompt: z.int(),
  /** Longest answer. */
  numPredict: z.int(),
  numCtx: z.int(),
  fits: z.boolean(),
});
export type TryNeed = z.infer<typeof tryNeedSchema>;
