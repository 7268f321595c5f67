import { z } from 'zod';
import { changeSchema, expectationSchema } from '../changes.ts';
import { outcomeSchema, predictionSchema, trialStatusSchema } from '../domain.ts';
import { erasureNoteSchema } from '../erasure.ts';
import { armSchema, experimentSchema, recordedExperimentSchema, runtimeSchema, sampleSchema } from '../experiment.ts';
import { chatMessageSchema } from '../model.ts';
import { adoptionSchema } from '../outputs.ts';
import { promptsVersionSchema } from '../promptOutputs.ts';
import { restSchema } from '../rest.ts';
import { swapSchema } from '../swaps.ts';
import { trialLineSchema } from '../trialLine.ts';
import { casePreviewSchema, entryIdSchema, listedCaseSchema } from './dataFiles.ts';
import { backendChoiceSchema, runSchema } from './engine.ts';
import { subsetSchema } from './subset.ts';

/** An experiment as a screen describes it; the data come from the list of data sets, the server from the settings. */
export const draftSchema = z.strictObject({
  /** Absent: one is made from entry, arms and time. */
  name: experimentSchema.shape.name.transform((name) => name.toWellFormed()).optional(),
  entry: entryIdSchema,
  sample: sampleSchema.prefault({}),
  seed: experimentSchema.shape.seed,
  replicates: experimentSchema.shape.replicates,
  runtime: runtimeSchema.prefault({}),
  reading: experimentSchema.shape.reading,
  backend: backendChoiceSchema,
  arms: z.array(armSchema).min(1).max(100),
  primary: experimentSchema.shape.primary,
  stop: experimentSchema.shape.stop,
  /** The experiment of this name gets what it does not have yet: cases, replicates, arms. What it has must be as it is. */
  extend: z.boolean().default(false),
});
export type Draft = z.infer<typeof draftSchema>;
export type DraftInput = z.input<typeof draftSchema>;

/** Trials on the record, tried again once for each change. */
export const varyDraftSchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  /** The one that is tried again, in a separate experiment; null: all of them, as further arms. */
  trial: trialLineSchema.shape.trial.nullable(),
  /** As `assize vary --change` takes them. */
  changes: z.array(z.string().min(1).max(5000)).min(1).max(20),
  /** What they should do; absent: nothing is expected. */
  expect: expectationSchema.optional(),
  /** How many cases of the experiment are tried again, in a separate experiment; absent: all. */
  cases: z.int().min(1).optional(),
});
export type VaryDraft = z.infer<typeof varyDraftSchema>;

/** Trials that a set of changes adds to the record: `arms` times `cases` times `replicates`. */
export const varySizeSchema = z.strictObject({
  trials: z.int(),
  arms: z.int(),
  cases: z.int(),
  replicates: z.int(),
  /** How many of the arms are unchanged ones. */
  unchanged: z.int(),
});
export type VarySize = z.infer<typeof varySizeSchema>;

/** One call of a dry run: what would be sent, before any model is asked. */
export const previewedCallSchema = z.strictObject({
  key: z.string(),
  role: z.string(),
  model: z.string(),
  messages: z.array(chatMessageSchema),
  /** JSON Schema of the answer. */
  schema: z.record(z.string(), z.unknown()),
  /** Characters / 4. */
  prompt_tokens: z.int(),
  /** An invented answer: what later prompts of the preview quote. */
  invented: z.string(),
});

export const promptPreviewSchema = z.strictObject({
  arm: z.string(),
  case: z.string(),
  calls: z.array(previewedCallSchema),
});
export type PromptPreview = z.infer<typeof promptPreviewSchema>;

const tallySchema = z.strictObject({
  planned: z.int(),
  done: z.int(),
  running: z.int(),
  /** Finished trials by outcome. */
  outcomes: z.record(z.string(), z.int()),
});

