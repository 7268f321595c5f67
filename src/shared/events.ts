import { z } from 'zod';
import { evaluationSchema } from './crit.ts';
import { beliefSchema, failureOutcomeSchema, outcomeSchema, predictionSchema } from './domain.ts';
import { debateFeedbackEvents } from './events/debateFeedback.ts';
import { evinceEvents } from './events/evince.ts';
import { at, json, keyed, ofRole, ref, statedBelief, text, vectorsAsked, vectorsMade, version } from './events/parts.ts';
import { reviewEvents } from './events/review.ts';
import { socrasynthEvents } from './events/socrasynth.ts';
import { importMappingSchema } from './imported.ts';
import { callFailureKindSchema } from './model.ts';
import { promptsVersionSchema } from './promptOutputs.ts';

const argumentEvaluateSchema = z.strictObject({
  ...ofRole,
  /** Whose argument it is, as the prompt names it. */
  subject: z.string(),
  /** 1-10; see `core/crit`. */
  score: z.number().min(1).max(10),
  /** Claim, reasons, rivals and justification. */
  evaluation: json(evaluationSchema),
});

const critEvents = { 'argument-evaluate': argumentEvaluateSchema } as const;

/** First 12 characters of a text's ref: enough to find it; the hash of the whole request vouches for it. */
const partName = z.string().length(12);
const milliseconds = z.number().min(0);

const frozenArmSchema = z.strictObject({
  name: z.string(),
  protocol: z.string(),
  protocolVersion: z.int(),
  /** Parameters with every default filled in, and the cast, as JSON text. */
  terms: text,
  /** Prompt template name -> text. */
  templates: z.record(z.string(), text),
  /** The variant of the prompts, and its version as `promptsHash` has it; absent: the shipped words. */
  prompts: promptsVersionSchema.optional(),
  /** Texts of the training cases drawn for this arm; a reserve replaces one that is on trial itself. */
  examples: z.strictObject({ chosen: z.array(text), reserves: z.array(text) }),
});

const experimentFreezeSchema = z.strictObject({
  v: version,
  at,
  name: z.string(),
  /** Version of the program. */
  assize: z.string(),
  /** The experiment file with its defaults filled in, as JSON text. */
  definition: text,
  /** List of the cases on trial, in order, and of the hash of the source file, salted. */
  dataset: z.strictObject({ manifest: text, file: ref }),
  /** Version of the rules for reading answers; absent in records older than strict reading, and if no arm was run. */
  reader: z.int().min(5).optional(),
  /** Version of the rules by which foreign texts are made harmless; absent: 1, and where no arm was run. */
  guard: z.int().min(2).optional(),
  arms: z.array(frozenArmSchema),
});

const trialOpenSchema = z.strictObject({
  v: version,
  at,
  arm: z.string(),
  case: text,
  replicate: z.int().min(0),
  /** 1 for the first, one more for each retry of a failed trial. */
  attempt: z.int().min(1),
  seed: z.int().min(0),
  protocol: z.string(),
  protocolVersion: z.int(),
  /** Hash of the experiment event in force, hexadecimal. */
  freeze: z.string().length(64),
});

const found = z.int().min(1).optional();

/** What was done about foreign text in a prompt. Counts by rule; the rules are in `core/text`. */
const textGuardSchema = z.strictObject({
  /** Version of the rules, as the experiment has it in `guard`. */
  rules: z.int().min(1),
  /** Changed in what was sent: the case and the answers keep the text as it was. */
  neutralised: z.strictObject({ 'control-token': found, 'transcript-heading': found }),
  /** Instruction-like stretches of facts: sent as they are. */
  flagged: z.strictObject({
    'dictated-answer': found,
    impersonation: found,
    'new-role': found,
    override: found,
    'prompt-talk': found,
  }),
});
export type TextGuard = z.infer<typeof textGuardSchema>;

