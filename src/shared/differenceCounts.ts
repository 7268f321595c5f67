// How much of two copies of a bundle differs.
import { type Difference, type Differences, listed, type Only, titlesOf } from './differences.ts';
import { quantity } from './sizes.ts';

/** Events of erasures follow from what was erased. */
const countOfOnly = ({ events, event_kinds: kinds, texts, rows }: Only) => events - (kinds.erasure ?? 0) + texts + rows;

/** Whether two copies differ in more than texts that were left out or erased, and roots in reports that follow from that. */
export const isDifferent = (found: Differences): boolean => {
  const { list, only_other, only_checked, hashes, lines, files, of_copy } = found;
  const signing = of_copy.filter((name) => !name.endsWith('.html'));
  const only = countOfOnly(only_other) + countOfOnly(only_checked);
  return found.result !== found.other_result || list.length + hashes + lines.length + files.length + signing.length + only > 0;
};

/** What a difference is in, and its place, of which one event or row has one for each field that differs. */
function subjectOf({ file, what, uses: [first] = [] }: Difference): readonly [kind: string, place: string] {
  if (file !== undefined) return [file.endsWith('.html') ? 'report' : 'file', file];
  if (what !== null || first === undefined || first.field !== null) return ['text', ''];
  return first.seq === null ? ['result', first.trial] : ['event', `${first.trial} ${first.seq}`];
}

/** How many changes of a speech are in the model's answer too, from which the speech was taken. */
function keptTwice(list: Differences['list']): number {
  const at = ({ uses: [first] = [] }: Difference) => first;
  // An answer can be JSON text.
  const isIn = (speech: Difference['other'], answer: Difference['other']) =>
    speech !== null &&
    speech.text !== '' &&
    [speech.text, JSON.stringify(speech.text).slice(1, -1)].some((words) => answer?.text.includes(words) === true);
  const isFrom = (speech: Difference, answer: Difference) =>
    at(answer)?.field === 'answer' &&
    at(answer)?.trial === at(speech)?.trial &&
    isIn(speech.other, answer.other) &&
    isIn(speech.checked, answer.checked);
  return list.filter((speech) => at(speech)?.kind === 'utterance-make' && list.some((answer) => isFrom(speech, answer))).length;
}

const mostCases = 5;

/** Which copies fail their own check, and by which texts; that none does. */
function soundWords(found: Differences): string {
  const { list, more, result, other_result } = found;
  if (result === 'intact' && other_result === 'intact') return 'Both copies are sound.';
  const unsound = (['other', 'checked'] as const).filter((side) => (side === 'other' ? other_result : result) === 'tampered');
  const said = unsound.map((side) => {
    const bad = list.filter((difference) => difference[side]?.fits === false);
    const texts = `${more > 0 ? 'at least ' : ''}${quantity(bad.length, 'text does not fit its hash', 'texts do not fit their hash')}`;
    const cases = [...new Set(bad.flatMap(({ uses = [] }) => uses.flatMap(({ case: of }) => of ?? [])))];
    const named =
      cases.length === 0 || cases.length > mostCases ? '' : ` (${cases.length === 1 ? 'case' : 'cases'} ${listed(cases)})`;
    return `${titlesOf(found)[side]} is not sound${bad.length === 0 ? '' : `: ${texts}${named}`}.`;
  });
  return said.join(' ');
}

/** Which copy is sound, and how much of what both have differs, in a few sentences. */
export function countWords(found: Differences): string {
  const { list, more, files, same } = found;
  if (same) return 'The two copies are the same in every file.';
  const shown = new Set(list.map(({ file }) => file));
  const others = files.flatMap((name) => (shown.has(name) ? [] : [['file', name] as const]));
  const subjects = new Map([...list.map(subjectOf), ...others].map((each, at) => [each[1] || at, each[0]]));
  const counts = ['text', 'event', 'result', 'report', 'file'].flatMap((kind) => {
    const number = [...subjects.values()].filter((each) => each === kind).length;
    return number === 0 ? [] : [quantity(number, kind)];
  });
  if (counts.length === 0) return `${soundWords(found)} No text, event or result that both copies have differs.`;
  const beyond = more === 0 ? '' : `, and ${quantity(more, 'more text, event or result', 'more texts, events or results')}`;
  const twice = keptTwice(list);
  const both = `${twice === 1 ? ' One change is' : ` ${twice} changes are`} in two texts: the model’s answer and the speech taken from it.`;
  return `${soundWords(found)} ${listed(counts)} ${subjects.size === 1 ? 'differs' : 'differ'}${beyond}.${twice === 0 ? '' : both}`;
}
