import { z } from 'zod';
import { measureSchema } from '../statistics.ts';

const index = z.int().min(0);
const share = z.number().min(0).max(1);

/** A moment of a protocol at which a belief is stated: before anyone spoke, after a speech, after a round, the verdict. */
export const deliberationStepSchema = z.strictObject({
  /** As an axis has it: `start`, `P1`, `D1`, `round 2`, `verdict`. */
  name: z.string(),
  /** Side of the speech before it; null where it follows none of a side. */
  side: z.enum(['prosecution', 'defense']).nullable(),
});
export type DeliberationStep = z.infer<typeof deliberationStepSchema>;

/** What a trial's deliberation made of its first answer, by the truth. */
export const changeKinds = ['stayedRight', 'degraded', 'corrected', 'stayedWrong'] as const;

/** How a bench of several judges or voters split: all for one label; more than half; no more than half for any. */
export const benchSplits = ['unanimous', 'majority', 'divided'] as const;
/** What people read for each. */
export const benchText: Readonly<Record<BenchSplit, string>> = {
  unanimous: 'unanimous',
  majority: 'bench majority',
  divided: 'divided',
};
export type BenchSplit = (typeof benchSplits)[number];

/** A measure of one arm over the trials of the subset, each case weighing the same; docs/statistics.md defines them. */
export const deliberationMeasureSchema = z.strictObject({
  arm: index,
  /** The split of the bench that it is of; null where it is of none. */
  split: z.enum(benchSplits).nullable(),
  /** The role and the step that it is of, as places in `roles` and `steps`; null where it is of none. */
  role: index.nullable(),
  step: index.nullable(),
  /** The trials that it is over, as places in `rows`; absent where no figure lists them. */
  rows: z.array(index).optional(),
  measure: measureSchema,
});
export type DeliberationMeasure = z.infer<typeof deliberationMeasureSchema>;

/**
 * What the figures about deliberation are drawn from: the ways of many trials to their verdicts. Columns of numbers, all
 * of one table as long as each other; what is named is a place in a list. A thousand trials are some 60 KB of JSON.
 */
export const deliberationFiguresSchema = z.strictObject({
  /** Trials of the subset that have ended. */
  trials: z.int(),
  labels: z.array(z.string()),
  positive: z.string().nullable(),
  /**
   * The label whose probability the values of `points` are: `positive`, of two labels the positive one (the last where none is), in
   * `label`; of more labels the `true` one of each case, or where no case has a known truth the one that was `predicted` in the end.
   * Where several labels can apply to a case, the mean over its `true-labels`, or over its `predicted-labels`.
   */
  follows: z.strictObject({
    rule: z.enum(['positive', 'true', 'predicted', 'true-labels', 'predicted-labels']),
    label: z.string().nullable(),
  }),
  arms: z.array(
    z.strictObject({
      name: z.string(),
      protocol: z.string(),
      /** Places in `steps` in the order of the protocol; verdict last. */
      steps: z.array(index),
    }),
  ),
  cases: z.array(z.string()),
  roles: z.array(z.string()),
  steps: z.array(deliberationStepSchema),
  /** Outcomes that occur. */
  outcomes: z.array(z.string()),
  /** One row for each trial that has ended, in the order of the experiment. */
  rows: z.strictObject({
    trial: z.array(z.string()),
    arm: z.array(index),
    case: z.array(index),
    outcome: z.array(index),
    /** Place in `labels` of the truth; -1: not known, or several labels. */
    truth: z.array(z.int().min(-1)),
    /** 1 right, 0 wrong, -1 not decided or truth unknown. */
    correct: z.array(z.int().min(-1).max(1)),
    /** 1 ambiguous, 0 not, -1 not asked or unknown. */
    ambiguous: z.array(z.int().min(-1).max(1)),
    /** Place in `changeKinds`; -1: no first answer, no verdict or no truth. */
    change: z.array(z.int().min(-1).max(3)),
    /** Changes of the leading label among the beliefs that the ruling role held; -1: fewer than two. */
    flips: z.array(z.int().min(-1)),
    /** Place in `steps` of the last of them; -1: none. */
    lastFlip: z.array(z.int().min(-1)),
    /** 1: beliefs were recalled at the end, and are in no line. */
    recalled: z.array(z.int().min(0).max(1)),
    /** Place in `benchSplits`; -1: no bench of several that answered. */
    split: z.array(z.int().min(-1).max(2)),
  }),
  /** One row for each role that stated beliefs at two moments or more of a decided trial. */
  lines: z.strictObject({
    /** Place in `rows`. */
    row: z.array(index),
    role: z.array(index),
    /** 1: the role that rules, or the mixture that becomes the verdict; 0: one that argues. */
    rules: z.array(z.int().min(0).max(1)),
    /** Place of its first point; its last is before the first of the next line. */
    from: z.array(index),
  }),
  points: z.strictObject({
    step: z.array(index),
    /** Probability of the followed label, or mean of those of the followed labels, 0-1, to four places. */
    value: z.array(share),
  }),
  /** What single speeches moved; empty, and counted in `leftOut`, where there are more than can be looked at one by one. */
  effects: z.strictObject({
    row: z.array(index),
    side: z.array(z.enum(['prosecution', 'defense'])),
    /** As the measures of the report have it: `opening`, `rebuttal`, `closing`. */
    turn: z.array(z.string()),
    /** Change towards the label that the side argues for, -1 to 1, to four places. */
    towards: z.array(z.number().min(-1).max(1)),
    leftOut: z.int(),
  }),
  measures: z.array(deliberationMeasureSchema),
});
export type DeliberationFigures = z.infer<typeof deliberationFiguresSchema>;
