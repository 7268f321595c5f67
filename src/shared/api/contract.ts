import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { damageSchema } from '../damage.ts';
import { experimentSchema } from '../experiment.ts';
import { importReportSchema } from '../imported.ts';
import { moderationSchema } from '../moderation.ts';
import { planReportSchema, statsReportSchema } from '../outputs.ts';
import { variantChoicesSchema } from '../promptOutputs.ts';
import { commentSchema, reviewResultsSchema } from '../reviews.ts';
import { assistantsViewSchema, trainFrameSchema } from './assistants.ts';
import {
  changedQuerySchema,
  changedSchema,
  comparedQuerySchema,
  comparedSchema,
  flippedPairsSchema,
  flippedQuerySchema,
} from './compared.ts';
import { base, byUpload, handedOut, nothing } from './contractBase.ts';
import { daemonFrameSchema, daemonStatusSchema } from './daemon.ts';
import {
  caseDefinitionSchema,
  casePageSchema,
  casePreviewSchema,
  dataFileSchema,
  entryIdSchema,
  fileReadingSchema,
  inspectionSchema,
  uploadHandleSchema,
} from './dataFiles.ts';
import { deliberationFiguresSchema } from './deliberation.ts';
import {
  backendReportSchema,
  engineStatusSchema,
  serverReportSchema,
  serverSchema,
  settingsChangeSchema,
  settingsSchema,
} from './engine.ts';
import {
  draftSchema,
  experimentFrameSchema,
  experimentListSchema,
  experimentViewSchema,
  promptPreviewSchema,
  queueCountsSchema,
  trialPageSchema,
  trialQuerySchema,
  undrawnCasesSchema,
  varyDraftSchema,
  varySizeSchema,
} from './experiments.ts';
import { exportFormatSchema, figureFileSchema, reportFrameSchema } from './exports.ts';
import { hardwareFrameSchema, hardwareSchema } from './hardware.ts';
import { importDraftSchema, importPreviewSchema } from './imports.ts';
import { ensembleSchema, fitSchema, modelNameSchema, modelsFrameSchema, modelsViewSchema } from './models.ts';
import {
  editedVariantSchema,
  openedVariantSchema,
  savedVariantSchema,
  saveVariantSchema,
  variantCheckSchema,
  variantContentSchema,
  variantPreviewQuerySchema,
  variantSourceSchema,
} from './prompts.ts';
import { protocolFiguresSchema } from './protocolFigures.ts';
import { recordContract } from './recordContract.ts';
import {
  adjudicationGivenSchema,
  commentGivenSchema,
  disagreementPageSchema,
  disagreementQuerySchema,
  givenReviewsSchema,
  reviewedVerdictSchema,
  reviewGivenSchema,
  reviewPageSchema,
  reviewQuerySchema,
  signOffGivenSchema,
  signOffPageSchema,
} from './reviews.ts';
import { searchFrameSchema, searchRequestSchema } from './search.ts';
import {
  atPrevalenceSchema,
  calibratedQuerySchema,
  calibratedSchema,
  calibrationChoiceSchema,
  prevalenceQuerySchema,
  stagedStatsSchema,
  statsFrameSchema,
  statsQuerySchema,
} from './statistics.ts';
import { subsetSchema } from './subset.ts';
import {
  callViewSchema,
  liveFrameSchema,
  liveQuerySchema,
  trialCheckSchema,
  trialFrameSchema,
  trialViewSchema,
  tryDraftSchema,
  tryNeedSchema,
} from './trials.ts';

