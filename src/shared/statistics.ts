import { z } from 'zod';
import { commonestSchema } from './armCounts.ts';
import { swapSchema } from './swaps.ts';

/** Parts of the statistics of an experiment; docs/statistics.md defines each measure. Fields are added, never renamed. */

const share = z.number().min(0).max(1);

/** `reported`: requests whose server says it; the tokens are of these. `cached_tokens`: of `prompt_tokens`, those that were not computed again. */
const promptCacheSchema = z.strictObject({ reported: z.int(), prompt_tokens: z.int(), cached_tokens: z.int() });

/**
 * How the answers to requests of ended trials were read. Requests that are made once for several trials count in no arm.
 * A request whose answer was taken is in `methods`, any other in `rejected`.
 */
export const answerCountsSchema = z.strictObject({
  /** Requests that were sent, further attempts included. */
  requests: z.int(),
  /** First attempts, and those of them whose answer was taken. */
  first: z.int(),
  first_usable: z.int(),
  /** Accepted answers by the method of reading, such as `json`. */
  methods: z.record(z.string(), z.int()),
  /** Requests without a usable answer by what was wrong, such as `malformed`. */
  rejected: z.record(z.string(), z.int()),
  /** Of those under `truncated`: answers that repeated themselves and were cut. */
  looped: z.int(),
  /** Answers that were taken by what is odd about them, such as `embedded`. An answer can have several flags. */
  flags: z.record(z.string(), z.int()),
  /** Of the requests: those that took the answer of another arm, and the model's time, ms, and tokens that this spared; absent for none. */
  reused: z
    .strictObject({ requests: z.int(), model_ms: z.number(), prompt_tokens: z.int(), completion_tokens: z.int() })
    .optional(),
  /** Of the requests that were sent: what servers had of their prompts from earlier ones; absent where none reports it. */
  prompt_cache: promptCacheSchema.optional(),
  /** The same of further answers to one prompt, from which a belief is counted; absent for none. */
  samples: promptCacheSchema.extend({ requests: z.int() }).optional(),
  /** Of the debates that can end before their last round (`of`), those that did; absent where no trial has one. */
  ended_early: z.strictObject({ trials: z.int(), of: z.int() }).optional(),
});
export type AnswerCounts = z.infer<typeof answerCountsSchema>;

/** An estimate with its interval; where there is none, `why_null` says why. */
export const estimateShape = {
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** Confidence level of the interval. */
  level: share,
  /**
   * `wilson` for shares to which each case gives one trial at most; `sandwich` for coefficients of a regression, with standard errors
   * over cases; else a bootstrap over cases; null without an interval.
   */
  interval_method: z.enum(['wilson', 'bca', 'percentile', 'sandwich']).nullable(),
  resamples: z.int().nullable(),
  /** Resamples in which the measure is undefined; the interval is over the others. */
  undefined_resamples: z.int().nullable(),
  seed: z.int().nullable(),
  /** Why there is no value or no interval, or no BCa interval; null where nothing is missing. */
  why_null: z.string().nullable(),
  /** Why the interval is to be read with care; absent where simulations found that it holds what it says. */
  caution: z.string().optional(),
};

export const measureBases = [
  'all',
  'decided',
  'finished',
  'stated',
  'believed',
  'initial-and-verdict',
  'initially-wrong',
  'initially-right',
  'paths',
  'speeches',
  'truly-negative',
  'truly-positive',
  'finished-truly-negative',
  'finished-truly-positive',
  'selected',
  'answered',
  'held-out',
  'pairs',
  'believed-pairs',
  'pair-trials',
  'replicate-pairs',
] as const;

export const measureSchema = z.strictObject({
  name: z.string(),
  /** The label that it is about; null where it is about all. */
  label: z.string().nullable(),
  /** The side whose speeches it is about, and their turn in the protocol. */
  side: z.enum(['prosecution', 'defense']).nullable(),
  turn: z.string().nullable(),
  /** What `n` counts: see docs/statistics.md. */
  over: z.enum(measureBases),
  /** Trials, steps or speeches that the value is over. */
  n: z.int(),
  /** Cases that they are of: the unit that is resampled. */
  cases: z.int(),
  /** How many of `n` a share is; absent for what is no share, and where cases with different numbers of trials weigh the same. */
  count: z.int().optional(),
  /**
   * Of differences between groups of decided trials, and of what an exchange does to verdicts: the chance of one as large where there is
   * none, not adjusted; absent elsewhere.
   */
  p: share.optional(),
  ...estimateShape,
});
export type Measure = z.infer<typeof measureSchema>;

