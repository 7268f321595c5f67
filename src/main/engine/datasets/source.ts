// Opens a data file, decodes it to UTF-8 and numbers its lines.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { AssizeError, badInput, type InputPlace, systemCode } from '../../../shared/errors.ts';
import type { Encoding } from '../../../shared/experiment.ts';
import { limits } from './limits.ts';
import { foreignFile, tableContainer } from './signatures.ts';

const lineFeed = 10;
const carriageReturn = 13;

/** Numbers the physical lines of a text that arrives in pieces; a line ends with CRLF, LF or CR. */
class LineIndex {
  /** Byte offsets at which lines start, ascending; those before `#next` have been passed. */
  #starts: number[] = [];
  #next = 0;
  #lineAtNext = 1;
  #linesFed = 1;
  #offset = 0;
  #afterCarriageReturn = false;

  /** Takes the next bytes of the text. */
  feed(bytes: Uint8Array): void {
    if (this.#next > 0) {
      this.#starts = this.#starts.slice(this.#next);
      this.#next = 0;
    }
    for (const byte of bytes) {
      this.#offset += 1;
      if (byte === lineFeed && this.#afterCarriageReturn) this.#starts[this.#starts.length - 1] = this.#offset;
      else if (byte === lineFeed || byte === carriageReturn) {
        this.#starts.push(this.#offset);
        this.#linesFed += 1;
      }
      this.#afterCarriageReturn = byte === carriageReturn;
    }
  }

  /** 1-based line of the byte at `offset`, which has been fed; offsets never decrease from call to call. */
  lineAt(offset: number): number {
    for (;;) {
      const start = this.#starts[this.#next];
      if (start === undefined || start > offset) return this.#lineAtNext;
      this.#next += 1;
      this.#lineAtNext += 1;
    }
  }

  /** Line starts that have been fed and not passed yet: what the index keeps in memory. */
  get pending(): number {
    return this.#starts.length - this.#next;
  }

  /** 1-based line of the text after what was fed and then `bytes`, which are not taken. */
  lineAfter(bytes: Uint8Array): number {
    return this.#linesFed + countLineBreaks(bytes, this.#afterCarriageReturn);
  }
}

function countLineBreaks(bytes: Uint8Array, afterCarriageReturn: boolean): number {
  let count = 0;
  let previous = afterCarriageReturn ? carriageReturn : 0;
  for (const byte of bytes) {
    if (byte === carriageReturn || (byte === lineFeed && previous !== carriageReturn)) count += 1;
    previous = byte;
  }
  return count;
}

export function lineBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/**
 * Windows-1252, which older Windows programs write in Western Europe: Latin-1 but for 0x80 to 0x9f.
 * Source: the WHATWG Encoding Standard, windows-1252, except that the five bytes without a character (`undefinedBytes`)
 * are refused rather than taken for control characters.
 */
const upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const undefinedBytes: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

export function decodeWindows1252(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (character) => upper[character.charCodeAt(0) - 0x80] ?? character);
}

/** Index of the first byte that means no character; -1 where each does. */
export function undefinedIn1252(bytes: Uint8Array): number {
  return bytes.findIndex((byte) => undefinedBytes.has(byte));
}

const headBytes = 64 * 1024;
const chunkBytes = 256 * 1024;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

const tooLarge = `the file is larger than ${limits.fileBytes / 1024 ** 3} GiB; take a smaller extract`;

const openFailures: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'the file cannot be read: no permission',
  EPERM: 'the file cannot be read: no permission',
};

export class EncodingFault extends AssizeError {}

/** A data file that is open for reading, checked while it is read. Its text is returned in UTF-8, for any encoding. */
export class DataSource {
  /** The file as the user named it, for messages. */
  readonly path: string;
  /** The first 64 KiB without a byte order mark. */
  readonly head: string;
  /** Lines of what has been read; fed before each chunk is returned. */
  readonly lines = new LineIndex();
  /** Bytes before the text: 3 where there is a byte order mark, else 0. */
  readonly textStart: number;
  readonly encoding: Encoding;
  /** What the table is kept in where the file is no text; its bytes are then read with `hashBytes` and `slice`. */
  readonly container: 'parquet' | 'xlsx' | undefined;
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');

  constructor(path: string, handle: FileHandle, head: Buffer, encoding: Encoding) {
    this.path = path;
    this.#handle = handle;
    this.encoding = encoding;
    this.container = tableContainer(head);
    this.textStart = encoding === 'utf-8' && head.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
    this.head = encoding === 'utf-8' ? head.toString('utf8', this.textStart) : decodeWindows1252(head);
  }

  /** A failure at a place in this file; lines are 1-based. */
  fault(message: string, place: Omit<InputPlace, 'file'> = {}): AssizeError {
    return badInput(message, { file: this.path, ...place });
  }

  /** The text without its byte order mark. Throws bad input at a byte not of its encoding. Offsets are those of this text. */
  async *chunks(): AsyncGenerator<Buffer> {
    if (this.encoding === 'utf-8') yield* this.#utf8Chunks();
    else yield* this.#recoded();
  }