/** Place of what was put on the record in its chain. */
const putOnRecord = z.strictObject({ seq: z.int() });
const experimentName = experimentSchema.shape.name;
const trialIdSchema = z.string().regex(/^[0-9a-f]{16}$/);
const byName = z.strictObject({ experiment: experimentName });
/** When a run continues by itself, at most a week from now; null: now. */
const plannedTime = z.iso.datetime().nullable().default(null);
const startedSchema = z.strictObject({ experiment: z.string(), trial: z.string() });
const figuresOf = z.strictObject({ experiment: experimentName, subset: subsetSchema.optional() });
const byModel = z.strictObject({ model: modelNameSchema });
const entryName = z.string().trim().min(1).max(200);
const byEntry = z.strictObject({ entry: entryIdSchema });
const byTrial = z.strictObject({ trial: trialIdSchema });

/** Every request and stream between a screen and the engine, the same in all hosts. */
export const contract = {
  engine: {
    status: base.input(nothing).output(engineStatusSchema),
    watch: base.input(nothing).output(eventIterator(engineStatusSchema)),
  },
  settings: {
    read: base.input(nothing).output(settingsSchema),
    change: base.input(settingsChangeSchema).output(settingsSchema),
    /** The servers in the settings file next to the store, which this user did not set, may be asked from now on. */
    confirmServers: base.input(nothing).output(settingsSchema),
  },
  backends: {
    /** Asks the servers now. */
    look: base.input(nothing).output(z.array(backendReportSchema)),
    /** Asks the servers of the settings now; the answers come in the order of the settings. */
    servers: base.input(nothing).output(z.array(serverReportSchema)),
    /** Asks one server now, whether or not it is in the settings. */
    ask: base.input(serverSchema).output(serverReportSchema),
  },
  daemon: {
    status: base.input(nothing).output(daemonStatusSchema),
    watch: base.input(nothing).output(eventIterator(daemonFrameSchema)),
    /** Looks again and, where nothing answers, starts our own. Ends when it answers or cannot be started. */
    start: base.input(nothing).output(daemonStatusSchema),
    /** Ends our own; any other is left alone. */
    stop: base.input(nothing).output(daemonStatusSchema),
  },
  models: {
    read: base.input(nothing).output(modelsViewSchema),
    watch: base.input(nothing).output(eventIterator(modelsFrameSchema)),
    /** Fetches models one after the other; an interrupted one continues where it stopped. Returns at once. */
    pull: base.input(z.strictObject({ models: z.array(modelNameSchema).min(1).max(100) })).output(nothing),
    /** Ends a fetch; what was fetched is kept by the server and used by the next one. */
    cancel: base.input(byModel).output(nothing),
    /** Takes an ended fetch off the list. */
    dismiss: base.input(byModel).output(nothing),
    delete: base.input(byModel).output(nothing),
    /** Frees the memory that a loaded model takes. */
    unload: base.input(byModel).output(nothing),
    /** Whether each installed model will fit with this context and these slots. */
    fits: base
      .input(z.strictObject({ context: z.int().min(256).max(1_048_576), slots: z.int().min(1).max(64) }))
      .output(z.array(fitSchema)),
    ensembles: base.input(nothing).output(z.array(ensembleSchema)),
  },
  prompts: {
    /** The user's own variants of prompts. */
    variants: base.input(nothing).output(variantChoicesSchema),
    open: base.input(variantSourceSchema).output(openedVariantSchema),
    check: base.input(editedVariantSchema).output(variantCheckSchema),
    /** What its prompts would be for the first case of a data set, from a dry run: no model is asked. */
    preview: base.input(variantPreviewQuerySchema).output(promptPreviewSchema),
    save: base.input(saveVariantSchema).output(savedVariantSchema),
    /** Keeps a variant that is in a file, word for word. */
    import: base.input(byUpload).output(savedVariantSchema),
    /** Removes a file of the user's own, and returns its text for `restore`. */
    remove: base.input(z.strictObject({ name: z.string().max(200) })).output(variantContentSchema),
    restore: base.input(variantContentSchema).output(savedVariantSchema),
    export: base.input(z.strictObject({ name: z.string().max(200) })).output(handedOut),
  },
  hardware: {
    read: base.input(nothing).output(hardwareSchema),
    /** Samples about once a second, while a client watches. */
    watch: base.input(nothing).output(eventIterator(hardwareFrameSchema)),
  },
  dataFiles: {
    list: base.input(nothing).output(z.array(dataFileSchema)),
    /** What the request leaves open is detected from the file; the guess says how it was read. */
    inspect: base.input(fileReadingSchema.extend({ upload: uploadHandleSchema })).output(inspectionSchema),
    preview: base.input(byUpload.extend({ definition: caseDefinitionSchema })).output(casePreviewSchema),
    add: base.input(byUpload.extend({ name: entryName, definition: caseDefinitionSchema })).output(dataFileSchema),
    rename: base.input(byEntry.extend({ name: entryName })).output(dataFileSchema),
    nameColumns: base
      .input(caseDefinitionSchema.pick({ names: true, units: true }).extend({ entry: entryIdSchema }))
      .output(dataFileSchema),
    /** Takes an entry off the list of data sets; `restore` brings it back for a day. */
    remove: base.input(byEntry).output(nothing),
    restore: base.input(byEntry).output(dataFileSchema),
    cases: base
      .input(
        byEntry.extend({
          search: z.string().max(200).optional(),
          offset: z.int().min(0).default(0),
          limit: z.int().min(1).max(500).default(100),
        }),
      )
      .output(casePageSchema),
  },
  experiments: {
    list: base.input(nothing).output(experimentListSchema),
    plan: base.input(draftSchema).output(planReportSchema),
    /** Asks each model of a draft for one short answer, so that plans can estimate the time; notes say what could not be measured. */
    measure: base.input(draftSchema).output(z.strictObject({ notes: z.array(z.string()) })),
    preview: base.input(z.strictObject({ draft: draftSchema, arm: z.int().min(0) })).output(promptPreviewSchema),
    /** Freezes the experiment and starts its run, now or at a time. Names the trial of its first arm and first case. */
    start: base.input(draftSchema.extend({ until: plannedTime })).output(startedSchema),
    /** Records what is tried again with changes, and starts its run. */
    vary: base.input(varyDraftSchema).output(z.strictObject({ experiment: z.string() })),
    /** How many trials that would run, before any of it is recorded. Throws what `vary` refuses. */
    varySize: base.input(varyDraftSchema).output(varySizeSchema),
    read: base.input(byName).output(experimentViewSchema),
    /** The cases that it did not draw, or that no experiment did, that have all of the words; and those that it or any did. */
    undrawn: base
      .input(z.strictObject({ experiment: experimentName.nullable(), sought: z.string().max(200) }))
      .output(undrawnCasesSchema),
    trials: base.input(trialQuerySchema).output(trialPageSchema),
    queues: base.input(byName).output(queueCountsSchema),
    /** Whether the chains and rows of the experiment pass their check. */
    damage: base.input(byName).output(damageSchema),
    stats: base.input(statsQuerySchema).output(statsReportSchema),
    /** The same with intervals, as they come. The stream ends after the whole; leaving the stream cancels the computation. */
    stagedStats: base.input(statsQuerySchema.omit({ quick: true })).output(eventIterator(stagedStatsSchema)),
    /** Progress of all `stats` and `stagedStats` requests, from any client. */
    watchStats: base.input(byName).output(eventIterator(statsFrameSchema)),
    /** Experiments that sets of labels can be calibrated on. */
    calibrationChoices: base.input(byName).output(z.array(calibrationChoiceSchema)),
    calibrated: base.input(calibratedQuerySchema).output(calibratedSchema),
    atPrevalence: base.input(prevalenceQuerySchema).output(atPrevalenceSchema),
    /** Two arms, or an arm and a baseline, with a page of their cases side by side. */
    compared: base.input(comparedQuerySchema).output(comparedSchema),
    /** In what two arms differ, and what that did. */
    changed: base.input(changedQuerySchema).output(changedSchema),
    flipped: base.input(flippedQuerySchema).output(flippedPairsSchema),
    deliberation: base.input(figuresOf).output(deliberationFiguresSchema),
    protocols: base.input(figuresOf).output(protocolFiguresSchema),
    /** Changes after `cursor`; without one, from now on. */
    watch: base
      .input(z.strictObject({ experiment: experimentName, cursor: z.string().max(64).nullable() }))
      .output(eventIterator(experimentFrameSchema)),
  },
  imports: {
    /** Reads the whole file as it would be imported; nothing is written. */
    preview: base.input(importDraftSchema).output(importPreviewSchema),
    /** Puts the predictions on the record. If cancelled, it keeps what is there; the same import continues from there. */
    make: base.input(importDraftSchema).output(importReportSchema),
  },
  assistants: {
    look: base.input(byName).output(assistantsViewSchema),
    /** Trains one on the experiment's debates. The stream ends after the report; leaving the stream cancels the training. */
    train: base.input(byName).output(eventIterator(trainFrameSchema)),
  },
  search: {
    /** Where something was said; the index is brought up to date first. */
    find: base.input(searchRequestSchema).output(eventIterator(searchFrameSchema)),
  },
  reviews: {
    next: base.input(reviewQuerySchema).output(reviewPageSchema),
    /** Puts a review on the record. Only the answer has the verdict that was hidden. */
    give: base.input(reviewGivenSchema).output(z.strictObject({ seq: z.int(), verdict: reviewedVerdictSchema })),
    results: base.input(z.strictObject({ experiment: z.string() })).output(reviewResultsSchema),
    given: base.input(z.strictObject({ experiment: z.string() })).output(givenReviewsSchema),
    /** The comments on a trial, also on earlier attempts at it. */
    comments: base.input(byTrial).output(z.array(commentSchema)),
    comment: base.input(commentGivenSchema).output(putOnRecord),
    disagreements: base.input(disagreementQuerySchema).output(disagreementPageSchema),
    adjudicate: base.input(adjudicationGivenSchema).output(putOnRecord),
    signOffs: base.input(z.strictObject({ experiment: z.string() })).output(signOffPageSchema),
    /** Signs the record of an experiment as the signer saw it. */
    sign: base.input(signOffGivenSchema).output(putOnRecord),
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
      .output(nothing),
    /** Holds a run until the user continues it, even if it was due to continue at a set time. */
    pause: base.input(byName).output(nothing),
    stop: base.input(byName).output(nothing),
  },
  trials: {
    read: base.input(byTrial).output(trialViewSchema),
    call: base.input(z.strictObject({ trial: trialIdSchema, key: z.string().max(500) })).output(callViewSchema),
    check: base.input(byTrial).output(trialCheckSchema),
    /** Answers in the moderator's place; the run continues with the trial. */
    moderate: base.input(z.strictObject({ trial: trialIdSchema, moderation: moderationSchema })).output(nothing),
    /** Events after `after`, then what comes, with the answer in progress. -1 for all. */
    watch: base.input(z.strictObject({ trial: trialIdSchema, after: z.int().min(-1) })).output(eventIterator(trialFrameSchema)),
  },
  live: {
    /** Every trial that runs now: its line, what is said, and what is being written. */
    watch: base.input(liveQuerySchema).output(eventIterator(liveFrameSchema)),
  },
  tries: {
    /** What the longest prompt of such a try would need, from a dry run: no model is asked. */
    look: base.input(tryDraftSchema).output(tryNeedSchema),
    start: base.input(tryDraftSchema).output(startedSchema),
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
      .output(handedOut.extend({ bytes: z.int(), root: z.string().nullable() })),
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
      .output(eventIterator(reportFrameSchema)),
    /** Takes a piece of a figure that a screen has drawn; after the last one, a host hands the file out once. */
    figure: base.input(figureFileSchema).output(handedOut),
  },
};
