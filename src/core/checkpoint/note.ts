// Signed notes, checkpoints, cosignatures and proofs as text: c2sp.org/signed-note, tlog-checkpoint, tlog-cosignature,
// tlog-proof and, for proofs of consistency, the request of tlog-witness. Signing and checking signatures is elsewhere.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base64, utf8 } from '@scure/base';
import { badInput } from '../../shared/errors.ts';
import { isIncluded, leafBytes, leafHash, sameBytes } from './merkle.ts';

/** Type of a signature: of the log itself (Ed25519), or of a witness (Ed25519 with a time). */
export const signatureType = { log: 1, witness: 4 } as const;
export type SignatureType = (typeof signatureType)[keyof typeof signatureType];

export interface SignatureLine {
  readonly name: string;
  /** 4 bytes. */
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
}

export interface SignedNote {
  /** With its last newline. */
  readonly text: string;
  readonly signatures: readonly SignatureLine[];
}

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

export interface VerifierKey {
  readonly name: string;
  readonly type: SignatureType;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** Longest note that is read, in characters, and the most signatures in it. */
export const mostNoteText = 1_000_000;
const mostSignatures = 100;
const hashBytes = 32;
const keyIdBytes = 4;
const timeBytes = 8;
const signatureBytes = 64;

function fromBase64(text: string, what: string, length?: number): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = base64.decode(text);
  } catch {
    throw badInput(`${what} is not base64`);
  }
  if (length !== undefined && bytes.length !== length) throw badInput(`${what} is not ${length} bytes long`);
  return bytes;
}

function wholeNumber(text: string, what: string): number {
  const value = Number(text);
  if (!/^(?:0|[1-9]\d*)$/.test(text) || !Number.isSafeInteger(value)) throw badInput(`${what} is not a whole number`);
  return value;
}

export const keyIdOf = ({ name, type, publicKey }: VerifierKey): Uint8Array =>
  sha256(concatBytes(utf8ToBytes(`${name}\n`), Uint8Array.of(type), publicKey)).slice(0, keyIdBytes);

/** A key as signed-note writes it: `<name>+<id>+<type and key>`. */
export const verifierKeyText = (key: VerifierKey): string =>
  `${key.name}+${bytesToHex(keyIdOf(key))}+${base64.encode(concatBytes(Uint8Array.of(key.type), key.publicKey))}`;

/** Throws bad input where this is no key, or one of another kind of signature. */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name = '', id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text) ?? [];
  if (encoded === undefined) throw badInput('this is not a key of the form NAME+ID+KEY');
  const [code, ...key] = fromBase64(encoded, 'the key', 1 + hashBytes);
  const type = Object.values(signatureType).find((known) => known === code);
  if (type === undefined) throw badInput('keys of this kind are not known; it has to be Ed25519, of a log (1) or a witness (4)');
  const parsed = { name, type, publicKey: Uint8Array.from(key) };
  if (bytesToHex(keyIdOf(parsed)) !== id) throw badInput('the id of the key does not fit its name and bytes; copy it again');
  return parsed;
}

const witnessPrefix = 'assize.invalid/witness/';

/** The key of a witness of this program. Its name says the key, so that a cosignature can be checked without another file. */
export const witnessKey = (publicKey: Uint8Array): VerifierKey => ({
  name: witnessPrefix + bytesToHex(publicKey),
  type: signatureType.witness,
  publicKey,
});

/** The key that the name of a witness of this program says, or null for other names. */
export function namedWitness(name: string): VerifierKey | null {
  const hex = name.startsWith(witnessPrefix) ? name.slice(witnessPrefix.length) : '';
  return /^[0-9a-f]{64}$/.test(hex) ? witnessKey(hexToBytes(hex)) : null;
}

/** Throws bad input for anything but a signed note. */
export function parseNote(note: string): SignedNote {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note must not have any
  if (note.length > mostNoteText || /[\u0000-\u0009\u000b-\u001f]/.test(note)) throw badInput('this is not a signed note');
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) throw badInput('this is not a signed note: it has no blank line before its signatures');
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > mostSignatures) throw badInput(`the note has over ${mostSignatures} signatures`);
  const signatures = lines.map((line) => {
    const [, name, encoded = ''] = /^— ([^\s+]+) (\S+)$/u.exec(line) ?? [];
    if (name === undefined) throw badInput('a line after the blank line is not a signature');
    const bytes = fromBase64(encoded, 'a signature');
    if (bytes.length <= keyIdBytes) throw badInput('a signature is too short');
    return { name, keyId: bytes.slice(0, keyIdBytes), signature: bytes.slice(keyIdBytes) };
  });
  return { text: note.slice(0, end + 1), signatures };
}

export const signatureText = ({ name, keyId, signature }: SignatureLine): string =>
  `— ${name} ${base64.encode(concatBytes(keyId, signature))}\n`;

export const noteText = ({ text, signatures }: SignedNote): string => `${text}\n${signatures.map(signatureText).join('')}`;

