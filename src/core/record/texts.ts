// Which texts an event has, and how they leave its payload, follows from its schema alone.
import { z } from 'zod';
import type { Stored } from '../../shared/events/parts.ts';
import { type EventKind, type EventPayload, eventSchemas, type RecordEvent } from '../../shared/events.ts';

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [F in keyof T]: Frozen<T[F]> }
    : T;

/** A value with its texts instead of their refs. `Lost` replaces a text that is no longer there. */
type WithTexts<S, Lost> =
  S extends Stored<infer T>
    ? T | Lost
    : S extends z.ZodNullable<infer Inner>
      ? WithTexts<Inner, Lost> | null
      : S extends z.ZodOptional<infer Inner>
        ? WithTexts<Inner, Lost> | undefined
        : S extends z.ZodArray<infer Item>
          ? WithTexts<Item, Lost>[]
          : S extends z.ZodObject<infer Fields>
            ? { [F in keyof Fields as Fields[F] extends z.ZodOptional ? never : F]: WithTexts<Fields[F], Lost> } & {
                [F in keyof Fields as Fields[F] extends z.ZodOptional ? F : never]?: WithTexts<Fields[F], Lost>;
              }
            : z.output<S>;

export type Written<K extends EventKind> = Frozen<Omit<WithTexts<(typeof eventSchemas)[K], never>, 'v' | 'key'>>;

/** What an event says, its texts in place; one that was erased is null. */
export type Read<K extends EventKind> = Omit<WithTexts<(typeof eventSchemas)[K], null>, 'v'>;

const isStored = (schema: unknown): schema is Stored<unknown> => schema instanceof z.ZodString && 'holds' in schema;

type Change = (value: unknown, stored: Stored<unknown>) => unknown;
type Walk = (value: unknown, change: Change) => unknown;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const present = <T>(walks: readonly (readonly [T, Walk | null])[]) =>
  walks.flatMap(([place, walk]) => (walk === null ? [] : [[place, walk] as const]));

function walkFields(fields: readonly (readonly [string, Walk])[]): Walk | null {
  if (fields.length === 0) return null;
  return (value, change) => {
    if (!isRecord(value)) return value;
    const changed = { ...value };
    for (const [name, walk] of fields) if (Object.hasOwn(value, name)) changed[name] = walk(value[name], change);
    return changed;
  };
}

function walkItems(walkOfItem: (index: number) => Walk | null | undefined): Walk {
  return (value, change) => {
    if (!Array.isArray(value)) return value;
    return value.map((item, index) => {
      const walk = walkOfItem(index) ?? null;
      return walk === null ? item : walk(item, change);
    });
  };
}

/** How to find the texts of a value of a schema, in the order of its fields; null where it has none. */
function walkTo(schema: unknown): Walk | null {
  if (isStored(schema)) return (value, change) => change(value, schema);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const inner = walkTo(schema.unwrap());
    return inner && ((value, change) => (value === null || value === undefined ? value : inner(value, change)));
  }
  if (schema instanceof z.ZodArray) {
    const inner = walkTo(schema.element);
    return inner && walkItems(() => inner);
  }
  if (schema instanceof z.ZodTuple) {
    const inners = schema.def.items.map(walkTo);
    return inners.some((inner) => inner !== null) ? walkItems((index) => inners[index]) : null;
  }
  if (schema instanceof z.ZodRecord) {
    const inner = walkTo(schema.valueType);
    return (
      inner &&
      ((value, change) =>
        walkFields(Object.keys(isRecord(value) ? value : {}).map((name) => [name, inner]))?.(value, change) ?? value)
    );
  }
  if (!(schema instanceof z.ZodObject)) return null;
  return walkFields(present(Object.entries(schema.shape).map(([name, field]) => [name, walkTo(field)])));
}

const walks = Object.fromEntries(Object.entries(eventSchemas).map(([kind, schema]) => [kind, walkTo(schema)]));

const changeTexts = (kind: EventKind, payload: unknown, change: Change): unknown => walks[kind]?.(payload, change) ?? payload;

/** The texts that an event names; the hashes of a source file or a request are none. */
export function refsOf({ kind, payload }: RecordEvent): string[] {
  const refs: string[] = [];
  changeTexts(kind, payload, (ref) => {
    refs.push(String(ref));
    return '';
  });
  return refs;
}

/** The texts of an event, in the order of its fields, without those of the fields `but` and those that were erased. */
export function wordsOf(
  { kind, payload }: RecordEvent,
  read: (ref: string) => string | null,
  but: ReadonlySet<string>,
): string[] {
  const texts: string[] = [];
  changeTexts(kind, Object.fromEntries(Object.entries(payload).filter(([name]) => !but.has(name))), (ref) => {
    const text = read(String(ref));
    if (text !== null) texts.push(text);
    return '';
  });
  return texts;
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
  return changeTexts(kind, { v: 1, key, ...step }, change) as EventPayload<K>;
}

/** What an event says. @param read gives the text behind a ref; null where it is no longer there */
export function readEvent<K extends EventKind>(
  { kind, payload }: { readonly kind: K; readonly payload: EventPayload<K> },
  read: (ref: string) => string | null,
): Read<K> {
  const { v: _version, ...about } = payload;
  const change = (ref: unknown, { holds }: Stored<unknown>) => {
    const text = read(String(ref));
    return text === null || holds === null ? text : holds.parse(JSON.parse(text));
  };
  // As in `withRefs`, the other way round.
  return changeTexts(kind, about, change) as Read<K>;
}
