import { type ComparedFact, comparedFacts } from '../../../core/cases/comparedFacts.ts';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import { settingsOf, shippedPrompts } from '../../../core/figures/armSettings.ts';
import { swapTitles } from '../../../core/figures/swapText.ts';
import { findProtocol } from '../../../core/protocols/index.ts';
import { changeTitle } from '../../../core/telling/unheard.ts';
import { differencesOf, type Piece } from '../../../core/text/differences.ts';
import { asTitle } from '../../../core/text/shorten.ts';
import { capitalized } from '../../../core/text/visible.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { labelNoun } from '../../../shared/decidedBy.ts';
import { replicateText, type TrialLine } from '../../../shared/trialLine.ts';
import { minuteText } from '../../ui/moments.ts';
import { protocolTitle } from '../protocols/acceptance.ts';
import { fieldText } from '../trial/words.ts';

type Tried = Pick<TrialView, 'line' | 'title' | 'question' | 'facts' | 'erased' | 'cast' | 'params' | 'entries'>;

/** Something that two trials have in common or not, with what it is in each; null where that is too long to be shown. */
interface Part {
  readonly what: string;
  readonly isSame: boolean;
  readonly values: readonly [string, string] | null;
}

const mostParameters = 5;

const and = new Intl.ListFormat('en-GB');

/** That whether a ruling is right can be said of one of the two alone; null where it can of both, or of neither. */
export function oneTruthText(a: TrialLine, b: TrialLine): string | null {
  if ((a.truth === null) === (b.truth === null)) return null;
  const [known, other] = a.truth === null ? [b, a] : [a, b];
  return `The ${labelNoun(known)} is known only for case ${known.case}. Whether the ruling on case ${other.case} is right cannot be said.`;
}

const modelsOf = ({ cast, line }: Tried) =>
  `${and.format([...new Set(cast.map(({ model }) => model))].toSorted())}${line.standin ? ', played by the demo model' : ''}`;
/** Options of models, with their roles where these differ. */
function optionsOf({ cast }: Tried): string {
  const all = new Set(cast.map(({ options }) => options ?? 'none'));
  const [only] = all;
  return all.size < 2 ? (only ?? 'none') : cast.map(({ role, options }) => `${role} ${options ?? 'none'}`).join(', ');
}
const castOf = ({ cast }: Tried) => cast.map(({ role, model }) => `${role} ${model}`).join();
const promptsOf = ({ line: { prompts } }: Tried) =>
  prompts === undefined ? shippedPrompts : `${prompts.name} ${prompts.hash.slice(0, 12)}`;
const unchanged = 'nothing';
const changeOf = ({ line: { change, swap }, entries }: Tried) =>
  change === undefined ? (swap === null ? unchanged : swapTitles[swap]) : changeTitle(change, entries);

/** The parameters of a trial, without those that its others leave without effect. */
function usedSettings({ line, params }: Tried) {
  const unused = new Set(findProtocol(line.protocol, line.protocol_version)?.bind(params).unused);
  return Object.fromEntries(Object.entries(settingsOf(params)).filter(([name]) => !unused.has(name)));
}

function changePart(a: Tried, b: Tried): Part {
  const values = [changeOf(a), changeOf(b)] as const;
  const [first, second] = values;
  const isSame = first === second;
  if (isSame || !values.includes(unchanged)) return { what: 'what was changed', isSame, values };
  const [which, how] = first === unchanged ? ['second', second] : ['first', first];
  return { what: `one change (in the ${which}: ${how})`, isSame, values: null };
}

interface FactsOfTwo {
  readonly apart: readonly ComparedFact[];
  readonly same: readonly ComparedFact[];
}

/** The facts of two cases; null for two trials of one case, of which what differs is said elsewhere, for texts and for what was erased. */
export function factsOfTwo(a: Tried, b: Tried): FactsOfTwo | null {
  const isOfOne = a.line.case === b.line.case;
  if (isOfOne || [a, b].some(({ facts, erased }) => facts.length < 2 || erased !== null)) return null;
  const [same = [], apart = []] = [true, false].map((is) =>
    comparedFacts(a.facts, b.facts).filter(({ isSame }) => isSame === is),
  );
  return { apart, same };
}

/** That the same facts were tried, or of two cases how many of them differ. */
function factsPart(a: Tried, b: Tried): Part {
  const ofTwo = factsOfTwo(a, b);
  const { apart, same } = ofTwo ?? { apart: factsApart(a, b), same: [] };
  const isCounted = ofTwo !== null && apart.length > 0;
  return {
    what: isCounted ? `${apart.length} of ${apart.length + same.length} facts` : 'facts',
    isSame: apart.length === 0,
    values: null,
  };
}

