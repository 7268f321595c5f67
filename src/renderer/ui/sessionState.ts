import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import type { z } from 'zod';

const prefix = 'assize/';

/** What was kept under a key, if it still has the shape that is asked for. */
export function readSessionState<Value>(key: string, schema: z.ZodType<Value>, storage: Pick<Storage, 'getItem'>): Value | null {
  const text = storage.getItem(prefix + key);
  if (text === null) return null;
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Keeps a value for this tab until it is closed. What is too large to be kept is lost at a reload, which is no failure. */
export function saveSessionState(key: string, value: unknown, storage: Pick<Storage, 'setItem'> = sessionStorage): void {
  try {
    storage.setItem(prefix + key, JSON.stringify(value));
  } catch {
    // The storage is full.
  }
}

export function clearSessionState(key: string, storage: Pick<Storage, 'removeItem'> = sessionStorage): void {
  storage.removeItem(prefix + key);
}

/** Forgets all that this tab keeps, such as a case that was typed in. */
export function clearAllSessionState(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
}

export function useSessionState<Value>(
  key: string,
  schema: z.ZodType<Value>,
  initial: () => Value,
): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, setValue] = useState<Value>(() => readSessionState(key, schema, sessionStorage) ?? initial());
  useEffect(() => saveSessionState(key, value), [key, value]);
  return [value, setValue];
}
