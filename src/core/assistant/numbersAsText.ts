// Numbers as base64, bit for bit, so that a record can hold vectors and trained models.
import { base64 } from '@scure/base';

type Width = 32 | 64;

function asText(values: Float32Array | Float64Array, width: Width): string {
  const view = new DataView(new ArrayBuffer((values.length * width) / 8));
  values.forEach((value, index) => {
    view[`setFloat${width}`]((index * width) / 8, value, true);
  });
  return base64.encode(new Uint8Array(view.buffer));
}

function numbersIn(text: string, width: Width): number[] {
  const { buffer, byteOffset, byteLength } = base64.decode(text);
  const view = new DataView(buffer, byteOffset, byteLength);
  const count = Math.floor((8 * byteLength) / width);
  return Array.from({ length: count }, (_, index) => view[`getFloat${width}`]((index * width) / 8, true));
}

/** 32-bit floats, little-endian on every machine, as base64. */
export const floatsAsText = (values: Float32Array): string => asText(values, 32);
/** Throws where the text is no base64. */
export const floatsIn = (text: string): Float32Array => Float32Array.from(numbersIn(text, 32));
/** 64-bit floats, little-endian, as base64. */
export const doublesAsText = (values: Float64Array): string => asText(values, 64);
/** Throws where the text is no base64. */
export const doublesIn = (text: string): Float64Array => Float64Array.from(numbersIn(text, 64));
