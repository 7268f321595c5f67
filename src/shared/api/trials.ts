import { z } from 'zod';
import { caseKindSchema, failureOutcomeSchema, shownFactSchema } from '../domain.ts';
import { erasureNoteSchema } from '../erasure.ts';
import { recommendationKindSchema } from '../events/evince.ts';
import type { Stored } from '../events/parts.ts';
import { eventSchemas } from '../events.ts';
import { experimentSchema, runtimeSchema } from '../experiment.ts';
import { callFailureKindSchema, chatMessageSchema } from '../model.ts';
import { moderationKinds } from '../moderation.ts';
import { trialAnswerSchema } from '../reviews.ts';
import { trialLineSchema } from '../trialLine.ts';
import { backendChoiceSchema } from './engine.ts';

/** Place of an entry in a transcript. `seq`: place in the trial's chain; `role`: empty if it belongs to no one. */
const placed = { seq: z.int().min(0), key: z.string(), role: z.string() };

/** A field of an event as a transcript has it: a text instead of its ref, null where it was erased. */
type Shown<F> =
  F extends Stored<infer T>
    ? z.ZodNullable<z.ZodType<T>>
    : F extends z.ZodNullable<Stored<infer T>>
      ? z.ZodNullable<z.ZodType<T>>
      : F;

type Entry<K extends string, F> = z.ZodObject<
  { [N in Exclude<keyof F, 'v'>]: Shown<F[N]> } & typeof placed & { kind: z.ZodLiteral<K> },
  z.core.$strict
>;

function shown(field: unknown): unknown {
  const inner = field instanceof z.ZodNullable ? field.unwrap() : field;
  if (!(inner instanceof z.ZodString && 'holds' in inner)) return field;
  return (inner.holds instanceof z.ZodType ? inner.holds : z.string()).nullable();
}

/** What a transcript has of an event: its fields, with every text in its place. */
function entryOf<K extends string, F extends z.ZodRawShape>(kind: K, event: z.ZodObject<F>): Entry<K, F> {
  const fields = Object.entries(event.shape).flatMap(([name, field]) => (name === 'v' ? [] : [[name, shown(field)]]));
  // What `shown` does to a field, as types.
  return z.strictObject({ ...placed, ...Object.fromEntries(fields), kind: z.literal(kind) }) as unknown as Entry<K, F>;
}

const event = eventSchemas;
const failure = callFailureKindSchema.nullable();
const rejected = failureOutcomeSchema.nullable();

