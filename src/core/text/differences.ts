// Where two texts differ, word by word or line by line.
import { diffArrays, diffWordsWithSpace } from 'diff';

export interface Piece {
  readonly text: string;
  /** The other text does not have it. */
  readonly isOwn: boolean;
}

/** Characters that are kept next to a difference. */
const nearby = 160;

/** The pieces of a text, of which long ones that the other text has too are cut to what is near a difference. */
export function nearDifferences(pieces: readonly Piece[]): readonly Piece[] {
  if (pieces.length < 2) return pieces;
  return pieces.map((piece, place) => {
    const [before, after] = [place === 0 ? 0 : nearby, place === pieces.length - 1 ? 0 : nearby];
    const characters = Array.from(piece.text);
    if (piece.isOwn || characters.length <= before + after + nearby) return piece;
    const start = characters.slice(0, before).join('').replace(/\S*$/, '');
    const end = after === 0 ? '' : characters.slice(-after).join('').replace(/^\S*/, '');
    return { text: `${start}…${end}`, isOwn: false };
  });
}

/** More changes than these are not looked for: the texts have little in common, and it would hold up the screen. */
const mostChanges = 500;

/** Texts that share less of their characters count as wholly different: marks would be on most words. */
const leastShared = 0.5;

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

/** The second text with `[-words-]` only the first has and `{+words+}` only it has, equal parts cut. Null: little in common. */
export function markedChanges(a: string, b: string): string | null {
  const found = differencesOf(a, b);
  if (found === null) return null;
  const [gone, come] = [nearDifferences(found.a), nearDifferences(found.b)];
  const marked: string[] = [];
  // Pieces that both have come in the same order in both.
  for (let [at, next] = [0, 0]; at < gone.length || next < come.length; ) {
    const [one, another] = [gone[at], come[next]];
    if (one?.isOwn) marked.push(`[-${one.text}-]`);
    else if (another?.isOwn) marked.push(`{+${another.text}+}`);
    else marked.push(another?.text ?? '');
    if (one?.isOwn || !another?.isOwn) at += 1;
    if (!one?.isOwn) next += 1;
  }
  return marked.join('');
}

/** More changed lines than these are not matched: both texts then count as wholly different. */
const mostChangedLines = 3000;

const mostLines = 20;

/** The lines of each of two texts that the other one does not have, and how many there are beyond them. */
export function changedLines(a: string, b: string): { readonly a: string; readonly b: string; readonly more: number } {
  const [before, after] = [a.split('\n'), b.split('\n')];
  const found = diffArrays(before, after, { maxEditLength: mostChangedLines });
  const own = found ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const lines = (is: 'added' | 'removed') => own.flatMap((part) => (part[is] ? part.value : []));
  const [gone, come] = [lines('removed'), lines('added')];
  const shown = (all: readonly string[]) => all.slice(0, mostLines).join('\n');
  const more = [gone, come].reduce((sum, all) => sum + Math.max(0, all.length - mostLines), 0);
  return { a: shown(gone), b: shown(come), more };
}
