// What the speeches of a trial have that its facts do not, and how screens and reports say so.
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import type { Fact } from '../../shared/domain.ts';
import { quantity } from '../../shared/sizes.ts';
import { type Unfounded, unfoundedFinder } from './unfounded.ts';

export type UnfoundedCounts = Readonly<Record<Unfounded['kind'], number>>;

interface Asked {
  readonly facts: readonly Fact[];
  readonly question: string;
  readonly labels: readonly string[];
}

/** What a speaker said aloud, a speech or the reasons of a ruling; null where it is neither, or was erased. */
export const saidAloud = (entry: TranscriptEntry): string | null =>
  entry.kind === 'utterance' ? entry.text : entry.kind === 'ruling' ? entry.opinion : null;

/** What a dotted line means. */
export const dottedText = 'Dotted: what Assize does not find among the facts.';

/** Numbers and quotes in speeches and rulings that the facts lack, with counts of all said; null with nothing to compare. */
export function unfoundedSpeeches(
  { facts, question, labels }: Asked,
  entries: readonly TranscriptEntry[],
): { readonly unfounded: (text: string) => readonly Unfounded[]; readonly counts: UnfoundedCounts | null } {
  const speeches = entries.flatMap((entry) => (entry.kind === 'utterance' && entry.text !== null ? [entry.text] : []));
  const aloud = entries.flatMap((entry) => saidAloud(entry) ?? []);
  const precedents = entries.flatMap((entry) => (entry.kind === 'precedents' ? entry.precedents : []));
  const earlier = precedents.flatMap((each) => each.facts ?? []).flatMap(({ name, value }) => [name, value]);
  const find = unfoundedFinder({ facts, others: [question, ...labels, ...earlier], speeches });
  // Of an erased case nothing is known.
  const unfounded = facts.length === 0 ? () => [] : find;
  const counts = { number: 0, quote: 0 };
  for (const { kind } of aloud.flatMap(unfounded)) counts[kind] += 1;
  return { unfounded, counts: facts.length === 0 || aloud.length === 0 ? null : counts };
}

export const checkAccuracyTitle = 'How often this check is right';

/** How many things each speech names as taken from outside the facts, by the place of its event. */
export const outsideBySpeech = (entries: readonly TranscriptEntry[]): ReadonlyMap<number, number> =>
  new Map(entries.flatMap((entry) => (entry.kind === 'utterance' ? [[entry.seq, entry.outside?.length ?? 0] as const] : [])));

/** What the speakers say of themselves; null where they name nothing. */
export function outsideText(entries: readonly TranscriptEntry[]): string | null {
  const named = outsideBySpeech(entries)
    .values()
    .reduce((sum, each) => sum + each, 0);
  return named === 0
    ? null
    : `The speakers themselves name ${quantity(named, 'thing')} as taken from outside the facts, which no one checked.`;
}

const nothingMarked =
  'Checked by Assize, only numbers and quotes, not other words or values such as yes: none in what was said is marked as missing from the facts.';

/** What the program found when it compared what was said with the facts: `Checked by Assize: 2 numbers and 1 quote in …`. */
export function unfoundedText({ number, quote }: UnfoundedCounts): string {
  const parts = [number === 0 ? null : quantity(number, 'number'), quote === 0 ? null : quantity(quote, 'quote')];
  const words = parts.filter((part) => part !== null).join(' and ');
  return words === ''
    ? nothingMarked
    : `Checked by Assize: ${words} in what was said ${number + quote === 1 ? 'is' : 'are'} not among the facts.`;
}
