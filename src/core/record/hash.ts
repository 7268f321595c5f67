// Hashes and names of the record: events, chains, texts and roots.
import { sha256 as portableSha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { base64urlnopad } from '@scure/base';

let hashed: (bytes: Uint8Array) => Uint8Array = portableSha256;

/** SHA-256. */
export const sha256 = (bytes: Uint8Array): Uint8Array => hashed(bytes);

/** Takes the SHA-256 of the machine, which is several times faster, in place of the portable one. Both give the same. */
export function hashWith(native: (bytes: Uint8Array) => Uint8Array): void {
  hashed = native;
}

/** Node and browsers have it; `core` is compiled without the types of either. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const encoder = new TextEncoder();
const utf8ToBytes = (text: string): Uint8Array => encoder.encode(text);

/** Puts bytes one after the other; numbers as u32, big-endian. */
function joined(parts: readonly (Uint8Array | number)[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += typeof part === 'number' ? 4 : part.length;
  const whole = new Uint8Array(length);
  let end = 0;
  for (const part of parts) {
    if (typeof part === 'number') {
      whole[end] = part >>> 24;
      whole[end + 1] = part >>> 16;
      whole[end + 2] = part >>> 8;
      whole[end + 3] = part;
      end += 4;
    } else {
      whole.set(part, end);
      end += part.length;
    }
  }
  return whole;
}

/** SHA-256 over parts, each preceded by its byte length (u32, big-endian): no two lists collide. */
export function hashParts(parts: Iterable<string>): Uint8Array {
  const all: (Uint8Array | number)[] = [];
  for (const part of parts) {
    const bytes = utf8ToBytes(part);
    all.push(bytes.length, bytes);
  }
  return sha256(joined(all));
}

/** `prev_hash` of a chain's first event: binds the chain to its own name. */
export function genesisHash(chain: string): Uint8Array {
  return hashParts(['assize/chain/1', chain]);
}

/** There are few kinds and many events. */
const bytesOfKind = new Map<string, Uint8Array>();

/**
 * Hash of an event: SHA-256(prev_hash ‖ u64 seq ‖ u32 length of kind ‖ kind ‖ payload), all over stored bytes.
 * @param payload the exact UTF-8 bytes of the payload as stored
 */
export function eventHash(previous: Uint8Array, seq: number, kind: string, payload: Uint8Array): Uint8Array {
  const kindBytes = bytesOfKind.get(kind) ?? utf8ToBytes(kind);
  if (bytesOfKind.size < 1000) bytesOfKind.set(kind, kindBytes);
  return sha256(joined([previous, Math.floor(seq / 2 ** 32), seq, kindBytes.length, kindBytes, payload]));
}

/**
 * Name of a text in the record: base64url of SHA-256(salt ‖ UTF-8 of the text), 43 characters.
 * The salt belongs to the data set, so that after an erasure no hash in a chain can be matched
 * against a guessed text; texts that hold no case data have an empty salt.
 */
export function refOf(salt: Uint8Array, text: string): string {
  return refOfBytes(salt, utf8ToBytes(text));
}

/** The same from the bytes as they are stored. */
export function refOfBytes(salt: Uint8Array, bytes: Uint8Array): string {
  return base64urlnopad.encode(sha256(concatBytes(salt, bytes)));
}

/** The short name of a text inside a message list, where the hash of the whole request vouches for it. */
export const partName = (ref: string): string => ref.slice(0, 12);

/** SHA-256 over all chains' names and heads in the order of their names: one value for a whole store. */
export function rootHash(heads: readonly { chain: string; head: string }[]): string {
  const sorted = heads.toSorted((a, b) => (a.chain < b.chain ? -1 : 1));
  return toHex(hashParts(['assize/root/1', ...sorted.flatMap(({ chain, head }) => [chain, head])]));
}

const hexDigit = (value: number): number => (value < 10 ? 48 : 87) + value;

/** Hexadecimal, made at once: a string that grows piece by piece holds all its pieces in memory, ten times its own size. */
export function toHex(bytes: Uint8Array): string {
  const codes: number[] = [];
  for (const byte of bytes) codes.push(hexDigit(byte >>> 4), hexDigit(byte & 15));
  return String.fromCharCode(...codes);
}

export const noSalt: Uint8Array = new Uint8Array(0);
