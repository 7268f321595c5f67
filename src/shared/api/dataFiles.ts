import { z } from 'zod';
import type { CaseKind, ShownFact, SplitName, Truth } from '../domain.ts';
import { type DataFormat, datasetSchema, delimiterSchema, encodingSchema, sheetSchema } from '../experiment.ts';

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

export interface DataFile {
  readonly id: string;
  readonly name: string;
  /** Comes with the program and cannot be removed. */
  readonly bundled: boolean;
  readonly addedAt: string | null;
  readonly format: DataFormat;
  readonly definition: CaseDefinition;
  readonly cases: number;
  readonly labels: readonly string[];
  readonly positive: string | null;
  /** Where the data come from and what may be done with them; null for imported ones. */
  readonly source: string | null;
  readonly experiments: readonly string[];
}

export interface Inspection {
  readonly format: DataFormat;
  /** Names of the sheets of a workbook; empty for all else. */
  readonly sheets: readonly string[];
  readonly rows: number;
  readonly columns: readonly {
    readonly name: string;
    /** Up to 50 distinct values in order of appearance; null where there are more, or one is a text of over 200 characters. */
    readonly values: readonly string[] | null;
    /** Rows with each of the values, in their order; absent where these are null. */
    readonly rowsOfValues?: readonly number[];
    /** The first non-empty values, at most 3, shortened to 200 characters. */
    readonly examples: readonly string[];
    readonly empty: number;
    readonly longest: number;
    /** The column of ids of which no id has a value of this column twice, and nine of ten have each; absent where that is not so, or unknown. */
    readonly eachOncePer?: string;
    /** The column of ids of which rows with one id differ in this column, among the first 200 ids; absent where not, or unknown. */
    readonly variesPer?: string;
    /** Where every cell that is not empty is a number, also with a percent sign: the range, and whether all are whole. */
    readonly numbers?: { readonly least: number; readonly greatest: number; readonly whole: boolean };
  }[];
  readonly guess: CaseDefinition;
}

export interface ListedCase {
  readonly id: string;
  readonly split: SplitName;
  readonly facts: readonly ShownFact[];
  readonly question: string | null;
  readonly truth: Truth;
  readonly groups: Readonly<Record<string, string>>;
  /** What people call the columns of groups, where that is not their own name. */
  readonly groupTitles: Readonly<Record<string, string>>;
}

export interface CasePreview {
  readonly kind: CaseKind;
  readonly question: string | null;
  readonly cases: number;
  readonly labels: readonly string[];
  /** As the definition says; null where it says nothing. */
  readonly positive: string | null;
  /** Cases per label; `null` as label counts those without known truth. */
  readonly byLabel: readonly { readonly label: string | null; readonly cases: number }[];
  readonly bySplit: readonly { readonly split: SplitName; readonly cases: number }[];
  readonly notes: readonly string[];
  /** The first cases, at most 20. */
  readonly first: readonly ListedCase[];
}

export interface CasePage {
  readonly total: number;
  readonly cases: readonly ListedCase[];
  /** As in a preview: over all cases of the entry, for any search. */
  readonly byLabel: CasePreview['byLabel'];
}
