// Where two texts differ, word by word.
import { diffWordsWithSpace } from 'diff';

export interface Piece {
  readonly text: string;
  /** The other text does not have it. */
  readonly isOwn: boolean;
}

/** More changes than these are not looked for: the texts have little in common, and it would hold up the screen. */
const mostChanges = 500;

/** Texts that share less of their characters count as wholly different. */
const leastShared = 0.25;

/** Where two texts differ, as the pieces of each; null where they have little in common. Joined, the pieces are the texts. */
export function differencesOf(a: string, b: string): { readonly a: readonly Piece[]; readonly b: readonly Piece[] } | null {
  const found = diffWordsWithSpace(a, b, { maxEditLength: mostChanges });
  if (found === undefined) return null;
  const shared = found.reduce((sum, { value, added, removed }) => (added || removed ? sum : sum + value.length), 0);
  if (shared < leastShared * Math.max(a.length, b.length)) return null;
  return {
    a: found.flatMap(({ value, added, removed }) => (added ? [] : [{ text: value, isOwn: removed }])),
    b: found.flatMap(({ value, added, removed }) => (removed ? [] : [{ text: value, isOwn: added }])),
  };
}
