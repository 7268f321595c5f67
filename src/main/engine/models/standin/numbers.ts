import type { Dice } from './random.ts';
import { SchemaError, type SchemaObject } from './schema.ts';

const huge = 2 ** 53 - 2;

/** The numbers a schema allows: ends inside the range, unbounded ends undefined. */
function rangeOf(schema: SchemaObject, whole: boolean): { low: number | undefined; high: number | undefined } {
  const ends = [schema.minimum, schema.exclusiveMinimum].filter((end) => end !== undefined).filter((end) => end > -huge);
  const tops = [schema.maximum, schema.exclusiveMaximum].filter((end) => end !== undefined).filter((end) => end < huge);
  let low = ends.length > 0 ? Math.max(...ends) : undefined;
  let high = tops.length > 0 ? Math.min(...tops) : undefined;
  const openLow = low !== undefined && low === schema.exclusiveMinimum;
  const openHigh = high !== undefined && high === schema.exclusiveMaximum;
  if (whole) {
    if (low !== undefined) low = openLow ? Math.floor(low) + 1 : Math.ceil(low);
    if (high !== undefined) high = openHigh ? Math.ceil(high) - 1 : Math.floor(high);
  } else {
    const width = low !== undefined && high !== undefined ? high - low : 1;
    if (low !== undefined && openLow) low += width * 0.01;
    if (high !== undefined && openHigh) high -= width * 0.01;
  }
  if (low !== undefined && high !== undefined && low > high) throw new SchemaError('no number lies in the range');
  return { low, high };
}

function stepOf(multiple: number, whole: boolean): number {
  if (!whole || Number.isInteger(multiple)) return multiple;
  for (let times = 1; times <= 10_000; times += 1) {
    const step = multiple * times;
    if (Math.abs(step - Math.round(step)) < 1e-9) return Math.round(step);
  }
  throw new SchemaError('no integer is such a multiple');
}

/** A number that the schema allows; `share` says where between its ends it should lie. */
export function writeNumber(schema: SchemaObject, whole: boolean, share: number): number {
  const { low, high } = rangeOf(schema, whole);
  const start = low ?? (high === undefined ? 0 : high - 10);
  const end = high ?? start + 10;
  const wanted = start + (end - start) * Math.min(1, Math.max(0, share));
  if (schema.multipleOf !== undefined) {
    const step = stepOf(schema.multipleOf, whole);
    const lowest = Math.ceil(start / step - 1e-9);
    const highest = high === undefined ? Number.POSITIVE_INFINITY : Math.floor(end / step + 1e-9);
    if (lowest > highest) throw new SchemaError('no multiple lies in the range');
    return Number((Math.min(highest, Math.max(lowest, Math.round(wanted / step))) * step).toPrecision(12));
  }
  if (whole) return Math.round(wanted);
  const rounded = Number(wanted.toFixed(end - start <= 2 ? 2 : end - start < 50 ? 1 : 0));
  return rounded >= start && rounded <= end ? rounded : wanted;
}

/** Where a number of this name lies between its ends. */
export function shareFor(key: string, schema: SchemaObject, confidence: number | null, dice: Dice): number {
  const { low, high } = rangeOf(schema, false);
  const unitRange = low === 0 && (high === 1 || high === 100);
  if (/confid|probab|likelihood|certain|belief/i.test(key) && confidence !== null) {
    const top = high ?? 1;
    const value = (top > 1 ? 100 : 1) * confidence;
    return unitRange ? confidence : (value - (low ?? 0)) / (top - (low ?? 0) || 1);
  }
  return 0.6 + dice.bell() * 0.17;
}

/** Probabilities as round numbers whose sum is exactly `total` (1 or 100). */
export function roundShares(probabilities: readonly number[], total: number, whole: boolean): number[] {
  const units = whole ? total : probabilities.length > 20 ? 1000 : 100;
  const counts = probabilities.map((probability) => Math.round(probability * units));
  const largest = counts.indexOf(Math.max(...counts));
  counts[largest] = (counts[largest] ?? 0) + units - counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => Number(((count * total) / units).toFixed(4)));
}
