import { z } from 'zod';
import { type Change, expectationSchema } from '../changes.ts';
import type { LoggedEvent } from '../commandOutputs.ts';
import { outcomeSchema, type Prediction, trialStatusSchema } from '../domain.ts';
import type { Energy } from '../energy.ts';
import type { ErasureNote } from '../erasure.ts';
import { armSchema, experimentSchema, type recordedExperimentSchema, runtimeSchema, sampleSchema } from '../experiment.ts';
import type { ChatMessage } from '../model.ts';
import type { Adoption } from '../outputs.ts';
import type { Part } from '../part.ts';
import type { promptsVersionSchema } from '../promptOutputs.ts';
import type { Rest } from '../rest.ts';
import type { Swap } from '../swaps.ts';
import { type TrialLine, trialLineSchema } from '../trialLine.ts';
import { type CasePreview, entryIdSchema, type ListedCase } from './dataFiles.ts';
import { backendChoiceSchema, type Run } from './engine.ts';
import { shareRangeSchema, subsetSchema } from './subset.ts';

/** Arms of an experiment that a screen makes: it shows a card for each. */
export const mostDraftArms = 100;

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
  arms: z.array(armSchema).min(1).max(mostDraftArms),
  primary: experimentSchema.shape.primary,
  stop: experimentSchema.shape.stop,
  /** The experiment of this name gets what it does not have yet: cases, replicates, arms. What it has must be as it is. */
  extend: z.boolean().default(false),
});
export type Draft = z.infer<typeof draftSchema>;
export type DraftInput = z.input<typeof draftSchema>;

export const varyDraftSchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  /** The one that is tried again, in a separate experiment; null: all of them, as further arms. */
  trial: trialLineSchema.shape.trial.nullable(),
  /** As `assize vary --change` takes them. */
  changes: z.array(z.string().min(1).max(5000)).min(1).max(100),
  /** What they should do; absent: nothing is expected. */
  expect: expectationSchema.optional(),
  /** How many cases of the experiment are tried again, in a separate experiment; absent: all. */
  cases: z.int().min(1).optional(),
});
export type VaryDraft = z.infer<typeof varyDraftSchema>;

/** Trials that a set of changes adds to the record: `arms` times `cases` times `replicates`. */
export interface VarySize {
  readonly trials: number;
  readonly arms: number;
  readonly cases: number;
  readonly replicates: number;
  /** Of all these trials: the fewest and the most. */
  readonly calls: { readonly min: number; readonly max: number };
  /** How many of the arms are unchanged ones. */
  readonly unchanged: number;
  /** Arms that answer at temperature 0 and are tried with other seeds. */
  readonly cold: readonly string[];
}

/** One call of a dry run: what would be sent, before any model is asked. */
interface PreviewedCall {
  readonly key: string;
  readonly role: string;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** JSON Schema of the answer. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Characters / 4. */
  readonly prompt_tokens: number;
  /** An invented answer: what later prompts of the preview quote. */
  readonly invented: string;
}

export interface PromptPreview {
  readonly arm: string;
  readonly case: string;
  readonly calls: readonly PreviewedCall[];
}

