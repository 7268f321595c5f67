import { eventIterator, oc, type } from '@orpc/contract';
import { z } from 'zod';
import type { Damage } from '../damage.ts';
import type { Differences } from '../differences.ts';
import type { ShownFact } from '../domain.ts';
import { type EraseReport, eraseTargetSchema } from '../erasure.ts';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { experimentSchema } from '../experiment.ts';
import { betweenSchema } from '../hours.ts';
import type { ImportReport } from '../imported.ts';
import { moderationSchema } from '../moderation.ts';
import type { PlanReport, StatsReport } from '../outputs.ts';
import type { VariantChoices } from '../promptOutputs.ts';
import { reportPartSchema } from '../reportParts.ts';
import type { Comment, ReviewResults } from '../reviews.ts';
import type * as assistants from './assistants.ts';
import { type CaseTable, caseTableQuerySchema } from './caseTable.ts';
import * as compared from './compared.ts';
import type * as daemon from './daemon.ts';
import * as dataFiles from './dataFiles.ts';
import type { DeliberationFigures } from './deliberation.ts';
import * as engine from './engine.ts';
import * as experiments from './experiments.ts';
import * as exporting from './exports.ts';
import type * as hardware from './hardware.ts';
import * as imports from './imports.ts';
import * as models from './models.ts';
import * as prompts from './prompts.ts';
import type { ProtocolFigures } from './protocolFigures.ts';
import * as records from './record.ts';
import * as reviews from './reviews.ts';
import * as search from './search.ts';
import * as statistics from './statistics.ts';
import { subsetSchema } from './subset.ts';
import * as trials from './trials.ts';

/** What a screen learns of a failure: a sentence and a code, never a stack or a path. */
const failure = { data: z.strictObject({ field: z.string().nullable(), line: z.int().nullable() }) };
const failures = Object.fromEntries(errorCodes.map((code) => [code, failure])) as Record<ErrorCode, typeof failure>;
const base = oc.errors(failures);

const nothing = z.strictObject({});
const byUpload = z.strictObject({ upload: dataFiles.uploadHandleSchema });
/** A file that a host hands out once. */
interface HandedOut {
  /** Its handle. */
  readonly file: string;
  readonly fileName: string;
}

const record = {
  /** Checks the whole record. The stream ends after what was found; leaving the stream cancels the check. */
  check: base.input(records.recordQuestionSchema).output(eventIterator(type<records.RecordFrame>())),
  place: base.input(nothing).output(type<records.RecordPlace>()),
  /** How much of the disk the record and the user's own files take. */
  diskUse: base.input(nothing).output(type<records.DiskUse>()),
  /** What earlier checks found; nothing is read for it. */
  known: base.input(nothing).output(type<records.KnownRecord>()),
  /** The same for a file that is not the open store. */
  checkFile: base.input(records.recordFileSchema).output(eventIterator(type<records.RecordFrame>())),
  /** What differs between a bundle that was checked and another copy of it, which is removed afterwards. */
  compareFiles: base.input(records.comparedFilesSchema).output(type<Differences>()),
  /** Opens a file that was checked and found intact, so that connections can read it in place of the open store. */
  read: base.input(byUpload).output(type<{ record: string }>()),
  /** From now on this connection is answered from a record that was opened so. */
  enter: base.input(records.givenRecordSchema).output(type<void>()),
  /** Copies the record from elsewhere that is read into a new store of the user's own, as `assize adopt` does, and opens it. Leaving the stream cancels it. */
  copy: base.input(records.newCopySchema).output(eventIterator(type<records.CopyFrame>())),
  /** Such copies in the folder of the user's own record. */
  copies: base.input(nothing).output(type<records.Copies>()),
  openCopy: base.input(records.newCopySchema).output(type<{ record: string }>()),
  /** Leaves a given record, which is closed and removed, or a copy of the user's own, which stays open. */
  leave: base.input(records.givenRecordSchema).output(type<void>()),
  checkpoint: base.input(nothing).output(type<records.CheckpointView>()),
  sign: base.input(nothing).output(type<records.CheckpointView>()),
  /** Keeps the cosignatures of a checkpoint, or a time stamp, from a file. */
  attach: base.input(byUpload).output(type<records.CheckpointView>()),
  erase: base
    .input(z.strictObject({ target: eraseTargetSchema, confirmed: z.boolean() }))
    .output(type<Omit<EraseReport, 'store'>>()),
  /** Writes the newest checkpoint with its cosignatures, and returns its handle. */
  saveCheckpoint: base.input(nothing).output(type<HandedOut>()),
};

