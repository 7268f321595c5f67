// What single commands print with `--json`. Fields are added, never renamed.
import { z } from 'zod';
import { daemonStatusSchema } from './api/daemon.ts';
import { hardwareSchema } from './api/hardware.ts';
import { ensembleSchema, fitSchema, installedModelSchema, loadedModelSchema, pullSchema } from './api/models.ts';
import { checkSchema } from './checks.ts';
import { beliefSourceSchema, shownFactSchema } from './domain.ts';
import { energySchema } from './energy.ts';
import { erasureNoteSchema } from './erasure.ts';
import { promptsVersionSchema } from './promptOutputs.ts';
import { measureSchema } from './statistics.ts';

/** What `assize show --trial ID --json` and `assize try --json` print. */
export const tryReportSchema = z.strictObject({
  experiment: z.string(),
  trial: z.string(),
  case: z.string(),
  /** The question and the facts as the court read them; no facts where they were erased. */
  question: z.string().nullable(),
  facts: z.array(shownFactSchema),
  store: z.string(),
  /** What of the record of the trial fails its check; absent where nothing does. */
  damage: z.string().optional(),
  /** The erasure that took texts from it; absent where none did. */
  erased: erasureNoteSchema.optional(),
  /** What its arm changes, and in which arm; absent if it changes nothing, or if `unheard` says it. */
  changed: z.string().optional(),
  /** What the court did not hear, and because of which change; absent if it heard everything. */
  unheard: z.string().optional(),
  /** The label of the case in words; absent where none is known, and before the planned end of a comparison decided beforehand. */
  known: z.string().optional(),
  outcome: z.string(),
  prediction: z.union([z.string(), z.array(z.string()), z.null()]),
  confidence: z.number().nullable(),
  /** Labels that are as likely as that of the verdict; absent where there are none. */
  tied_with: z.array(z.string()).optional(),
  /** Where the belief of the role that ruled changed most, and its answer last; absent where neither changed. */
  moved: z.string().optional(),
  /** What the confidence is: stated by a model, a share of votes, or a mixture; null where there is none. */
  belief_source: beliefSourceSchema.nullable(),
  incomplete: z.boolean(),
  standin: z.boolean(),
  calls: z.int(),
  head_hash: z.string().nullable(),
  /** The variant of the prompts; absent where the words are the shipped ones. */
  prompts: promptsVersionSchema.optional(),
  /** What was said and believed, in order. */
  transcript: z.array(
    z.strictObject({
      /**
       * `step`: what was settled, looked up or measured between the speeches, described in `text`; `turn` is
       * `sides`, `precedents`, `ambiguity`, `positions`, `rating`, `round`, `exchange`, `subtopics`,
       * `moderator`, `stop`, `answer` or `comparison`.
       */
      kind: z.enum(['utterance', 'belief', 'forfeit', 'ruling', 'step', 'proposal', 'score']),
      role: z.string(),
      /** The label that the speaker of a speech argues for; absent where it argues for none. */
      argues_for: z.string().optional(),
      turn: z.string().nullable(),
      /** What a speech is about, where it is about one of several subtopics: `1. Costs`. */
      subtopic: z.string().optional(),
      /** True of a speech that the court did not hear; absent of any other entry. */
      unheard: z.boolean().optional(),
      /** The words that the court heard in place of such a speech; absent where it heard nothing there. */
      heard_instead: z.string().optional(),
      text: z.string().nullable(),
      /** What a speaker names as taken from outside the facts; null where it was erased; absent where it was not asked. */
      outside: z.array(z.string().nullable()).optional(),
      /** True of a speaker that says that the others have convinced it; absent of any other. */
      concedes: z.literal(true).optional(),
      /** What no one else in the trial saw: the plan behind a speech, the notes behind a belief. */
      private: z.string().nullable(),
      prediction: z.string().nullable(),
      confidence: z.number().nullable(),
    }),
  ),
});
export type TryReport = z.infer<typeof tryReportSchema>;

