/** Vectors of one length, one after the other, each scaled to length 1; a vector of zeros stays one. */
export interface UnitVectors {
  readonly dimensions: number;
  readonly values: Float32Array;
}

/** Scales consecutive vectors to length 1. */
export function unitVectors(values: Float32Array, dimensions: number): UnitVectors {
  const scaled = new Float32Array(values.length);
  for (let start = 0; start < values.length; start += dimensions) {
    let squares = 0;
    for (let at = start; at < start + dimensions; at++) squares += (values[at] ?? 0) ** 2;
    const length = Math.sqrt(squares) || 1;
    for (let at = start; at < start + dimensions; at++) scaled[at] = (values[at] ?? 0) / length;
  }
  return { dimensions, values: scaled };
}

/** Cosine of one unit vector of a list with another, sums in double precision. */
export function cosineAt({ dimensions, values }: UnitVectors, place: number, unit: Float32Array): number {
  let sum = 0;
  const start = place * dimensions;
  for (let at = 0; at < dimensions; at++) sum += (values[start + at] ?? 0) * (unit[at] ?? 0);
  return sum;
}
