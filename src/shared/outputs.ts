import { z } from 'zod';
import {
  classStatisticsSchema,
  confidenceBinSchema,
  confusionCellSchema,
  confusionCountsSchema,
  repeatedSchema,
  shareSchema,
} from './armCounts.ts';
import {
  changeStatisticsSchema,
  factStatisticsSchema,
  proxySchema,
  speechWorthSchema,
  turnEffectSchema,
} from './changeStatistics.ts';
import { earlierReportSchema, logReportSchema, sinceReportSchema } from './checkpoints.ts';
import { checkSchema } from './checks.ts';
import { badRecordSchema, countedSchema, damageSchema, trialAboutSchema } from './damage.ts';
import { derivedStatisticsSchema } from './derivedStatistics.ts';
import { differencesSchema } from './differences.ts';
import { recordedErasureSchema } from './erasure.ts';
import { ownProbabilitySchema } from './imported.ts';
import { languageStatisticsSchema } from './languageStatistics.ts';
import { partSchema } from './part.ts';
import { primaryResultSchema } from './primary.ts';
import * as statistics from './statistics.ts';
import { swapSchema } from './swaps.ts';
import { unsettledTrialsSchema } from './unsettled.ts';

/** Shapes of the command line's `--json` outputs. Fields are added, never renamed. */

const hexHash = z.string().regex(/^[0-9a-f]{64}$/);

const copyingSchema = z.strictObject({
  at: z.iso.datetime(),
  file: z.string().min(1).max(255),
  /** The root that the record had, hexadecimal. */
  root: hexHash,
  /** Fingerprints of the keys that signed it there. */
  signers: z.array(hexHash).max(100),
  /** Names of the experiments that came from it; those that were added later are not of it. */
  experiments: z.array(z.string().min(1).max(255)).optional(),
  /** Of a store that was joined to another one (`assize merge`); absent of one that was copied whole. */
  joined: z.literal(true).optional(),
});

const copyNoteSchema = copyingSchema.extend({
  /** Where the file was a copy too: how it was made, the newest copy first. */
  earlier: z.array(copyingSchema).max(100).optional(),
});

/** Where and when a record, or a part of it, was copied from another one (`assize adopt` or `merge`): a note of the program, outside the record. */
export const adoptionSchema = copyNoteSchema.extend({
  /** The same of further stores that were joined. */
  others: z.array(copyNoteSchema).max(100).optional(),
});
export type Adoption = z.infer<typeof adoptionSchema>;

/** Trials of an experiment that have ended, of those planned. `imported`: in neither number; absent: none. */
const heldSchema = z.strictObject({ experiment: z.string(), held: z.int(), planned: z.int(), imported: z.int().optional() });

