import { z } from 'zod';
import type { Stored } from '../events/parts.ts';

/** Place of an entry in a transcript. `seq`: place in the trial's chain; `role`: empty if it belongs to no one. */
const placed = { seq: z.int().min(0), key: z.string(), role: z.string() };

/** A field of an event as a transcript has it: a text instead of its ref, null where it was erased. */
type Shown<F> =
  F extends Stored<infer T>
    ? z.ZodNullable<z.ZodType<T>>
    : F extends z.ZodNullable<Stored<infer T>>
      ? z.ZodNullable<z.ZodType<T>>
      : F;

type Entry<K extends string, F> = z.ZodObject<
  { [N in Exclude<keyof F, 'v'>]: Shown<F[N]> } & typeof placed & { kind: z.ZodLiteral<K> },
  z.core.$strict
>;

function shown(field: unknown): unknown {
  const inner = field instanceof z.ZodNullable ? field.unwrap() : field;
  if (!(inner instanceof z.ZodString && 'holds' in inner)) return field;
  return (inner.holds instanceof z.ZodType ? inner.holds : z.string()).nullable();
}

/** What a transcript has of an event: its fields, with every text in its place. */
export function entryOf<K extends string, F extends z.ZodRawShape>(kind: K, event: z.ZodObject<F>): Entry<K, F> {
  const fields = Object.entries(event.shape).flatMap(([name, field]) => (name === 'v' ? [] : [[name, shown(field)]]));
  // What `shown` does to a field, as types.
  return z.strictObject({ ...placed, ...Object.fromEntries(fields), kind: z.literal(kind) }) as unknown as Entry<K, F>;
}
