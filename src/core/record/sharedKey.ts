import { partName } from './hash.ts';

/** Digest of the model that a call was put to, from the call's setup; null if its server reported none. */
export function digestOf(setup: string): string | null {
  const { digest }: { digest?: unknown } = JSON.parse(setup);
  return typeof digest === 'string' ? digest : null;
}

/** Key of a shared question before its attempts. @param name of the question @param hearing from 1; counts repeated hearings */
export const sharedKey = (name: string, hearing: number): string =>
  hearing === 1 ? `once/${partName(name)}` : `once/${partName(name)}/again-${hearing}`;

export interface SharedCallPlace {
  /** First characters of its question's name. */
  readonly question: string;
  /** As in `sharedKey`. */
  readonly hearing: number;
  readonly attempt: number;
}

const sharedCall = /^once\/([\w-]{12})(?:\/again-([1-9]\d*))?\/attempt-([1-9]\d*)$/;

/** Reads the key of a call to a shared question; null for any other key. */
export function sharedCallPlace(key: string): SharedCallPlace | null {
  const [, question, hearing = '1', attempt] = sharedCall.exec(key) ?? [];
  return question === undefined ? null : { question, hearing: Number(hearing), attempt: Number(attempt) };
}
