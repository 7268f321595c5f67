import { z } from 'zod';
import { datasetSchema } from './experiment.ts';
import { count } from './sizes.ts';

/** Protocol of the arms whose predictions come from a file. No program runs it, and no experiment file can name it. */
export const importedProtocol = { id: 'imported', version: 1 } as const;

export const isImported = ({ protocol }: { readonly protocol: string }): boolean => protocol === importedProtocol.id;

/** After a count of planned trials, which imported predictions are none of: `, and 2 imported`; nothing where there are none. */
export const andImported = (trials: number): string => (trials === 0 ? '' : `, and ${count(trials)} imported`);

const column = z.string().min(1);

/** Columns of the file, by what they hold; null where the file has none for it. */
export const predictionColumnsSchema = z.strictObject({
  case: column,
  prediction: column.nullable(),
  confidence: column.nullable(),
  repeat: column.nullable(),
  system: column.nullable(),
  truth: column.nullable(),
  /** Columns of the case's groups; each is a group column of the data set. */
  groups: z.array(column).default([]),
  /** Columns of the successive opinions before the prediction, in their order. */
  opinions: z.array(column).default([]),
  /** Column of the case's sampling weight. */
  weight: column.nullable().default(null),
  /** Label and the column of its probability, in order. */
  probabilities: z.array(z.tuple([z.string(), column])).default([]),
});
export type PredictionColumns = z.infer<typeof predictionColumnsSchema>;

/** A file without any column but that of the cases. */
export const noColumns = {
  prediction: null,
  confidence: null,
  repeat: null,
  system: null,
  truth: null,
  groups: [],
  opinions: [],
  weight: null,
  probabilities: [],
} satisfies Omit<PredictionColumns, 'case'>;

/** Which numbers mean the positive label: `>=5`. */
export const positiveIfSchema = z.string().regex(/^\s*(?:>=|<=|>|<|=)\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/, {
  message: 'a comparison is wanted: >=, >, <=, < or =, then a number, such as >=5',
});

export const predictionReadingSchema = z.strictObject({
  /** Value -> its meaning, in order. */
  map: z.array(z.tuple([z.string(), z.string()])),
  positiveIf: positiveIfSchema.nullable(),
  /** What certainty is in the file: 1, or 100 for percentages. */
  confidenceScale: z.union([z.literal(1), z.literal(100)]),
});
export type PredictionReading = z.infer<typeof predictionReadingSchema>;

/** What a new experiment says beyond its file; absent: the last label is positive, and the question asks for the right label. */
export const newExperimentSchema = datasetSchema.pick({ positive: true, question: true });
export type NewExperiment = z.infer<typeof newExperimentSchema>;

/** The text that every imported prediction of the record refers to: where it came from and how it was read. */
export const importMappingSchema = z.strictObject({
  v: z.literal(1),
  /** Name of the file, without its folder. */
  file: z.string(),
  columns: predictionColumnsSchema,
  ...predictionReadingSchema.shape,
});
export type ImportMapping = z.infer<typeof importMappingSchema>;

export const ownProbabilitySchema = z.strictObject({
  of: z.int(),
  /** Those that are not the label with the highest probability. */
  against: z.int(),
  /** Of two labels: the same by the predicted label, with how many of those with a known truth are right. Absent with more labels. */
  directions: z
    .array(z.strictObject({ prediction: z.string(), instead_of: z.string(), n: z.int(), right: z.int(), of: z.int() }))
    .optional(),
  /** Of these, the ones with a known truth, and how many of them are right, with Wilson's interval; without ends where a case has several. Absent where no truth is known, and in the report of an import. */
  against_right: z
    .strictObject({
      right: z.int(),
      of: z.int(),
      level: z.number(),
      low: z.number().nullable(),
      high: z.number().nullable(),
    })
    .optional(),
  /** Of two labels: the ends between which every threshold of the label's probability gives all predictions; null where none does. Absent with more labels. */
  threshold: z.strictObject({ label: z.string(), from: z.number(), to: z.number() }).nullable().optional(),
});
export type OwnProbability = z.infer<typeof ownProbabilitySchema>;

const countsSchema = {
  /** Predictions of the file for cases on trial. */
  trials: z.int(),
  /** Of these, those that were not on the record before. */
  imported_now: z.int(),
  decided: z.int(),
  /** Value of the file -> trials whose value is no label; the 200 most frequent values, shortened to 200 characters. */
  undecided: z.record(z.string(), z.int()),
  /** All trials whose value is no label. */
  undecided_trials: z.int(),
};

export const importReportSchema = z.strictObject({
  experiment: z.string(),
  store: z.string(),
  created: z.boolean(),
  rows: z.int(),
  /** Cases on trial, and those of them that the file has a prediction for. */
  cases: z.strictObject({ on_trial: z.int(), predicted: z.int() }),
  ...countsSchema,
  /** Predictions for cases of the data set that are not on trial: they are not imported. */
  not_on_trial: z.int(),
  labels: z.array(z.string()),
  positive: z.string().nullable(),
  /** Undecided values that read like a label and are spelled in another way; `hints` says what to do about them. */
  alike: z.array(z.strictObject({ value: z.string(), label: z.string(), trials: z.int() })),
  /** Of two labels the one whose probability the confidences seem to be, since most for the other prediction are under 50%. */
  confidence_of: z.strictObject({ label: z.string(), prediction: z.string(), trials: z.int(), under_half: z.int() }).nullable(),
  /** Notes for the reader, in sentences; mostly none. */
  hints: z.array(z.string()),
  /** Value of the repeat column -> replicate is its place in this list. */
  repeats: z.array(z.string()),
  arms: z.array(
    z.strictObject({
      arm: z.string(),
      system: z.string(),
      /** Cases on trial that the system has a prediction for. */
      cases: z.int(),
      replicates: z.int(),
      ...countsSchema,
      /** Absent where no prediction has probabilities. */
      own_probability: ownProbabilitySchema.optional(),
    }),
  ),
  /** What else a reader should know, in sentences. */
  notes: z.array(z.string()),
});
export type ImportReport = z.infer<typeof importReportSchema>;
