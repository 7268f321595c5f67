import { z } from 'zod';
import type { TrialLine } from '../trialLine.ts';

export const searchRequestSchema = z.strictObject({
  /** Words and phrases in double quotes, all of which must occur. */
  sought: z.string().trim().min(1).max(200),
  experiment: z.string().nullable(),
  /** Matches before the first one that is given. */
  offset: z.int().min(0).max(1_000).optional(),
  /** Absent: 50. */
  limit: z.int().min(1).max(50).optional(),
});
export type SearchRequest = z.infer<typeof searchRequestSchema>;

/** `arm`: as lists call it. */
interface FoundTrial extends Readonly<Pick<TrialLine, 'trial' | 'arm' | 'protocol' | 'standin' | 'case' | 'replicate'>> {
  /** The name of a case from Try a case; null for others, which have an id. */
  readonly title: string | null;
  /** Trials of each case in each arm of the experiment. */
  readonly replicates: number;
}

export interface SearchHit {
  readonly experiment: string;
  /** Of the event in its chain: that of the trial, or of the reviews of the experiment. */
  readonly seq: number;
  readonly kind: string;
  /** Null of a sign-off, which is under a whole experiment. */
  readonly of: FoundTrial | null;
  /** Place in the trial where it is shown; null for the trial as a whole. */
  readonly at: number | null;
  /** A role of the trial; the name that a person gave, if `isPerson`. */
  readonly by: string;
  readonly isPerson: boolean;
  /** What the transcript calls the speech next to its speaker, such as `rebuttal 2`; null where it is no speech. */
  readonly turn: string | null;
  /** It was found in the private plan of a speech alone. */
  readonly isPlan: boolean;
  /** It is a speech that was withheld from the court, or that other words took the place of. */
  readonly isUnheard: boolean;
  /** Part of what was said, with what was looked for. */
  readonly pieces: readonly { readonly text: string; readonly isFound: boolean }[];
}

export interface SearchResult {
  /** The newest first. */
  readonly hits: readonly SearchHit[];
  /** Counted up to `mostCounted`. */
  readonly count: number;
  readonly mostCounted: number;
}

export type SearchFrame =
  /** Trials that are being added to the index. */
  | { readonly kind: 'progress'; readonly done: number; readonly of: number }
  | { readonly kind: 'done'; readonly result: SearchResult };
