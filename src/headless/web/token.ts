import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

export interface Token {
  readonly text: string;
  /** Compares in a time that tells nothing of the token, its length included. */
  matches(given: string): boolean;
}

/** 32 random bytes, in base64url: what tells the page of the one who started the program from all others. */
export function mintToken(): Token {
  const text = randomBytes(32).toString('base64url');
  const expected = digest(text);
  return { text, matches: (given) => timingSafeEqual(digest(given), expected) };
}