const experimentSummarySchema = z.strictObject({
  name: z.string(),
  /** Wall time of the freeze, ISO 8601. */
  at: z.string(),
  question: z.string().nullable(),
  arms: z.array(z.string()),
  cases: z.int(),
  ...tallySchema.shape,
  /** Trials whose row was altered to name no arm of the experiment; absent: none. */
  altered: z.int().optional(),
  /** Of `running` those that wait for their moderator; a run ends without them. */
  waiting: z.int(),
  /** Whether its last run has a beginning and no end in the log: it runs, here or in another program, or it broke off. */
  open_run: z.boolean(),
  /** Its stopping rule has ended it: the trials that were not run are not needed. */
  stopped_by_rule: z.boolean(),
  /** Some answers came from the demo model. */
  standin: z.boolean(),
  /** The last erasure that took texts of it; null where none did. */
  erased: erasureNoteSchema.nullable(),
  /** Made by `try`: one case, one arm. */
  single: z.boolean(),
  /** It tries one trial of another experiment again. */
  retrial: z.boolean(),
  /** All its predictions are from files: nothing of it can be run. */
  imported: z.boolean(),
  /** The protocol of a `single` one. */
  protocol: z.string().nullable(),
  /** The only trial of a `single` one. */
  trial: z.string().nullable(),
  /** Its verdict; null where there is none. */
  verdict: predictionSchema,
  run: runSchema.nullable(),
});
export type ExperimentSummary = z.infer<typeof experimentSummarySchema>;

export const experimentListSchema = z.strictObject({
  /** The newest first. */
  experiments: z.array(experimentSummarySchema),
  /** Those that cannot be read, and why. */
  unreadable: z.array(z.strictObject({ name: z.string(), problem: z.string() })),
});
export type ExperimentList = z.infer<typeof experimentListSchema>;

export const experimentViewSchema = z.strictObject({
  summary: experimentSummarySchema,
  /** The experiment as recorded, with labels and positive label as they came out of the data. */
  definition: recordedExperimentSchema,
  labels: z.array(z.string()),
  positive: z.string().nullable(),
  /** Cases of the data set, of which those in the summary were drawn. */
  dataset_cases: z.int(),
  arms: z.array(
    z.strictObject({
      name: z.string(),
      protocol: z.string(),
      protocol_version: z.int(),
      /** The variant of its prompts; null: the shipped words. */
      prompts: promptsVersionSchema.nullable(),
      /** Role -> model. */
      models: z.record(z.string(), z.string()),
      /** What is exchanged in it, and the arm that it is paired with; null if nothing is. */
      swap: swapSchema.nullable(),
      base_arm: z.string().nullable(),
      /** In what it declares to differ from the base arm; null where it declares nothing. */
      change: changeSchema.nullable(),
      /** What its first answers are, in a sentence; absent where its protocol declares none. */
      first_answer: z.string().optional(),
      /** Cases on trial that an arm can be right on which can only give some of the labels; absent: all of them. */
      can_be_right: z.strictObject({ cases: z.int(), of: z.int() }).optional(),
      ...tallySchema.shape,
    }),
  ),
  /** What is left to run; null where no trial shows it, absent where nothing is left. */
  rest: restSchema.nullable().optional(),
  /** Whether the next run can be of the demo model instead: it gave answers, and the last run from a screen was not its own. */
  demo_offered: z.boolean(),
  /** Where it was copied from; absent where it was made here. */
  adopted: adoptionSchema.optional(),
  /** Starts, pauses, resumes and ends of runs, the newest first, at most 200. */
  log: z.array(z.strictObject({ at: z.string(), event: z.string(), detail: z.record(z.string(), z.unknown()) })),
  /** Place in the stream of changes that this view is of. */
  cursor: z.string(),
});
export type ExperimentView = z.infer<typeof experimentViewSchema>;

/** Lists of trials that are worth reading first, by what happened in them. */
export const trialQueues = [
  'wrong-and-sure',
  'against-own-percentage',
  'corrected',
  'made-wrong',
  'changed-late',
  'judges-disagree',
  'failed',
  'label-in-doubt',
  'people-disagree',
  'outside-facts',
] as const;
export type TrialQueue = (typeof trialQueues)[number];

