// Looks into JSON values and the schemas of answers by field.
import type { JsonSchema } from '../../shared/model.ts';
import { remembered } from '../../shared/remembered.ts';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The members of an object's schema by name: its own properties, or those of a record whose names are listed. */
export const membersOf = remembered(
  ({ properties, propertyNames, additionalProperties }: JsonSchema): ReadonlyMap<string, unknown> => {
    if (isRecord(properties)) return new Map(Object.entries(properties));
    const names = asArray(isRecord(propertyNames) ? propertyNames.enum : undefined);
    return new Map(names.map((name) => [String(name), additionalProperties]));
  },
);

/** The value at a path of keys and indexes in a JSON value; undefined if there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    if (Array.isArray(found) && typeof key === 'number') found = found[key];
    else if (isRecord(found) && Object.hasOwn(found, key)) found = found[String(key)];
    else return undefined;
  }
  return found;
}

/** A JSON text of a validated value that does not depend on the order of keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([first], [second]) => (first < second ? -1 : 1))) : part,
  );
}
