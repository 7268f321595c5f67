import { type Field, isRecord } from './fields.ts';

const numberOf = (value: unknown): number => (typeof value === 'string' ? Number.parseFloat(value) : Number(value)) || 0;

const sumOf = (values: readonly unknown[]): number => values.reduce<number>((sum, value) => sum + numberOf(value), 0);

/** Rounding that a sum of stated shares may show: of parts of one, and of percent. */
const isWhole = (sum: number): boolean => Math.abs(sum - 1) <= 0.02 || Math.abs(sum - 100) <= 2;

/**
 * The name that has a part of a distribution and is no label; null where there is none. To divide by the sum of the
 * labels alone would give them its part, which nobody stated. A name beside numbers that already make a whole, such
 * as `total`, has no part.
 */
export function foreignShare(fields: readonly Field[], value: Readonly<Record<string, unknown>>): string | null {
  for (const { name, fields: inner } of fields) {
    const stated = Object.hasOwn(value, name) ? value[name] : undefined;
    if (inner.length === 0 || stated === undefined) continue;
    if (name !== 'distribution') {
      // One list deep, as answers are read.
      for (const item of Array.isArray(stated) ? stated : [stated]) {
        const found = isRecord(item) ? foreignShare(inner, item) : null;
        if (found !== null) return found;
      }
    } else if (isRecord(stated)) {
      const labels = new Set(inner.map((label) => label.name));
      const others = Object.entries(stated).filter(([key]) => !labels.has(key));
      const [foreign] = others.find(([, share]) => numberOf(share) > 0) ?? [];
      const own = Object.entries(stated).flatMap(([key, share]) => (labels.has(key) ? [share] : []));
      if (foreign !== undefined && !isWhole(sumOf(own))) return foreign;
    }
  }
  return null;
}
