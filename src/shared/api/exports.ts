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

/** How far a report is, a few times a second, and at its end the handle of its file. */
export type ReportFrame =
  /** `share`: of the work that is done, 0-1. */
  | { readonly kind: 'progress'; readonly share: number; readonly what: string }
  | {
      readonly kind: 'done';
      readonly file: string;
      readonly fileName: string;
      /** Why the file is HTML where a PDF was asked for; null where it is what was asked for. */
      readonly note: string | null;
    };

/**
 * What `exports.make` writes, with the end of its file's name. `experiment-file`: what `assize run` reads, and `statistics-json`: what
 * `assize stats --json` prints, for any trial.
 */
export const exportExtensions = {
  'trials-csv': 'csv',
  'trials-jsonl': 'jsonl',
  'cases-csv': 'cases.csv',
  'reviews-csv': 'reviews.csv',
  'reviews-jsonl': 'reviews.jsonl',
  'events-jsonl': 'events.jsonl',
  'experiment-file': 'json',
  'statistics-json': 'statistics.json',
  bundle: 'zip',
  'redacted-bundle': 'redacted.zip',
} as const;
export const exportFormatSchema = z.enum(Object.keys(exportExtensions) as (keyof typeof exportExtensions)[]);