/** Texts are null where they were erased from the store. */
export const transcriptEntrySchema = z.discriminatedUnion('kind', [
  /** `planned`: whether the speaker made a private plan; `plan` is its text. */
  entryOf('utterance', event['utterance-make']).extend({
    planned: z.boolean(),
    outside: z.array(z.string().nullable()).optional(),
  }),
  entryOf('belief', event['belief-update']),
  entryOf('forfeit', event['turn-forfeit']),
  entryOf('measure', event['measure-take']),
  entryOf('step', event['step-take']),
  /** `opinion` is empty if the verdict has no separate text: the reasons are those of the bench. */
  entryOf('ruling', event['ruling-give']),
  entryOf('sides', event['side-assign']),
  entryOf('ambiguity', event['ambiguity-find']),
  /** `model`: that embeds; null where none was asked. `facts`: null where they were erased. */
  entryOf('precedents', event['precedent-retrieve'].omit({ request: true, setup: true })).extend({
    model: z.string().nullable(),
    precedents: z.array(
      z.strictObject({ label: z.string(), similarity: z.number().nullable(), facts: z.array(shownFactSchema).nullable() }),
    ),
    failure,
  }),
  /** The answer to a question that is put once and serves every trial that asks it. `attempts`: requests that it took; absent: one. */
  entryOf('share', event['turn-forfeit'].omit({ failure: true })).extend({
    ...{ model: z.string().nullable(), text: z.string().nullable(), failure, rejected },
    attempts: z.int().min(2).optional(),
  }),
  entryOf('positions', event['position-assign']),
  /** `version`: of the trained assistant; null where a model rates. */
  entryOf('rating', event['opinion-rate'].omit({ trained: true })).extend({ version: z.int().nullable(), failure }),
  entryOf('round', event['round-settle'].omit({ notes: true })),
  entryOf('exchange', event['exchange-measure']),
  entryOf('recommendations', event['recommendation-make']).extend({
    recommendations: z.array(
      z.strictObject({ kind: recommendationKindSchema, text: z.string().nullable(), reason: z.string().nullable() }),
    ),
  }),
  entryOf('subtopics', event['subtopics-settle'].omit({ proposals: true })),
  entryOf('evaluation', event['argument-evaluate']),
  entryOf('stop', event['debate-stop']),
  entryOf('proposal', event['proposal-make']),
  /** `first`: the side that the judge read first. */
  entryOf('panel', event['panel-score'].omit({ order: true })).extend({ first: z.enum(['agentA', 'agentB']) }),
  entryOf('answer', event['answer-give']),
  entryOf('comparison', event['answer-compare']),
  /** The trial asked its moderator; without a `moderated` of the same key it waits. */
  entryOf('moderation', event['moderation-ask'].omit({ kind: true })).extend({ asks: z.enum(moderationKinds) }),
  entryOf('moderated', event['moderation-give'].omit({ at: true })),
  /** A prediction that was taken from a file instead of a trial. */
  entryOf('import', event['prediction-import'].omit({ file: true })).extend({
    probabilities: z.array(z.string().nullable()).optional(),
    opinions: z.array(z.string().nullable()).optional(),
  }),
  /** A model was asked: enough to list calls and their failures. */
  entryOf(
    'call',
    event['call-answer'].pick({ key: true, role: true, promptTokens: true, completionTokens: true, wallMs: true }),
  ).extend({ failure, rejected, method: z.string().nullable() }),
  entryOf('close', event['trial-close'].omit({ at: true })),
]);
export type TranscriptEntry = z.infer<typeof transcriptEntrySchema>;

export const trialViewSchema = z.strictObject({
  line: trialLineSchema,
  kind: caseKindSchema,
  question: z.string(),
  /** The name of a case from Try a case; null for others, which have an id. */
  title: z.string().nullable(),
  labels: z.array(z.string()),
  positive: z.string().nullable(),
  /** None where the case was erased. */
  facts: z.array(shownFactSchema),
  /** The erasure that took texts of the trial; null where none did. */
  erased: erasureNoteSchema.nullable(),
  /** Who plays whom, in the protocol's order of roles. */
  cast: z.array(
    z.strictObject({
      role: z.string(),
      model: z.string(),
      backend: z.string(),
      /** What is set for the model beside the parameters, as JSON; absent where nothing is. */
      options: z.string().optional(),
      /** The label that the role argues for; null where it argues for none, or where the protocol's version is missing. */
      claim: z.string().nullable(),
    }),
  ),
  /** Parameters of the protocol, every default filled in. */
  params: z.record(z.string(), z.unknown()),
  /** Of the last attempt. */
  entries: z.array(transcriptEntrySchema),
  /** When the last attempt was opened, ISO 8601; null of a trial that has not begun. */
  opened: z.string().nullable(),
  /** Highest seq among all events read, also those that make no entry; -1 for an empty chain. */
  lastSeq: z.int(),
  /** Trials of each case in each arm of its experiment. */
  replicates: z.int(),
  /** The other trials of the same case: at most 20 of each arm, beginning with the arm of this trial. */
  others: z.array(trialLineSchema),
  /** The experiment in which it was tried again with changes; null where it was not. */
  again: z.string().nullable(),
  /** Describes the first fault of its chain, row and texts; null if there is none. */
  damage: z.string().nullable(),
  /** Events that cannot be read: what they say is missing. */
  unread: z.int(),
  /** What the fault means, in sentences; null where there is none. */
  damage_means: z.string().nullable(),
  /** What of the last attempt is not as it was recorded: an event itself, or texts by event and field; `what`: its description; `gone`: the record no longer has it. */
  faulty_texts: z.array(z.strictObject({ seq: z.int(), field: z.string(), what: z.string(), gone: z.boolean() })),
  /** Own calls of the last attempt with such a text in what was sent; `answer`: the key of the call whose recorded answer still has its words, null where none is known. */
  faulty_calls: z.array(
    z.strictObject({
      key: z.string(),
      texts: z.array(z.strictObject({ what: z.string(), gone: z.boolean(), answer: z.string().nullable() })),
    }),
  ),
  /** How many people judged it and whether they agree, in a sentence; null if no one did. */
  judged: z.string().nullable(),
  /** What each of them answered, and why. */
  answers: z.array(trialAnswerSchema),
  /** Of a later replicate: the same as `judged` of the first one, which is the one that people review. */
  first_judged: z.string().nullable(),
});
export type TrialView = z.infer<typeof trialViewSchema>;