interface Tally {
  readonly planned: number;
  readonly done: number;
  readonly running: number;
  /** Finished trials by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
}

export interface ExperimentSummary extends Tally {
  readonly name: string;
  /** Wall time of the freeze, ISO 8601. */
  readonly at: string;
  readonly question: string | null;
  readonly arms: readonly string[];
  readonly cases: number;
  /** Trials whose row was altered to name no arm of the experiment; absent: none. */
  readonly altered?: number;
  /** The part of its trials that was run last and that continues, with the counts of that; absent where all were, or all have ended. */
  readonly part?: Part & Tally;
  /** Of `running` those that wait for their moderator; a run ends without them. */
  readonly waiting: number;
  /** Whether its last run has a beginning and no end in the log: it runs, here or in another program, or it broke off. */
  readonly open_run: boolean;
  /** Whether a server went away in its last run and has not answered since, as the log says. */
  readonly server_away: boolean;
  /** Its stopping rule has ended it: the trials that were not run are not needed. */
  readonly stopped_by_rule: boolean;
  /** Some answers came from the demo model. */
  readonly standin: boolean;
  /** The last erasure that took texts of it; null where none did. */
  readonly erased: ErasureNote | null;
  /** Made by `try`: one case, one arm. */
  readonly single: boolean;
  /** It tries one trial of another experiment again. */
  readonly retrial: boolean;
  /** All its predictions are from files: nothing of it can be run. */
  readonly imported: boolean;
  /** Of `outcomes`, those of imported predictions; they count in `planned` and `done` too. */
  readonly imported_outcomes: Readonly<Record<string, number>>;
  /** The protocol of a `single` one. */
  readonly protocol: string | null;
  /** The only trial of a `single` one. */
  readonly trial: string | null;
  readonly verdict: Prediction;
  readonly run: Run | null;
}

export interface ExperimentList {
  /** The newest first. */
  readonly experiments: readonly ExperimentSummary[];
  /** Those that cannot be read, and why. */
  readonly unreadable: readonly { readonly name: string; readonly problem: string }[];
}

export interface ExperimentView {
  readonly summary: ExperimentSummary;
  /** The experiment as recorded, with labels and positive label as they came out of the data. */
  readonly definition: z.infer<typeof recordedExperimentSchema>;
  readonly labels: readonly string[];
  readonly positive: string | null;
  /** Cases of the data set, of which those in the summary were drawn. */
  readonly dataset_cases: number;
  /** Those of them in the shares that the sample is drawn from. */
  readonly share_cases: number;
  readonly arms: readonly (Tally & {
    readonly name: string;
    readonly protocol: string;
    readonly protocol_version: number;
    /** The variant of its prompts; null: the shipped words. */
    readonly prompts: z.infer<typeof promptsVersionSchema> | null;
    /** Role -> model. */
    readonly models: Readonly<Record<string, string>>;
    /** What is exchanged in it, and the arm that it is paired with; null if nothing is. */
    readonly swap: Swap | null;
    readonly base_arm: string | null;
    /** In what it declares to differ from the base arm; null where it declares nothing. */
    readonly change: Change | null;
    /** What its first answers are, in a sentence; absent where its protocol declares none. */
    readonly first_answer?: string;
    /** Cases on trial that an arm can be right on which can only give some of the labels; absent: all of them. */
    readonly can_be_right?: { readonly cases: number; readonly of: number };
  })[];
  /** What is left to run; null where no trial shows it, absent where nothing is left. */
  readonly rest?: Rest | null;
  /** Whether the last run from a screen was of the built-in demo model. */
  readonly demo_chosen: boolean;
  /** Whether the next one can be: a demo model of this machine gave the newest answers. */
  readonly demo_offered: boolean;
  /** The servers of the experiment and the settings, which a run asks that is not of the demo model. */
  readonly asks: readonly { readonly url: string; readonly here: boolean }[];
  /** Where it was copied from; absent where it was made here. */
  readonly adopted?: Adoption;
  /** Starts, pauses, resumes and ends of runs, the newest first, at most 200. */
  readonly log: readonly LoggedEvent[];
  /** What the GPUs used in all runs, as far as it is in the log; absent where nothing is. */
  readonly energy?: Energy;
  /** Place in the stream of changes that this view is of. */
  readonly cursor: string;
}

/** Lists of trials that are worth reading first, by what happened in them. */
export const trialQueues = [
  'wrong-and-sure',
  'against-own-percentage',
  'corrected',
  'made-wrong',
  'changed-late',
  'judges-disagree',
  'repeats-differ',
  'failed',
  'label-in-doubt',
  'people-disagree',
  'outside-facts',
  'not-in-facts',
] as const;
export type TrialQueue = (typeof trialQueues)[number];

/** Queues that say which verdicts are right. */
export const truthQueues: ReadonlySet<TrialQueue> = new Set(['wrong-and-sure', 'corrected', 'made-wrong', 'label-in-doubt']);

