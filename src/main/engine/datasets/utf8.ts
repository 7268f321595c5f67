/**
 * Length in bytes of the well-formed UTF-8 sequence that starts at `index`; 0 where it is malformed, -1 where the
 * bytes end inside a sequence that is well-formed so far.
 */
function sequenceLength(bytes: Uint8Array, index: number): number {
  const lead = bytes[index] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  for (let offset = 1; offset < length; offset += 1) {
    const byte = bytes[index + offset];
    if (byte === undefined) return -1;
    // The second byte is narrower after these leads: overlong forms, surrogates, beyond U+10FFFF.
    const low = offset > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const high = offset > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (byte < low || byte > high) return 0;
  }
  return length;
}

/** What a piece of a UTF-8 text holds: the first malformed byte, or how many bytes of it are complete sequences. */
type Utf8Reading = { readonly malformedAt: number } | { readonly complete: number };

/** Walks over the bytes; indexes count from their start. */
export function readUtf8(bytes: Uint8Array): Utf8Reading {
  let index = 0;
  while (index < bytes.length) {
    const length = sequenceLength(bytes, index);
    if (length === 0) return { malformedAt: index };
    if (length === -1) break;
    index += length;
  }
  return { complete: index };
}

/** Bytes at the end that begin a sequence of which the rest is still to come: 0 to 3. */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(bytes, bytes.length - back) === -1 ? back : 0;
  }
  return 0;
}
