// Which texts an event has, and how they leave its payload, follows from its schema alone.
import { z } from 'zod';
import type { Stored } from '../../shared/events/parts.ts';
import { type EventKind, type EventPayload, eventSchemas, type RecordEvent } from '../../shared/events.ts';

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [F in keyof T]: Frozen<T[F]> }
    : T;

/** A value with its texts in the place of their refs. */
type WithTexts<S> =
  S extends Stored<infer T>
    ? Frozen<T>
    : S extends z.ZodNullable<infer Inner>
      ? WithTexts<Inner> | null
      : S extends z.ZodOptional<infer Inner>
        ? WithTexts<Inner> | undefined
        : S extends z.ZodArray<infer Item>
          ? readonly WithTexts<Item>[]
          : S extends z.ZodObject<infer Fields>
            ? { readonly [F in keyof Fields as Fields[F] extends z.ZodOptional ? never : F]: WithTexts<Fields[F]> } & {
                readonly [F in keyof Fields as Fields[F] extends z.ZodOptional ? F : never]?: WithTexts<Fields[F]>;
              }
            : z.output<S>;

/** What is put on the record under a kind and a key. */
export type Written<K extends EventKind> = Omit<WithTexts<(typeof eventSchemas)[K]>, 'v' | 'key'>;

const isStored = (schema: unknown): schema is Stored<unknown> => schema instanceof z.ZodString && 'holds' in schema;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A value with each of its texts, or their refs, changed in the order in which they stand. */
function changeTexts(schema: unknown, value: unknown, change: (value: unknown) => string): unknown {
  if (value === null || value === undefined) return value;
  if (isStored(schema)) return change(value);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return changeTexts(schema.unwrap(), value, change);
  if (Array.isArray(value)) {
    if (schema instanceof z.ZodArray) return value.map((item) => changeTexts(schema.element, item, change));
    if (schema instanceof z.ZodTuple) return value.map((item, index) => changeTexts(schema.def.items[index], item, change));
    return value;
  }
  if (!isRecord(value)) return value;
  const partOf = (name: string) =>
    schema instanceof z.ZodObject ? schema.shape[name] : schema instanceof z.ZodRecord ? schema.valueType : null;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changeTexts(partOf(name), part, change)]));
}

/**
 * The texts that an event names. The hash of a source file or of a request is none: neither is kept as one text, and
 * a request is made anew from its messages and checked as a whole.
 */
export function refsOf({ kind, payload }: RecordEvent): string[] {
  const refs: string[] = [];
  changeTexts(eventSchemas[kind], payload, (ref) => {
    refs.push(String(ref));
    return '';
  });
  return refs;
}

/** A payload in which each text is in the hands of `keep`, which gives its ref; one that is no plain text goes as JSON. */
export function withRefs<K extends EventKind>(
  kind: K,
  key: string,
  step: Written<K>,
  keep: (text: string) => string,
): EventPayload<K> {
  const change = (text: unknown) => keep(typeof text === 'string' ? text : JSON.stringify(text));
  // What fits the texts' schema fits that of their refs; the compiler cannot follow that through the walk.
  return changeTexts(eventSchemas[kind], { v: 1, key, ...step }, change) as EventPayload<K>;
}
