import { z } from 'zod';
import type { CheckpointReport } from '../checkpoints.ts';
import { type Adoption, verifyReportSchema } from '../outputs.ts';
import { uploadHandleSchema } from './dataFiles.ts';

/** What a check of the whole record found: the report of `assize verify`, with the store's file name in place of its path. */
export const recordCheckSchema = verifyReportSchema.omit({ signer: true, against: true });
export type RecordCheck = z.infer<typeof recordCheckSchema>;

/** How far the check has come, a few times a second, and at its end what it found. It checks events, texts and trials in turn. */
export type RecordFrame =
  | {
      readonly kind: 'progress';
      readonly stage: 'texts' | 'events';
      readonly done: number;
      readonly of: number;
    }
  | { readonly kind: 'done'; readonly check: RecordCheck };

export const knownFaultSchema = z.strictObject({
  /** Null where it is not known, or not of one experiment or trial. */
  experiment: z.string().nullable(),
  trial: z.string().nullable(),
  problem: z.string(),
  /** What found it: a check of the record, a trial that was opened, the check of a trial, its replay, the check of chains and rows, an export. */
  by: z.enum(['check', 'trial', 'trial-check', 'replay', 'list', 'export']),
  at: z.iso.datetime(),
});
export type KnownFault = z.infer<typeof knownFaultSchema>;

/** What is known of damage without looking for it. */
export interface KnownRecord {
  /** The last check of the whole record; null where there was none. */
  readonly last: { readonly at: string; readonly result: RecordCheck['result']; readonly changed_since: boolean } | null;
  readonly faults: readonly KnownFault[];
}

/** The root or head that the user was given with a record; null where there is none. */
const headSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/i)
  .nullable();

export const recordQuestionSchema = z.strictObject({ head: headSchema.default(null) });

/** A store or a bundle that the user was given. */
export const recordFileSchema = z.strictObject({
  upload: uploadHandleSchema,
  head: headSchema,
  /** The text of an earlier checkpoint of it; null where none was given. */
  since: z.string().max(100_000).nullable().default(null),
});

/** The file that was checked last, if it is a bundle, and another copy of it. */
export const comparedFilesSchema = z.strictObject({ upload: uploadHandleSchema, other: uploadHandleSchema });

export const givenRecordSchema = z.strictObject({ record: uploadHandleSchema });

/** Where a copy of the user's own is, or can be. */
interface CopyPlace {
  readonly folder: string;
  readonly name: string;
}

const copyNameSchema = z
  .string()
  .min(1)
  .max(150)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
  .refine((name) => !/[\u0000-\u001f\u007f<>:"/\\|?*]|^\.|[.\s]$/.test(name), {
    error: 'a name of a file, without a folder, a dot at its beginning or signs such as / and :',
  });

/** The name of a new copy of the user's own; `.db` is added where it is missing. */
export const newCopySchema = z.strictObject({ name: copyNameSchema });

/** How far the making of a copy has come, a few times a second, and at its end the handle under which it is open and where it is. */
export type CopyFrame =
  | {
      readonly kind: 'progress';
      readonly step: 'check' | 'copy' | 'derive';
      readonly done: number;
      readonly of: number | null;
    }
  | { readonly kind: 'done'; readonly record: string; readonly place: CopyPlace };

/** Copies of the user's own that were made before, the newest first, at most 100. */
export type Copies = readonly { readonly name: string; readonly of: Adoption }[];

export interface RecordPlace {
  /** Path of the store, and its folder. A screen receives no other paths of this machine than those of this answer. */
  readonly store: string;
  readonly folder: string;
  readonly configuration: string;
  /** Where what can be made again is, and the log of internal errors; `cache` is null for a user without a home. */
  readonly cache: string | null;
  readonly log: string;
  /** Name of the file that the store was made of for reading, in a temporary folder; null for every other store. */
  readonly copy_of: string | null;
  /** For a record from elsewhere: a free name for a copy of the user's own, and its folder; null for every other record. */
  readonly copy: CopyPlace | null;
  readonly adopted: Adoption | null;
}

/** Bytes on the disk; what is not there is left out. `index`: of the search and of the queues; `cache`: other derived data. */
export type DiskUse = readonly { readonly of: 'record' | 'data' | 'index' | 'cache' | 'log'; readonly bytes: number }[];

export interface CheckpointView {
  /** Entries that a checkpoint made now would cover: ended attempts, and the other chains as they are. */
  readonly size: number;
  /** Name of the bundle that the record was unpacked from: its signatures are there alone. Null for every other record. */
  readonly bundle: string | null;
  /** Fingerprints of the keys that signed that bundle, as its check found them, and when the newest signature says that it was made. */
  readonly bundle_signers: readonly string[];
  readonly bundle_signed_at: string | null;
  /** The newest; null where there is none. */
  readonly checkpoint: Omit<CheckpointReport, 'store'> | null;
}
