import { z } from 'zod';
import { estimateShape } from '../statistics.ts';
import { swapSchema } from '../swaps.ts';

/** A setting of an arm: a parameter with its default filled in, or who plays. Values with several parts are JSON text. */
export const settingSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export type Setting = z.infer<typeof settingSchema>;

/** Everything that can differ between arms of one experiment. */
export const armSettingsSchema = z.strictObject({
  arm: z.string(),
  protocol: z.string(),
  version: z.int(),
  swap: swapSchema.nullable(),
  /** Name of the parameter -> value; `model`, `options`, `backend` and `belief` as well as the parameters. */
  settings: z.record(z.string(), settingSchema),
  /** What the protocol has where a file says nothing; parameters alone. */
  defaults: z.record(z.string(), settingSchema),
  /** Names of settings that change nothing in this arm, such as the examples of a style that shows none; absent: none. */
  idle: z.array(z.string()).optional(),
});
export type ArmSettings = z.infer<typeof armSettingsSchema>;

/** What is followed from step to step of a trial. */
export const traceKinds = ['exchange', 'divergence', 'opinion', 'reliability', 'evaluation'] as const;

const meanSchema = z.strictObject({
  /** Trials that have a value, and their cases: the unit that is resampled. */
  n: z.int(),
  cases: z.int(),
  /** Mean over cases of the mean over each case's trials. */
  ...estimateShape,
});

export const traceSchema = z.strictObject({
  kind: z.enum(traceKinds),
  arm: z.string(),
  /** `wd`, `crit`, `toTruth`…: the measures of `core/trajectory/traces.ts`. */
  measure: z.string(),
  /** Whose it is: `A`, `B`, `mixture`, `judge`; empty if it is of all. */
  of: z.string(),
  /** `step`: `1`, `2`, `opening`, `closing`; `0` is before the first round. */
  steps: z.array(meanSchema.extend({ step: z.string() })),
  /** Last value less the first, of trials that have two. */
  change: meanSchema,
  /** Value at each step, trial by trial in the order of `listed`; null where a trial has none. */
  values: z.array(z.array(z.number().nullable())),
});
export type Trace = z.infer<typeof traceSchema>;

const endSchema = z.strictObject({
  arm: z.string(),
  protocol: z.string(),
  rounds: z.int(),
  reason: z.string(),
  trials: z.array(z.string()),
});

const settlementSchema = z.strictObject({
  arm: z.string(),
  round: z.int(),
  result: z.enum(['passed', 'unreliable', 'unheard']),
  trials: z.array(z.string()),
});

const side = z.enum(['agentA', 'agentB']);
const points = z.strictObject({ agentA: z.int(), agentB: z.int() });

export const panelSchema = z.strictObject({
  trial: z.string(),
  arm: z.string(),
  case: z.string(),
  /** Titles; null where they were erased. */
  subtopics: z.array(z.string()).nullable(),
  sheets: z.array(
    z.strictObject({
      role: z.string(),
      /** The side that the judge read first. */
      first: side,
      /** By subtopic, 1-10. */
      scores: z.array(points),
      /** By the totals; null is a tie. */
      winner: side.nullable(),
      /** As the judge says; null is a tie. */
      declared: side.nullable(),
    }),
  ),
});
export type Panel = z.infer<typeof panelSchema>;

/** What the figures of single protocols are drawn from: rounds, panels, measures over many trials. */
export const protocolFiguresSchema = z.strictObject({
  /** Trials of the subset that have ended. */
  trials: z.int(),
  /** Arms that were run, those with something exchanged included; imported ones have no settings. */
  arms: z.array(armSettingsSchema),
  /** Arm -> its trials whose values are listed one by one, in the order of the sample: the first of them where there are many. */
  listed: z.record(z.string(), z.array(z.string())),
  traces: z.array(traceSchema),
  ends: z.array(endSchema),
  settlements: z.array(settlementSchema),
  /** In the order of the sample: the first of them where there are many. */
  panels: z.array(panelSchema),
  /** Debates with a panel, whether or not it is shown. */
  panelled: z.int(),
});
export type ProtocolFigures = z.infer<typeof protocolFiguresSchema>;
