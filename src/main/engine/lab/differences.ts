// Every place where two JSON values differ.
export interface Difference {
  /** Key path, dotted. */
  readonly path: string;
  /** JSON text, or `nothing`. */
  readonly before: string;
  readonly after: string;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));

/** Every place where two JSON values differ, in the order of the first one's keys. Absent and undefined are the same. */
export function differences(before: unknown, after: unknown, path: readonly string[] = []): Difference[] {
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => differences(before[key], after[key], [...path, key]));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path: path.join('.'), before: shown(before), after: shown(after) }];
}