export const verifyReportSchema = z.strictObject({
  /**
   * `partly-read`: nothing is wrong in what was read now, and some chains were not read again (`earlier`).
   * `other-log`: nothing is wrong in what was read, and the checkpoint of `--since` is of another log (`since`), or there is none (`log`), so that it shows nothing.
   */
  result: z.enum(['intact', 'tampered', 'partly-read', 'other-log']),
  store: z.string(),
  /** What was checked, and so what its root is over: every chain of a store, or the chains of a bundle. */
  kind: z.enum(['store', 'bundle']),
  /** Names of the experiments in a store; absent of a bundle, and where something is bad. */
  experiments: z.array(z.string()).optional(),
  /** Of those `experiments` that plan trials, how many have ended. */
  held: z.array(heldSchema).optional(),
  /** Of `held`, those not finished; absent: none. */
  held_in_part: z.array(heldSchema).optional(),
  /** Of a store of an earlier format, that and the one to which the first write brings it. */
  format: z.strictObject({ now: z.int(), after_writing: z.int() }).optional(),
  /** Trials and events that were read now. */
  trials: z.int(),
  events: z.int(),
  texts: z.int(),
  /** Trials whose answers the demo model made up; 0 where something is bad. */
  standin: z.int(),
  /** Trials among `trials` that have not ended; `standin` knows nothing of them. 0 where something is bad. */
  not_ended: z.int(),
  /** Those of `not_ended` that have an answer of the demo model; absent where none has. */
  standin_not_ended: z.int().optional(),
  /** Texts that a redacted bundle leaves out: what they say was not checked. */
  left_out: z.int(),
  /** The record root, or the bundle root: one hash over the heads of all chains in it, hexadecimal; null where something is bad. */
  root: z.string().nullable(),
  /**
   * Where something is bad, and absent elsewhere: the root over the events, null where one of them is bad, and the root that the
   * manifest of a bundle names, null of a store; with this in lines to read.
   */
  roots: z.strictObject({ found: z.string().nullable(), named: z.string().nullable(), words: z.array(z.string()) }).optional(),
  /** Known where the newest checkpoint is signed by a key of `--key`. */
  signer: z.enum(['unknown', 'known']),
  /** Whether `--head` is the root or a head of the events, also where something else is bad; null where none was given, an event is bad, or chains were not read. */
  head_matches: z.boolean().nullable(),
  /** The chain that ends in `--head`, with what is known of its trial; null where `--head` is the root, or nothing matches it. */
  head_of: trialAboutSchema.extend({ chain: z.string() }).nullable(),
  /** Null in a store of a format before 4, and where the check did not come so far. */
  log: logReportSchema.nullable(),
  /** Of `--since`; null where none was given, or the check did not come so far. */
  since: sinceReportSchema.nullable(),
  /** Texts that were erased, in order; null where something is bad. */
  erasures: z.array(recordedErasureSchema).nullable(),
  erasure_unfinished: z.boolean(),
  /** Of `--resume`; absent without it. */
  earlier: earlierReportSchema.optional(),
  first_bad: badRecordSchema.nullable(),
  /** Texts and events without their hash or place, and files unlike a bundle's manifest; absent where nothing is bad. */
  counted: countedSchema.optional(),
  /** Of a store that `assize adopt` or `merge` made, and of what was exported from it; absent of every other. */
  adopted: adoptionSchema.optional(),
  /** Of `--against`; absent without it. */
  against: differencesSchema.optional(),
});
export type VerifyReport = z.infer<typeof verifyReportSchema>;

export const replayedTrialSchema = z.strictObject({
  trial: z.string(),
  experiment: z.string(),
  arm: z.string(),
  case: z.string(),
  result: z.enum(['identical', 'different', 'not-replayable', 'unfinished', 'erased']),
  /** Where and how the replay differs, or why there is none. */
  problem: z.string().nullable(),
});

export const replayReportSchema = z.strictObject({
  store: z.string(),
  identical: z.int(),
  different: z.int(),
  not_replayable: z.int(),
  unfinished: z.int(),
  /** Texts that a replay needs were erased. */
  erased: z.int(),
  /** Every trial that is not `identical`. */
  trials: z.array(replayedTrialSchema),
  /** Always empty: answers are read by one set of rules, and what was read by others is not replayable. Kept for scripts that read it. */
  older_readings: z.array(replayedTrialSchema),
});
export type ReplayReport = z.infer<typeof replayReportSchema>;
export type ReplayedTrial = z.infer<typeof replayedTrialSchema>;

/** Of an arm in which something is exchanged or changed: what is exchanged, and the arm that it is compared with; null for any other arm. */
const swapShape = { swap: swapSchema.nullable(), base_arm: z.string().nullable() };

const rangeSchema = z.strictObject({ min: z.number(), max: z.number() });

