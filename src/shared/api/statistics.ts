import { z } from 'zod';
import { experimentSchema } from '../experiment.ts';
import type { StatsReport } from '../outputs.ts';
import type { Conformal, Measure } from '../statistics.ts';
import { subsetSchema } from './subset.ts';

export const statsQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  /** Counts and accuracies alone, for a run under way: no resamples, no baselines. */
  quick: z.boolean().default(false),
  /** Of these trials alone; without it, of all. */
  subset: subsetSchema.optional(),
});

export const prevalenceQuerySchema = statsQuerySchema
  .omit({ quick: true })
  .extend({ /** Share of the positive label. */ prevalence: z.number().gt(0).lt(1) });
export type PrevalenceQuery = z.infer<typeof prevalenceQuerySchema>;

/** `at_prevalence` of each arm in which nothing is exchanged, then of each baseline. */
export type AtPrevalence = readonly { readonly arm: string; readonly measures: readonly Measure[] }[];

/** How far the statistics of an experiment are; null where none are being computed. */
export interface StatsFrame {
  readonly progress: { readonly share: number; readonly what: string } | null;
}

/** The statistics as they come: first the finding and the accuracies with their intervals, at last the whole. */
export type StagedStats =
  | { readonly kind: 'sofar'; readonly report: StatsReport }
  | { readonly kind: 'whole'; readonly report: StatsReport };

/** An experiment that could calibrate the sets of labels of another one. */
export interface CalibrationChoice {
  readonly experiment: string;
  /** On trial there. */
  readonly cases: number;
  /** Why it does not fit; null where it does. */
  readonly why: string | null;
}

export const calibratedQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  /** The experiment whose cases calibrate. */
  calibration: experimentSchema.shape.name,
  /** The part of the trials that the sets are tried on; without it, all. */
  subset: subsetSchema.optional(),
});
export type CalibratedQuery = z.infer<typeof calibratedQuerySchema>;

/** Sets of labels of each arm that both experiments have, where it has beliefs. */
export interface Calibrated {
  readonly arms: readonly { readonly arm: string; readonly conformal: Conformal; readonly measures: readonly Measure[] }[];
  /** Arms that the other experiment does not have. */
  readonly missing: readonly string[];
}