/** Place of what was put on the record in its chain. */
interface PutOnRecord {
  readonly seq: number;
}
const experimentName = experimentSchema.shape.name;
const trialIdSchema = z.string().regex(/^[0-9a-f]{16}$/);
const byName = z.strictObject({ experiment: experimentName });
/** When a run continues by itself, at most a week from now; null: now. */
/** When something begins by itself: at a time, or in hours of every day until it is done; both null: now. */
const plannedFor = { until: z.iso.datetime().nullable().default(null), between: betweenSchema.nullable().default(null) };
interface Started {
  readonly experiment: string;
  readonly trial: string;
}
const figuresOf = z.strictObject({ experiment: experimentName, subset: subsetSchema.optional() });
const byModel = z.strictObject({ model: models.modelNameSchema });
const entryName = z.string().trim().min(1).max(200);
const byEntry = z.strictObject({ entry: dataFiles.entryIdSchema });
const byTrial = z.strictObject({ trial: trialIdSchema });

/** Every request and stream between a screen and the engine, the same in all hosts. */
export const contract = {
  engine: {
    status: base.input(nothing).output(type<engine.EngineStatus>()),
    watch: base.input(nothing).output(eventIterator(type<engine.EngineStatus>())),
  },
  settings: {
    read: base.input(nothing).output(type<engine.Settings>()),
    change: base.input(engine.settingsChangeSchema).output(type<engine.Settings>()),
    /** The servers in the settings file next to the store, which this user did not set, may be asked from now on. */
    confirmServers: base.input(nothing).output(type<engine.Settings>()),
  },
  backends: {
    /** Asks the servers now. */
    look: base.input(nothing).output(type<engine.BackendReport[]>()),
    /** Asks the servers of the settings now; the answers come in the order of the settings. */
    servers: base.input(nothing).output(type<engine.ServerReport[]>()),
    /** Asks one server now, whether or not it is in the settings. */
    ask: base.input(engine.serverSchema).output(type<engine.ServerReport>()),
  },
  daemon: {
    status: base.input(nothing).output(type<daemon.DaemonStatus>()),
    watch: base.input(nothing).output(eventIterator(type<daemon.DaemonFrame>())),
    /** Looks again and, where nothing answers, starts our own. Ends when it answers or cannot be started. */
    start: base.input(nothing).output(type<daemon.DaemonStatus>()),
    /** Ends our own; any other is left alone. */
    stop: base.input(nothing).output(type<daemon.DaemonStatus>()),
  },
  models: {
    read: base.input(nothing).output(type<models.ModelsView>()),
    watch: base.input(nothing).output(eventIterator(type<models.ModelsFrame>())),
    /** Fetches models one after the other; an interrupted one continues where it stopped. Returns at once. */
    pull: base.input(z.strictObject({ models: z.array(models.modelNameSchema).min(1).max(100) })).output(type<void>()),
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
      .output(type<models.Fit[]>()),
    ensembles: base.input(nothing).output(type<models.Ensemble[]>()),
  },
  prompts: {
    /** The user's own variants of prompts. */
    variants: base.input(nothing).output(type<VariantChoices>()),
    open: base.input(prompts.variantSourceSchema).output(type<prompts.OpenedVariant>()),
    check: base.input(prompts.editedVariantSchema).output(type<prompts.VariantCheck>()),
    /** What its prompts would be for the first case of a data set, from a dry run: no model is asked. */
    preview: base.input(prompts.variantPreviewQuerySchema).output(type<experiments.PromptPreview>()),
    save: base.input(prompts.saveVariantSchema).output(type<prompts.SavedVariant>()),
    import: base.input(byUpload).output(type<prompts.SavedVariant>()),
    /** Removes a file of the user's own, and returns its text for `restore`. */
    remove: base.input(z.strictObject({ name: z.string().max(200) })).output(type<{ content: string }>()),
    restore: base.input(prompts.variantContentSchema).output(type<prompts.SavedVariant>()),
    export: base.input(z.strictObject({ name: z.string().max(200) })).output(type<HandedOut>()),
  },
  hardware: {
    read: base.input(nothing).output(type<hardware.Hardware>()),
    /** Samples about once a second, while a client watches. */
    watch: base.input(nothing).output(eventIterator(type<hardware.HardwareFrame>())),
  },
  dataFiles: {
    list: base.input(nothing).output(type<dataFiles.DataFile[]>()),
    /** What the request leaves open is detected from the file; the guess says how it was read. */
    inspect: base
      .input(dataFiles.fileReadingSchema.extend({ upload: dataFiles.uploadHandleSchema }))
      .output(type<dataFiles.Inspection>()),
    preview: base.input(byUpload.extend({ definition: dataFiles.caseDefinitionSchema })).output(type<dataFiles.CasePreview>()),
    add: base
      .input(byUpload.extend({ name: entryName, definition: dataFiles.caseDefinitionSchema }))
      .output(type<dataFiles.DataFile>()),
    rename: base.input(byEntry.extend({ name: entryName })).output(type<dataFiles.DataFile>()),
    nameColumns: base
      .input(dataFiles.caseDefinitionSchema.pick({ names: true, units: true }).extend({ entry: dataFiles.entryIdSchema }))
      .output(type<dataFiles.DataFile>()),
    /** Takes an entry off the list of data sets; `restore` brings it back for a day. */
    remove: base.input(byEntry).output(type<void>()),
    restore: base.input(byEntry).output(type<dataFiles.DataFile>()),
    cases: base
      .input(
        byEntry.extend({
          search: z.string().max(200).optional(),
          offset: z.int().min(0).default(0),
          limit: z.int().min(1).max(500).default(100),
        }),
      )
      .output(type<dataFiles.CasePage>()),
  },
  experiments: {
    list: base.input(nothing).output(type<experiments.ExperimentList>()),
    plan: base.input(experiments.draftSchema).output(type<PlanReport>()),
    /** Asks each model of a draft for one short answer, so that plans can estimate the time; notes say what could not be measured. */
    measure: base.input(experiments.draftSchema).output(type<{ notes: string[] }>()),
    preview: base
      .input(z.strictObject({ draft: experiments.draftSchema, arm: z.int().min(0) }))
      .output(type<experiments.PromptPreview>()),
    /** Freezes the experiment and starts its run, now or at a time. Names the trial of its first arm and first case. */
    start: base.input(experiments.draftSchema.extend(plannedFor)).output(type<Started>()),
    /** Records what is tried again with changes, and starts its run. */
    vary: base.input(experiments.varyDraftSchema).output(type<{ experiment: string }>()),
    /** How many trials that would run, before any of it is recorded. Throws what `vary` refuses. */
    varySize: base.input(experiments.varyDraftSchema).output(type<experiments.VarySize>()),
    /** The facts that any of its cases has, in the order in which they come. */
    facts: base.input(byName).output(type<Omit<ShownFact, 'value'>[]>()),
    read: base.input(byName).output(type<experiments.ExperimentView>()),
    /** The cases that it did not draw, or that no experiment did, that have all of the words; and those that it or any did. */
    undrawn: base
      .input(z.strictObject({ experiment: experimentName.nullable(), sought: z.string().max(200) }))
      .output(type<experiments.UndrawnCases>()),
    trials: base.input(experiments.trialQuerySchema).output(type<experiments.TrialPage>()),
    /** A row for each case, with the answers of every arm. */
    cases: base.input(caseTableQuerySchema).output(type<CaseTable>()),
    queues: base.input(byName).output(type<experiments.QueueCounts>()),
    /** Who answered, as their servers described them. */
    players: base.input(byName).output(type<experiments.Player[]>()),
    /** Whether the chains and rows of the experiment pass their check. */
    damage: base.input(byName).output(type<Damage>()),
    stats: base.input(statistics.statsQuerySchema).output(type<StatsReport>()),
    /** The same with intervals, as they come. The stream ends after the whole; leaving the stream cancels the computation. */
    stagedStats: base
      .input(statistics.statsQuerySchema.omit({ quick: true }))
      .output(eventIterator(type<statistics.StagedStats>())),
    /** Progress of all `stats` and `stagedStats` requests, from any client. */
    watchStats: base.input(byName).output(eventIterator(type<statistics.StatsFrame>())),
    calibrationChoices: base.input(byName).output(type<statistics.CalibrationChoice[]>()),
    calibrated: base.input(statistics.calibratedQuerySchema).output(type<statistics.Calibrated>()),
    atPrevalence: base.input(statistics.prevalenceQuerySchema).output(type<statistics.AtPrevalence>()),
    /** Two arms, or an arm and a baseline, with a page of their cases side by side. */
    compared: base.input(compared.comparedQuerySchema).output(type<compared.Compared>()),
    changed: base.input(compared.changedQuerySchema).output(type<compared.Changed>()),
    flipped: base.input(compared.flippedQuerySchema).output(type<compared.FlippedPairs>()),
    deliberation: base.input(figuresOf).output(type<DeliberationFigures>()),
    protocols: base.input(figuresOf).output(type<ProtocolFigures>()),
    /** Changes after `cursor`; without one, from now on. */
    watch: base
      .input(z.strictObject({ experiment: experimentName, cursor: z.string().max(64).nullable() }))
      .output(eventIterator(type<experiments.ExperimentFrame>())),
  },
  imports: {
    /** Reads the whole file as it would be imported; nothing is written. */
    preview: base.input(imports.importDraftSchema).output(type<imports.ImportPreview>()),
    /** Puts the predictions on the record. If cancelled, it keeps what is there; the same import continues from there. */
    make: base.input(imports.importDraftSchema).output(type<ImportReport>()),
  },
  assistants: {
    look: base.input(byName).output(type<assistants.AssistantsView>()),
    /** Trains one on the experiment's debates. The stream ends after the report; leaving the stream cancels the training. */
    train: base.input(byName).output(eventIterator(type<assistants.TrainFrame>())),
  },
  search: {
    /** Where something was said; the index is brought up to date first. */
    find: base.input(search.searchRequestSchema).output(eventIterator(type<search.SearchFrame>())),
  },
  reviews: {
    next: base.input(reviews.reviewQuerySchema).output(type<reviews.ReviewPage>()),
    /** Puts a review on the record. Only the answer has the verdict that was hidden. */
    give: base.input(reviews.reviewGivenSchema).output(type<PutOnRecord & { verdict: reviews.ReviewedVerdict }>()),
    results: base.input(z.strictObject({ experiment: z.string() })).output(type<ReviewResults>()),
    given: base.input(z.strictObject({ experiment: z.string() })).output(type<reviews.GivenReviews>()),
    /** The comments on a trial, also on earlier attempts at it. */
    comments: base.input(byTrial).output(type<Comment[]>()),
    comment: base.input(reviews.commentGivenSchema).output(type<PutOnRecord>()),
    disagreements: base.input(reviews.disagreementQuerySchema).output(type<reviews.DisagreementPage>()),
    adjudicate: base.input(reviews.adjudicationGivenSchema).output(type<PutOnRecord>()),
    signOffs: base.input(z.strictObject({ experiment: z.string() })).output(type<reviews.SignOffPage>()),
    /** Signs the record of an experiment as the signer saw it. */
    sign: base.input(reviews.signOffGivenSchema).output(type<PutOnRecord>()),
  },
  record,
  runs: {
    /**
     * Continues with what is left, now or at a time; `retry` names outcomes that get a further attempt. `trial`: it gets one,
     * and nothing else runs. `demo`: whether the demo model answers from now on,
     * or the servers of the experiment and the settings; without it, as in the last run.
     */
    resume: base
      .input(
        z.strictObject({
          experiment: experimentName,
          retry: z.array(z.string().max(40)).max(20).default([]),
          trial: z.string().max(40).nullable().default(null),
          demo: z.boolean().optional(),
          ...plannedFor,
        }),
      )
      .output(type<void>()),
    /** Holds a run until the user continues it, even if it was due to continue at a set time. */
    pause: base.input(byName).output(type<void>()),
    stop: base.input(byName).output(type<void>()),
  },
  trials: {
    read: base.input(byTrial).output(type<trials.TrialView>()),
    /** The cases whose facts are most like those of the trial's case. */
    alike: base.input(byTrial).output(type<trials.AlikeCases>()),
    call: base.input(z.strictObject({ trial: trialIdSchema, key: z.string().max(500) })).output(type<trials.CallView>()),
    check: base.input(byTrial).output(type<trials.TrialCheck>()),
    /** Answers in the moderator's place; the run continues with the trial. */
    moderate: base.input(z.strictObject({ trial: trialIdSchema, moderation: moderationSchema })).output(type<void>()),
    /** Events after `after`, then what comes, with the answer in progress. -1 for all. */
    watch: base
      .input(z.strictObject({ trial: trialIdSchema, after: z.int().min(-1) }))
      .output(eventIterator(type<trials.TrialFrame>())),
  },
  live: {
    /** Every trial that runs now: its line, what is said, and what is being written. */
    watch: base.input(trials.liveQuerySchema).output(eventIterator(type<trials.LiveFrame>())),
  },
  tries: {
    /** What the longest prompt of such a try would need, from a dry run: no model is asked. */
    look: base.input(trials.tryDraftSchema).output(type<trials.TryNeed>()),
    start: base.input(trials.tryDraftSchema).output(type<Started>()),
  },
  exports: {
    /** Writes an export and returns its handle, and of a bundle its root; a host hands the file out once. */
    make: base
      .input(
        z.strictObject({
          experiment: experimentName,
          trial: trialIdSchema.nullable(),
          format: exporting.exportFormatSchema,
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
          prevalence: statistics.prevalenceQuerySchema.shape.prevalence.optional(),
          /** Of a trial: parts to leave out. */
          without: z.array(reportPartSchema).optional(),
        }),
      )
      .output(eventIterator(type<exporting.ReportFrame>())),
    /** Takes a piece of a figure that a screen has drawn; after the last one, a host hands the file out once. */
    figure: base.input(exporting.figureFileSchema).output(type<HandedOut>()),
  },
};
