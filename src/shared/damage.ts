// What a check of a record found wrong, and where.
import { z } from 'zod';

/** What of a trial, or of another chain, uses a text; or the event or row itself that is bad. */
export const textUseSchema = z.strictObject({
  trial: z.string(),
  /** Null where it is not known, and where the chain is of no trial. */
  experiment: z.string().nullable(),
  arm: z.string().nullable(),
  case: z.string().nullable(),
  /** From 0; absent where it is not known. */
  replicate: z.int().optional(),
  /** Of the first event, with its kind and field; null for a row of results. */
  seq: z.int().nullable(),
  kind: z.string(),
  field: z.string().nullable(),
  role: z.string().nullable(),
  phase: z.string().nullable(),
  /** Which speech of its trial it is, from 1; null where it is none. */
  number: z.int().nullable(),
  /** Events of the chain that use it so. */
  times: z.int(),
  /** The same in words. */
  what: z.string(),
});

/** What the row of a trial says that it is of. */
export const trialAboutSchema = textUseSchema.pick({ experiment: true, arm: true, case: true, replicate: true });

export const badRecordSchema = z.strictObject({
  /** Chain of the record: a trial id, or `experiment/NAME`; null where the fault is not in a chain. */
  trial: z.string().nullable(),
  seq: z.int().nullable(),
  /** Kind of the event, or what else is bad: `text`, `cases`, `trials`, `experiments`, `log`, `checkpoint`, `file`, `head`, `earlier`. */
  kind: z.string(),
  problem: z.string(),
  /** What text is at fault, and how, in words without hashes. Absent where the fault is in no text, or nothing is known of it. */
  plain: z.string().optional(),
  /** Where the bad text is used, or the bad event or row itself; at most 100. Absent where nothing is known of it. */
  uses: z.array(textUseSchema).optional(),
  /** Uses beyond these. */
  more_uses: z.int().optional(),
  /** Trials and other chains with such a use. */
  used_in: z.int().optional(),
  /** What the fault means for those who read the record. */
  meaning: z.string().optional(),
  /** A text that does not have its hash, as it is in the file, and how many characters more it has. Absent where no text is at fault. */
  passage: z.strictObject({ text: z.string(), more: z.int() }).optional(),
});

/** What a check of an experiment's chains and rows found. */
export const damageSchema = z.strictObject({
  trials: z.int(),
  /** Trials, and chains that they share, with a fault. */
  damaged: z.int(),
  /** The first fault of each, at most 10,000. */
  first: z.array(badRecordSchema),
});
export type Damage = z.infer<typeof damageSchema>;

/** How much of a record is bad, whichever fault is named first. */
export const countedSchema = z.strictObject({
  texts: z.int(),
  bad_texts: z.int(),
  /** Of several such texts, where they are: a line for each of the first trials, then how many more. */
  bad_text_places: z.array(z.string()).optional(),
  events: z.int(),
  bad_events: z.int(),
  files: z.int().optional(),
  bad_files: z.int().optional(),
  /** Names of these files, at most 20. */
  bad_file_names: z.array(z.string()).optional(),
  words: z.string(),
});