/** Queues whose rule is about a case, and the count of their cases. */
export const countsOfCases = { 'label-in-doubt': 'cases-in-doubt', 'repeats-differ': 'cases-differing' } as const;
type CaseQueue = keyof typeof countsOfCases;
export const isCaseQueue = (queue: TrialQueue): queue is CaseQueue => Object.hasOwn(countsOfCases, queue);

/** Trials of an experiment in each queue, a trial can be in several; and cases of the queues whose rule is about a case. */
export type QueueCounts = Readonly<Record<TrialQueue | (typeof countsOfCases)[CaseQueue], number>>;

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
  /** Of the finished trials (among `trials`), those of a case, or case and replicate, that each of these arms has one of. */
  matched: z.strictObject({ arms: z.array(z.string().max(200)).max(100), by: z.enum(['case', 'replicate']) }).optional(),
  prediction: z.string().max(2000).optional(),
  truth: z.string().max(2000).optional(),
  /** A decided trial's answer from before its verdict is this label, or has it among several. */
  first: z.string().max(2000).optional(),
  ambiguous: z.boolean().optional(),
  /** Stated confidence, as in the subset. */
  confidence: shareRangeSchema.optional(),
  /** These trials alone. */
  trials: z
    .array(z.string().regex(/^[0-9a-f]{16}$/))
    .max(5000)
    .optional(),
  queue: z.enum(trialQueues).optional(),
  /** Case ids that contain this text. */
  search: z.string().max(200).optional(),
  order: z.enum(trialOrders).default('newest'),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(500).default(100),
});
export type TrialQuery = z.infer<typeof trialQuerySchema>;

/** Trials that have begun; the queued ones are only counted. `replicates`: trials of each case in each arm. */
export interface TrialPage {
  readonly total: number;
  readonly replicates: number;
  readonly lines: readonly TrialLine[];
  /** Trial -> how far its judge's belief moved, 0-1, of the page's trials with two beliefs; only in the order `movement`. */
  readonly movements?: Readonly<Record<string, number>>;
}

export type ExperimentFrame =
  | { readonly kind: 'run'; readonly run: Run | null }
  /** Trials that began or ended; `cursor` is the place to continue from. */
  | { readonly kind: 'trials'; readonly cursor: string; readonly lines: readonly TrialLine[] }
  /** Changes were missed: read the experiment again, and continue from `cursor`. */
  | { readonly kind: 'gap'; readonly cursor: string };

/** Cases of a data set that are not on trial, at most 200 of `total`. */
export interface UndrawnCases {
  readonly total: number;
  readonly cases: readonly {
    /** An experiment over the data set. */
    readonly experiment: string;
    readonly id: string;
    /** In the order of the data, from 1. */
    readonly place: number;
    readonly kind: CasePreview['kind'];
    /** Who decided what its label is; absent where the label counts as the truth. */
    readonly decided_by?: string;
    /** Columns of a table that are no facts, as its definition names them. */
    readonly left_out: readonly string[];
    /** Null where its facts were erased. */
    readonly listed: ListedCase | null;
  }[];
  /** Cases with the words that are on trial, of each experiment with such; the first ids of `total`. Empty without words. */
  readonly drawn: readonly { readonly experiment: string; readonly total: number; readonly ids: readonly string[] }[];
}
export type UndrawnCase = UndrawnCases['cases'][number];

/** `arm` is null for calls that were made once for several arms, `setup` where it was erased. */
export interface Player {
  readonly arm: string | null;
  readonly roles: readonly string[];
  readonly setup: {
    readonly model: string;
    readonly digest?: string | null | undefined;
    readonly backend: string;
    readonly version?: string | null | undefined;
    readonly url?: string | undefined;
    readonly standin?: boolean | null | undefined;
  } | null;
  readonly calls: number;
  /** When the first and the last of them were answered, ISO 8601. */
  readonly first: string;
  readonly last: string;
}
