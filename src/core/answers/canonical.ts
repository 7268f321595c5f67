import { isRecord } from './fields.ts';

/** A JSON text of a validated value that does not depend on the order of keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([first], [second]) => (first < second ? -1 : 1))) : part,
  );
}
