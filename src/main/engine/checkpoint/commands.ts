// What `assize checkpoint` and `assize cosign` do, one function each.
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { base64 } from '@scure/base';
import { z } from 'zod';
import { isExtended, sameBytes } from '../../../core/checkpoint/merkle.ts';
import {
  type Checkpoint,
  checkpointText,
  noteText,
  parseCheckpoint,
  parseExtensionProof,
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
import { AssizeError, badInput, systemCode } from '../../../shared/errors.ts';
import { readTextFile } from '../lab/jsonFile.ts';
import { keptFaults, signingKey } from '../service/knownFaults.ts';
import { configurationFolder } from '../store/location.ts';
import { openStore, openStoreReadOnly, type Store } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { writeWholeFile } from '../wholeFile.ts';
import { attachCosigned, attachTimeStamp, extensionProof, makeCheckpoint, timeStampOf, trialProof } from './checkpoints.ts';
import { cosignersOf, signedBy, witnessSignature } from './signatures.ts';
import { fingerprintOf, openUserKey, type UserKey } from './userKey.ts';

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

const madeOf = ({ made }: UserKey) => (made === undefined ? {} : { key_made: made });

/** `assize checkpoint`. `isNew`: there was something to sign. Throws bad input where the record is known to be damaged. */
export function checkpoint(path: string): Promise<{ readonly report: CheckpointReport; readonly isNew: boolean }> {
  const openKey = signingKey(keptFaults(path));
  return withStore(openStore(path, { create: false }), (store) => {
    const before = store.log.checkpoints();
    const key = openKey();
    const report = makeCheckpoint(store, key);
    const isNew = store.log.checkpoints().length > before.length;
    const last = before.at(-1)?.key;
    const other = last === undefined || sameBytes(last, key.publicKey) ? {} : { key_before: fingerprintOf(last) };
    return { report: { ...report, ...madeOf(key), ...other }, isNew };
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
  const key = openUserKey();
  const origin = existsSync(path) ? await withStore(openStoreReadOnly(path), (store) => store.log.origin()) : null;
  return {
    ...madeOf(key),
    fingerprint: fingerprintOf(key.publicKey),
    witness_key: verifierKeyText(witnessKey(key.publicKey)),
    log_key: origin === null ? null : verifierKeyText({ name: origin, type: signatureType.log, publicKey: key.publicKey }),
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

/** Origin -> the largest tree of that log that this user cosigned. */
const seenSchema = z.record(z.string(), z.strictObject({ size: z.int().min(0), root: z.base64() }));

const seenPath = (): string => join(configurationFolder(), 'witnessed.json');

function readSeen(path: string): z.infer<typeof seenSchema> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return {};
    throw badInput('the list of what you have cosigned cannot be read; check its permissions', { file: path });
  }
  try {
    return seenSchema.parse(JSON.parse(text));
  } catch {
    throw badInput(
      'the list of what you have cosigned is damaged; restore it from a copy, for it keeps you from signing two histories',
      {
        file: path,
      },
    );
  }
}

/** Throws bad input unless the later tree begins with the earlier one. */
function refuseOtherHistory(earlier: Checkpoint, later: Checkpoint, proof: string | undefined): void {
  if (earlier.origin !== later.origin) throw badInput(`the earlier checkpoint is of another log, ${earlier.origin}`, '--since');
  if (earlier.size > later.size)
    throw badInput(
      `you have seen ${earlier.size} entries of this log, and the checkpoint has ${later.size}: it goes back in time`,
    );
  if (earlier.size === later.size) {
    if (sameBytes(earlier.root, later.root)) return;
    throw badInput(
      `you have seen another history of the same ${earlier.size} entries; keep both checkpoints, they show that it was changed`,
    );
  }
  if (proof === undefined) {
    throw badInput(
      `you have seen ${earlier.size} entries of this log; ask its owner for the proof that this checkpoint extends them (assize checkpoint --since with your copy)`,
      '--proof',
    );
  }
  const { from, hashes, checkpoint } = parseExtensionProof(proof);
  const field = '--proof';
  if (from !== earlier.size || parseNote(checkpoint).text !== checkpointText(later))
    throw badInput(
      `the proof leads from ${from} entries to another checkpoint; it has to lead from ${earlier.size} to this one`,
      field,
    );
  if (!isExtended(earlier, later, hashes))
    throw badInput('the proof does not hold: this checkpoint does not extend the one that you have seen', field);
}

interface Asked {
  readonly note: SignedNote;
  /** What was seen before, where it is not on this user's own list. */
  readonly since: SignedNote | undefined;
  readonly proof: string | undefined;
  /** The keys of logs that this user trusts; none: the log's own signature is not checked. */
  readonly keys: readonly VerifierKey[];
}

/** Adds this user's cosignature, and remembers what it signed before it hands it out. Throws bad input for another history. */
export function cosign(key: UserKey, { note, since, proof, keys }: Asked, now: Date): CosignReport {
  const later = parseCheckpoint(note.text);
  if (note.text !== checkpointText(later))
    throw badInput('the checkpoint has lines of an extension, which no witness of this program signs');
  const trusted = keys.filter(({ name }) => name === later.origin);
  if (keys.length > 0 && !trusted.some((each) => signedBy(each, note) !== null))
    throw badInput('the checkpoint is not signed by a key that you gave for this log', '--key');
  const path = seenPath();
  const seen = readSeen(path);
  const own = seen[later.origin];
  const remembered = own === undefined ? null : { origin: later.origin, size: own.size, root: base64.decode(own.root) };
  const given = since === undefined ? null : parseCheckpoint(since.text);
  if (remembered !== null && given !== null && given.size !== remembered.size)
    throw badInput(`you cosigned ${remembered.size} entries of this log already; the proof has to begin there`, '--since');
  if (remembered !== null && given !== null) refuseOtherHistory(remembered, given, undefined);
  const earlier = given ?? remembered;
  if (earlier !== null) refuseOtherHistory(earlier, later, proof);
  const line = witnessSignature(key, note.text, Math.floor(now.getTime() / 1000));
  const others = note.signatures.filter(({ name }) => name !== line.name);
  writeWholeFile(
    path,
    `${JSON.stringify({ ...seen, [later.origin]: { size: later.size, root: base64.encode(later.root) } }, null, 2)}\n`,
  );
  return {
    origin: later.origin,
    size: later.size,
    extends: earlier?.size ?? null,
    signature_checked: trusted.length > 0,
    ...madeOf(key),
    witness_key: verifierKeyText(witnessKey(key.publicKey)),
    fingerprint: fingerprintOf(key.publicKey),
    note: noteText({ text: note.text, signatures: [...others, line] }),
  };
}
