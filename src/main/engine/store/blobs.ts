// The texts of a store, each kept once.
import { deflateSync, inflateSync } from 'node:zlib';
import { noSalt, refOf } from '../../../core/record/hash.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { checkRecord } from '../commandText.ts';
import type { Connection } from './connection.ts';
import { ErasedText } from './erasedText.ts';

const raw = 0;
const deflated = 1;
/** The longest string that V8 holds: what would be longer was not written by this program. */
const longestText = 2 ** 29 - 24;
const keyBytes = 32;

/** Where texts stand that hold nothing of a case: in no data set, and without its salt. */
export const common = { id: 0, salt: noSalt } as const;

interface BlobRow {
  ref: Buffer;
  dataset: number;
  encoding: number;
  bytes: Buffer;
}

export interface StoredText {
  readonly ref: string;
  readonly dataset: number;
  /** Null where the stored bytes cannot be unpacked. */
  readonly bytes: Buffer | null;
}

interface Erased {
  has(ref: string): boolean;
  stays(ref: string): string | undefined;
}

export const fromKey = (key: Buffer): string => key.toString('base64url');

/** Bytes that a text must have to be packed: a shorter one would save about a tenth, for most of what it costs to store it. */
const leastPacked = 128;

/** Packs as tightly as zlib can, with no more memory than the text needs: zlib's usual room costs time for every short text. */
const pack = (bytes: Buffer): Buffer =>
  deflateSync(bytes, {
    level: 9,
    chunkSize: Math.min(16_384, bytes.length + 64),
    windowBits: bytes.length <= 2048 ? 12 : 15,
  });

/** Throws for what is no ref, or another spelling of one: the decoder itself skips what it does not know. */
export function toKey(ref: string): Buffer {
  const key = Buffer.from(ref, 'base64url');
  if (fromKey(key) !== ref) throw new Error(`${JSON.stringify(ref)} is no reference to a text`);
  return key;
}

export const keyOrNull = (ref: string): Buffer | null => attempt(() => toKey(ref), null);

function unpack({ encoding, bytes }: Pick<BlobRow, 'encoding' | 'bytes'>, room = longestText): Buffer | null {
  if (encoding === raw) return bytes;
  if (encoding !== deflated) return null;
  return attempt(() => inflateSync(bytes, { maxOutputLength: Math.min(room, longestText) }), null);
}

/** A list of a million cases has three million. */
const mostMarks = 2 ** 22;

/** Brackets and commas of a JSON text become objects of some hundred bytes: one that has far too many was made to fill a memory. */
function isMadeToFill(bytes: Buffer): boolean {
  if (bytes.length <= mostMarks) return false;
  let marks = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) marks += 1;
  return marks > mostMarks;
}

/** Texts by ref. Equal texts of one data set are stored once. In place of an erased one is what stays of it, if anything. */
export type Blobs = ReturnType<typeof openBlobs>;

export function openBlobs(db: Connection, erased: Erased) {
  const insert = db.prepare<[Buffer, number, number, Buffer]>(
    'INSERT INTO blobs (ref, dataset, encoding, bytes) VALUES (?, ?, ?, ?) ON CONFLICT (ref) DO NOTHING',
  );
  const exists = db.prepare<[Buffer], { found: number }>('SELECT 1 AS found FROM blobs WHERE ref = ?');
  const select = db.prepare<[Buffer], BlobRow>('SELECT ref, dataset, encoding, bytes FROM blobs WHERE ref = ?');
  const selectAll = db.prepare<[], BlobRow>('SELECT ref, dataset, encoding, bytes FROM blobs ORDER BY rowid');
  const selectRange = db.prepare<[Buffer, Buffer, number], Pick<BlobRow, 'encoding' | 'bytes'>>(
    'SELECT encoding, bytes FROM blobs WHERE ref BETWEEN ? AND ? AND dataset = ?',
  );
  const bytesOf = (ref: string) => {
    const row = select.get(toKey(ref));
    return row === undefined ? undefined : (unpack(row) ?? undefined);
  };
  const get = (ref: string) => {
    const bytes = bytesOf(ref);
    if (bytes === undefined) return erased.stays(ref);
    return isMadeToFill(bytes) ? undefined : bytes.toString('utf8');
  };
  const selectCount = db.prepare<[], number>('SELECT count(*) FROM blobs').pluck();
  const put = (ref: string, dataset: number, text: string) => {
    const key = toKey(ref);
    if (exists.get(key) !== undefined) return;
    const bytes = Buffer.from(text, 'utf8');
    const packed = bytes.length < leastPacked ? bytes : pack(bytes);
    if (packed.length < bytes.length) insert.run(key, dataset, deflated, packed);
    else insert.run(key, dataset, raw, bytes);
  };
  return {
    put,
    /** Stores a text of a data set. @returns its ref */
    keep({ id, salt }: { readonly id: number; readonly salt: Uint8Array }, text: string) {
      const ref = refOf(salt, text);
      put(ref, id, text);
      return ref;
    },
    /** Stores bytes that are no text under the ref of their hash, as they are: floats hardly pack. */
    putBytes(ref: string, dataset: number, bytes: Buffer) {
      const key = toKey(ref);
      if (exists.get(key) === undefined) insert.run(key, dataset, raw, bytes);
    },
    bytes: bytesOf,
    get,
    /** The same, for a text without which there is no going on. Throws store-unreadable, as `ErasedText` for an erased one. */
    need(ref: string) {
      const text = get(ref);
      if (text === undefined) {
        if (erased.has(ref)) throw new ErasedText();
        throw new AssizeError('store-unreadable', `text ${ref} is missing or damaged`, {
          remedy: checkRecord('to see what else is'),
        });
      }
      return text;
    },
    /** The text of a data set whose ref begins with a part name. Throws where several do. */
    part(name: string, dataset: number) {
      const start = toKey(name);
      const end = Buffer.concat([start, Buffer.alloc(keyBytes - start.length, 0xff)]);
      const [row, other] = selectRange.all(start, end, dataset);
      if (other !== undefined) throw new Error(`several texts are named ${name}`);
      return row === undefined ? undefined : unpack(row)?.toString('utf8');
    },
    /** Whether there is a text under this ref, or was before it was erased. A ref that no text can have is not there. */
    has(ref: string) {
      const key = keyOrNull(ref);
      return key !== null && (exists.get(key) !== undefined || erased.has(ref));
    },
    count: () => selectCount.get() ?? 0,
    /** Every text. @param room bytes that all of them may unpack to: one that goes beyond counts as damaged */
    *all(room = Number.POSITIVE_INFINITY): IterableIterator<StoredText> {
      let left = room;
      for (const row of selectAll.iterate()) {
        const bytes = left < 1 ? null : unpack(row, left);
        left -= bytes?.length ?? 0;
        yield { ref: fromKey(row.ref), dataset: row.dataset, bytes };
      }
    },
  };
}
