import { z } from 'zod';

/** How often one judge or voter was right, and what its vote should count. */
export const seatWeightSchema = z.strictObject({
  /** `judge1`, `voter12`. */
  role: z.string(),
  /** Answers to cases with a known truth, and those of them that are right. */
  n: z.int(),
  right: z.int(),
  /** 0-1, with a 95% Wilson interval; null without an answer. */
  accuracy: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** From 0: see docs/protocols.md. */
  weight: z.number(),
});
export type SeatWeight = z.infer<typeof seatWeightSchema>;

/** What `assize weights --json` prints. */
export const weightsReportSchema = z.strictObject({
  experiment: z.string(),
  arm: z.string(),
  /** Finished trials that they are from, and those that are not finished. */
  trials: z.int(),
  unfinished: z.int(),
  /** In the order of the seats. */
  seats: z.array(seatWeightSchema).min(1),
});
export type WeightsReport = z.infer<typeof weightsReportSchema>;
