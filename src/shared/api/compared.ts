import { z } from 'zod';
import type { ShownFact, Truth } from '../domain.ts';
import { experimentSchema } from '../experiment.ts';
import type { Comparison, estimateShape, Measure, measureBases, SwapStatistics } from '../statistics.ts';
import type { TrialLine } from '../trialLine.ts';
import type { Setting } from './protocolFigures.ts';
import { subsetSchema } from './subset.ts';

/** How two arms compare on a case: who is right more often; else always right, never, or equally often. */
export const standings = ['a_only', 'b_only', 'both_right', 'both_wrong', 'equally'] as const;
export const standingSchema = z.enum(standings);
export type Standing = z.infer<typeof standingSchema>;

/** Cases that one page may have. */
export const mostCompared = 500;

/** An arm against another arm or a baseline on the cases that both have. */
export const comparedQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  a: z.string().max(200),
  b: z.string().max(200),
  baseline: z.boolean(),
  /** Trials of this part alone: all numbers are of it. */
  subset: subsetSchema.omit({ arms: true, models: true }).optional(),
  /** Cases of these kinds alone. */
  standings: z.array(standingSchema).max(standings.length).optional(),
  /** Cases whose id or facts contain this text. */
  search: z.string().max(200).optional(),
  /** Cases of this value of a group column. */
  group: z.strictObject({ column: z.string().max(500), value: z.string().max(2000) }).optional(),
  /** Whether intervals and the papers' tests are drawn; without, the values are there alone and at once. */
  resampled: z.boolean().default(true),
  /** Whether cases have their facts, which can be long. */
  facts: z.boolean().default(true),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(mostCompared).default(50),
});
export type ComparedQuery = z.infer<typeof comparedQuerySchema>;

export interface ComparedVerdict
  extends Pick<TrialLine, 'replicate' | 'outcome' | 'prediction' | 'confidence' | 'belief_source' | 'correct'> {
  /** Null for a baseline, which has no trial. */
  readonly trial: string | null;
}

export interface ComparedCase {
  readonly case: string;
  readonly standing: Standing;
  readonly truth: Truth;
  readonly groups: Readonly<Record<string, string>>;
  /** Null where the record no longer lists the case, or they were not asked for. */
  readonly facts: readonly ShownFact[] | null;
  /** Finished trials of the case. */
  readonly a: readonly ComparedVerdict[];
  readonly b: readonly ComparedVerdict[];
  /** Two trials to read side by side; null for a baseline. */
  readonly beside: readonly [string, string] | null;
}

/** A signed-rank test over bootstrap replicates, as papers do it: no inference. See docs/statistics.md. */
export interface PaperStyle {
  readonly measure: 'accuracy' | 'macro_f1';
  /** Of a less b, over the replicates; -1 to 1. */
  readonly mean_difference: number;
  readonly replicates: number;
  /** Null where no replicate has a difference. */
  readonly statistic: number | null;
  readonly p: number | null;
  readonly seed: number;
}

export interface Compared {
  /** Of these two alone: without adjusted p-values, which are of a whole report. */
  readonly comparison: Comparison;
  /** Cases by standing, for any search text. */
  readonly counts: Readonly<Record<Standing, number>>;
  /** Cases on which one of the two is right in more than half of its trials and the other in less than half, by who is right. */
  readonly mostly: { readonly a: number; readonly b: number };
  /** What each missed of the cases that both decided, with the exact p that they miss as many; empty with replicates. */
  readonly misses: readonly {
    readonly label: string;
    readonly of: number;
    readonly a: number;
    readonly b: number;
    readonly p: number;
  }[];
  /** Whether some case was tried more than once. */
  readonly replicated: boolean;
  /** Who decided what the labels of the data set are; absent where they are the truth. */
  readonly decided_by?: string;
  readonly paper_style: readonly PaperStyle[];
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Cases that fit the question, and the part of them that was asked for, in the order of the sample. */
  readonly total: number;
  readonly offset: number;
  readonly cases: readonly ComparedCase[];
}

/** Two arms whose trials are paired by case and replicate. */
export const changedQuerySchema = comparedQuerySchema.pick({ experiment: true, a: true, b: true, subset: true });
export type ChangedQuery = z.infer<typeof changedQuerySchema>;

export interface ChangedMeasure {
  /**
   * `selection_rate`, `brier`, `miscalibration`, `expected_calibration_error` and `failed` as in a report; `overconfidence`: mean confidence less accuracy;
   * `prompt_tokens` and `completion_tokens` of a trial.
   */
  readonly name: string;
  readonly over: (typeof measureBases)[number];
  /** Pairs of finished trials that both have the measure, and the cases they are of: the unit that is resampled. */
  readonly pairs: number;
  readonly cases: number;
  /** Of each arm over these pairs. */
  readonly a: number | null;
  readonly b: number | null;
  /** Of a less b. */
  readonly difference: Pick<Measure, keyof typeof estimateShape>;
}

export interface Changed {
  /** Settings in which they differ; null where an arm does not have the setting. None for predictions from elsewhere. */
  readonly settings: readonly { readonly name: string; readonly a: Setting; readonly b: Setting }[];
  /** From the verdicts of b to those of a. */
  readonly flips: Omit<SwapStatistics, 'arm' | 'swap' | 'swapped_arm'>;
  /** Pairs of a known truth in which only a's trial is right, or only b's; a failure is not right. `undecided`: those of both with one verdict. */
  readonly turned: { readonly right: number; readonly wrong: number; readonly undecided: number; readonly of: number };
  readonly measures: readonly ChangedMeasure[];
}

/** An arm paired with another, such as itself with something exchanged. */
export const flippedQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  base: z.string().max(200),
  swapped: z.string().max(200),
  /** Trials of this part alone. */
  subset: subsetSchema.omit({ arms: true, models: true }).optional(),
  /** Pairs with one verdict too, and those without. */
  all: z.boolean().optional(),
});

export type FlippedQuery = z.infer<typeof flippedQuerySchema>;

type PairedVerdict = Pick<TrialLine, 'trial' | 'prediction' | 'confidence' | 'belief_source' | 'correct'>;

/** Pairs of trials whose verdicts differ, or all of them, at most 500, in the order of the sample. */
export interface FlippedPairs {
  readonly total: number;
  /** Trials of each case in each arm. */
  readonly replicates: number;
  /** As in a comparison. */
  readonly decided_by?: string;
  readonly pairs: readonly {
    readonly case: string;
    readonly replicate: number;
    readonly base: PairedVerdict;
    readonly swapped: PairedVerdict;
  }[];
}
