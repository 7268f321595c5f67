// A call that takes long: from when on it is named, and in which words, in the log of the command line and on the screens.
import { duration, quantity } from './sizes.ts';

/** The answer to a call that is under way. */
export interface Writing {
  /** Key of the call. */
  readonly key: string;
  readonly role: string;
  /** Raw text so far. */
  readonly text: string;
  /** Servers send about one piece a token. */
  readonly pieces: number;
  /** When it was sent, in ms; null while it is not at the server. */
  readonly sentAt: number | null;
  /** Longest silence inside the answer, in seconds. */
  readonly idleSeconds: number;
  /** Whether it is asked again after that. */
  readonly isAskedAgain: boolean;
}

/** From this age on, in ms, a call is named. */
export const longCallMs = 30_000;

const seconds = (milliseconds: number) => duration(milliseconds / 1000);

export function longCallWords(pieces: number, age: number): string {
  if (pieces === 0) return `was asked ${seconds(age)} ago and has not begun to answer`;
  return `has been speaking for ${seconds(age)}, about ${quantity(pieces, 'token')} so far`;
}

/** The same on a screen, with what comes of a silence; null of a call that does not take long. @param now as `sentAt` */
export function writingWords({ sentAt, pieces, idleSeconds, isAskedAgain }: Writing, now: number): string | null {
  if (sentAt === null || now - sentAt <= longCallMs) return null;
  const said = longCallWords(pieces, now - sentAt);
  if (pieces === 0) return said;
  return `${said}; after ${duration(idleSeconds)} of silence it ${isAskedAgain ? 'is asked again' : 'counts as failed'}`;
}