  async *#recoded(): AsyncGenerator<Buffer> {
    let offset = 0;
    for await (const chunk of this.#hashedChunks()) {
      const odd = undefinedIn1252(chunk);
      if (odd >= 0) {
        const line = this.lines.lineAfter(chunk.subarray(0, odd));
        throw this.#encodingFault(`byte ${offset + odd} is no character of Windows-1252; save the file as UTF-8`, line);
      }
      offset += chunk.length;
      const text = Buffer.from(decodeWindows1252(chunk), 'utf8');
      this.lines.feed(text);
      yield text;
    }
  }

  /** Some files have no size before they are read, and others grow. */
  async *#hashedChunks(): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of this.#rawChunks()) {
      this.#hash.update(chunk);
      bytes += chunk.length;
      if (bytes > limits.fileBytes) throw this.fault(tooLarge);
      yield chunk;
    }
  }

  async *#rawChunks(): AsyncGenerator<Buffer> {
    for (let offset = 0; ; ) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, offset);
      if (bytesRead === 0) return;
      offset += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  #encodingFault(message: string, line: number): EncodingFault {
    return new EncodingFault('bad-input', message, { file: this.path, line });
  }

  async *#utf8Chunks(): AsyncGenerator<Buffer> {
    let offset = 0;
    let carried = Buffer.alloc(0);
    for await (const chunk of this.#hashedChunks()) {
      const text = Buffer.concat([carried, chunk]);
      const whole = text.length - openTail(text);
      this.#checkUtf8(text.subarray(0, whole), offset - carried.length);
      carried = Buffer.from(text.subarray(whole));
      this.lines.feed(chunk);
      yield offset === 0 ? chunk.subarray(this.textStart) : chunk;
      offset += chunk.length;
    }
    this.#checkUtf8(carried, offset - carried.length);
  }

  /** Reads every byte for `fileHash`. @returns how many there are */
  async hashBytes(): Promise<number> {
    let bytes = 0;
    for await (const chunk of this.#hashedChunks()) bytes += chunk.length;
    return bytes;
  }

  /** The bytes from `start` to `end`, fewer where the file ends before. */
  async slice(start: number, end: number): Promise<ArrayBuffer> {
    const buffer = new Uint8Array(new ArrayBuffer(end - start));
    const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, start);
    return bytesRead === buffer.length ? buffer.buffer : buffer.buffer.slice(0, bytesRead);
  }

  /** SHA-256 (hex) of the bytes that `chunks` or `hashBytes` has read. */
  fileHash(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Up to `length` bytes from `offset`, to look again at a place that was found to be wrong. */
  async reread(offset: number, length: number): Promise<Buffer> {
    if (this.encoding !== 'utf-8') return this.#rereadRecoded(offset, length);
    const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  }

  /** A byte of the file can be up to three of the text, so the way there is gone again from the start. */
  async #rereadRecoded(offset: number, length: number): Promise<Buffer> {
    const found: Buffer[] = [];
    let start = 0;
    for await (const chunk of this.#rawChunks()) {
      const text = Buffer.from(decodeWindows1252(chunk), 'utf8');
      found.push(text.subarray(Math.max(0, offset - start), Math.max(0, offset + length - start)));
      start += text.length;
      if (start >= offset + length) break;
    }
    return Buffer.concat(found);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  #checkUtf8(text: Buffer, textOffset: number): void {
    if (isUtf8(text)) return;
    const index = malformedAt(text);
    const line = this.lines.lineAfter(text.subarray(0, index));
    throw this.#encodingFault(
      `byte ${textOffset + index} is not valid UTF-8; save the file as UTF-8, or, where an older Windows program wrote it, set ` +
        '"encoding" to "windows-1252"',
      line,
    );
  }
}

/** Bytes at the end of a text that can be the beginning of a character: 0 to 3, none of them a line break. */
function openTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back;
  }
  return 0;
}

/** Where a text stops being UTF-8. */
function malformedAt(bytes: Buffer): number {
  let at = 0;
  for (;;) {
    const length = [1, 2, 3, 4].find((each) => at + each <= bytes.length && isUtf8(bytes.subarray(at, at + each)));
    if (length === undefined) return at;
    at += length;
  }
}

/** Opens a data file. Throws bad input where it is missing, unreadable, empty, too large, or neither text nor a table that is read. */
export async function openSource(path: string, encoding: Encoding = 'utf-8'): Promise<DataSource> {
  const fault = (message: string): AssizeError => badInput(message, { file: path });
  const refuse = (error: unknown): never => {
    const code = systemCode(error) ?? String(error);
    throw fault(openFailures[code] ?? `the file cannot be read (${code})`);
  };
  // Before opening: to open a named pipe would wait for its writer.
  const stats = await stat(path).catch(refuse);
  if (stats.isDirectory()) throw fault('this is a folder; name the data file in it');
  if (!stats.isFile()) throw fault('this is not a regular file');
  if (stats.size > limits.fileBytes) {
    throw fault(tooLarge);
  }
  const handle = await open(path, 'r').catch(refuse);
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await handle.read(head, 0, headBytes, 0);
    const start = head.subarray(0, bytesRead);
    const source = new DataSource(path, handle, start, encoding);
    if (source.container !== undefined) return source;
    const foreign = foreignFile(start);
    if (foreign !== undefined) throw fault(foreign);
    if (stats.size <= headBytes && source.head.trim() === '') throw fault('the file is empty; it needs a header and rows');
    return source;
  } catch (error) {
    await handle.close();
    throw error;
  }
}
