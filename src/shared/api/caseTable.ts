import { z } from 'zod';
import { experimentSchema } from '../experiment.ts';
import type { TrialLine } from '../trialLine.ts';
import { subsetSchema } from './subset.ts';

/** An arm, and what it answered: a label, or null where it came to no verdict. */
export const armAnswerSchema = z.strictObject({ arm: z.string().max(200), label: z.string().max(2000).nullable() });

/** As drawn; by id; by label; those first on which two arms came to different verdicts. Equal ones as drawn. */
export const caseOrders = ['sample', 'case', 'label', 'disagree'] as const;
export type CaseOrder = (typeof caseOrders)[number];

/** A column of the data, and the value that a fact has in it: null for any, empty where the data say none. */
export const caseFactSchema = z.strictObject({ column: z.string().max(500), value: z.string().max(20_000).nullable() });
/** Columns that are shown at most. */
export const mostFacts = 12;
/** Values of a column that are listed at most. */
export const mostValues = 500;

/** Cases that have all of this. */
export const caseTableQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  /** Trials of this part alone. */
  subset: subsetSchema.optional(),
  /** Case ids that contain this text. */
  search: z.string().max(200).optional(),
  /** Only cases on which two arms came to different verdicts. */
  disagree: z.boolean().default(false),
  /** Only cases on which each of these arms gave this answer at least once. */
  answers: z.array(armAnswerSchema).max(200).default([]),
  /** Facts that are shown, of cases that have these values. */
  facts: z.array(caseFactSchema).max(mostFacts).default([]),
  /** Whether cases of the data set without a trial are listed too; of a part of the trials they never are. */
  untried: z.boolean().default(false),
  order: z.enum(caseOrders).default('sample'),
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(500).default(100),
});
export type CaseTableQuery = z.infer<typeof caseTableQuerySchema>;

/** One answer of an arm to a case, and how many of its trials gave it; `outcome` is null while a trial has not ended. */
export interface CaseAnswer
  extends Pick<TrialLine, 'outcome' | 'prediction' | 'confidence' | 'belief_source' | 'incomplete' | 'inconsistent'> {
  readonly trials: number;
  /** P(prediction), 0-1, of each of them; null where it is not known. */
  readonly confidences: readonly (number | null)[];
  /** The first trial that gave it. */
  readonly trial: string;
}

export interface CaseRow extends Pick<TrialLine, 'case' | 'truth' | 'groups'> {
  /** In the order of the table's arms, the most frequent first; none where no trial of the arm on the case has begun and is in the part. */
  readonly cells: readonly (readonly CaseAnswer[])[];
}

/** Answer -> how often, the most frequent first. */
type Counts = readonly (readonly [answer: string, times: number])[];

/** Cases of which a trial has begun, with the answers of every arm. */
export interface CaseTable {
  readonly arms: readonly string[];
  readonly total: number;
  /** How many there are with any id, answer and fact. */
  readonly of: number;
  /** `facts`: values in the order of the query's; null where the data say none, or where they were erased. */
  readonly rows: readonly (CaseRow & { readonly facts: readonly (string | null)[] })[];
  /** Every column of facts; none where cases are texts. */
  readonly columns: readonly { readonly column: string; readonly title: string }[];
  /** What facts of the query's columns say, each value once, the first `mostValues`; only with the first page. */
  readonly values: readonly (readonly string[])[];
  /** Of all `total` cases: their labels, and the answers of the trials of each arm; null where no condition chose them. */
  readonly counts: { readonly truth: Counts; readonly arms: readonly Counts[] } | null;
}
