import { z } from 'zod';
import { caseKindSchema, shownFactSchema, splitNameSchema, truthSchema } from '../domain.ts';
import { dataFormatSchema, datasetSchema, delimiterSchema, encodingSchema, sheetSchema } from '../experiment.ts';

/** How the rows of a file become cases: a data set's definition without its path and sample. */
export const caseDefinitionSchema = datasetSchema.omit({ path: true, sample: true });
export type CaseDefinition = z.infer<typeof caseDefinitionSchema>;

/** A file that a host has taken from the user; screens know it by this handle and never by its path. */
export const uploadHandleSchema = z.string().regex(/^[A-Za-z0-9_-]{22,64}$/);
export const uploadSchema = z.strictObject({ upload: uploadHandleSchema, fileName: z.string(), bytes: z.int().min(0) });
export type Upload = z.infer<typeof uploadSchema>;

/** How a file is to be read; what is absent is detected from the file. */
export const fileReadingSchema = z.strictObject({
  delimiter: delimiterSchema.optional(),
  encoding: encodingSchema.optional(),
  sheet: sheetSchema.optional(),
});
export type FileReading = z.infer<typeof fileReadingSchema>;

export const entryIdSchema = z.string().regex(/^[a-z0-9-]{1,64}$/);

/** A data set in the list of data sets. */
export const dataFileSchema = z.strictObject({
  id: entryIdSchema,
  name: z.string(),
  /** Comes with the program and cannot be removed. */
  bundled: z.boolean(),
  addedAt: z.string().nullable(),
  format: dataFormatSchema,
  definition: caseDefinitionSchema,
  cases: z.int(),
  labels: z.array(z.string()),
  positive: z.string().nullable(),
  /** Where the data come from and what may be done with them; null for imported ones. */
  source: z.string().nullable(),
  /** Experiments on record that were made from this entry. */
  experiments: z.array(z.string()),
});
export type DataFile = z.infer<typeof dataFileSchema>;

/** The content of a file before its columns have a meaning. */
export const inspectionSchema = z.strictObject({
  format: dataFormatSchema,
  /** Names of the sheets of a workbook; empty for all else. */
  sheets: z.array(z.string()),
  rows: z.int(),
  columns: z.array(
    z.strictObject({
      name: z.string(),
      /** Up to 50 distinct values in order of appearance; null where there are more, or one is a text of over 200 characters. */
      values: z.array(z.string()).nullable(),
      /** The first non-empty values, at most 3, shortened to 200 characters. */
      examples: z.array(z.string()),
      empty: z.int(),
      longest: z.int(),
      /** The column of ids of which no id has a value of this column twice, and nine of ten have each; absent where that is not so, or unknown. */
      eachOncePer: z.string().optional(),
      /** The column of ids of which rows with one id differ in this column, among the first 200 ids; absent where not, or unknown. */
      variesPer: z.string().optional(),
      /** Where every cell that is not empty is a number, also with a percent sign: the range, and whether all are whole. */
      numbers: z.strictObject({ least: z.number(), greatest: z.number(), whole: z.boolean() }).optional(),
    }),
  ),
  /** A definition that fits what was seen, for the user to check. */
  guess: caseDefinitionSchema,
});
export type Inspection = z.infer<typeof inspectionSchema>;

export const listedCaseSchema = z.strictObject({
  id: z.string(),
  split: splitNameSchema,
  facts: z.array(shownFactSchema),
  question: z.string().nullable(),
  truth: truthSchema,
  groups: z.record(z.string(), z.string()),
  /** What people call the columns of groups, where that is not their own name. */
  groupTitles: z.record(z.string(), z.string()),
});
export type ListedCase = z.infer<typeof listedCaseSchema>;

/** The cases that a definition yields from a file. */
export const casePreviewSchema = z.strictObject({
  kind: caseKindSchema,
  question: z.string().nullable(),
  cases: z.int(),
  labels: z.array(z.string()),
  /** As the definition says; null where it says nothing. */
  positive: z.string().nullable(),
  /** Cases per label; `null` as label counts those without known truth. */
  byLabel: z.array(z.strictObject({ label: z.string().nullable(), cases: z.int() })),
  bySplit: z.array(z.strictObject({ split: splitNameSchema, cases: z.int() })),
  notes: z.array(z.string()),
  /** The first cases, at most 20. */
  first: z.array(listedCaseSchema),
});
export type CasePreview = z.infer<typeof casePreviewSchema>;

export const casePageSchema = z.strictObject({
  total: z.int(),
  offset: z.int(),
  cases: z.array(listedCaseSchema),
  /** As in a preview: over all cases of the entry, for any search. */
  byLabel: casePreviewSchema.shape.byLabel,
  bySplit: casePreviewSchema.shape.bySplit,
});
export type CasePage = z.infer<typeof casePageSchema>;