export const planReportSchema = z.strictObject({
  experiment: z.string(),
  cases: z.int(),
  replicates: z.int(),
  /** The trials that are planned; absent: all. */
  part: partSchema.optional(),
  trials: z.int(),
  arms: z.array(
    z.strictObject({
      arm: z.string(),
      protocol: z.string(),
      ...swapShape,
      trials: z.int(),
      /** Trials that are not done; calls and tokens are theirs. */
      remaining: z.int(),
      /** Model calls, retries not counted. */
      calls: rangeSchema,
      /** From past calls, else from a dry run with one case, for cases of mean length; text in characters / 4. */
      prompt_tokens: z.int(),
      completion_tokens: rangeSchema,
      /** Calls of one trial whose tokens are the median of such calls on the record; those of the others are estimated. */
      measured_calls: z.int().min(0),
      /** Voters of a `vote` arm that would take about as many tokens; null for arms of one call, votes, and where there is none. */
      matched_voters: z.int().min(1).nullable(),
    }),
  ),
  /** All calls: those of the arms, and those that are made once for several trials. */
  calls: rangeSchema,
  /** Of all calls; where it is not known how many there are, of the most. */
  prompt_tokens: z.int(),
  completion_tokens: rangeSchema,
  /** Of `calls` those made once for several trials and not recorded yet: hearings, reasons, vectors. Arms do not count them. */
  preparation_calls: rangeSchema,
  preparation_prompt_tokens: rangeSchema,
  preparation_completion_tokens: rangeSchema,
  /** Backend -> concurrent calls that a run started now would make; absent if the servers were not asked. */
  calls_at_a_time: z.record(z.string(), z.int().min(1)).optional(),
  /** Absent where the run orders the trials itself. */
  order: z.enum(['as-written']).optional(),
  /** Time of the calls, one by one unless `timing.sentence` says otherwise; if `timing.unmeasured` names a model, as a range. */
  hours: rangeSchema,
  timing: z.strictObject({
    /** What is known of the time, and from what. */
    sentence: z.string(),
    /** Tokens a second measured for models; `prompt` is null if the server does not report reading and writing separately. */
    speeds: z.array(
      z.strictObject({
        model: z.string(),
        prompt: z.number().nullable(),
        completion: z.number(),
        calls: z.int(),
        source: z.enum(['record', 'measurement']),
      }),
    ),
    /** Models of unknown speed. */
    unmeasured: z.array(z.string()),
  }),
  disk_bytes: z.int(),
  /** The same with longer answers, and with the -wal file that the store has while it runs. */
  disk_bytes_most: z.int(),
  /** Models that the servers do not have; null where a server did not answer. */
  missing_models: z.array(z.string()).nullable(),
  /** Trials that are on the record already. */
  done: z.int(),
  /** Trials that have begun and not ended: they continue after the last answer on the record. */
  begun: z.int(),
  checks: z.array(checkSchema),
  /** The checks, each in one line. */
  notes: z.array(z.string()),
});
export type PlanReport = z.infer<typeof planReportSchema>;

