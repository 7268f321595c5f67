import { z } from 'zod';
import { experimentSchema } from '../experiment.ts';
import { uploadHandleSchema } from './dataFiles.ts';

export const figureFormats = ['svg', 'png', 'csv'] as const;
export type FigureFormat = (typeof figureFormats)[number];

/** Letters of one piece of a file: a message of the loopback host takes a megabyte. */
export const mostChunkLetters = 400_000;

/** A drawn figure, handed over piece by piece to be saved. */
export const figureFileSchema = z.strictObject({
  experiment: experimentSchema.shape.name,
  /** Id of the figure, for the file's name. */
  figure: z.string().regex(/^[a-z0-9-]{1,80}$/),
  format: z.enum(figureFormats),
  /** Handle of what came before; null for the first piece. */
  file: uploadHandleSchema.nullable(),
  /** Text, or base64 of a `png` in whole groups of four letters. */
  chunk: z.string().max(mostChunkLetters),
});
