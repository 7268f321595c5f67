import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type { Damage } from '../damage.ts';
import { experimentSchema } from '../experiment.ts';
import type { ImportReport } from '../imported.ts';
import { moderationSchema } from '../moderation.ts';
import type { PlanReport, StatsReport } from '../outputs.ts';
import type { VariantChoices } from '../promptOutputs.ts';
import type { Comment, ReviewResults } from '../reviews.ts';
import type { AssistantsView, TrainFrame } from './assistants.ts';
import {
  type Changed,
  type Compared,
  changedQuerySchema,
  comparedQuerySchema,
  type FlippedPairs,
  flippedQuerySchema,
} from './compared.ts';
import { base, byUpload, type HandedOut, nothing } from './contractBase.ts';
import type { DaemonFrame, DaemonStatus } from './daemon.ts';
import {
  type CasePage,
  type CasePreview,
  caseDefinitionSchema,
  type DataFile,
  entryIdSchema,
  fileReadingSchema,
  type Inspection,
  uploadHandleSchema,
} from './dataFiles.ts';
import type { DeliberationFigures } from './deliberation.ts';
import {
  type BackendReport,
  type EngineStatus,
  type ServerReport,
  type Settings,
  serverSchema,
  settingsChangeSchema,
} from './engine.ts';
import {
  draftSchema,
  type ExperimentFrame,
  type ExperimentList,
  type ExperimentView,
  type PromptPreview,
  type QueueCounts,
  type TrialPage,
  trialQuerySchema,
  type UndrawnCases,
  type VarySize,
  varyDraftSchema,
} from './experiments.ts';
import { exportFormatSchema, figureFileSchema, type ReportFrame } from './exports.ts';
import type { Hardware, HardwareFrame } from './hardware.ts';
import { type ImportPreview, importDraftSchema } from './imports.ts';
import { type Ensemble, type Fit, type ModelsFrame, type ModelsView, modelNameSchema } from './models.ts';
import {
  editedVariantSchema,
  type OpenedVariant,
  type SavedVariant,
  saveVariantSchema,
  type VariantCheck,
  variantContentSchema,
  variantPreviewQuerySchema,
  variantSourceSchema,
} from './prompts.ts';
import type { ProtocolFigures } from './protocolFigures.ts';
import { recordContract } from './recordContract.ts';
import {
  adjudicationGivenSchema,
  commentGivenSchema,
  type DisagreementPage,
  disagreementQuerySchema,
  type GivenReviews,
  type ReviewedVerdict,
  type ReviewPage,
  reviewGivenSchema,
  reviewQuerySchema,
  type SignOffPage,
  signOffGivenSchema,
} from './reviews.ts';
import { type SearchFrame, searchRequestSchema } from './search.ts';
import {
  type AtPrevalence,
  type Calibrated,
  type CalibrationChoice,
  calibratedQuerySchema,
  prevalenceQuerySchema,
  type StagedStats,
  type StatsFrame,
  statsQuerySchema,
} from './statistics.ts';
import { subsetSchema } from './subset.ts';
import {
  type CallView,
  type LiveFrame,
  liveQuerySchema,
  type TrialCheck,
  type TrialFrame,
  type TrialView,
  type TryNeed,
  tryDraftSchema,
} from './trials.ts';

/** Place of what was put on the record in its chain. */
interface PutOnRecord {
  readonly seq: number;
}
const experimentName = experimentSchema.shape.name;
const trialIdSchema = z.string().regex(/^[0-9a-f]{16}$/);
const byName = z.strictObject({ experiment: experimentName });
/** When a run continues by itself, at most a week from now; null: now. */
const plannedTime = z.iso.datetime().nullable().default(null);
interface Started {
  readonly experiment: string;
  readonly trial: string;
}
const figuresOf = z.strictObject({ experiment: experimentName, subset: subsetSchema.optional() });
const byModel = z.strictObject({ model: modelNameSchema });
const entryName = z.string().trim().min(1).max(200);
const byEntry = z.strictObject({ entry: entryIdSchema });
const byTrial = z.strictObject({ trial: trialIdSchema });

