// What `assize verify --against` prints for people: where two copies differ, and whether a report is the one of its record.
import { linesOfPassage, linesOfUses, onOneLine } from '../../resources/bundle/uses.mjs';
import { commandText, markedChanges } from '../main/engine/engine.ts';
import type { ReportComparison } from '../shared/commandOutputs.ts';
import { countWords } from '../shared/differenceCounts.ts';
import {
  addedWords,
  answeredWords,
  askedWords,
  type Difference,
  type Differences,
  hasNoVersion,
  moreLinesWords,
  noRootWords,
  originWords,
  restWords,
  rootsOf,
  titlesOf,
  trustWords,
  versionWords,
} from '../shared/differences.ts';
import { amount, lines } from './format.ts';

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
  const both = [
    [titles.other, other],
    [titles.checked, checked],
  ] as const;
  const versions = (hasNoVersion(difference) ? [] : both).flatMap(([title, version]) => {
    const words = versionWords(version);
    const shown = marked === null && version !== null && version.text !== '' ? passage(version.text, version.more) : [];
    return marked !== null && words === ''
      ? []
      : [`${onOneLine(title)}${words === '' ? '' : ` ${words}`}${shown.length > 0 ? ':' : '.'}`, ...shown];
  });
  const after = [moreLinesWords(difference), answeredWords(difference), askedWords(found, difference)].filter(
    (line) => line !== '',
  );
  return lines(
    `${number}. ${places.join('\n   ')}`,
    [...(marked === null ? [] : linesOfPassage({ text: marked, more: 0 })), ...versions, ...after].map((line) => `  ${line}`),
  );
}

export function differencesText(found: Differences): string {
  const printed = found.list.slice(0, mostPrinted);
  const left = found.list.length - printed.length + found.more;
  const added = addedWords(found, (at) => `${at.slice(0, 16).replace('T', ' ')} UTC`);
  return lines(
    `\nCompared with ${onOneLine(found.other)}: ${onOneLine(countWords(found))}`,
    trustWords(found),
    [...originWords(found), ...added].map(onOneLine),
    rootsOf(found).map(([title, root]) => `${title}: ${root ?? noRootWords}`),
    '',
    !printed.every(hasNoVersion) &&
      'Words only in the other copy are in [-…-], those only in the checked file in {+…+}; --json has whole texts.\n',
    printed.map((difference, at) => differenceText(found, difference, at + 1)),
    left > 0 && `and ${left} more: --json has ${found.more === 0 ? 'all' : `${left - found.more} of them`}`,
    restWords(found).map(onOneLine),
  );
}

const titleWords = (title: string) => (title === '' ? 'what comes before the first part' : `“${onOneLine(title)}”`);

export function comparisonText({ report, record, result, parts, ...found }: ReportComparison): string {
  const of = found.trial === null ? `the experiment ${found.experiment}` : `trial ${found.trial} of ${found.experiment}`;
  const indented = (text: string) => text.split('\n').map((line) => `  ${onOneLine(line)}`);
  const hashesIn = (text: string) => new Set<string>(text.match(/\b[0-9a-f]{64}\b|[A-Za-z0-9+/]{43}=/g));
  const both = [...hashesIn(found.in_report).intersection(hashesIn(found.in_record))];
  const isOnlyOfBoth = (line: string) =>
    result === 'same-but-state' && both.some((hash) => line.endsWith(hash) && !/\d/.test(line.slice(0, -hash.length)));
  const shown = (['report', 'record'] as const).flatMap((side) => {
    const rows = indented(found[`in_${side}`]).filter((line) => !isOnlyOfBoth(line));
    return rows.length === 0 ? [] : [`Only in the ${side}:`, ...rows];
  });
  if (found.more_lines > 0) shown.push(`and ${amount(found.more_lines, 'line')} more`);
  const isOther = found.made_by !== undefined || found.no_version === true;
  const check = lines(
    found.no_version === true && 'This report names no version, as those of earlier versions do not.',
    found.made_by !== undefined &&
      `Another version of Assize made the report (${found.made_by}; this one is ${found.made_again_by}), so its words can differ. Its version does not count as a difference.`,
    `Whether the record was changed is another question: ${commandText('verify', record)}`,
  );
  if (found.in_bundle !== undefined)
    return `The same to the byte as ${onOneLine(found.in_bundle)} in ${record}, and in all that is said of ${of} the same as what this program makes of the record there.\n${check}`;
  if (result === 'same')
    return lines(
      `The same to the byte${isOther ? ' but for the version' : ''}: ${report} is the report over ${of} that this program makes of ${record}.`,
      check,
    );
  if (result === 'same-but-state')
    return lines(
      `The same in all that is said of ${of}. Only rows on the state of the record differ, as they do in a bundle or another copy, and where the record grew since the report was saved.`,
      both.length > 0 && `The same in both, in rows that can have other names (--json has these rows): ${both.join(', ')}`,
      shown.length > 0 &&
        'Of the other rows only the form is compared, and against a bundle whether each root and key in them is one of the bundle. Nobody has checked their times, numbers and names:',
      shown,
      check,
    );
  return lines(
    found.other_run &&
      `DIFFERENT RUNS: the event that fixed data, prompts and parameters of ${report} is not in ${record}. Each run has its own salt and times, so nearly everything differs below. Compare the report with the record or the bundle that it was saved from; if you have done that, the report was changed.`,
    `DIFFERENT: ${report} is not the report over ${of} that this program makes of ${record}. ${parts.length === 0 ? 'It has the parts in another order.' : `These parts differ: ${parts.map(titleWords).join(', ')}.`}`,
    shown,
    `What it can mean: the report or the record was changed; or trials, reviews or comments came since it was saved, so that a bundle does not have the root or key that it names${isOther ? '; or only that another version of Assize, with other words, made the report' : ''}.`,
    check,
  );
}
