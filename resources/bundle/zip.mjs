// Reads the zip of a bundle: nothing of it is believed, and nothing is unpacked beyond the size that it states.

/** JSON packs to a fifth; what unpacks to more than this many times its size was made to fill a memory. */
const mostUnpacked = 25;

/** A fault. `subject` is what it is about: a text, an event, a row, a report, or a line of a file; null where it is none of these. */
export class Tampered extends Error {
  constructor(problem, subject = null) {
    super(problem);
    this.subject = subject;
  }
}
export class Unreadable extends Error {}
/** It may hold what a bundle holds, in another form of zip. */
export class Repacked extends Unreadable {}

export const need = (holds, problem, subject = null) => {
  if (!holds) throw new Tampered(problem, subject);
};

/** Makes a step of a check, which names what it looks at; a fault that names no subject is about what was named last. */
export async function following(step) {
  let subject = null;
  try {
    return await step((next) => {
      subject = next;
    });
  } catch (error) {
    if (error instanceof Tampered) error.subject ??= subject;
    throw error;
  }
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});
function crc32(bytes) {
  let crc = -1;
  for (let at = 0; at < bytes.length; at += 1) crc = (crc >>> 8) ^ crcTable[(crc ^ bytes[at]) & 255];
  return ~crc >>> 0;
}

/** Little-endian bytes of numbers, each with its width in bytes. */
const numbers = (...pairs) =>
  pairs.flatMap(([value, width]) => Array.from({ length: width }, (_, place) => (value / 256 ** place) & 255));

const asWritten = 'it is not a zip as Assize writes it: it was changed, or packed again by another program';

/**
 * The entries of a zip by name. Assize writes one form of zip: each file once, one after the other, without times, attributes
 * and remarks. So every byte outside the files is known, and no one can hide a change or a message there.
 */
export function entriesOf(zip) {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  const end = zip.length - 22;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw new Unreadable('this is not a whole zip file');
  const is = (at, ...pairs) => {
    const bytes = numbers(...pairs);
    if (at + bytes.length > zip.length || !bytes.every((byte, place) => zip[at + place] === byte)) throw new Repacked(asWritten);
    return at + bytes.length;
  };
  const [count, directory] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
  is(end, [0x06054b50, 4], [0, 4], [count, 2], [count, 2], [end - directory, 4], [directory, 4], [0, 2]);
  const entries = new Map();
  let [at, file, unpacked] = [directory, 0, 0];
  for (let left = count; left > 0; left -= 1) {
    if (at + 46 > end) throw new Repacked(asWritten);
    const [crc, packed, size] = [view.getUint32(at + 16, true), view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    const length = view.getUint16(at + 28, true);
    const bytes = zip.subarray(at + 46, at + 46 + length);
    const name = new TextDecoder().decode(bytes);
    // 20 for deflate, 10 for the best compression and sizes that follow the file, and 1 January 1980, the first day that a zip can name.
    const common = [
      [20, 2],
      [bytes.some((byte) => byte > 127) ? 0x080a : 10, 2],
      [8, 2],
      [0x00210000, 4],
    ];
    is(at, [0x02014b50, 4], [20, 2], ...common, [crc, 4], [packed, 4], [size, 4], [length, 2], [0, 12], [file, 4]);
    const start = is(file, [0x04034b50, 4], ...common, [0, 12], [length, 2], [0, 2]) + length;
    if (!bytes.every((byte, place) => zip[start - length + place] === byte)) throw new Repacked(asWritten);
    file = is(start + packed, [0x08074b50, 4], [crc, 4], [packed, 4], [size, 4]);
    need(!entries.has(name), `${name}: the zip has it twice`);
    entries.set(name, { packed: zip.subarray(start, start + packed), size, crc });
    unpacked += size;
    at += 46 + length;
  }
  if (at !== end || file !== directory) throw new Repacked(asWritten);
  limited(unpacked, zip);
  return entries;
}

function limited(unpacked, zip) {
  if (unpacked > Math.max(16 * 2 ** 20, mostUnpacked * zip.length))
    throw new Unreadable('it unpacks to more than a bundle of its size can hold');
}

/** The entries of a zip of another program, as its directory names them: only to say what was changed in it. */
export function entriesOfAny(zip) {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  const end = zip.length - 22;
  const entries = new Map();
  let [at, taken, unpacked] = [view.getUint32(end + 16, true), 0, 0];
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    const [flags, method, crc] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true), view.getUint32(at + 16, true)];
    const [packed, size, file] = [20, 24, 42].map((place) => view.getUint32(at + place, true));
    const [length, ...further] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const name = new TextDecoder().decode(zip.subarray(at + 46, at + 46 + length));
    const start = file + 30 + view.getUint16(file + 26, true) + view.getUint16(file + 28, true);
    if (!name.endsWith('/'))
      entries.set(name, { packed: zip.subarray(start, start + packed), size, crc, isStored: method === 0 });
    // Neither encrypted nor packed in a way that only other programs know, and no two files from the same bytes.
    taken += packed;
    if ((method !== 0 && method !== 8) || flags & 1 || taken > zip.length) throw new Unreadable(asWritten);
    unpacked += size;
    at += 46 + length + further[0] + further[1];
  }
  limited(unpacked, zip);
  return entries;
}

/** The bytes of an entry as far as they unpack, and what is wrong with them, or null. */
export async function unpack(name, { packed, size, crc, isStored = false }) {
  const bytes = new Uint8Array(size);
  let [at, problem] = [0, null];
  const stream = new Blob([packed]).stream();
  const reader = (isStored ? stream : stream.pipeThrough(new DecompressionStream('deflate-raw'))).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (at + value.length > size) throw new RangeError();
      bytes.set(value, at);
      at += value.length;
    }
  } catch {
    problem = `${name}: it cannot be unpacked`;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (problem === null && (at !== size || crc32(bytes) !== crc))
    problem = `${name}: it does not have the size and the sum that the zip says`;
  return { bytes: bytes.subarray(0, at), problem };
}