/** What `assize show --json` prints without `--trial`: the log of the runs. */
export const runLogReportSchema = z.strictObject({
  experiment: z.string(),
  store: z.string(),
  /** What happened in the runs, the oldest first. Information only: no hash covers it. Details of erased data are empty. */
  log: z.array(
    z.strictObject({
      /** In ISO 8601, in UTC. */
      at: z.string(),
      /** `run-start`, `run-pause` (the server went away), `run-end` and others; there may be more of them later. */
      event: z.string(),
      detail: z.record(z.string(), z.unknown()),
    }),
  ),
  /** What the GPUs used in these runs, from the power that they reported; absent where none did. */
  energy: energySchema.optional(),
  /** Trials that the record has now of those planned, and what the last run does; absent where the log has no run. */
  now: z
    .strictObject({
      done: z.int(),
      planned: z.int(),
      /** `running`: another program is writing to the store. `interrupted`: nothing is, and the log has no end of the run. */
      state: z.enum(['running', 'paused', 'interrupted', 'ended']),
    })
    .optional(),
  /** Systems whose predictions were imported; absent where none were. */
  imported: z
    .array(
      z.strictObject({
        arm: z.string(),
        system: z.string(),
        predictions: z.int(),
        /** When the first of them was imported, in ISO 8601, in UTC. */
        at: z.string(),
      }),
    )
    .optional(),
});
export type RunLogReport = z.infer<typeof runLogReportSchema>;
export type LoggedEvent = RunLogReport['log'][number];

export const runReportSchema = z.strictObject({
  experiment: z.string(),
  store: z.string(),
  planned: z.int(),
  done: z.int(),
  finished_now: z.int(),
  decided: z.int(),
  /** Finished trials by outcome. */
  outcomes: z.record(z.string(), z.int()),
  /** The truncated answers that repeated themselves until they were cut. */
  looped: z.int(),
  /** Every planned trial is done, or every one that the stopping rule wants. */
  complete: z.boolean(),
  /** Where the experiment's stopping rule ended the run: cases, anytime-valid interval, and the width that it had to fall below; absent where it has not. */
  stopped: z.strictObject({ cases: z.int(), low: z.number(), high: z.number(), width: z.number() }).optional(),
  /** Trials that wait for their moderator; the run ends without them. */
  waiting: z.int(),
  standin: z.boolean(),
  checks: z.array(checkSchema),
  /** The checks, each in one line. */
  notes: z.array(z.string()),
});
export type RunReportJson = z.infer<typeof runReportSchema>;

/** How often one judge or voter was right, and what its vote should count. */
const seatWeightSchema = z.strictObject({
  /** `judge1`, `voter12`. */
  role: z.string(),
  /** Answers to cases with a known truth, and those of them that are right. */
  n: z.int(),
  right: z.int(),
  /** 0-1, with a 95% Wilson interval; null without an answer. */
  accuracy: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** From 0: see docs/protocols.md. */
  weight: z.number(),
});
export type SeatWeight = z.infer<typeof seatWeightSchema>;

/** What `assize weights --json` prints. */
export const weightsReportSchema = z.strictObject({
  experiment: z.string(),
  arm: z.string(),
  /** Finished trials that they are from, and those that are not finished. */
  trials: z.int(),
  unfinished: z.int(),
  /** In the order of the seats. */
  seats: z.array(seatWeightSchema).min(1),
});
export type WeightsReport = z.infer<typeof weightsReportSchema>;

/** Accuracy of all and macro-F1 of the decided, as in the reports of single experiments. */
const scores = { accuracy: measureSchema, macro_f1: measureSchema };

/** What `assize study --json` prints. */
export const studyReportSchema = z.strictObject({
  study: z.string(),
  store: z.string(),
  standin: z.boolean(),
  datasets: z.array(
    z.strictObject({
      name: z.string(),
      experiment: z.string(),
      /** Cases on trial; null where the record has no such experiment yet. */
      cases: z.int().nullable(),
    }),
  ),
  arms: z.array(
    z.strictObject({
      arm: z.string(),
      /** In the order of the data sets; null where the record does not have the arm there. */
      sets: z.array(z.strictObject({ planned: z.int(), done: z.int(), ...scores }).nullable()),
      /** Mean over the data sets, each counting the same; `n` and `cases` are sums. */
      mean: z.strictObject(scores),
    }),
  ),
});
export type StudyReport = z.infer<typeof studyReportSchema>;