/** Queues that say which verdicts are right. */
export const truthQueues: ReadonlySet<TrialQueue> = new Set(['wrong-and-sure', 'corrected', 'made-wrong', 'label-in-doubt']);

export const queueCountsSchema = z.record(z.enum(trialQueues), z.int());
/** Trials of an experiment in each queue. A trial can be in several. */
export type QueueCounts = z.infer<typeof queueCountsSchema>;

export const trialOrders = ['newest', 'case', 'outcome', 'confidence', 'movement'] as const;

export const trialQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  arm: z.string().max(200).optional(),
  status: trialStatusSchema.optional(),
  outcome: outcomeSchema.optional(),
  /** Null: no verdict, or no known truth to hold it against. */
  correct: z.boolean().nullable().optional(),
  /** Further conditions, as a bar or a point of a figure makes them. */
  subset: subsetSchema.optional(),
  /**
   * Of the finished trials of the subset (and of those named in `trials`), only those of a case, or of a case and replicate, of
   * which each of these arms has one: what a comparison of them is over.
   */
  matched: z.strictObject({ arms: z.array(z.string().max(200)).max(100), by: z.enum(['case', 'replicate']) }).optional(),
  prediction: z.string().max(2000).optional(),
  truth: z.string().max(2000).optional(),
  /** A decided trial's answer from before its verdict is this label, or has it among several. */
  first: z.string().max(2000).optional(),
  ambiguous: z.boolean().optional(),
  /** Stated confidence at least `from` and below `to`, both up to rounding; up to and with 1 where `to` is 1. */
  confidence: z.strictObject({ from: z.number().min(0).max(1), to: z.number().min(0).max(1) }).optional(),
  /** These trials alone. */
  trials: z
    .array(z.string().regex(/^[0-9a-f]{16}$/))
    .max(5000)
    .optional(),
  /** Those of a queue alone. */
  queue: z.enum(trialQueues).optional(),
  /** Case ids that contain this text. */
  search: z.string().max(200).optional(),
  order: z.enum(trialOrders).default('newest'),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(500).default(100),
});
export type TrialQuery = z.infer<typeof trialQuerySchema>;

/** Trials that have begun; the queued ones are only counted. `replicates`: trials of each case in each arm. */
export const trialPageSchema = z.strictObject({
  total: z.int(),
  offset: z.int(),
  replicates: z.int(),
  lines: z.array(trialLineSchema),
  /** Trial -> how far its judge's belief moved, 0-1, of the page's trials with two beliefs; only in the order `movement`. */
  movements: z.record(z.string(), z.number()).optional(),
});
export type TrialPage = z.infer<typeof trialPageSchema>;

export const experimentFrameSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('run'), run: runSchema.nullable() }),
  /** Trials that began or ended; `cursor` is the place to continue from. */
  z.strictObject({ kind: z.literal('trials'), cursor: z.string(), lines: z.array(trialLineSchema) }),
  /** Changes were missed: read the experiment again, and continue from `cursor`. */
  z.strictObject({ kind: z.literal('gap'), cursor: z.string() }),
]);
export type ExperimentFrame = z.infer<typeof experimentFrameSchema>;

/** Cases of a data set that are not on trial, at most 200 of `total`. */
export const undrawnCasesSchema = z.strictObject({
  total: z.int(),
  cases: z.array(
    z.strictObject({
      /** An experiment over the data set. */
      experiment: z.string(),
      id: z.string(),
      kind: casePreviewSchema.shape.kind,
      /** Who decided what its label is; absent where the label counts as the truth. */
      decided_by: z.string().optional(),
      /** Null where its facts were erased. */
      listed: listedCaseSchema.nullable(),
    }),
  ),
  /** Cases with the words that are on trial, of each experiment with such; the first ids of `total`. Empty without words. */
  drawn: z.array(z.strictObject({ experiment: z.string(), total: z.int(), ids: z.array(z.string()) })),
});
export type UndrawnCases = z.infer<typeof undrawnCasesSchema>;
export type UndrawnCase = UndrawnCases['cases'][number];
