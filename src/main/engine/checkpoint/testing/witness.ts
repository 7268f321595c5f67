import { generateKeyPairSync, sign } from 'node:crypto';
import { noteText, parseNote } from '../../../../core/checkpoint/note.ts';
import { witnessSignature } from '../signatures.ts';
import { fingerprintOf, type UserKey } from '../userKey.ts';

export function someKey(): UserKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  return { publicKey: bytes, sign: (data) => sign(null, data, privateKey) };
}

/** A checkpoint as a witness gives it back, and the fingerprint of its key. @param seconds since 1970 */
export function cosignedNote(
  note: string,
  seconds: number,
  key = someKey(),
): { note: string; name: string; line: string; fingerprint: string } {
  const { text, signatures } = parseNote(note);
  const line = witnessSignature(key, text, seconds);
  const cosigned = noteText({ text, signatures: [...signatures, line] });
  return { note: cosigned, name: line.name, line: cosigned.slice(note.length), fingerprint: fingerprintOf(key.publicKey) };
}
