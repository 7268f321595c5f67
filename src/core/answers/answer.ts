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
}

/**
 * How the value was found in the raw text, strictest first:
 * the whole text as JSON, a fenced or outermost object as JSON, a repaired object, labelled fields.
 */
export const parseMethods = ['json', 'embedded-json', 'tolerant-json', 'labelled-fields'] as const;
export type ParseMethod = (typeof parseMethods)[number];

/**
 * Version of the rules by which raw texts are read; recorded with every answer. Raise it with any change by
 * which a text is read otherwise than before. 1: read whatever stood beside an answer. 2: an answer that its
 * text contradicts, denies or takes back is none; labels by their words; a percentage's note; rows of tables.
 * 3: nor is one beside which anything else names another verdict; scales that are stated; more forms of thoughts.
 * 4: shares beside an answer, diagnoses and ratings count as verdicts; names that are no label have no part of a distribution.
 */
export const readerVersion = 4;

export const answerFailureKinds = ['malformed', 'invalid_label', 'undecided'] as const;
export type AnswerFailureKind = (typeof answerFailureKinds)[number];

export type AnswerReading<T> =
  | { readonly ok: true; readonly value: T; readonly method: ParseMethod }
  | { readonly ok: false; readonly kind: AnswerFailureKind; readonly message: string };
