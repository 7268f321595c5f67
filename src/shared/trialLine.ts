import { z } from 'zod';
import { trialChangeSchema } from './changes.ts';
import { beliefSchema, beliefSourceSchema, outcomeSchema, predictionSchema, trialStatusSchema, truthSchema } from './domain.ts';
import { promptsVersionSchema } from './promptOutputs.ts';
import { swapSchema } from './swaps.ts';

/** A line of `trials-jsonl`; `trials-csv` has the same columns, nested ones as JSON text. */
export const trialLineSchema = z.strictObject({
  experiment: z.string(),
  arm: z.string(),
  protocol: z.string(),
  protocol_version: z.int(),
  /** 16 hexadecimal digits. */
  trial: z.string(),
  case: z.string(),
  replicate: z.int(),
  attempt: z.int(),
  seed: z.int(),
  status: trialStatusSchema,
  outcome: outcomeSchema.nullable(),
  incomplete: z.boolean(),
  inconsistent: z.boolean(),
  prediction: predictionSchema,
  /** P(prediction), 0-1. */
  confidence: z.number().nullable(),
  belief: beliefSchema.nullable(),
  belief_source: beliefSourceSchema.nullable(),
  truth: truthSchema,
  correct: z.boolean().nullable(),
  /** Who made the decision that `truth` is; absent where it is what happened or what is right. */
  decided_by: z.string().optional(),
  calls: z.int(),
  attempts: z.int(),
  /** Of the attempts: answers of another arm that were taken over, with their tokens and times. Exports and lists of trials count them; else 0. */
  reused: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Milliseconds reported by the backend, summed over calls. */
  model_ms: z.number(),
  /** Milliseconds from sending to the last token, summed over calls. */
  wall_ms: z.number(),
  models: z.array(z.string()),
  backends: z.array(z.string()),
  groups: z.record(z.string(), z.string()),
  /** Sampling weight of the case; absent where the data set has none. */
  weight: z.number().positive().optional(),
  ambiguous: z.boolean().nullable(),
  /** Head of the trial's chain, hexadecimal; null until it is done. */
  head_hash: z.string().nullable(),
  standin: z.boolean(),
  /** What is exchanged in the arm; null where nothing is. */
  swap: swapSchema.nullable(),
  /** The arm that it is an exchange or a change of; null for an independent arm. */
  base_arm: z.string().nullable(),
  /** The variant of the prompts; absent where the words are the shipped ones. */
  prompts: promptsVersionSchema.optional(),
  /** In what it differs from the trial of the base arm; absent where the arm declares no change. */
  change: trialChangeSchema.optional(),
  /** The answer from before the deliberation; null where there is none. Exports and lists of trials have this and the next field. */
  first_answer: predictionSchema.optional(),
  /** What the deliberation did to the first answer; null without a verdict, a known truth or a first answer. */
  deliberation: z.enum(['corrected', 'degraded', 'stayed_right', 'stayed_wrong']).nullable().optional(),
});
export type TrialLine = z.infer<typeof trialLineSchema>;

/** What lines have in common before anything was asked, in the order of the columns. */
export const unstarted: TrialLine = {
  experiment: '',
  arm: '',
  protocol: '',
  protocol_version: 0,
  trial: '',
  case: '',
  replicate: 0,
  attempt: 1,
  seed: 0,
  status: 'queued',
  outcome: null,
  incomplete: false,
  inconsistent: false,
  prediction: null,
  confidence: null,
  belief: null,
  belief_source: null,
  truth: null,
  correct: null,
  calls: 0,
  attempts: 0,
  reused: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  model_ms: 0,
  wall_ms: 0,
  models: [],
  backends: [],
  groups: {},
  ambiguous: null,
  head_hash: null,
  standin: false,
  swap: null,
  base_arm: null,
};

export type DeliberationEffect = NonNullable<TrialLine['deliberation']>;

/** Columns in the order of the contract. */
const columns = Object.keys(trialLineSchema.shape) as (keyof TrialLine)[];

const seldom = ['prompts', 'weight', 'change', 'decided_by'] as const;
type Seldom = (typeof seldom)[number];
const isSeldom = (column: keyof TrialLine): column is Seldom => seldom.some((each) => each === column);

/** @param given columns of which some line has something, of those that not every experiment has */
export const trialLineColumns = (given: Pick<Record<keyof TrialLine, boolean>, Seldom>): (keyof TrialLine)[] =>
  columns.filter((column) => !isSeldom(column) || given[column]);

/** Whether a trial's arm is another one with one thing exchanged or changed: it is then no arm to compare with others. */
export const isVaried = ({ swap, change }: Pick<TrialLine, 'swap'> & { change?: unknown }): boolean =>
  swap !== null || change !== undefined;

/** Which of several trials of one case this is, counted from 1; null where an experiment tries each case once. Exports count from 0. */
export const replicateText = ({ replicate }: Pick<TrialLine, 'replicate'>, replicates: number): string | null =>
  replicates > 1 ? `replicate ${replicate + 1}` : null;

/** Of arms those that are no other one of them with something exchanged or changed. */
export function plainAmong<Arm extends Pick<TrialLine, 'arm' | 'base_arm'>>(arms: readonly Arm[]): Arm[] {
  const names = new Set(arms.map(({ arm }) => arm));
  return arms.filter(({ base_arm: base }) => base === null || !names.has(base));
}

interface ChangedArm extends Pick<TrialLine, 'arm' | 'base_arm'> {
  readonly change?: Pick<NonNullable<TrialLine['change']>, 'kind' | 'seeds'> | undefined;
}

/** Of arms, or trials in them, the one from which another differs in its exchange or change alone: a speech withheld with other seeds is heard with these. */
export function unchangedAmong<Arm extends ChangedArm>(
  arms: readonly Arm[],
  { base_arm: base, change }: ChangedArm,
): Arm | undefined {
  const { kind, seeds = 0 } = change ?? {};
  if (kind !== 'withhold' || seeds === 0) return arms.find(({ arm }) => arm === base);
  return arms.find(({ base_arm: of, change: other }) => of === base && other?.kind === 'seed' && other.seeds === seeds);
}
