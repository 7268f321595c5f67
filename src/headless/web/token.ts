import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** 32 random bytes, in base64url: which identifies the page of the user who started the program. */
export function mintToken() {
  const text = randomBytes(32).toString('base64url');
  const expected = digest(text);
  /** Compares in a time that reveals nothing of the token, its length included. */
  const matches = (given: string): boolean => timingSafeEqual(digest(given), expected);
  return { text, matches };
}

export type Token = Readonly<ReturnType<typeof mintToken>>;