function partsOf(a: Tried, b: Tried): Part[] {
  const part = (what: string, of: (tried: Tried) => string): Part => {
    const values = [of(a), of(b)] as const;
    return { what, isSame: values[0] === values[1], values };
  };
  const unnamed = (what: string, isSame: boolean): Part => ({ what, isSame, values: null });
  const has = (is: boolean, ...parts: readonly Part[]) => (is ? parts : []);
  const isOfProtocol = a.line.protocol === b.line.protocol;
  const settings = [usedSettings(a), usedSettings(b)] as const;
  // A parameter that only one of two protocols has is part of the protocol.
  const differing = Object.keys({ ...settings[0], ...settings[1] }).filter(
    (name) => settings[0][name] !== settings[1][name] && (isOfProtocol || settings.every((each) => name in each)),
  );
  const options = part('model options', optionsOf);
  const models = part('model', modelsOf);
  const prompts = part('prompts', promptsOf);
  const change = changePart(a, b);
  const server = part('server', ({ line }) => and.format(line.backends));
  return [
    // Cases from Try a case have no id that says anything.
    a.title === null && b.title === null
      ? part('case id', ({ line }) => line.case)
      : unnamed('question', a.question === b.question),
    ...has(a.erased === null && b.erased === null, factsPart(a, b)),
    part('protocol', ({ line }) => protocolTitle(line.protocol)),
    models,
    ...has(isOfProtocol && models.isSame && castOf(a) !== castOf(b), unnamed('cast', false)),
    ...has(!options.isSame, options),
    ...differing
      .slice(0, mostParameters)
      .map((name) => part(fieldText(name), (tried) => asTitle(`${usedSettings(tried)[name] ?? 'not set'}`))),
    ...has(differing.length > mostParameters, unnamed('more parameters', false)),
    // Without a variant the words are those of the protocol.
    ...has(isOfProtocol || !prompts.isSame, prompts.isSame ? unnamed('prompts', true) : prompts),
    ...has(!server.isSame, server),
    ...has(!change.isSame, change),
    part('seed', ({ line }) => `${line.seed}`),
  ];
}

/** What another seed does where nothing else differs; nothing where it does, or the temperature is not known. */
function seedText(parts: readonly Part[], { params: { temperature } }: Tried): string {
  const isOther = parts.some(({ what }) => what === 'facts') ? ['seed', 'case id'] : ['seed'];
  const isOnly =
    parts.every(({ what, isSame }) => isSame || isOther.includes(what)) &&
    parts.some(({ what, isSame }) => what === 'seed' && !isSame);
  if (!isOnly || typeof temperature !== 'number') return '';
  return ` At their temperature of ${temperature} another seed ${temperature === 0 ? 'hardly ever gives' : 'gives'} other answers.`;
}

/** What two trials have in common and in what they differ, a sentence each; null where there is nothing to say. */
export function inCommon(a: Tried, b: Tried): { readonly same: string | null; readonly different: string | null } {
  const parts = partsOf(a, b);
  const listed = (isSame: boolean) =>
    parts
      .filter((part) => part.isSame === isSame)
      .map(({ what, values }) => (values === null ? what : `${what} (${isSame ? values[0] : values.join('; ')})`));
  const sentence = (title: string, all: readonly string[]) => (all.length === 0 ? null : `${title} ${and.format(all)}.`);
  const different = sentence('They differ in', listed(false));
  return { same: sentence('Both have the same', listed(true)), different: different && different + seedText(parts, a) };
}

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

/** Facts that were not the very same text in each of two trials. */
const factsApart = (a: Facts, b: Facts): ComparedFact[] =>
  comparedFacts(a.facts, b.facts).filter(({ one, other }) => one !== other);

/** That two trials of one case were held on different facts, and where these differ; null where they were not. */
export function differingFacts(a: TrialView, b: TrialView): string | null {
  if (a.line.case !== b.line.case || a.erased !== null || b.erased !== null) return null;
  const apart = factsApart(a, b);
  const [first] = apart;
  if (first === undefined) return null;
  const isText = [a, b].every(({ facts }) => facts.length === 1) && apart.length === 1;
  const shownValue = (value: string | null) => (value === null ? 'not given' : `“${inLine(value)}”`);
  const named = apart.slice(0, mostParts).map(({ title, one, other }) => `${title} (${shownValue(one)}; ${shownValue(other)})`);
  const more = apart.length > named.length ? ` and ${apart.length - named.length} more` : '';
  const which = isText ? `.${differingText(first.one ?? '', first.other ?? '')}` : `: ${named.join(', ')}${more}.`;
  return `The two were tried on different facts${which} Each trial’s own screen has its facts.`;
}

type Column = Pick<TrialView, 'line' | 'title' | 'question' | 'facts' | 'entries' | 'opened' | 'replicates'>;

/** Cases from Try a case have no id that says anything, and one arm. */
const isTold = ({ title }: Column): boolean => title !== null;

const isLater = (a: Column, b: Column): boolean => a.opened !== null && b.opened !== null && a.opened > b.opened;

/** Two trials of one case with the original first; others in the order given. */
export function originalFirst<View extends Column>(a: View, b: View): readonly [View, View] {
  if (a.line.case !== b.line.case) return [a, b];
  const [isChanged, isOtherChanged] = [a, b].map(({ line }) => line.change !== undefined);
  const isAfter = isChanged === isOtherChanged ? isTold(a) && isTold(b) && isLater(a, b) : isChanged === true;
  return isAfter ? [b, a] : [a, b];
}

export function columnTitle(view: Column, other: Column): string {
  const { line, replicates, entries, opened } = view;
  const { change, arm, base_arm: base, protocol } = line;
  const numbered = replicateText(line, replicates);
  const named = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(' · ');
  const changed = change === undefined ? null : changeTitle(change, entries);
  if (!isTold(view)) {
    const name = changed === null ? arm : (base ?? arm);
    const shown = changed === null ? arm : (shownArmNames([name]).get(name) ?? name);
    return named([line.case === other.line.case ? null : `Case ${line.case}`, shown, changed, numbered]);
  }
  if (changed !== null) return named([capitalized(changed), numbered]);
  const isFirst = other.line.change !== undefined;
  const hasOtherFacts = view.question === other.question && factsApart(view, other).length > 0;
  if (isFirst || (hasOtherFacts && isLater(other, view))) return named(['As tried first', numbered]);
  if (hasOtherFacts && isLater(view, other)) return 'Facts changed';
  return named([protocolTitle(protocol), opened === null ? null : minuteText(opened), numbered]);
}