export const reliabilityBinSchema = z.strictObject({
  /** Lowest and highest stated confidence in the bin. */
  from: share,
  to: share,
  n: z.int(),
  /** Mean stated confidence. */
  confidence: share,
  /** Share of the bin's verdicts that are right. */
  accuracy: share,
});
export type ReliabilityBin = z.infer<typeof reliabilityBinSchema>;

/** In order, from the first belief to the verdict. */
export const truthByStepSchema = z.array(
  z.strictObject({
    /** Mean probability of the true label over trials with a known truth and two beliefs; one that ended earlier keeps its last. */
    value: share,
    /** Trials that moved at least so far on their own path. */
    n: z.int(),
  }),
);

/** What an arm would answer, and how often it would be wrong, if it declined the cases it is less sure of. */
export const decliningSchema = z.strictObject({
  /** Finished trials with a known truth: what coverage is a share of. */
  finished: z.int(),
  /** Decided ones of them with a stated confidence; all others are declined at every threshold. */
  answerable: z.int(),
  /** Points of the risk-coverage curve, the highest threshold first; 200 at most. */
  curve: z.array(
    z.strictObject({
      least_confidence: share,
      /** Trials at least as sure as that. */
      n: z.int(),
      coverage: share,
      /** Share of them that are wrong. */
      risk: share,
    }),
  ),
});
export type Declining = z.infer<typeof decliningSchema>;

/** How sets of labels were made that hold the true one with a stated probability. */
export const conformalSchema = z.strictObject({
  /** Why there are none; null where there are. */
  why_null: z.string().nullable(),
  /** The share of new cases whose set may lack the true label. */
  alpha: share,
  /** The experiment whose cases the sets were calibrated on; absent: one half of the cases of this one. */
  calibrated_in: z.string().optional(),
  /** Cases that the sets were calibrated on, and those that they were tried on. */
  calibrated_on: z.int(),
  held_out: z.int(),
  /** A label is in the set if its probability is at least this. */
  least_probability: share.nullable(),
  /** What holds for new cases, and on what condition. */
  guarantee: z.string().nullable(),
});
export type Conformal = z.infer<typeof conformalSchema>;

export const caseCoverageSchema = z.strictObject({
  /** Cases with a finished trial. */
  done: z.int(),
  /** Cases on trial in the experiment. */
  of: z.int(),
  /** Ids of cases without one, the first of them in the order of the sample. */
  missing: z.array(z.string()),
});
export type CaseCoverage = z.infer<typeof caseCoverageSchema>;

export const groupStatisticsSchema = z.strictObject({
  /** Column of the data set. */
  attribute: z.string(),
  value: z.string(),
  /** Finished trials. */
  n: z.int(),
  decided: z.int(),
  /** Decided trials with the positive label as positive; null without one. */
  counts: z.strictObject({ tp: z.int(), tn: z.int(), fp: z.int(), fn: z.int() }).nullable(),
  /** Accuracy of all and of the decided, the failure rate, and with a positive label the error and selection rates. */
  measures: z.array(measureSchema),
});
export type GroupStatistics = z.infer<typeof groupStatisticsSchema>;

export const fairnessSchema = z.strictObject({
  /** Column of the data set. */
  attribute: z.string(),
  /** Groups with too few cases for every measure; a measure leaves out those with too few for it. */
  left_out: z.array(z.string()),
  /** Differences that leave out groups with too few cases for them; absent where there are none. */
  too_few: z.array(z.strictObject({ name: z.string(), over: z.string(), groups: z.array(z.string()) })).optional(),
  /** Demographic parity and equalised odds, as differences and ratios: over `decided`, and over `finished` with failures as not selected. */
  measures: z.array(measureSchema),
});

