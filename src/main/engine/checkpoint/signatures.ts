// Makes and checks the signatures of notes: Ed25519 by Node.
import { createPublicKey, verify } from 'node:crypto';
import {
  keyIdOf,
  namedWitness,
  parseNote,
  type SignatureLine,
  type SignedNote,
  signatureType,
  signedBytes,
  timedSignature,
  untimed,
  type VerifierKey,
  witnessKey,
} from '../../../core/checkpoint/note.ts';
import type { ProofReport } from '../../../shared/checkpoints.ts';
import { badInput } from '../../../shared/errors.ts';
import { fingerprintOf, type UserKey } from './userKey.ts';

export function logSignature(key: UserKey, origin: string, text: string): SignatureLine {
  const { publicKey } = key;
  const keyId = keyIdOf({ name: origin, type: signatureType.log, publicKey });
  return { name: origin, keyId, signature: key.sign(signedBytes(signatureType.log, text, 0)) };
}

/** The line of this user as a witness. @param seconds since 1970 */
export function witnessSignature(key: UserKey, text: string, seconds: number): SignatureLine {
  const witness = witnessKey(key.publicKey);
  const signature = timedSignature(seconds, key.sign(signedBytes(signatureType.witness, text, seconds)));
  return { name: witness.name, keyId: keyIdOf(witness), signature };
}

const isBy = (key: VerifierKey, line: SignatureLine): boolean =>
  line.name === key.name && Buffer.compare(keyIdOf(key), line.keyId) === 0;

function holds(key: VerifierKey, text: string, { signature: bytes }: SignatureLine): number | null {
  const found = untimed(key.type, bytes);
  if (found === null) return null;
  const x = Buffer.from(key.publicKey).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, signedBytes(key.type, text, found.seconds), publicKey, found.signature) ? found.seconds : null;
}

/** Seconds since 1970 at which a key signed (0: a log's own key), or null. @throws bad input for a false signature */
export function signedBy(key: VerifierKey, { text, signatures }: SignedNote): number | null {
  const line = signatures.find((each) => isBy(key, each));
  if (line === undefined) return null;
  const seconds = holds(key, text, line);
  if (seconds === null) throw badInput(`the signature of ${key.name} does not fit the checkpoint and its key`);
  return seconds;
}

export type Cosigner = ProofReport['cosigners'][number];

const mostSeconds = 8.64e12;

/**
 * The witnesses that cosigned a note, each checked where its key is known: from its name, or from `known`.
 * @param own the key that signed the checkpoint
 * @param owners public keys that signed checkpoints of the log, `own` among them: who owns it is no witness of it
 * @param known the only keys that count; null: those that the names say
 * @throws bad input for a cosignature that does not hold
 */
export function cosignersOf(
  note: SignedNote,
  own: VerifierKey,
  { owners = [own.publicKey], known = null }: { owners?: readonly Uint8Array[]; known?: readonly VerifierKey[] | null } = {},
): Cosigner[] {
  return note.signatures.flatMap((line): Cosigner[] => {
    if (isBy(own, line)) return [];
    const key = known === null ? namedWitness(line.name) : known.find((each) => isBy(each, line));
    const isWitness = key?.type === signatureType.witness && isBy(key, line);
    if (!isWitness) return [{ name: line.name, fingerprint: null, at: null }];
    if (owners.some((owner) => Buffer.compare(key.publicKey, owner) === 0)) return [];
    const seconds = holds(key, note.text, line);
    if (seconds === null || seconds > mostSeconds)
      throw badInput(`the cosignature of ${line.name} does not fit the checkpoint and its key`);
    return [{ name: line.name, fingerprint: fingerprintOf(key.publicKey), at: new Date(seconds * 1000).toISOString() }];
  });
}

/** The note of a stored checkpoint with what was attached to it. Throws bad input. */
export const wholeNote = ({ note, cosignatures }: { note: string; cosignatures: string }): SignedNote =>
  parseNote(note + cosignatures);
