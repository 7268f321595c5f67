// What `assize verify --against` prints of two copies of a bundle. A name from a copy never makes a line that looks like ours.
import { linesOfPassage, linesOfUses, onOneLine } from '../../resources/bundle/uses.mjs';
import { textDifferences } from '../main/engine/engine.ts';
import {
  countWords,
  type Difference,
  type Differences,
  moreLinesWords,
  originWords,
  restWords,
  titlesOf,
  trustWords,
  versionWords,
} from '../shared/differences.ts';

function versionText(title: string, version: Difference['other']): string[] {
  const words = versionWords(version);
  return [
    `  ${onOneLine(title)}${words === '' ? '' : `, which ${words}`}:`,
    ...(version === null ? [] : linesOfPassage(version).map((line) => `    ${line}`)),
  ];
}

/** The words that differ, shortly; nothing where the versions have little in common. */
function changedWords({ other, checked }: Difference): string[] {
  const found = textDifferences(other?.text ?? '', checked?.text ?? '');
  if (found === null || other === null || checked === null) return [];
  const own = (pieces: typeof found.a) => pieces.flatMap(({ text, isOwn }) => (isOwn && text.trim() !== '' ? [text.trim()] : []));
  const lines = (title: string, texts: string[]) =>
    texts.length === 0
      ? []
      : [`  ${title}:`, ...texts.flatMap((text) => linesOfPassage({ text, more: 0 })).map((line) => `    ${line}`)];
  return [...lines('Words only in the other copy', own(found.a)), ...lines('Words only in the checked file', own(found.b))];
}

function differenceText(difference: Difference, number: number, titles: ReturnType<typeof titlesOf>): string {
  const { uses = [], more_uses = 0, used_in = 0, what } = difference;
  const places = what === null ? linesOfUses({ uses, more_uses, used_in }) : [onOneLine(what)];
  return [
    `${number}. ${places.join('\n   ')}`,
    ...changedWords(difference),
    ...versionText(titles.other, difference.other),
    ...versionText(titles.checked, difference.checked),
    ...(moreLinesWords(difference) === '' ? [] : [`  ${moreLinesWords(difference)}`]),
    '',
  ].join('\n');
}

/** Where two copies differ, with both versions. */
export function differencesText(found: Differences): string {
  return [
    `\nCompared with ${onOneLine(found.other)}: ${onOneLine(countWords(found))}`,
    trustWords(found),
    ...originWords(found).map(onOneLine),
    `Root of the other copy: ${found.other_root ?? 'none, an event does not hold'}`,
    `Root of the checked file: ${found.root ?? 'none, an event does not hold'}`,
    '',
    ...found.list.map((difference, at) => differenceText(difference, at + 1, titlesOf(found))),
    ...restWords(found).map(onOneLine),
    '',
  ].join('\n');
}
