import type { Ensemble, InstalledModel } from '../../../shared/api/models.ts';

export type Column = 'name' | 'size' | 'context' | 'modified';

export interface Order {
  readonly column: Column;
  readonly direction: 'ascending' | 'descending';
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

const readers: Readonly<Record<Exclude<Column, 'name'>, (model: InstalledModel) => number | null>> = {
  size: ({ size }) => size,
  context: ({ context }) => context,
  modified: ({ modified_at: at }) => {
    const time = at === null ? Number.NaN : Date.parse(at);
    return Number.isNaN(time) ? null : time;
  },
};

/** Models in an order; equal ones by name, and those of which a value is not known last in both directions. */
export function sorted(models: readonly InstalledModel[], { column, direction }: Order): InstalledModel[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return models.toSorted((one, other) => {
    const byName = collator.compare(one.name, other.name);
    if (column === 'name') return sign * byName;
    const [a, b] = [readers[column](one), readers[column](other)];
    if (a === null || b === null) return a === b ? byName : a === null ? 1 : -1;
    return sign * (a - b) || byName;
  });
}

/** The order after a press on a column: the other way round, or the column's usual way. Names begin with A, figures with the largest. */
export function pressed(order: Order, column: Column): Order {
  if (order.column === column) {
    return { column, direction: order.direction === 'ascending' ? 'descending' : 'ascending' };
  }
  return { column, direction: column === 'name' ? 'ascending' : 'descending' };
}

/** Models whose name, family, size, quantisation or capabilities hold every word. */
export function searched(models: readonly InstalledModel[], search: string): InstalledModel[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter(({ name, family, parameters, quantization, capabilities }) => {
    const text = [name, family, parameters, quantization, ...capabilities].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The row that takes the focus when one goes: the next, else the one before, else none. */
export function neighbourOf(names: readonly string[], gone: string): string | null {
  const at = names.indexOf(gone);
  return names[at + 1] ?? names[at - 1] ?? null;
}

/** `llama3.1` is what the server calls `llama3.1:latest`. */
export const sameModel = (one: string, other: string): boolean => {
  const full = (name: string) => (/:[^/]*$/.test(name) ? name : `${name}:latest`).toLowerCase();
  return full(one) === full(other);
};

export const ensemblesOf = (ensembles: readonly Ensemble[], model: string): string[] =>
  ensembles.filter(({ models }) => models.some(({ name }) => sameModel(name, model))).map(({ title }) => title);

export type Missing = Readonly<ReturnType<typeof missingOf>>;

export function missingOf({ models }: Ensemble, underWay: readonly string[], diskFree: number | null) {
  const missing = models.filter(({ name, installed }) => !installed && !underWay.some((other) => sameModel(name, other)));
  const known = missing.flatMap(({ bytes }) => (bytes === null ? [] : [bytes]));
  const bytes = known.reduce((sum, each) => sum + each, 0);
  return {
    /** Names to fetch: those that are neither there nor on their way. */
    models: missing.map(({ name }) => name),
    /** Bytes of those whose size is known, and how many others there are. */
    bytes,
    unknown: missing.length - known.length,
    /** Whether they will fit onto the disk: null where its room or all sizes are unknown. */
    fits: diskFree === null || known.length === 0 ? null : bytes <= diskFree,
  };
}
