// What can be chosen for the statistics.
import type { Subset } from '../../../shared/api/subset.ts';
import type { Condition } from './where.ts';

export const defaultResamples = 2000;

export interface StatisticsOptions {
  /** Bootstrap resamples of the cases; 0: values and Wilson intervals alone. */
  readonly resamples?: number | undefined;
  /** Seed of the resamples; the experiment's where none is given. */
  readonly seed?: number | undefined;
  /** Arms to report, in the order of the experiment; all where none are named. */
  readonly arms?: readonly string[] | undefined;
  /** Of these trials alone; a condition on arms narrows `arms`. */
  readonly subset?: Subset | undefined;
  /** The same in the words of the command line; both have to be met. */
  readonly where?: readonly Condition[] | undefined;
  /** Counts and accuracies alone, for a run that goes on: no resamples, no baselines, nothing kept. */
  readonly quick?: boolean | undefined;
  /** Folder of the reports that were made before; null: neither look nor keep. */
  readonly cache: string | null;
}

/** What is being done, and the share of it that is done, 0-1. */
export type TellStatistics = (progress: { readonly share: number; readonly what: string }) => void;
