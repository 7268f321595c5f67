// Requests about the whole record: its checks, its signatures, records of others and copies of them.
import { eventIterator, type } from '@orpc/contract';
import { z } from 'zod';
import type { Differences } from '../differences.ts';
import { type EraseReport, eraseTargetSchema } from '../erasure.ts';
import { base, byUpload, type HandedOut, nothing } from './contractBase.ts';
import {
  type CheckpointView,
  type Copies,
  type CopyFrame,
  comparedFilesSchema,
  type DiskUse,
  givenRecordSchema,
  type KnownRecord,
  newCopySchema,
  type RecordFrame,
  type RecordPlace,
  recordFileSchema,
  recordQuestionSchema,
} from './record.ts';

export const recordContract = {
  /** Checks the whole record. The stream ends after what was found; leaving the stream cancels the check. */
  check: base.input(recordQuestionSchema).output(eventIterator(type<RecordFrame>())),
  place: base.input(nothing).output(type<RecordPlace>()),
  /** How much of the disk the record and the user's own files take. */
  diskUse: base.input(nothing).output(type<DiskUse>()),
  /** What earlier checks found; nothing is read for it. */
  known: base.input(nothing).output(type<KnownRecord>()),
  /** The same for a file that is not the open store. */
  checkFile: base.input(recordFileSchema).output(eventIterator(type<RecordFrame>())),
  /** What differs between a bundle that was checked and another copy of it, which is removed afterwards. */
  compareFiles: base.input(comparedFilesSchema).output(type<Differences>()),
  /** Opens a file that was checked and found intact, so that connections can read it in place of the open store. */
  read: base.input(byUpload).output(type<{ record: string }>()),
  /** From now on this connection is answered from a record that was opened so. */
  enter: base.input(givenRecordSchema).output(type<void>()),
  /** Copies the record from elsewhere that is read into a new store of the user's own, as `assize adopt` does, and opens it. Leaving the stream cancels it. */
  copy: base.input(newCopySchema).output(eventIterator(type<CopyFrame>())),
  /** Such copies in the folder of the user's own record. */
  copies: base.input(nothing).output(type<Copies>()),
  /** Opens one of them. */
  openCopy: base.input(newCopySchema).output(type<{ record: string }>()),
  /** Leaves a given record, which is closed and removed, or a copy of the user's own, which stays open. */
  leave: base.input(givenRecordSchema).output(type<void>()),
  checkpoint: base.input(nothing).output(type<CheckpointView>()),
  /** Makes a checkpoint of all that is on the record now. */
  sign: base.input(nothing).output(type<CheckpointView>()),
  /** Keeps the cosignatures of a checkpoint, or a time stamp, from a file. */
  attach: base.input(byUpload).output(type<CheckpointView>()),
  /** Erases for good, or (not confirmed) says what that would do. */
  erase: base
    .input(z.strictObject({ target: eraseTargetSchema, confirmed: z.boolean() }))
    .output(type<Omit<EraseReport, 'store'>>()),
  /** Writes the newest checkpoint with its cosignatures, and returns its handle. */
  saveCheckpoint: base.input(nothing).output(type<HandedOut>()),
};
