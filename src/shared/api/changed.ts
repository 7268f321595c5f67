import { z } from 'zod';
import { estimateShape, measureBases, swapStatisticsSchema } from '../statistics.ts';
import { comparedQuerySchema } from './compared.ts';
import { settingSchema } from './protocolFigures.ts';

/** Two arms whose trials are paired by case and replicate. */
export const changedQuerySchema = comparedQuerySchema.pick({ experiment: true, a: true, b: true, subset: true });
export type ChangedQuery = z.infer<typeof changedQuerySchema>;

export const changedMeasureSchema = z.strictObject({
  /**
   * `brier`, `miscalibration`, `expected_calibration_error` and `failed` as in a report; `overconfidence`: mean confidence less accuracy;
   * `prompt_tokens` and `completion_tokens` of a trial.
   */
  name: z.string(),
  over: z.enum(measureBases),
  /** Pairs of finished trials that both have the measure, and the cases they are of: the unit that is resampled. */
  pairs: z.int(),
  cases: z.int(),
  /** Of each arm over these pairs. */
  a: z.number().nullable(),
  b: z.number().nullable(),
  /** Of a less b. */
  difference: z.strictObject(estimateShape),
});
export type ChangedMeasure = z.infer<typeof changedMeasureSchema>;

/** What differs between two arms, and what that did. */
export const changedSchema = z.strictObject({
  /** Settings in which they differ; null where an arm does not have the setting. None for predictions from elsewhere. */
  settings: z.array(z.strictObject({ name: z.string(), a: settingSchema, b: settingSchema })),
  /** From the verdicts of b to those of a. */
  flips: swapStatisticsSchema.omit({ arm: true, swap: true, swapped_arm: true }),
  measures: z.array(changedMeasureSchema),
});
export type Changed = z.infer<typeof changedSchema>;
