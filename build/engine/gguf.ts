// Writes GGUF, the file format of llama.cpp, version 3. All numbers little-endian:
//
//   "GGUF", u32 version, u64 number of tensors, u64 number of keys,
//   keys:    name, u32 type, value           (a text is u64 length in bytes, then UTF-8;
//                                             an array is u32 type of its items, u64 count, items)
//   tensors: name, u32 dimensions, u64 each  (fastest first), u32 type, u64 offset in the data
//   padding to a multiple of 32, then the data, every tensor padded likewise
//
// Source: docs/gguf.md of the ggml project.

const alignment = 32;
const typeOf = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8, array: 9 } as const;

export type GgufValue =
  | { readonly u32: number }
  | { readonly f32: number }
  | { readonly bool: boolean }
  | { readonly text: string }
  | { readonly texts: readonly string[] }
  | { readonly i32s: readonly number[] };

export interface GgufTensor {
  readonly name: string;
  /** Fastest-running dimension first: a matrix that maps n inputs to m outputs is [n, m]. */
  readonly shape: readonly number[];
  /** As many as the shape has places; row after row. */
  readonly values: Float32Array;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function i32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([u64(bytes.length), bytes]);
}

const array = (type: number, items: readonly Buffer[]) =>
  Buffer.concat([u32(typeOf.array), u32(type), u64(items.length), ...items]);

function typed(value: GgufValue): Buffer {
  if ('u32' in value) return Buffer.concat([u32(typeOf.u32), u32(value.u32)]);
  if ('f32' in value) return Buffer.concat([u32(typeOf.f32), f32(value.f32)]);
  if ('bool' in value) return Buffer.concat([u32(typeOf.bool), Buffer.of(value.bool ? 1 : 0)]);
  if ('text' in value) return Buffer.concat([u32(typeOf.text), text(value.text)]);
  if ('texts' in value) return array(typeOf.text, value.texts.map(text));
  return array(typeOf.i32, value.i32s.map(i32));
}

const padding = (length: number) => Buffer.alloc((alignment - (length % alignment)) % alignment);
const padded = (bytes: Buffer) => Buffer.concat([bytes, padding(bytes.length)]);

/**
 * The bytes of a GGUF file whose tensors are of 32-bit floats, on a machine that is little-endian too. Throws on a
 * tensor whose values do not fill its shape.
 */
export function gguf(keys: Readonly<Record<string, GgufValue>>, tensors: readonly GgufTensor[]): Buffer {
  let offset = 0;
  const directory: Buffer[] = [];
  const data: Buffer[] = [];
  for (const { name, shape, values } of tensors) {
    const places = shape.reduce((product, size) => product * size, 1);
    if (places !== values.length) throw new Error(`tensor ${name} has ${values.length} values for ${places} places`);
    // Type 0 is a 32-bit float.
    directory.push(text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset));
    const bytes = padded(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
    data.push(bytes);
    offset += bytes.length;
  }
  const entries = Object.entries(keys);
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(entries.length),
    ...entries.flatMap(([name, value]) => [text(name), typed(value)]),
    ...directory,
  ]);
  return Buffer.concat([padded(head), ...data]);
}
