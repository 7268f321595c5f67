import { partName } from './hash.ts';

/** Digest of the model that a call was put to, from the call's setup; null where its server told none. */
export function digestOf(setup: string): string | null {
  const { digest }: { digest?: unknown } = JSON.parse(setup);
  return typeof digest === 'string' ? digest : null;
}

/**
 * Key of a shared question in the preparation chain, before its attempts.
 * @param name of the question
 * @param hearing 1 for the first time that it is put; further ones, where an earlier answer does not serve, count on
 */
export const sharedKey = (name: string, hearing: number): string =>
  hearing === 1 ? `once/${partName(name)}` : `once/${partName(name)}/again-${hearing}`;

const sharedCall = /^once\/([\w-]{12})(?:\/again-(\d+))?\/attempt-(\d+)$/;

/** What the key of a call to a shared question says: its question, by its short name, and which attempt it was; null for any other key. */
export function parseSharedCall(
  key: string,
): { readonly question: string; readonly attempt: number; readonly before: string } | null {
  const [, question, , attempt] = sharedCall.exec(key) ?? [];
  if (question === undefined || attempt === undefined) return null;
  return { question, attempt: Number(attempt), before: key.slice(0, key.lastIndexOf('/')) };
}
