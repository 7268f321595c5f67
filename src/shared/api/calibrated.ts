import { z } from 'zod';
import { experimentSchema } from '../experiment.ts';
import { conformalSchema, measureSchema } from '../statistics.ts';
import { subsetSchema } from './subset.ts';

/** An experiment that could calibrate the sets of labels of another one. */
export const calibrationChoiceSchema = z.strictObject({
  experiment: z.string(),
  /** On trial there. */
  cases: z.int(),
  /** Why it does not fit; null where it does. */
  why: z.string().nullable(),
});
export type CalibrationChoice = z.infer<typeof calibrationChoiceSchema>;

export const calibratedQuerySchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  /** The experiment whose cases calibrate. */
  calibration: experimentSchema.shape.name,
  /** The part of the trials that the sets are tried on; without it, all. */
  subset: subsetSchema.optional(),
});
export type CalibratedQuery = z.infer<typeof calibratedQuerySchema>;

/** Sets of labels of each arm that both experiments have, where it has beliefs. */
export const calibratedSchema = z.strictObject({
  arms: z.array(z.strictObject({ arm: z.string(), conformal: conformalSchema, measures: z.array(measureSchema) })),
  /** Arms that the other experiment does not have. */
  missing: z.array(z.string()),
});
export type Calibrated = z.infer<typeof calibratedSchema>;
