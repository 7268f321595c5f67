// Makes the checkpoints of a store, proves with them, and attaches what others signed.

import {
  consistencyProof,
  growingTree,
  inclusionProof,
  isExtended,
  leafBytes,
  sameBytes,
  subtreesOf,
} from '../../../core/checkpoint/merkle.ts';
import {
  checkpointText,
  extensionProofText,
  noteText,
  parseCheckpoint,
  parseNote,
  parseTrialProof,
  type SignedNote,
  signatureText,
  signatureType,
  trialProofText,
  type VerifierKey,
  verifierKeyText,
} from '../../../core/checkpoint/note.ts';
import type { CheckpointView } from '../../../shared/api/record.ts';
import type { CheckpointReport } from '../../../shared/checkpoints.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { checkRecord, ownCall } from '../commandText.ts';
import type { CheckpointRow } from '../store/log.ts';
import { originOf } from '../store/origin.ts';
import type { Store } from '../store/store.ts';
import { cosignersOf, logSignature, wholeNote } from './signatures.ts';
import { fingerprintOf, type UserKey } from './userKey.ts';

const logKey = (origin: string, publicKey: Uint8Array): VerifierKey => ({ name: origin, type: signatureType.log, publicKey });

const ownersOf = (store: Store): Uint8Array[] => store.log.checkpoints().map(({ key }) => key);

const nothingYet = (store: Store): AssizeError =>
  new AssizeError('not-found', `the store has no checkpoint yet; make one with ${ownCall} checkpoint`, { file: store.path });

const damaged = (store: Store): AssizeError =>
  new AssizeError('store-unreadable', 'the log of the store is damaged', {
    file: store.path,
    remedy: checkRecord('to see what was changed'),
  });

/** A proof that proves nothing comes of a damaged log. */
function proving<T>(store: Store, prove: () => T): T {
  try {
    return prove();
  } catch {
    throw damaged(store);
  }
}

function newest(store: Store): CheckpointRow {
  const row = store.log.checkpoints().at(-1);
  if (row === undefined) throw nothingYet(store);
  return row;
}

function rootAt(store: Store, size: number): Uint8Array {
  const subtrees = subtreesOf(size).map(({ level, index }) => store.log.node(level, index));
  return growingTree(subtrees, size).root();
}

export function checkpointReport(store: Store, row: CheckpointRow): CheckpointReport {
  const note = wholeNote(row);
  const { origin, size } = parseCheckpoint(note.text);
  const key = logKey(origin, row.key);
  return {
    store: store.path,
    origin,
    size,
    root: note.text.split('\n')[2] ?? '',
    made_at: row.made_at,
    fingerprint: fingerprintOf(row.key),
    key: verifierKeyText(key),
    cosigners: cosignersOf(note, key, { owners: ownersOf(store) }),
    time_stamp: row.time_stamp !== null,
    note: noteText(note),
  };
}

/** The newest checkpoint, or null, and how many entries one made now would cover. */
export function checkpointView(store: Store): CheckpointView {
  const row = store.log.checkpoints().at(-1);
  const origin = originOf(store.path);
  const given = origin?.kind === 'bundle' ? origin : null;
  const view = {
    size: store.log.sizeToCover(),
    bundle: given?.file ?? null,
    bundle_signers: given?.signers ?? [],
    bundle_signed_at: given?.signed_at ?? null,
  };
  if (row === undefined) return { ...view, checkpoint: null };
  const { store: _path, ...checkpoint } = checkpointReport(store, row);
  return { ...view, checkpoint };
}

/** Signs the log as it is, or returns this key's checkpoint of it. @throws not-found (no record), store-unreadable */
export function makeCheckpoint(store: Store, key: UserKey): CheckpointReport {
  const row = store.write(
    () => {
      const origin = store.log.origin() ?? '';
      if (origin === '') throw damaged(store);
      const { size, root } = store.log.cover();
      if (size === 0)
        throw new AssizeError('not-found', 'nothing is on the record yet, so there is nothing to sign', { file: store.path });
      const last = store.log.checkpoints().at(-1);
      if (last !== undefined) {
        const before = parseCheckpoint(parseNote(last.note).text);
        if (before.size > size || !sameBytes(rootAt(store, before.size), before.root))
          throw new AssizeError(
            'store-unreadable',
            `the log of the store does not extend its newest checkpoint, of ${before.size} entries, so nothing was signed`,
            { file: store.path, remedy: checkRecord('to see what was changed') },
          );
        if (before.size === size && sameBytes(last.key, key.publicKey)) return last;
      }
      const text = checkpointText({ origin, size, root });
      const note = noteText({ text, signatures: [logSignature(key, origin, text)] });
      return store.log.add({ size, note, key: Buffer.from(key.publicKey) });
    },
    { durable: true },
  );
  return checkpointReport(store, row);
}

