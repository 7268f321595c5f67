// What `assize verify --against` prints of two copies of a bundle. A name from a copy never makes a line that looks like ours.
import { linesOfPassage, linesOfUses, onOneLine } from '../../resources/bundle/uses.mjs';
import { markedChanges } from '../main/engine/engine.ts';
import {
  addedWords,
  askedWords,
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

/** Differences that are printed, and characters of a version that has little in common with the other one. */
const mostPrinted = 20;
const mostCharacters = 600;

const passage = (text: string, more = 0) =>
  linesOfPassage({ text: text.slice(0, mostCharacters).toWellFormed(), more: more + Math.max(0, text.length - mostCharacters) });

function differenceText(found: Differences, difference: Difference, number: number): string {
  const titles = titlesOf(found);
  const { uses = [], more_uses = 0, used_in = 0, what, other, checked } = difference;
  const places = what === null ? linesOfUses({ uses, more_uses, used_in }) : [onOneLine(what)];
  const marked = other === null || checked === null ? null : markedChanges(other.text, checked.text);
  const versions = (
    [
      [titles.other, other],
      [titles.checked, checked],
    ] as const
  ).flatMap(([title, version]) => {
    const words = versionWords(version);
    const lines = marked === null && version !== null && version.text !== '' ? passage(version.text, version.more) : [];
    return marked !== null && words === ''
      ? []
      : [`${onOneLine(title)}${words === '' ? '' : ` ${words}`}${lines.length > 0 ? ':' : '.'}`, ...lines];
  });
  const after = [moreLinesWords(difference), askedWords(found, difference)].filter((line) => line !== '');
  return [
    `${number}. ${places.join('\n   ')}`,
    ...[...(marked === null ? [] : linesOfPassage({ text: marked, more: 0 })), ...versions, ...after].map((line) => `  ${line}`),
    '',
  ].join('\n');
}

/** Where two copies differ, with both versions. */
export function differencesText(found: Differences): string {
  const printed = found.list.slice(0, mostPrinted);
  const left = found.list.length - printed.length + found.more;
  const added = addedWords(found, (at) => `${at.slice(0, 16).replace('T', ' ')} UTC`);
  return [
    `\nCompared with ${onOneLine(found.other)}: ${onOneLine(countWords(found))}`,
    trustWords(found),
    ...[...originWords(found), ...added].map(onOneLine),
    `Root of the other copy: ${found.other_root ?? 'none, an event does not hold'}`,
    `Root of the checked file: ${found.root ?? 'none, an event does not hold'}`,
    '',
    ...(printed.length === 0
      ? []
      : ['Words only in the other copy are in [-…-], those only in the checked file in {+…+}; --json has whole texts.', '']),
    ...printed.map((difference, at) => differenceText(found, difference, at + 1)),
    ...(left === 0 ? [] : [`and ${left} more: --json has ${found.more === 0 ? 'all' : `${left - found.more} of them`}`]),
    ...restWords(found).map(onOneLine),
    '',
  ].join('\n');
}