const callAnswerSchema = z.strictObject({
  v: version,
  at,
  /** Where in the protocol the call is, with its attempt: `turn-2/judge/attempt-1`. */
  key: z.string(),
  role: z.string(),
  /** Hash of everything the model was sent. */
  request: ref,
  /** Model, digest, backend and its version, address, options and schema, as JSON text. */
  setup: text,
  seed: z.int().min(0),
  /** Each message: its role, then the texts it is joined from, with a blank line between. */
  messages: z.array(z.tuple([z.enum(['system', 'user', 'assistant']), z.array(partName)])),
  /** Absent where the prompt held no such text, and in records from before there were rules: then nothing was changed. */
  guard: textGuardSchema.optional(),
  answer: text.nullable(),
  /** Token probabilities at the labels of a valid answer, if they were requested and reported. */
  logprobs: text.optional(),
  thinking: text.optional(),
  done: z.string().nullable(),
  /** Why there is no answer at all. What a server says can repeat the prompt, so it is a text like any other. */
  failure: z.strictObject({ kind: callFailureKindSchema, message: text, permanent: z.boolean() }).optional(),
  /** Version of the rules for reading the answer; absent in records from when there was only one. */
  reader: z.int().min(2).optional(),
  /** How the answer was read; absent where it was rejected. */
  method: z.string().optional(),
  rejected: failureOutcomeSchema.optional(),
  /** What is odd about an answer that was accepted, such as `embedded`; absent where nothing is. */
  flags: z.array(z.string()).min(1).optional(),
  promptTokens: z.int().min(0),
  /** Of `promptTokens`: what the server had computed for an earlier prompt; absent if it did not report it. */
  cachedTokens: z.int().min(0).optional(),
  completionTokens: z.int().min(0),
  modelMs: milliseconds,
  loadMs: milliseconds,
  /** Of `modelMs`: reading the prompt, writing the answer; absent if the server did not report them. */
  promptMs: milliseconds.optional(),
  completionMs: milliseconds.optional(),
  wallMs: milliseconds,
  /** The call of another trial with the same request, whose answer and times these are; absent: asked. `hash`: hexadecimal. */
  reused: z.strictObject({ trial: z.string().regex(/^[0-9a-f]{16}$/), key: z.string(), hash: z.string().length(64) }).optional(),
});

const utteranceMakeSchema = z.strictObject({
  ...ofRole,
  /** What the speech is in the protocol: `opening`, `rebuttal`, `closing`. */
  turn: z.string(),
  text: text,
  /** The speaker's private plan; never part of another role's prompt. */
  plan: text.nullable(),
  /** Number of the subtopic that the speech is about, from 1. */
  subtopic: z.int().min(1).optional(),
  /** Words as spoken and as heard, where the speech was over its limit and cut. */
  shortened: z.strictObject({ words: z.int().min(1), kept: z.int().min(1) }).optional(),
  /** What the speech holds to be right, where debaters take positions. */
  position: predictionSchema.optional(),
  /** The speaker gives up the position that it was assigned; absent where it was not asked. */
  concedes: z.boolean().optional(),
  /** What the speaker says that it took from outside the facts; absent where it was not asked. */
  outside: z.array(text).optional(),
});

const sideAssignSchema = z.strictObject({
  ...keyed,
  /** Most likely label of the hearing, and the other one in dispute. */
  prediction: z.string(),
  alternative: z.string(),
  /** `named`: by the answer; `distribution`: it named none but its prediction, so the next likely label; `two-labels`: there is one other. */
  alternativeFrom: z.enum(['named', 'distribution', 'two-labels']),
  /** `random`: who argues for which label was drawn by the trial's seed. */
  drawn: z.enum(['random', 'fixed']),
  /** Role -> label that it argues for. */
  sides: z.record(z.string(), z.string()),
  /** Roles in the order in which their arguments are read. */
  order: z.array(z.string()),
});

const precedentRetrieveSchema = z.strictObject({
  ...keyed,
  /** Hash of what was looked for. */
  request: ref,
  method: z.enum(['embeddings', 'tf-idf', 'random']),
  /** Embedding model, digest, backend, its version and address, as JSON text; null where no model was asked. */
  setup: text.nullable(),
  /** Label by label, the nearest first. `case` is the text of the training case, `similarity` the cosine, null where the draw was random. */
  precedents: z.array(z.strictObject({ case: text, label: z.string(), similarity: z.number().min(-1).max(1).nullable() })),
  /** Training cases of the labels looked for that have no vector, since the model gave none: they could not be found. Absent where each has one. */
  withoutVector: z.int().min(1).optional(),
  /** Why there are none. */
  failure: z.strictObject({ kind: callFailureKindSchema, message: text }).optional(),
});

const answerShareSchema = z.strictObject({
  ...ofRole,
  /** Hash of the question: model, options, messages, schema. */
  request: ref,
  /** Key and hash of the call in the preparation chain of the experiment. */
  call: z.strictObject({ key: z.string(), hash: z.string() }),
  /** As in the call. */
  setup: text,
  answer: text.nullable(),
  done: z.string().nullable(),
  failure: z.strictObject({ kind: callFailureKindSchema, message: text }).optional(),
  /** As in the call. */
  reader: z.int().min(2),
  method: z.string().optional(),
  rejected: failureOutcomeSchema.optional(),
});

const ambiguityFindSchema = z.strictObject({
  ...ofRole,
  /** Most likely label of each fresh hearing; null where it failed. */
  labels: z.array(z.string().nullable()),
  /** Whether the label varies; null where too many hearings failed. */
  ambiguous: z.boolean().nullable(),
});

