import { generateKeyPairSync, sign } from 'node:crypto';
import { noteText, parseNote } from '../../../../core/checkpoint/note.ts';
import { witnessSignature } from '../signatures.ts';
import { fingerprintOf } from '../userKey.ts';

/** A checkpoint as a witness gives it back, whose key is made for it, and the key's fingerprint. @param seconds since 1970 */
export function cosignedNote(note: string, seconds: number): { note: string; name: string; fingerprint: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const { text, signatures } = parseNote(note);
  const line = witnessSignature({ publicKey: bytes, sign: (data) => sign(null, data, privateKey) }, text, seconds);
  return { note: noteText({ text, signatures: [...signatures, line] }), name: line.name, fingerprint: fingerprintOf(bytes) };
}
