import { differencesOf, type Piece } from '../../../core/text/differences.ts';
import { asTitle } from '../../../core/text/shorten.ts';
import type { TrialView } from '../../../shared/api/trials.ts';

/** Differing parts that a notice shows for each trial. */
const mostParts = 5;
/** Words before a changed part, to find it by, and the characters that are searched for them. */
const [wordsBefore, farthestBefore] = [4, 200];
/** Changed parts with fewer shared characters between them are shown as one. */
const nearby = 24;

const inLine = (text: string) => asTitle(text.replaceAll(/\s+/g, ' ').trim());

/** The parts of a text that the other one does not have, each with a few words before it. */
function ownParts(pieces: readonly Piece[]): string[] {
  const text = pieces.map((piece) => piece.text).join('');
  const parts: { start: number; end: number }[] = [];
  let at = 0;
  for (const piece of pieces) {
    const [start, end] = [at, at + piece.text.length];
    at = end;
    if (!piece.isOwn || piece.text.trim() === '') continue;
    const last = parts.at(-1);
    if (last !== undefined && start - last.end < nearby) last.end = end;
    else parts.push({ start, end });
  }
  return parts.map(({ start, end }) => {
    const line =
      text
        .slice(Math.max(0, start - farthestBefore), start)
        .split('\n')
        .at(-1) ?? '';
    const before = line.split(/(?<=\s)(?=\S)/).slice(-wordsBefore);
    const isCut = before.join('').length < line.length;
    const own = text.slice(start, end);
    return `${isCut ? '… ' : ''}${before.join('').trimStart()}${/^\s/.test(own) ? ' ' : ''}${inLine(own)}`.trimStart();
  });
}

const ownLines = (text: string, other: string): string[] => {
  const lines = (of: string) => new Set(of.split('\n').flatMap((line) => line.trim() || []));
  return [...lines(text).difference(lines(other))].map(inLine);
};

const onlyIn = (parts: readonly string[], which: string): string => {
  const more = parts.length - mostParts;
  const shown = parts.slice(0, mostParts).map((part) => `“${part}”`);
  return parts.length === 0 ? '' : ` Only in the ${which}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
};

/** Where two texts differ: what only the first has, and what only the second has. */
export function differingText(one: string, other: string): string {
  const found = differencesOf(one, other);
  const [a, b] = found === null ? [ownLines(one, other), ownLines(other, one)] : [ownParts(found.a), ownParts(found.b)];
  return onlyIn(a, 'first') + onlyIn(b, 'second');
}

type Facts = Pick<TrialView, 'facts'>;

/** Facts with another value in each of two trials of one case. */
export function factsApart(a: Facts, b: Facts): readonly { name: string; one: string; other: string }[] {
  const valueIn = (view: Facts, fact: string) => view.facts.find(({ name }) => name === fact)?.value ?? '';
  const names = [...new Set([...a.facts, ...b.facts].map(({ name }) => name))];
  return names
    .map((name) => ({ name, one: valueIn(a, name), other: valueIn(b, name) }))
    .filter(({ one, other }) => one !== other);
}

/** That two trials of one case were held on different facts, and where these differ; null where they were not. */
export function differingFacts(a: TrialView, b: TrialView): string | null {
  if (a.line.case !== b.line.case || a.erased !== null || b.erased !== null) return null;
  const apart = factsApart(a, b);
  const [first] = apart;
  if (first === undefined) return null;
  const isText = [a, b].every(({ facts }) => facts.length === 1) && apart.length === 1;
  const shownValue = (value: string) => (value === '' ? 'not given' : `“${inLine(value)}”`);
  const named = apart.slice(0, mostParts).map(({ name, one, other }) => `${name} (${shownValue(one)}; ${shownValue(other)})`);
  const more = apart.length > named.length ? ` and ${apart.length - named.length} more` : '';
  const which = isText ? `.${differingText(first.one, first.other)}` : `: ${named.join(', ')}${more}.`;
  return `The two were tried on different facts${which} Each trial’s own screen has its facts.`;
}