const embeddingMakeSchema = z.strictObject({
  ...vectorsAsked,
  /** Texts of the cases, in the order in which they were sent. */
  cases: z.array(text).min(1),
  ...vectorsMade,
});

const beliefUpdateSchema = z.strictObject({
  ...ofRole,
  ...statedBelief,
  /** `live`: held at that moment; `retrospective`: recalled at the end; `prior`: before anyone spoke. */
  moment: z.enum(['live', 'retrospective', 'prior']),
  /** Key of the utterance it follows. */
  after: z.string().nullable(),
  notes: text.nullable(),
});

const turnForfeitSchema = z.strictObject({ ...ofRole, failure: failureOutcomeSchema });

/** A step that one protocol alone has: its folder has the form of what it says, which is JSON (`core/telling/sections.ts`). */
const stepTakeSchema = z.strictObject({ ...ofRole, step: z.string(), said: text });

const measureTakeSchema = z.strictObject({ ...keyed, name: z.string(), value: z.number() });

const rulingGiveSchema = z.strictObject({
  ...ofRole,
  ...statedBelief,
  /** The whole ruling as JSON text. */
  opinion: text.nullable(),
});

/** One prediction of a file, instead of everything that a protocol would have done. */
const predictionImportSchema = z.strictObject({
  v: version,
  system: z.string(),
  /** Hash of the source file, salted; the file itself is not kept. */
  file: ref,
  /** 1-based line of the file on which the row begins. */
  line: z.int().min(1),
  /** Columns and reading, as JSON text; see `importMappingSchema`. */
  mapping: json(importMappingSchema),
  /** The cell of the prediction as in the file; null if there is no such column. */
  value: text.nullable(),
  /** The cell of the confidence as in the file; null if there is no such column. */
  stated: text.nullable(),
  /** The label that the mapping gives it; null if none. */
  prediction: z.string().nullable(),
  /** P(prediction), 0-1; null where it is undecided or not stated. */
  confidence: z.number().min(0).max(1).nullable(),
  /** The cells of the probabilities as in the file, in the order of the mapping; absent if there are no such columns. */
  probabilities: z.array(text).optional(),
  /** P of each label by these cells; absent where they state none, and where the trial is undecided. */
  belief: beliefSchema.optional(),
  source: z.literal('verbal').optional(),
  /** The cells of the opinions before the prediction, in order; absent where there are no such columns. */
  opinions: z.array(text).optional(),
  /** The label that the mapping gives each, or null; absent if there are no opinions. */
  course: z.array(z.string().nullable()).optional(),
});

const trialCloseSchema = z.strictObject({
  v: version,
  at,
  outcome: outcomeSchema,
  /** Some turn was forfeited. */
  incomplete: z.boolean(),
});

const textEraseSchema = z.strictObject({
  v: version,
  at,
  /** List of the cases of the data set. Its text, or that of a case, need not be there any more. */
  dataset: ref,
  /** What was to be erased: all about the data set, what was said in one experiment, or one case. */
  scope: z.enum(['data-set', 'experiment', 'case']),
  experiment: z.string().nullable(),
  case: ref.nullable(),
  /** Whether the salt of the data set went too, without which no guess of a text can be confirmed. */
  salt: z.boolean(),
  texts: z.int().min(0),
  /** Hash of their names and of what stays of them, see docs/record-format.md. */
  erased: z.string().length(64),
});

export const eventSchemas = {
  'experiment-freeze': experimentFreezeSchema,
  'experiment-extend': experimentFreezeSchema,
  'trial-open': trialOpenSchema,
  'call-answer': callAnswerSchema,
  'answer-share': answerShareSchema,
  'embedding-make': embeddingMakeSchema,
  'precedent-retrieve': precedentRetrieveSchema,
  'side-assign': sideAssignSchema,
  'ambiguity-find': ambiguityFindSchema,
  ...critEvents,
  ...debateFeedbackEvents,
  ...evinceEvents,
  ...socrasynthEvents,
  'utterance-make': utteranceMakeSchema,
  'belief-update': beliefUpdateSchema,
  'turn-forfeit': turnForfeitSchema,
  'step-take': stepTakeSchema,
  'measure-take': measureTakeSchema,
  'ruling-give': rulingGiveSchema,
  'prediction-import': predictionImportSchema,
  'trial-close': trialCloseSchema,
  'text-erase': textEraseSchema,
  ...reviewEvents,
} as const;

export type EventKind = keyof typeof eventSchemas;
export type EventPayload<K extends EventKind> = z.infer<(typeof eventSchemas)[K]>;
export type FrozenArm = z.infer<typeof frozenArmSchema>;

export type RecordEvent = { [K in EventKind]: { seq: number; kind: K; payload: EventPayload<K>; hash: string } }[EventKind];

export function isEventKind(kind: string): kind is EventKind {
  return Object.hasOwn(eventSchemas, kind);
}
