// Numbers as base64, bit for bit, so that a record can hold vectors and trained models.
import { base64 } from '@scure/base';

const bytesPerFloat = 4;
const bytesPerDouble = 8;

/** 32-bit floats, little-endian on every machine, as base64. */
export function floatsAsText(values: Float32Array): string {
  const view = new DataView(new ArrayBuffer(values.length * bytesPerFloat));
  values.forEach((value, index) => {
    view.setFloat32(index * bytesPerFloat, value, true);
  });
  return base64.encode(new Uint8Array(view.buffer));
}

/** Throws where the text is no base64. */
export function floatsIn(text: string): Float32Array {
  const bytes = base64.decode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: Math.floor(bytes.length / bytesPerFloat) }, (_, index) =>
    view.getFloat32(index * bytesPerFloat, true),
  );
}

/** 64-bit floats, little-endian, as base64. */
export function doublesAsText(values: Float64Array): string {
  const view = new DataView(new ArrayBuffer(values.length * bytesPerDouble));
  values.forEach((value, index) => {
    view.setFloat64(index * bytesPerDouble, value, true);
  });
  return base64.encode(new Uint8Array(view.buffer));
}

/** Throws where the text is no base64. */
export function doublesIn(text: string): Float64Array {
  const bytes = base64.decode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: Math.floor(bytes.length / bytesPerDouble) }, (_, index) =>
    view.getFloat64(index * bytesPerDouble, true),
  );
}