export const modelsReportSchema = z.strictObject({
  url: z.string(),
  /** The server is the demo model: its names have no weights. */
  standin: z.boolean(),
  installed: z.array(installedModelSchema),
  loaded: z.array(loadedModelSchema),
  /** Bytes free where the models are stored; null if unknown. */
  disk_free: z.number().nullable(),
});
export type ModelsReport = z.infer<typeof modelsReportSchema>;

/** In the order in which they were asked for. */
export const pullReportSchema = z.strictObject({ url: z.string(), pulls: z.array(pullSchema) });
export type PullReport = z.infer<typeof pullReportSchema>;

export const fitReportSchema = z.strictObject({ url: z.string(), fits: z.array(fitSchema) });
export type FitReport = z.infer<typeof fitReportSchema>;

export const ensemblesReportSchema = z.strictObject({ url: z.string(), ensembles: z.array(ensembleSchema) });
export type EnsemblesReport = z.infer<typeof ensemblesReportSchema>;

export const deleteReportSchema = z.strictObject({ url: z.string(), deleted: z.array(z.string()) });
export type DeleteReport = z.infer<typeof deleteReportSchema>;

const doctorCheckSchema = z.strictObject({
  name: z.string(),
  state: z.enum(['ok', 'warning', 'problem']),
  found: z.string(),
  /** How to fix it; null where nothing is wrong. */
  mend: z.string().nullable(),
});
export type DoctorCheck = z.infer<typeof doctorCheckSchema>;

export const doctorReportSchema = z.strictObject({
  ok: z.boolean(),
  checks: z.array(doctorCheckSchema),
  /** What to fix, the most important first. */
  advice: z.array(z.strictObject({ name: z.string(), state: z.enum(['warning', 'problem']), mend: z.string() })),
  hardware: hardwareSchema,
  /** The Ollama that was examined; null where the servers of an experiment were. */
  ollama: z
    .strictObject({
      url: z.string(),
      /** `other`: something answers that is not Ollama. `refused`: the address is not of this machine and not allowed. */
      state: z.enum(['ready', 'away', 'other', 'refused']),
      program: daemonStatusSchema.shape.program,
      version: z.string().nullable(),
      cloud: daemonStatusSchema.shape.cloud,
      standin: z.boolean(),
      installed: z.array(
        installedModelSchema.pick({ name: true, size: true, parameters: true, quantization: true, refused: true }),
      ),
      loaded: z.array(loadedModelSchema),
    })
    .nullable(),
});
export type DoctorReport = z.infer<typeof doctorReportSchema>;

/** What `assize verify REPORT --against STORE --json` prints: the report, and the same one made of the record now. */
export const reportComparisonSchema = z.strictObject({
  report: z.string(),
  record: z.string(),
  experiment: z.string(),
  /** Null of a report over the experiment. */
  trial: z.string().nullable(),
  /** `same`: to the byte. `same-but-state`: only rows on the record's state differ, such as root and newest checkpoint. */
  result: z.enum(['same', 'same-but-state', 'different']),
  /** Titles of the parts that differ; empty text for what comes before the first part. */
  parts: z.array(z.string()),
  /** The version that the report names as its maker, and this one, where they differ: the report can have other words then. */
  made_by: z.string().optional(),
  made_again_by: z.string().optional(),
  /** The report names no version, as those did that were made before reports named one: it can have other words. */
  no_version: z.literal(true).optional(),
  /** The file of the bundle that has the same bytes as the report. */
  in_bundle: z.string().optional(),
  /** The report names another event that fixed the experiment than any of the record: it is of another run, or this was changed. */
  other_run: z.literal(true).optional(),
  /** Lines that only one of the two has, and how many more there are; of `same-but-state` lines of these rows. */
  in_report: z.string(),
  in_record: z.string(),
  more_lines: z.int(),
});
export type ReportComparison = z.infer<typeof reportComparisonSchema>;
