// What a check of a text found, and where.
export type NeutralisationRule = 'control-token' | 'transcript-heading';

/** What was found in a text, as a range in UTF-16 code units. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly rule: NeutralisationRule;
}
