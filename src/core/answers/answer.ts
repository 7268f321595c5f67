import type { z } from 'zod';

/** What a protocol wants to hear in one call. */
export interface AnswerSpec<T> {
  readonly name: string;
  /** Its JSON Schema is sent to the model; key order is the order of generation. */
  readonly schema: z.ZodType<T>;
  /** Fields whose value must be a candidate label, in the label's own spelling; at the top and wherever the schema repeats the name. */
  readonly labelFields: readonly string[];
  /** The candidate labels; empty where no field is a label. */
  readonly labels: readonly string[];
  /** What is odd about a value that the schema admits; see `answerFlags`. */
  flags?(value: T): readonly AnswerFlag[];
}

/** What is heard in a call whose answer names no label. */
export const unlabelled = <T>(name: string, schema: z.ZodType<T>, flags?: AnswerSpec<T>['flags']): AnswerSpec<T> => ({
  name,
  schema,
  labelFields: [],
  labels: [],
  ...(flags && { flags }),
});

/** Oddities of an accepted answer, for counting: such as a fence, a dropped key, a name listed twice, or all numbers 0. */
export const answerFlags = ['embedded', 'dropped-key', 'repeated', 'no-mass', 'short'] as const;
export type AnswerFlag = (typeof answerFlags)[number];

/** How the value was found, strictest first: whole text as JSON, a fenced or outermost object, a repaired one, labelled lines. */
export const parseMethods = ['json', 'embedded-json', 'tolerant-json', 'labelled-fields'] as const;
export type ParseMethod = (typeof parseMethods)[number];

/** Version of the rules for reading raw texts, on record with every answer. Raise it with any change of how a text is read. */
export const readerVersion = 6;

export type AnswerFailureKind = 'malformed' | 'invalid_label' | 'undecided';

export interface AnswerFailure {
  readonly ok: false;
  readonly kind: AnswerFailureKind;
  readonly message: string;
}

export type AnswerReading<T> =
  | { readonly ok: true; readonly value: T; readonly method: ParseMethod; readonly flags: readonly AnswerFlag[] }
  | AnswerFailure;
