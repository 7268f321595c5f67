import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

export interface Token {
  readonly text: string;
  /** Compares in a time that reveals nothing of the token, its length included. */
  matches(given: string): boolean;
}

/** 32 random bytes, in base64url: which identifies the page of the user who started the program. */
export function mintToken(): Token {
  const text = randomBytes(32).toString('base64url');
  const expected = digest(text);
  return { text, matches: (given) => timingSafeEqual(digest(given), expected) };
}