/** Every request and stream between a screen and the engine, the same in all hosts. */
export const contract = {
  engine: {
    status: base.input(nothing).output(type<EngineStatus>()),
    watch: base.input(nothing).output(eventIterator(type<EngineStatus>())),
  },
  settings: {
    read: base.input(nothing).output(type<Settings>()),
    change: base.input(settingsChangeSchema).output(type<Settings>()),
    /** The servers in the settings file next to the store, which this user did not set, may be asked from now on. */
    confirmServers: base.input(nothing).output(type<Settings>()),
  },
  backends: {
    /** Asks the servers now. */
    look: base.input(nothing).output(type<BackendReport[]>()),
    /** Asks the servers of the settings now; the answers come in the order of the settings. */
    servers: base.input(nothing).output(type<ServerReport[]>()),
    /** Asks one server now, whether or not it is in the settings. */
    ask: base.input(serverSchema).output(type<ServerReport>()),
  },
  daemon: {
    status: base.input(nothing).output(type<DaemonStatus>()),
    watch: base.input(nothing).output(eventIterator(type<DaemonFrame>())),
    /** Looks again and, where nothing answers, starts our own. Ends when it answers or cannot be started. */
    start: base.input(nothing).output(type<DaemonStatus>()),
    /** Ends our own; any other is left alone. */
    stop: base.input(nothing).output(type<DaemonStatus>()),
  },
  models: {
    read: base.input(nothing).output(type<ModelsView>()),
    watch: base.input(nothing).output(eventIterator(type<ModelsFrame>())),
    /** Fetches models one after the other; an interrupted one continues where it stopped. Returns at once. */
    pull: base.input(z.strictObject({ models: z.array(modelNameSchema).min(1).max(100) })).output(type<void>()),
    /** Ends a fetch; what was fetched is kept by the server and used by the next one. */
    cancel: base.input(byModel).output(type<void>()),
    /** Takes an ended fetch off the list. */
    dismiss: base.input(byModel).output(type<void>()),
    delete: base.input(byModel).output(type<void>()),
    /** Frees the memory that a loaded model takes. */
    unload: base.input(byModel).output(type<void>()),
    /** Whether each installed model will fit with this context and these slots. */
    fits: base
      .input(z.strictObject({ context: z.int().min(256).max(1_048_576), slots: z.int().min(1).max(64) }))
      .output(type<Fit[]>()),
    ensembles: base.input(nothing).output(type<Ensemble[]>()),
  },
  prompts: {
    /** The user's own variants of prompts. */
    variants: base.input(nothing).output(type<VariantChoices>()),
    open: base.input(variantSourceSchema).output(type<OpenedVariant>()),
    check: base.input(editedVariantSchema).output(type<VariantCheck>()),
    /** What its prompts would be for the first case of a data set, from a dry run: no model is asked. */
    preview: base.input(variantPreviewQuerySchema).output(type<PromptPreview>()),
    save: base.input(saveVariantSchema).output(type<SavedVariant>()),
    /** Keeps a variant that is in a file, word for word. */
    import: base.input(byUpload).output(type<SavedVariant>()),
    /** Removes a file of the user's own, and returns its text for `restore`. */
    remove: base.input(z.strictObject({ name: z.string().max(200) })).output(type<{ content: string }>()),
    restore: base.input(variantContentSchema).output(type<SavedVariant>()),
    export: base.input(z.strictObject({ name: z.string().max(200) })).output(type<HandedOut>()),
  },
  hardware: {
    read: base.input(nothing).output(type<Hardware>()),
    /** Samples about once a second, while a client watches. */
    watch: base.input(nothing).output(eventIterator(type<HardwareFrame>())),
  },
  dataFiles: {
    list: base.input(nothing).output(type<DataFile[]>()),
    /** What the request leaves open is detected from the file; the guess says how it was read. */
    inspect: base.input(fileReadingSchema.extend({ upload: uploadHandleSchema })).output(type<Inspection>()),
    preview: base.input(byUpload.extend({ definition: caseDefinitionSchema })).output(type<CasePreview>()),
    add: base.input(byUpload.extend({ name: entryName, definition: caseDefinitionSchema })).output(type<DataFile>()),
    rename: base.input(byEntry.extend({ name: entryName })).output(type<DataFile>()),
    nameColumns: base
      .input(caseDefinitionSchema.pick({ names: true, units: true }).extend({ entry: entryIdSchema }))
      .output(type<DataFile>()),
    /** Takes an entry off the list of data sets; `restore` brings it back for a day. */
    remove: base.input(byEntry).output(type<void>()),
    restore: base.input(byEntry).output(type<DataFile>()),
    cases: base
      .input(
        byEntry.extend({
          search: z.string().max(200).optional(),
          offset: z.int().min(0).default(0),
          limit: z.int().min(1).max(500).default(100),
        }),
      )
      .output(type<CasePage>()),
  },
  experiments: {
    list: base.input(nothing).output(type<ExperimentList>()),
    plan: base.input(draftSchema).output(type<PlanReport>()),
    /** Asks each model of a draft for one short answer, so that plans can estimate the time; notes say what could not be measured. */
    measure: base.input(draftSchema).output(type<{ notes: string[] }>()),
    preview: base.input(z.strictObject({ draft: draftSchema, arm: z.int().min(0) })).output(type<PromptPreview>()),
    /** Freezes the experiment and starts its run, now or at a time. Names the trial of its first arm and first case. */
    start: base.input(draftSchema.extend({ until: plannedTime })).output(type<Started>()),
    /** Records what is tried again with changes, and starts its run. */
    vary: base.input(varyDraftSchema).output(type<{ experiment: string }>()),
    /** How many trials that would run, before any of it is recorded. Throws what `vary` refuses. */
    varySize: base.input(varyDraftSchema).output(type<VarySize>()),
    read: base.input(byName).output(type<ExperimentView>()),
    /** The cases that it did not draw, or that no experiment did, that have all of the words; and those that it or any did. */
    undrawn: base
      .input(z.strictObject({ experiment: experimentName.nullable(), sought: z.string().max(200) }))
      .output(type<UndrawnCases>()),
    trials: base.input(trialQuerySchema).output(type<TrialPage>()),
    queues: base.input(byName).output(type<QueueCounts>()),
    /** Whether the chains and rows of the experiment pass their check. */
    damage: base.input(byName).output(type<Damage>()),
    stats: base.input(statsQuerySchema).output(type<StatsReport>()),
    /** The same with intervals, as they come. The stream ends after the whole; leaving the stream cancels the computation. */
    stagedStats: base.input(statsQuerySchema.omit({ quick: true })).output(eventIterator(type<StagedStats>())),
    /** Progress of all `stats` and `stagedStats` requests, from any client. */
    watchStats: base.input(byName).output(eventIterator(type<StatsFrame>())),
    /** Experiments that sets of labels can be calibrated on. */
    calibrationChoices: base.input(byName).output(type<CalibrationChoice[]>()),
    calibrated: base.input(calibratedQuerySchema).output(type<Calibrated>()),
    atPrevalence: base.input(prevalenceQuerySchema).output(type<AtPrevalence>()),
    /** Two arms, or an arm and a baseline, with a page of their cases side by side. */
    compared: base.input(comparedQuerySchema).output(type<Compared>()),
    /** In what two arms differ, and what that did. */
    changed: base.input(changedQuerySchema).output(type<Changed>()),
    flipped: base.input(flippedQuerySchema).output(type<FlippedPairs>()),
    deliberation: base.input(figuresOf).output(type<DeliberationFigures>()),
    protocols: base.input(figuresOf).output(type<ProtocolFigures>()),
    /** Changes after `cursor`; without one, from now on. */
    watch: base
      .input(z.strictObject({ experiment: experimentName, cursor: z.string().max(64).nullable() }))
      .output(eventIterator(type<ExperimentFrame>())),
  },
  imports: {
    /** Reads the whole file as it would be imported; nothing is written. */
    preview: base.input(importDraftSchema).output(type<ImportPreview>()),
    /** Puts the predictions on the record. If cancelled, it keeps what is there; the same import continues from there. */
    make: base.input(importDraftSchema).output(type<ImportReport>()),
  },
  assistants: {
    look: base.input(byName).output(type<AssistantsView>()),
    /** Trains one on the experiment's debates. The stream ends after the report; leaving the stream cancels the training. */
    train: base.input(byName).output(eventIterator(type<TrainFrame>())),
  },
  search: {
    /** Where something was said; the index is brought up to date first. */
    find: base.input(searchRequestSchema).output(eventIterator(type<SearchFrame>())),
  },
  reviews: {
    next: base.input(reviewQuerySchema).output(type<ReviewPage>()),
    /** Puts a review on the record. Only the answer has the verdict that was hidden. */
    give: base.input(reviewGivenSchema).output(type<PutOnRecord & { verdict: ReviewedVerdict }>()),
    results: base.input(z.strictObject({ experiment: z.string() })).output(type<ReviewResults>()),
    given: base.input(z.strictObject({ experiment: z.string() })).output(type<GivenReviews>()),
    /** The comments on a trial, also on earlier attempts at it. */
    comments: base.input(byTrial).output(type<Comment[]>()),
    comment: base.input(commentGivenSchema).output(type<PutOnRecord>()),
    disagreements: base.input(disagreementQuerySchema).output(type<DisagreementPage>()),
    adjudicate: base.input(adjudicationGivenSchema).output(type<PutOnRecord>()),
    signOffs: base.input(z.strictObject({ experiment: z.string() })).output(type<SignOffPage>()),
    /** Signs the record of an experiment as the signer saw it. */
    sign: base.input(signOffGivenSchema).output(type<PutOnRecord>()),
  },
  record: recordContract,
  runs: {
    /**
     * Continues with what is left, now or at a time; `retry` names outcomes that get a further attempt. `trial`: it gets one,
     * and nothing else runs. `demo`: the demo model answers from now on, in place of the servers of the last run.
     */
    resume: base
      .input(
        z.strictObject({
          experiment: experimentName,
          retry: z.array(z.string().max(40)).max(20).default([]),
          trial: z.string().max(40).nullable().default(null),
          demo: z.boolean().default(false),
          until: plannedTime,
        }),
      )
      .output(type<void>()),
    /** Holds a run until the user continues it, even if it was due to continue at a set time. */
    pause: base.input(byName).output(type<void>()),
    stop: base.input(byName).output(type<void>()),
  },
  trials: {
    read: base.input(byTrial).output(type<TrialView>()),
    call: base.input(z.strictObject({ trial: trialIdSchema, key: z.string().max(500) })).output(type<CallView>()),
    check: base.input(byTrial).output(type<TrialCheck>()),
    /** Answers in the moderator's place; the run continues with the trial. */
    moderate: base.input(z.strictObject({ trial: trialIdSchema, moderation: moderationSchema })).output(type<void>()),
    /** Events after `after`, then what comes, with the answer in progress. -1 for all. */
    watch: base.input(z.strictObject({ trial: trialIdSchema, after: z.int().min(-1) })).output(eventIterator(type<TrialFrame>())),
  },
  live: {
    /** Every trial that runs now: its line, what is said, and what is being written. */
    watch: base.input(liveQuerySchema).output(eventIterator(type<LiveFrame>())),
  },
  tries: {
    /** What the longest prompt of such a try would need, from a dry run: no model is asked. */
    look: base.input(tryDraftSchema).output(type<TryNeed>()),
    start: base.input(tryDraftSchema).output(type<Started>()),
  },
  exports: {
    /** Writes an export and returns its handle, and of a bundle its root; a host hands the file out once. */
    make: base
      .input(
        z.strictObject({
          experiment: experimentName,
          trial: trialIdSchema.nullable(),
          format: exportFormatSchema,
        }),
      )
      .output(type<HandedOut & { bytes: number; root: string | null }>()),
    /** Makes the report of a trial, or over the experiment. The stream ends with its handle; leaving it cancels the report. */
    report: base
      .input(
        z.strictObject({
          experiment: experimentName,
          trial: trialIdSchema.nullable(),
          format: z.enum(['html', 'pdf']),
          /** Over an experiment: share of the positive label in another population. */
          prevalence: prevalenceQuerySchema.shape.prevalence.optional(),
        }),
      )
      .output(eventIterator(type<ReportFrame>())),
    /** Takes a piece of a figure that a screen has drawn; after the last one, a host hands the file out once. */
    figure: base.input(figureFileSchema).output(type<HandedOut>()),
  },
};
