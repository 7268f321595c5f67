import { z } from 'zod';

/** What the figures of single protocols are drawn from: rounds, panels, measures over many trials. */
export const protocolFiguresSchema = z.strictObject({
  /** Trials of the subset that have ended. */
  trials: z.int(),
});
export type ProtocolFigures = z.infer<typeof protocolFiguresSchema>;