export const baselineAboutSchema = z.strictObject({
  /** Labelled cases that it learned from: of the training split and not on trial, but where `notes` says otherwise. */
  trained_on: z.int(),
  /** Facts that it uses; none if it uses labels alone. */
  columns: z.array(z.string()),
  dropped: z.array(z.strictObject({ column: z.string(), why: z.string() })),
  /** What does the computing, with its version where it is a package. */
  library: z.string(),
  /** The experiment's seed; null where no chance is involved. */
  seed: z.int().nullable(),
  parameters: z.record(z.string(), z.union([z.number(), z.string(), z.boolean()])),
  /** What a reader should know of this fit, in sentences; mostly none. */
  notes: z.array(z.string()),
});
export type BaselineAbout = z.infer<typeof baselineAboutSchema>;

export const missingBaselineSchema = z.strictObject({ name: z.string(), why: z.string() });

export const comparisonSchema = z.strictObject({
  a: z.string(),
  b: z.string(),
  /** Whether `b` is a baseline; `a` never is. */
  baseline: z.boolean(),
  paired_cases: z.int(),
  /** Whether its p-values are adjusted over `family`: not of a baseline that is drawn by lot, nor of the primary comparison. */
  in_family: z.boolean(),
  /** The pair and measure of the primary comparison: `p_adjusted` is over the tests that were decided beforehand. Absent for others. */
  primary: z.literal(true).optional(),
  /** Accuracy of a less accuracy of b over these cases, a failure as not correct; -1 to 1. */
  difference: z.strictObject(estimateShape),
  /** a less b in every measure that both have, each over the cases of which both have it. Accuracy of all comes first. */
  differences: z.array(
    z.strictObject({
      name: z.string(),
      over: z.enum(measureBases),
      cases: z.int(),
      /** The measure of each over these cases; for `brier`, `log_loss` and `miscalibration` lower is better. */
      a: z.number().nullable(),
      b: z.number().nullable(),
      ...estimateShape,
    }),
  ),
  /** Exact two-sided test: McNemar's with one trial a case; with replicates the permutation test of signs that it is a case of. */
  mcnemar: z.strictObject({
    /** Cases on which a is right more often. */
    a_only: z.int(),
    /** Cases on which b is right more often. */
    b_only: z.int(),
    p: share.nullable(),
    /** After Benjamini and Hochberg, over all pairs of the experiment (`family` of the report). */
    p_adjusted: share.nullable(),
  }),
  /** Signed-rank test of the per-case losses; null where both have too few. */
  wilcoxon: z
    .strictObject({
      /** `brier`: per-case Brier loss where both stated beliefs; `correctness`: share of a case's trials that are right. */
      of: z.enum(['brier', 'correctness']),
      cases: z.int(),
      /** Cases with a difference. */
      n: z.int(),
      statistic: z.number(),
      method: z.string(),
      p: share,
      p_adjusted: share.nullable(),
      /** Which of the two has the better ranks; null where the sums of ranks are equal. */
      favours: z.enum(['a', 'b']).nullable(),
    })
    .nullable(),
  /** Always null. Deprecated: it compared unpaired ranks of skewed losses; see `differences`. */
  cliffs_delta: z.number().nullable(),
  /** Difference of accuracy that this test would find in 80 of 100 such experiments, at the variance seen and the level `detectable_at`. */
  smallest_detectable_difference: z.number().nullable(),
  /** The level at which this pair is tested among the others of the family, 0-1. */
  detectable_at: share,
  /** Variance of the difference on a case, by cases and by the replicates of each; null where a case was tried once. */
  variance: z.strictObject({ cases: z.number(), replicates: z.number() }).nullable(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

export const swapStatisticsSchema = z.strictObject({
  arm: z.string(),
  swap: swapSchema,
  /** The arm in which it is exchanged. */
  swapped_arm: z.string(),
  /** Pairs of finished trials of the same case, replicate and seed. */
  pairs: z.int(),
  /** Pairs in which the trial of the arm alone, of the swapped one alone, or both have no verdict: in no measure. */
  failed: z.strictObject({ base: z.int(), swapped: z.int(), both: z.int() }),
  /** `flip_rate` first; docs/statistics.md has the others. */
  measures: z.array(measureSchema),
  /** Flips by verdict of the arm and verdict of the swapped one, the most frequent first. */
  moves: z.array(z.strictObject({ from: z.string(), to: z.string(), n: z.int() })),
});
export type SwapStatistics = z.infer<typeof swapStatisticsSchema>;

/** The first sentence about an experiment, and the written rule that chose it. */
export const findingSchema = z.strictObject({
  sentence: z.string(),
  rule: z.string(),
  /** Most frequent true label of the cases that ended, of those with one label; absent where there is none. */
  commonest: commonestSchema.optional(),
  /** The best of several arms; null where there are not two to choose from, or they do not have the same cases. Absent over a part of the trials. */
  best: z
    .strictObject({
      arm: z.string(),
      /** Arms that it was chosen from. */
      of: z.int(),
      /** Accuracy of all, too high on average because the arm was chosen for it. */
      value: share,
      /** Accuracy to be expected on other cases: out of resamples, each with its own choice. */
      corrected: share.nullable(),
      /** Interval that holds although the arm was chosen. */
      low: share.nullable(),
      high: share.nullable(),
      level: share,
      resamples: z.int(),
      seed: z.int(),
    })
    .nullable()
    .optional(),
});
export type Finding = z.infer<typeof findingSchema>;

export const resamplingSchema = z.strictObject({
  /** Resamples of the cases for every bootstrap interval; 0: none was asked for. */
  resamples: z.int(),
  seed: z.int(),
  level: share,
});
export type Resampling = z.infer<typeof resamplingSchema>;

/** What the accuracy of an arm is over: cases whose hearings agree, cases whose hearings vary, and both together. */
export const ambiguityParts = ['total', 'normal', 'ambiguous'] as const;

export const ambiguityAccuracySchema = z.strictObject({
  arm: z.string(),
  part: z.enum(ambiguityParts),
  /** Finished trials of such cases with a known truth, and the cases they are of. */
  n: z.int(),
  cases: z.int(),
  /** Share of them that are right, a failure as not right. */
  accuracy: z.strictObject(estimateShape),
  /**
   * (accuracy - reference's accuracy) / reference's accuracy over the cases that both have, from -1; null for the reference
   * itself, and where there is none.
   */
  gain: z.strictObject({ paired_cases: z.int(), ...estimateShape }).nullable(),
});
export type AmbiguityAccuracy = z.infer<typeof ambiguityAccuracySchema>;

/** How many cases are ambiguous, and how accurate each arm is on these and on the others. */
export const ambiguityStatisticsSchema = z.strictObject({
  /** Why there is nothing; null where there is something. */
  why_null: z.string().nullable(),
  /** Ambiguous cases among those with known ambiguity. */
  share: z.strictObject({ count: z.int(), n: z.int(), ...estimateShape }),
  /** Cases that were tried and whose ambiguity is unknown. */
  unknown: z.int(),
  /** Cases that hearings of one arm find ambiguous and those of another do not: they count as ambiguous. */
  disagreeing: z.int(),
  /** The arm that gains are relative to; null where none answers alone. */
  reference: z.string().nullable(),
  arms: z.array(ambiguityAccuracySchema),
});
export type AmbiguityStatistics = z.infer<typeof ambiguityStatisticsSchema>;

/** Krippendorff's alpha of verdicts on the same cases: 1 is agreement everywhere, 0 chance. */
export const raterAgreementSchema = z.strictObject({
  /** Who agrees: the arms, the imported ones of them, two arms, the replicates of an arm, or the judges within its trials. */
  among: z.enum(['arms', 'imported', 'pair', 'replicates', 'judges']),
  arms: z.array(z.string()),
  raters: z.int(),
  /** Cases with two verdicts or more to compare. */
  cases: z.int(),
  /** Verdicts that have another to be compared with. */
  n: z.int(),
  /** Of two arms: on how many cases and replicates both gave the same verdict, and the share of these, each case weighing the same. */
  agreed: z.strictObject({ count: z.int(), share: measureSchema }).optional(),
  ...estimateShape,
});
export type RaterAgreement = z.infer<typeof raterAgreementSchema>;
