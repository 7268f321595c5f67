// Reads the zip of a bundle: nothing of it is believed, and nothing is unpacked beyond the size that it states.

/** JSON packs to a fifth; what unpacks to more than this many times its size was made to fill a memory. */
const mostUnpacked = 25;

export class Tampered extends Error {}
export class Unreadable extends Error {}

export const need = (holds, problem) => {
  if (!holds) throw new Tampered(problem);
};

/** The entries of a zip by name, as its directory lists them. */
export function entriesOf(zip) {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.length);
  let end = zip.length - 22;
  while (end >= 0 && !(view.getUint32(end, true) === 0x06054b50 && end + 22 + view.getUint16(end + 20, true) === zip.length))
    end -= 1;
  if (end < 0) throw new Unreadable('this is not a whole zip file');
  const entries = new Map();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) throw new Unreadable('the directory of the zip is damaged');
    const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
    const [nameLength, more] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true) + view.getUint16(at + 32, true)];
    const name = new TextDecoder().decode(zip.subarray(at + 46, at + 46 + nameLength));
    const local = view.getUint32(at + 42, true);
    if ((flags & 1) !== 0 || ![0, 8].includes(method))
      throw new Unreadable(`${name}: it is packed in a way that bundles do not use`);
    if (entries.has(name)) throw new Tampered(`${name}: the zip has it twice`);
    if (local + 30 > end || view.getUint32(local, true) !== 0x04034b50)
      throw new Unreadable(`${name}: it is not where the zip says`);
    // Another program may go by the header before the file: it says of version, packing and time what the directory says.
    need(
      zip.subarray(local + 4, local + 14).every((byte, place) => byte === zip[at + 6 + place]),
      `${name}: its header in the zip is not the one of the directory`,
    );
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    entries.set(name, { packed: zip.subarray(start, start + packed), method, size });
    at += 46 + nameLength + more;
  }
  const unpacked = [...entries.values()].reduce((sum, { size }) => sum + size, 0);
  if (unpacked > Math.max(16 * 2 ** 20, mostUnpacked * zip.length))
    throw new Unreadable('it unpacks to more than a bundle of its size can hold');
  return entries;
}

export async function unpack(name, { packed, method, size }) {
  if (method === 0) {
    need(packed.length === size, `${name}: it does not have the size that the zip says`);
    return packed;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (at + value.length > size) throw new RangeError();
      bytes.set(value, at);
      at += value.length;
    }
  } catch {
    throw new Tampered(`${name}: it cannot be unpacked`);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  need(at === size, `${name}: it does not have the size that the zip says`);
  return bytes;
}