export const armStatisticsSchema = z.strictObject({
  arm: z.string(),
  protocol: z.string(),
  ...swapShape,
  /** In what it declares to differ from the base arm, in a few words; absent where it declares nothing. */
  change: z.string().optional(),
  models: z.array(z.string()),
  standin: z.boolean(),
  planned: z.int(),
  /** Finished trials. */
  n: z.int(),
  decided: z.int(),
  incomplete: z.int(),
  inconsistent: z.int(),
  /** Finished trials by failure outcome. */
  failures: z.record(z.string(), z.int()),
  /** Finished trials whose case has no known truth: in no accuracy. */
  without_truth: z.int(),
  /** Correct among the decided. */
  accuracy_decided: shareSchema,
  /** Correct among all finished, a failure counting as not correct. */
  accuracy_all: shareSchema,
  positive: z.string().nullable(),
  /** Counts with the positive label as positive; null without one. */
  counts: confusionCountsSchema.nullable(),
  precision: z.number().nullable(),
  recall: z.number().nullable(),
  f1: z.number().nullable(),
  macro_f1: z.number().nullable(),
  classes: z.array(classStatisticsSchema),
  /** Decided trials with a known truth by truth and prediction, in the order of the labels, those that occur; none for cases of several labels. */
  confusion: z.array(confusionCellSchema),
  /** Decided trials in ten bins of equal width over the stated confidence; a trial without one is in none. */
  confidence_bins: z.array(confidenceBinSchema),
  calls: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  model_ms: z.number(),
  wall_ms: z.number(),
  /** Every measure with its n, its cases and its interval; docs/statistics.md defines them. */
  measures: z.array(statistics.measureSchema),
  /** Bins of the calibration error, lowest confidence first. */
  reliability: z.array(statistics.reliabilityBinSchema),
  /** The same of the probability of one of two labels: `confidence` is its mean, `accuracy` the share that has the label. */
  label_reliability: z.strictObject({ label: z.string(), bins: z.array(statistics.reliabilityBinSchema) }).optional(),
  /** Error rates by group, for each group column of the data set. */
  groups: z.array(statistics.groupStatisticsSchema),
  /** The same by every two columns at once (`race × sex`); absent where there are no two. */
  intersections: z.array(statistics.groupStatisticsSchema).optional(),
  /** How far the groups of each column are apart; none without a positive label. Absent in reports of earlier versions. */
  fairness: z.array(statistics.fairnessSchema).optional(),
  /** Predictive values and accuracy at the report's `prevalence`; absent where none was stated. */
  at_prevalence: z.array(statistics.measureSchema).optional(),
  /** Declining as a choice; absent without a stated confidence. */
  declining: statistics.decliningSchema.optional(),
  /** Sets of labels with a guarantee; absent where no belief is a distribution over labels. */
  conformal: statistics.conformalSchema.optional(),
  /** Which cases were tried; absent over a part of the trials, and for a baseline. */
  cases: statistics.caseCoverageSchema.optional(),
  /** Trials that were not started, did not end, failed or lost a turn; absent as `cases` is. */
  unsettled: z.array(unsettledTrialsSchema).optional(),
  /** Mean probability of the truth at each belief of the deciding role; absent where no trial has two. */
  truth_by_step: statistics.truthByStepSchema.optional(),
  /** How answers were read; absent where no model was asked, and while trials are under way. */
  answers: statistics.answerCountsSchema.optional(),
  /** Cases that it tried several times; absent where there are none, and for open questions. */
  repeated: repeatedSchema.optional(),
  /** Imported predictions and their own probabilities; absent where none came with any. */
  own_probability: ownProbabilitySchema.optional(),
});
export type ArmStatistics = z.infer<typeof armStatisticsSchema>;

/** A baseline is listed like an arm; it makes no calls, and each case has one prediction. */
export const baselineStatisticsSchema = armStatisticsSchema.extend({
  baseline: z.literal(true),
  about: statistics.baselineAboutSchema,
});
export type BaselineStatistics = z.infer<typeof baselineStatisticsSchema>;

/** A public data set that the data seem to be a copy of, so that models may have read the cases in training. */
export const contaminationSchema = z.strictObject({
  data_set: z.string(),
  recognised_by: z.enum(['content', 'columns', 'file']),
  /** Why a model may have read it. */
  why: z.string(),
  text: z.string(),
});
export type Contamination = z.infer<typeof contaminationSchema>;