export const checkpointText = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${base64.encode(root)}\n`;

/** @param text of a note, without its signatures. Throws bad input. */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n');
  if (origin === '' || extensions.includes('')) throw badInput('this is not a checkpoint: a line of it is empty');
  return {
    origin,
    size: wholeNumber(size, 'the second line, the size,'),
    root: fromBase64(root, 'the third line, the root hash,', hashBytes),
  };
}

/** The bytes that a signature of a type is made over. @param seconds since 1970, of a witness */
export const signedBytes = (type: SignatureType, text: string, seconds: number): Uint8Array =>
  utf8ToBytes(type === signatureType.log ? text : `cosignature/v1\ntime ${seconds}\n${text}`);

/** A witness's time and its signature as one piece. */
export function timedSignature(seconds: number, signature: Uint8Array): Uint8Array {
  const time = new Uint8Array(timeBytes);
  new DataView(time.buffer).setBigUint64(0, BigInt(seconds));
  return concatBytes(time, signature);
}

/** Takes apart what `timedSignature` put together, or a log's signature; null where the length is another. */
export function untimed(type: SignatureType, bytes: Uint8Array): { seconds: number; signature: Uint8Array } | null {
  const time = type === signatureType.log ? 0 : timeBytes;
  if (bytes.length !== time + signatureBytes) return null;
  const seconds = time === 0 ? 0 : Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
  return { seconds, signature: bytes.slice(time) };
}

const hashLines = (hashes: readonly Uint8Array[]): string => hashes.map((hash) => `${base64.encode(hash)}\n`).join('');

const proofHeader = 'c2sp.org/tlog-proof@v1';
const mostProofHashes = 63;

interface Proof {
  readonly hashes: readonly Uint8Array[];
  readonly checkpoint: string;
}

/** Splits a proof into the lines of its head, as many as asked for, its hashes and the checkpoint. Throws bad input. */
function parseProof(text: string, isHead: (line: string) => boolean): Proof & { head: string[] } {
  const end = text.indexOf('\n\n');
  if (end < 0) throw badInput('this is not a proof: it has no blank line before its checkpoint');
  const lines = text.slice(0, end).split('\n');
  const head = lines.slice(0, lines.findLastIndex(isHead) + 1);
  const hashes = lines.slice(head.length);
  if (hashes.length > mostProofHashes) throw badInput(`the proof has over ${mostProofHashes} hashes`);
  return {
    head,
    hashes: hashes.map((line) => fromBase64(line, 'a hash of the proof', hashBytes)),
    checkpoint: text.slice(end + 2),
  };
}

/** A trial's proof that it is in a checkpoint, as `tlog-proof`; its leaf is the extra data. */
export const trialProofText = (leaf: Uint8Array, position: number, { hashes, checkpoint }: Proof): string =>
  `${proofHeader}\nextra ${base64.encode(leaf)}\nindex ${position}\n${hashLines(hashes)}\n${checkpoint}`;

export interface TrialProof {
  readonly chain: string;
  /** 64 hexadecimal digits. */
  readonly head: string;
  readonly position: number;
  /** Of the checkpoint. Its signatures are still to be checked. */
  readonly note: SignedNote;
  /** Whether the hashes lead from the leaf to the root of the checkpoint: otherwise it proves nothing. */
  readonly holds: boolean;
}

/** Reads what `trialProofText` wrote. Throws bad input for anything else. */
export function parseTrialProof(text: string): TrialProof {
  const parsed = parseProof(text, (line) => /^(?:c2sp\.org|extra |index )/.test(line));
  const [header, extra = '', index = ''] = parsed.head;
  if (header !== proofHeader || parsed.head.length !== 3) throw badInput('this is not a tlog-proof of this program');
  const leaf = fromBase64(extra.replace(/^extra /, ''), 'the extra data');
  const [, chain = '', head = ''] = /^assize\/leaf\/1\n(.+)\n([0-9a-f]{64})\n$/u.exec(utf8.encode(leaf)) ?? [];
  if (!sameBytes(leaf, leafBytes(chain, head))) throw badInput('the extra data is not the entry of a trial of this program');
  const position = wholeNumber(index.replace(/^index /, ''), 'the index');
  const note = parseNote(parsed.checkpoint);
  const holds = isIncluded({ leaf: leafHash(leaf), position, proof: parsed.hashes }, parseCheckpoint(note.text));
  return { chain, head, position, note, holds };
}

/** A proof that a log extends an earlier size, in the form in which tlog-witness takes it. */
export const extensionProofText = (from: number, { hashes, checkpoint }: Proof): string =>
  `old ${from}\n${hashLines(hashes)}\n${checkpoint}`;

/** Throws bad input. */
export function parseExtensionProof(text: string): Proof & { readonly from: number } {
  const { head, hashes, checkpoint } = parseProof(text, (line) => line.startsWith('old '));
  const [old = ''] = head;
  if (head.length !== 1) throw badInput('this is not a proof that a log was extended: its first line is not "old N"');
  return { from: wholeNumber(old.slice('old '.length), 'the size in the first line'), hashes, checkpoint };
}
