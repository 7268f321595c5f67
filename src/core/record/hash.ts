// Hashes and names of the record: events, chains, texts and roots.
import { sha256 as portableSha256 } from '@noble/hashes/sha2.js';
import { base64urlnopad } from '@scure/base';

interface Hasher {
  readonly bytes: (of: Uint8Array) => Uint8Array;
  /** In base64url, without padding. */
  readonly text: (of: Uint8Array) => string;
}

let hasher: Hasher = { bytes: portableSha256, text: (of) => base64urlnopad.encode(portableSha256(of)) };

export const sha256 = (bytes: Uint8Array): Uint8Array => hasher.bytes(bytes);

/** Takes the SHA-256 of the machine, which is several times faster, in place of the portable one. Both give the same. */
export function hashWith(native: Hasher): void {
  hasher = native;
}

/** Node and browsers have it; `core` is compiled without the types of either. */
declare const TextEncoder: new () => { encodeInto(text: string, bytes: Uint8Array): { readonly written: number } };

const encoder = new TextEncoder();
/** Bytes in UTF-8 that a text may have for each of its code units. */
const mostBytes = 3;

/** Where most of what is hashed is put together: memory for each hash would cost as much as the hash. */
const room = new Uint8Array(65_536);
const roomFor = (length: number): Uint8Array => (length > room.length ? new Uint8Array(length) : room);

/** Puts a text into bytes. Returns where it ends. */
const putText = (bytes: Uint8Array, at: number, text: string): number =>
  at + encoder.encodeInto(text, bytes.subarray(at)).written;

/** Puts a number as u32, big-endian. Returns where it ends. */
function putNumber(bytes: Uint8Array, at: number, value: number): number {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
  return at + 4;
}

/** SHA-256 over parts, each preceded by its byte length (u32, big-endian): no two lists collide. */
export function hashParts(parts: readonly string[]): Uint8Array {
  const bytes = roomFor(parts.reduce((sum, { length }) => sum + 4 + mostBytes * length, 0));
  let end = 0;
  for (const part of parts) {
    const start = end + 4;
    end = putText(bytes, start, part);
    putNumber(bytes, start - 4, end - start);
  }
  return sha256(bytes.subarray(0, end));
}

/** `prev_hash` of a chain's first event: binds the chain to its own name. */
export function genesisHash(chain: string): Uint8Array {
  return hashParts(['assize/chain/1', chain]);
}

/** SHA-256(prev_hash ‖ u64 seq ‖ u32 length of kind ‖ kind ‖ payload) over stored bytes. @param payload exact UTF-8 bytes */
export function eventHash(previous: Uint8Array, seq: number, kind: string, payload: Uint8Array): Uint8Array {
  const bytes = roomFor(previous.length + 12 + mostBytes * kind.length + payload.length);
  bytes.set(previous);
  const start = putNumber(bytes, putNumber(bytes, previous.length, Math.floor(seq / 2 ** 32)), seq) + 4;
  const end = putText(bytes, start, kind);
  putNumber(bytes, start - 4, end - start);
  bytes.set(payload, end);
  return sha256(bytes.subarray(0, end + payload.length));
}

/**
 * Name of a text in the record: base64url of SHA-256(salt ‖ UTF-8 of the text), 43 characters.
 * The salt belongs to the data set, so that after an erasure no hash in a chain can be matched
 * against a guessed text; texts that hold no case data have an empty salt.
 */
export function refOf(salt: Uint8Array, text: string): string {
  const bytes = roomFor(salt.length + mostBytes * text.length);
  bytes.set(salt);
  return hasher.text(bytes.subarray(0, putText(bytes, salt.length, text)));
}

/** The same from the bytes as they are stored. */
export function refOfBytes(salt: Uint8Array, stored: Uint8Array): string {
  const bytes = roomFor(salt.length + stored.length);
  bytes.set(salt);
  bytes.set(stored, salt.length);
  return hasher.text(bytes.subarray(0, salt.length + stored.length));
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