export const statsReportSchema = z.strictObject({
  experiment: z.string(),
  store: z.string(),
  labels: z.array(z.string()),
  positive: z.string().nullable(),
  /** Who decided what the labels are: accuracies then count agreement with them. Absent where labels are the truth. */
  decided_by: z.string().optional(),
  /** Group column -> what people call it; absent where none has another name. */
  column_titles: z.record(z.string(), z.string()).optional(),
  /** The share of the positive label for which `at_prevalence` of each arm is; absent where none was stated. */
  prevalence: z.number().optional(),
  /** Method and level of the intervals in `accuracy_decided` and `accuracy_all` where each case has one trial. */
  interval: z.strictObject({ method: z.literal('wilson'), level: z.number() }),
  standin: z.boolean(),
  /** Which trials it is of, in words; absent over all. A part shows nothing: no `p_adjusted` of a pair, and no finding. */
  part: z.string().optional(),
  arms: z.array(armStatisticsSchema),
  /** Which of the cases on trial have a label; absent where all or none have one, and over a part of the trials. */
  unlabelled: statistics.caseCoverageSchema.optional(),
  /** What of the record fails its check; absent where nothing does. */
  damage: damageSchema.optional(),
  /** The comparison that was decided beforehand; null where none was. Absent over a part of the trials. */
  primary: primaryResultSchema.nullable().optional(),
  /** What to say first of all other comparisons. */
  finding: statistics.findingSchema,
  /** How every bootstrap interval was drawn. */
  resampling: statistics.resamplingSchema,
  baselines: z.array(baselineStatisticsSchema),
  missing_baselines: z.array(statistics.missingBaselineSchema),
  /** Pairs over the cases that both have: each arm with each baseline, then the arms among themselves. */
  comparisons: z.array(statistics.comparisonSchema),
  /** Always 0: no pair is left out. Deprecated. */
  comparisons_left_out: z.int(),
  /** The tests over which p-values are adjusted: those of the whole experiment, even if only some arms are reported. */
  family: z.strictObject({ arms: z.int(), baselines: z.int(), tests: z.int(), text: z.string() }),
  /** Arms of the experiment that are not in this report, since others were named. */
  unreported_arms: z.array(z.string()),
  /** Arms paired with their copy in which something is exchanged; these are in no comparison and not in the finding. */
  swaps: z.array(statistics.swapStatisticsSchema),
  /** Arms paired with their copy in which something was changed; absent if there are none. */
  changes: z.array(changeStatisticsSchema).optional(),
  /** Facts that go with an attribute that was exchanged, the closest first; absent where none was. */
  proxies: z.array(proxySchema).optional(),
  /** What the facts of a case did that was tried without sets of them; absent where none was. */
  facts: z.array(factStatisticsSchema).optional(),
  /** What speeches were worth that were withheld; absent where none was. */
  speech_worth: z.array(speechWorthSchema).optional(),
  /** The language of debates, by words, by arm; absent if there are no speeches, or it was not read. */
  language: z.array(languageStatisticsSchema).optional(),
  /** The effect of each speech of debates that were cut at random; absent where none was. */
  turn_effects: z.array(turnEffectSchema).optional(),
  /** By arm and key, what its transcripts call speeches, where some were withheld, replaced or cut off; absent elsewhere. */
  speech_names: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** Ambiguous cases and normal ones; absent in reports of versions that did not distinguish them. */
  ambiguity: statistics.ambiguityStatisticsSchema.optional(),
  /** How far verdicts on the same cases agree; absent in reports of earlier versions. */
  agreement: z.array(statistics.raterAgreementSchema).optional(),
  /** The combined result of the arms; in no corrected test and not in the finding. Absent in reports of earlier versions. */
  derived: z.array(derivedStatisticsSchema).optional(),
  /** Recorded labels by group, each tried case once. Absent without positive label or groups, while computed, and formerly. */
  recorded_labels: z
    .strictObject({ groups: z.array(statistics.groupStatisticsSchema), fairness: z.array(statistics.fairnessSchema) })
    .optional(),
  /** Calls made once for several trials, such as reasons of precedents, which no arm counts. Absent where there are none, over a part of the trials and while trials are under way. */
  shared_calls: z.strictObject({ calls: z.int(), prompt_tokens: z.int(), completion_tokens: z.int() }).optional(),
  /** Absent where the data are not known to be public. */
  contamination: contaminationSchema.optional(),
  /** What else a reader should know, in sentences. */
  notes: z.array(z.string()),
});
export type StatsReport = z.infer<typeof statsReportSchema>;
