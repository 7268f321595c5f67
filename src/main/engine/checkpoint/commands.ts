// What `assize checkpoint` and `assize cosign` do, one function each.
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import {
  parseCheckpoint,
  parseNote,
  parseTrialProof,
  parseVerifierKey,
  type SignedNote,
  signatureType,
  type VerifierKey,
  verifierKeyText,
  witnessKey,
} from '../../../core/checkpoint/note.ts';
import type { CheckpointReport, CosignReport, KeyReport, ProofReport } from '../../../shared/checkpoints.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { readTextFile } from '../lab/jsonFile.ts';
import { keptFaults, signingKey } from '../service/knownFaults.ts';
import { openStore, openStoreReadOnly, type Store } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { attachCosigned, attachTimeStamp, extensionProof, makeCheckpoint, timeStampOf, trialProof } from './checkpoints.ts';
import { cosign } from './cosign.ts';
import { cosignersOf, signedBy } from './signatures.ts';
import { fingerprintOf, openUserKey } from './userKey.ts';

/** A checkpoint and a time stamp have some kilobytes each. */
const mostAttachedBytes = 1_000_000;

function ofFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AssizeError) || error.place.file !== undefined) throw error;
    throw error.at({ file });
  }
}

/** The checkpoint in a text. Throws bad input. */
export function checkpointOf(text: string): SignedNote {
  const note = parseNote(text);
  parseCheckpoint(note.text);
  return note;
}

/** The checkpoint in a file. Throws bad input. */
export const readCheckpoint = (file: string): SignedNote => ofFile(file, () => checkpointOf(readTextFile(file, 'a checkpoint')));

/** The keys in a file, one in each line. Throws bad input with file and line. */
export const readVerifierKeys = (file: string): VerifierKey[] =>
  readTextFile(file, 'a key in each line')
    .split('\n')
    .flatMap((text, index) => {
      // As `assize checkpoint --key` prints them.
      const key = text.trim().replace(/^(?:As a witness|Of this log): /, '');
      if (key === '' || key.startsWith('Fingerprint: ')) return [];
      try {
        return [parseVerifierKey(key)];
      } catch (error) {
        if (!(error instanceof AssizeError)) throw error;
        throw badInput(error.message, { file, line: index + 1 });
      }
    });

/** `assize checkpoint`. `isNew`: there was something to sign. Throws bad input where the record is known to be damaged. */
export function checkpoint(path: string): Promise<{ readonly report: CheckpointReport; readonly isNew: boolean }> {
  const openKey = signingKey(keptFaults(path));
  return withStore(openStore(path, { create: false }), (store) => {
    const before = store.log.checkpoints().length;
    const report = makeCheckpoint(store, openKey());
    return { report, isNew: store.log.checkpoints().length > before };
  });
}

/** `assize checkpoint --trial ID`. */
export const proveTrial = (path: string, trial: string): Promise<string> =>
  withStore(openStoreReadOnly(path), (store) => store.read(() => trialProof(store, trial)));

/** `assize checkpoint --since FILE`. */
export const proveExtension = (path: string, earlier: SignedNote): Promise<string> =>
  withStore(openStoreReadOnly(path), (store) => store.read(() => extensionProof(store, earlier)));

/** `assize checkpoint --time-stamp`. */
export const timeStamp = (path: string): Promise<Buffer> =>
  withStore(openStoreReadOnly(path), (store) => store.read(() => timeStampOf(store)));

/** The first bytes of a file say what it is: a time stamp is DER, a sequence of over 127 bytes, which no text in UTF-8 begins like. */
function isDer(file: string): boolean {
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(2);
    readSync(descriptor, start, 0, start.length, 0);
    return start[0] === 0x30 && (start[1] ?? 0) >= 0x80;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a cosigned checkpoint or a time stamp, and returns what attaches it to a store. Both throw bad input with the file. */
export function attachment(file: string): (store: Store) => CheckpointReport {
  const stats = existsSync(file) ? statSync(file) : null;
  if (stats?.isFile() !== true) throw badInput('there is no such file', { file });
  if (stats.size > mostAttachedBytes) throw badInput(`a file of over ${mostAttachedBytes} bytes is not kept`, { file });
  const stamp = isDer(file) ? readFileSync(file) : null;
  const text = stamp === null ? readTextFile(file, 'a checkpoint') : '';
  return (store) => ofFile(file, () => (stamp === null ? attachCosigned(store, text) : attachTimeStamp(store, stamp)));
}

/** `assize checkpoint --attach FILE`. */
export function attach(path: string, file: string): Promise<CheckpointReport> {
  const add = attachment(file);
  return withStore(openStore(path, { create: false }), add);
}

/** `assize checkpoint --key`: the user's key, made where there is none. @param path of the store, which need not be there */
export async function userKeyReport(path: string): Promise<KeyReport> {
  const { publicKey } = openUserKey();
  const origin = existsSync(path) ? await withStore(openStoreReadOnly(path), (store) => store.log.origin()) : null;
  return {
    fingerprint: fingerprintOf(publicKey),
    witness_key: verifierKeyText(witnessKey(publicKey)),
    log_key: origin === null ? null : verifierKeyText({ name: origin, type: signatureType.log, publicKey }),
  };
}

/** `assize verify --proof`. Throws bad input for a file that is no proof. */
export function verifyProof(
  file: string,
  { head: known, keys }: { head?: string | undefined; keys?: readonly VerifierKey[] | undefined },
): ProofReport {
  const { chain, head, position, note, holds } = ofFile(file, () => parseTrialProof(readTextFile(file, 'a proof')));
  const { origin, size } = parseCheckpoint(note.text);
  const trusted = (keys ?? []).filter(({ name, type }) => name === origin && type === signatureType.log);
  const matches = known === undefined ? null : known.toLowerCase() === head;
  const report = { proof: file, trial: chain, head, head_matches: matches, origin, position, size };
  const tampered = (problem: string): ProofReport => ({
    result: 'tampered',
    ...report,
    signature_checked: false,
    cosigners: [],
    problem,
  });
  if (!holds) return tampered('its hashes do not lead from this trial to the root of the checkpoint');
  if (matches === false) return tampered('it is of another head of the trial than the given one');
  try {
    const signed = trusted.filter((key) => signedBy(key, note) !== null);
    const [own = { name: origin, type: signatureType.log, publicKey: new Uint8Array(32) }] = signed;
    const others = { text: note.text, signatures: note.signatures.filter(({ name }) => name !== origin) };
    const cosigners = cosignersOf(others, own, { known: keys ?? null });
    if (keys !== undefined && signed.length === 0 && !cosigners.some(({ fingerprint }) => fingerprint !== null))
      return tampered('its checkpoint is not signed by a key that you gave');
    return { result: 'intact', ...report, signature_checked: signed.length > 0, cosigners, problem: null };
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return tampered(error.message);
  }
}

/** `assize cosign`. Throws bad input for another history. */
export function cosignFile(
  file: string,
  { since, proof, keys }: { since?: string | undefined; proof?: string | undefined; keys?: string | undefined },
): CosignReport {
  const asked = {
    note: readCheckpoint(file),
    since: since === undefined ? undefined : readCheckpoint(since),
    proof: proof === undefined ? undefined : readTextFile(proof, 'a proof'),
    keys: keys === undefined ? [] : readVerifierKeys(keys),
  };
  return ofFile(file, () => cosign(openUserKey(), asked, new Date()));
}