/**
 * A checkpoint at the end of a run. What kept it from being made is returned as a sentence: the run is over all the same.
 * @param wordsOf what the sentence says of an error: without it the advice of the command line
 */
export function checkpointAfterRun(
  store: Store,
  openKey: () => UserKey,
  wordsOf = ({ advice }: AssizeError): string => advice,
): string | null {
  try {
    makeCheckpoint(store, openKey());
    return null;
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return `no checkpoint was made: ${wordsOf(error)}`;
  }
}

/** The newest attempt's `tlog-proof`, best in a witnessed checkpoint. @throws not-found where not ended or not covered */
export function trialProof(store: Store, trial: string): string {
  const leaf = store.log.newestLeaf(trial);
  const field = '--trial';
  if (store.log.origin() === null) throw nothingYet(store);
  if (leaf === undefined)
    throw new AssizeError('not-found', `no trial ${JSON.stringify(trial)} has ended in this store`, { file: store.path, field });
  const covering = store.log.checkpoints().filter(({ size }) => size > leaf.position);
  const row = covering.findLast(({ cosignatures }) => cosignatures !== '') ?? covering.at(-1);
  if (row === undefined)
    throw new AssizeError('not-found', `no checkpoint covers this trial yet; make one with ${ownCall} checkpoint`, {
      file: store.path,
      field,
    });
  const head = leaf.head.toString('hex');
  const hashes = inclusionProof(store.log.node, leaf.position, row.size);
  const text = trialProofText(leafBytes(trial, head), leaf.position, { hashes, checkpoint: row.note + row.cosignatures });
  return proving(store, () => {
    if (!parseTrialProof(text).holds) throw damaged(store);
    return text;
  });
}

/** The proof that the newest checkpoint extends an earlier one, as tlog-witness takes it. Throws bad input where it does not. */
export function extensionProof(store: Store, earlier: SignedNote): string {
  const from = parseCheckpoint(earlier.text);
  const row = newest(store);
  const to = parseCheckpoint(parseNote(row.note).text);
  const field = '--since';
  if (from.origin !== to.origin) throw badInput(`the checkpoint is of another log, ${from.origin}`, field);
  if (from.size > to.size)
    throw badInput(`the checkpoint has ${from.size} entries and the newest one of the store ${to.size}`, field);
  const hashes = consistencyProof(store.log.node, from.size, to.size);
  if (!isExtended(from, to, hashes))
    throw badInput(
      'the newest checkpoint of the store does not extend this one: the record was changed in between, or is another',
      field,
    );
  return extensionProofText(from.size, { hashes, checkpoint: row.note + row.cosignatures });
}

/** Attaches the cosignatures of a checkpoint that a witness gave back. Throws bad input where it has none that is new and holds. */
export function attachCosigned(store: Store, text: string): CheckpointReport {
  const cosigned = parseNote(text);
  const row = store.log.checkpoints().findLast(({ note }) => parseNote(note).text === cosigned.text);
  if (row === undefined)
    throw badInput('no checkpoint of this store has this origin, size and root; a witness has to sign one of them');
  const known = new Set(wholeNote(row).signatures.map(signatureText));
  const own = logKey(parseCheckpoint(cosigned.text).origin, row.key);
  const added = cosigned.signatures.filter((line) => {
    if (known.has(signatureText(line)) || line.name === own.name) return false;
    return cosignersOf({ text: cosigned.text, signatures: [line] }, own, { owners: ownersOf(store) }).length > 0;
  });
  if (added.length === 0)
    throw badInput(
      'it has no cosignature by another key that the store does not have already; the witness has to sign it with assize cosign',
    );
  const cosignatures = row.cosignatures + added.map(signatureText).join('');
  wholeNote({ note: row.note, cosignatures });
  store.write(() => store.log.attach(row.id, { cosignatures }), { durable: true });
  return checkpointReport(store, { ...row, cosignatures });
}

/** Keeps a file of a time stamping service with the newest checkpoint. It is not checked. */
export function attachTimeStamp(store: Store, file: Buffer): CheckpointReport {
  const row = newest(store);
  if (row.time_stamp !== null && !row.time_stamp.equals(file))
    throw badInput('the newest checkpoint has another time stamp already; make a new checkpoint and have that stamped');
  store.write(() => store.log.attach(row.id, { time_stamp: file }), { durable: true });
  return checkpointReport(store, { ...row, time_stamp: file });
}

/** The time stamp of the newest checkpoint that has one, as it was attached. Throws not-found. */
export function timeStampOf(store: Store): Buffer {
  const file = store.log.checkpoints().findLast(({ time_stamp }) => time_stamp !== null)?.time_stamp;
  if (file) return file;
  throw new AssizeError('not-found', 'no time stamp is attached to a checkpoint of this store', { file: store.path });
}