/** Everything about one call, as the record holds it. */
export const callViewSchema = event['call-answer']
  .pick({
    ...{ role: true, at: true, seed: true, done: true, promptTokens: true, completionTokens: true },
    ...{ modelMs: true, loadMs: true, wallMs: true, request: true },
  })
  .extend({
    key: z.string(),
    messages: z.array(chatMessageSchema),
    /** Model, digest, backend and its version, address, options and answer schema. */
    setup: z.record(z.string(), z.unknown()),
    /** Raw answer of the model; null where there is none or it was erased. */
    answer: z.string().nullable(),
    thinking: z.string().nullable(),
    failure: z.strictObject({ kind: callFailureKindSchema, message: z.string().nullable(), permanent: z.boolean() }).nullable(),
    rejected,
    method: z.string().nullable(),
    /** What is odd about an answer that was taken. */
    flags: z.array(z.string()),
    /** The call was made once for several trials, and is no call of this one alone. */
    shared: z.boolean(),
    /** The call of another trial whose answer this is; null where a model was asked. */
    reused: z.strictObject({ trial: z.string(), key: z.string() }).nullable(),
  });
export type CallView = z.infer<typeof callViewSchema>;

/** Whether a trial's chain and texts are as they were written, and whether its verdict follows from its answers. */
export const trialCheckSchema = z.strictObject({
  chain: z.enum(['intact', 'tampered']),
  replay: z.enum(['identical', 'different', 'not-replayable', 'unfinished', 'erased']),
  head: z.string().nullable(),
  events: z.int(),
  problem: z.string().nullable(),
});
export type TrialCheck = z.infer<typeof trialCheckSchema>;

export const trialFrameSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('entries'), lastSeq: z.int(), entries: z.array(transcriptEntrySchema) }),
  /** The trial's line changed: it began an attempt, or ended. A new attempt makes the earlier entries void. */
  z.strictObject({ kind: z.literal('line'), line: trialLineSchema }),
  /** The answer that is being written, as far as it goes; it replaces what was sent before for this key. */
  z.strictObject({ kind: z.literal('tokens'), key: z.string(), role: z.string(), text: z.string() }),
]);
export type TrialFrame = z.infer<typeof trialFrameSchema>;

/** A single case described in words. */
export const tryDraftSchema = z.strictObject({
  protocol: z.string().min(1).max(200),
  params: z.record(z.string(), z.unknown()).default({}),
  model: z.string().min(1).max(200),
  /** Models of single roles, of the same server. */
  roles: z.record(z.string().min(1).max(200), z.string().min(1).max(200)).optional(),
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
  /** Name of one of the user's variants of the prompts; absent: the shipped words. */
  prompts: z.string().min(1).max(64).optional(),
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

/** Runs to follow: those of one experiment, or all that are under way. */
export const liveQuerySchema = z.strictObject({ experiment: experimentSchema.shape.name.nullable() });

export const liveFrameSchema = z.discriminatedUnion('kind', [
  /** A trial that runs now, or one that begins a further attempt: replaces what was known of it. */
  z.strictObject({ kind: z.literal('court'), view: trialViewSchema }),
  /** Changes of trials already announced, in order, at most one of each trial; a line that is done is its last. */
  z.strictObject({
    kind: z.literal('changes'),
    changes: z.array(z.strictObject({ trial: z.string(), frames: z.array(trialFrameSchema) })),
  }),
]);
export type LiveFrame = z.infer<typeof liveFrameSchema>;
