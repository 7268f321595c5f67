// What a check of a text found, where, and by which rules.

/**
 * Version of the rules by which foreign texts are checked. A change that alters what is sent is a new version in addition to the
 * older ones, or old records could not be replayed. 1 searches a text as it is; 2 searches it folded, and knows more.
 */
export type GuardRules = 1 | 2;
export const guardRules: GuardRules = 2;

export type NeutralisationRule = 'control-token' | 'transcript-heading';

/** What was found in a text, as a range in UTF-16 code units. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly rule: NeutralisationRule;
}

const none: readonly RegExpExecArray[] = [];

/** Every match of a global pattern that matches no empty text, in order: `matchAll` would copy the pattern for each text. */
export function matchesOf(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  pattern.lastIndex = 0;
  let match = pattern.exec(text);
  if (match === null) return none;
  const matches: RegExpExecArray[] = [];
  for (; match !== null; match = pattern.exec(text)) matches.push(match);
  return matches;
}
