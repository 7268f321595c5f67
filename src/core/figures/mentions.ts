import type { ShownFact } from '../../shared/domain.ts';
import { remembered } from '../../shared/remembered.ts';
import { cardinals } from '../text/unfounded.ts';

/** A stretch of an utterance that speaks of a fact. Ranges in UTF-16 code units. */
export interface Mention {
  /** Index of the fact. */
  readonly fact: number;
  readonly start: number;
  readonly end: number;
}

/** What is marked in a speech, for who reads it. */
export const mentionsText =
  'Underlined in speeches: words that name a fact, the words of its value, a number with its unit, or four words in a row of a longer value.';
/** What no such words in a speech mean. */
export const unnamedText = 'A speech can speak of a fact in other words, which is not counted.';

/*
 * Which facts an utterance speaks of, by words alone: all words of a fact's name within one sentence, or its value
 * where that is no everyday word and belongs to one fact only, or its value next to a word of its name ("two arrests"); of a name
 * of several words a "yes" takes two, since one can be an idiom ("as a sign of" where a fact is called "sign hidden").
 * A number also counts next to its unit, in any usual word for it, where no other fact has both ("153 minutes" of `delay_min`), and
 * a short value without everyday words in another order, with no more than a "was" or "that were" in between ("staff were missing").
 * Of a longer value, what is quoted: four words of it in a row, one of them no everyday word.
 * Words of a longer name of another fact count for that fact only. It errs on the side of silence: paraphrases are not seen, and a fact that is not found may well be meant.
 */

interface Word {
  readonly start: number;
  readonly end: number;
  readonly stem: string;
  /** What a number is measured in. */
  readonly unit?: string | undefined;
}

const numeral = new Map(cardinals.map((word, value) => [word, String(value)]));

/** Words that distinguish no facts. */
const common = new Set(
  `a an and are as at by for from had has have in is it its of on or that the to was were with yes no none true false not unknown other
  before after during since until than between within
  text name value id case claim fact statement background question passage premise hypothesis note type`.split(/\s+/),
);

/** What may be between the words of a value in another order. */
const links = new Set('is are was were be been being has had have that which who the a an still also'.split(' '));
const negations = new Set('no not never without neither nor none cannot'.split(' '));
/** Before a unit at the end of a name these show that the unit is no measure of the value: `arrests in the last years`. */
const counted = new Set('of the last past recent previous per'.split(' '));

const nearby = 3;
const longestValue = 6;
const quoteLength = 4;

function stemOf(word: string): string {
  const lower = word.toLowerCase().replace(/['’]s?$/, '');
  const plain = numeral.get(lower) ?? lower;
  return plain.length > 3 && /[^su]s$/.test(plain) ? plain.slice(0, -1) : plain;
}

/** One writing of a number: `1,500` and `1500.0` are `1500`. */
const plainNumber = (digits: string) =>
  (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits) ? digits.replaceAll(',', '') : digits).replace(/\.0+$/, '');

const isNumber = (stem: string) => /^\p{N}/u.test(stem);

function wordsIn(text: string): Word[] {
  return [...text.matchAll(/\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu)].map(({ index: start, 0: word }) => {
    const end = start + word.length;
    const stem = stemOf(word);
    // “One day” is mostly no measure.
    const unit = isNumber(stem) && !/^one$/i.test(word) ? unitAt(text, start, end) : undefined;
    return { start, end, stem: isNumber(stem) ? plainNumber(stem) : stem, unit };
  });
}

function sentencesIn(text: string): Word[][] {
  const sentences: Word[][] = [[]];
  let last = 0;
  for (const word of wordsIn(text)) {
    if (/[.!?;]\s|\n/.test(text.slice(last, word.start))) sentences.push([]);
    sentences.at(-1)?.push(word);
    last = word.end;
  }
  return sentences;
}

interface Profile {
  /** Finds the name with its everyday words and its unit, as the court read it or as people call it: `own_share_pct`, `own share pct`. */
  readonly whole: RegExp;
  /** Without its unit, where the rest says which fact it is. */
  readonly name: ReadonlySet<string>;
  /** Empty where it is too long to be spoken whole; then it has `quotes`. Of a number with its unit only the number. */
  readonly value: readonly string[];
  readonly quotes: ReadonlySet<string>;
  /** The value identifies the fact in any place. */
  readonly distinct: boolean;
  /** The words of the value identify the fact in any order. */
  readonly loose: boolean;
  /** Next to this unit the value, a number, identifies the fact. */
  readonly unit: string | undefined;
}

const isDistinct = (stem: string) => /^\p{L}{4,}$/u.test(stem) && !common.has(stem);

/** Every run of so many words that says more than everyday words, as one text each. */
function quotesOf(stems: readonly string[]): Set<string> {
  const runs = stems.flatMap((_, at) => (at + quoteLength <= stems.length ? [stems.slice(at, at + quoteLength)] : []));
  return new Set(runs.flatMap((run) => (run.some(isDistinct) ? [run.join(' ')] : [])));
}

interface Profiles {
  readonly profiles: readonly Profile[];
  /** Words in the name of one fact only. */
  readonly unique: ReadonlySet<string>;
}

/** The unit that ends a name, in the plural or a short form: `delay_min`, not `arrests in the last year`. */
function unitOf(name: string): string | undefined {
  const words = name.toLowerCase().split(/[\s_()]+/);
  const [before = '', last = ''] = words.filter((word) => word !== '').slice(-2);
  const isMeasure = isUnit(last) && !/^(?:day|week|month|year|hour|second|pound)$/.test(last);
  return isMeasure && !counted.has(before) && !isNumber(before) ? last : undefined;
}

function shownUnit({ shown = '' }: ShownFact): string | undefined {
  const unit = /\(([^()]+)\)\s*$/.exec(shown)?.[1];
  return unit !== undefined && isUnit(unit) ? unit : undefined;
}

/** A fact without words that are in every text, its value as a number with a unit where it is one. */
function readFact(fact: ShownFact, hasMost: boolean) {
  const words = wordsIn(fact.value);
  const [first, second, third] = words;
  const own = first?.unit !== undefined && third === undefined && (second === undefined || isSameUnit(first.unit, second.stem));
  const isMeasure = first !== undefined && isNumber(first.stem) && (words.length === 1 || own);
  const last = unitOf(fact.name);
  // Where there is a maximum, a “min” is most likely a minimum.
  const named = hasMost && last === 'min' ? undefined : last;
  const unit = isMeasure ? (own ? first.unit : (shownUnit(fact) ?? named)) : undefined;
  const value = (isMeasure ? [first] : words).map(({ stem }) => stem);
  const stems = (name: string) => wordsIn(name.replaceAll('_', ' ')).flatMap(({ stem }) => (common.has(stem) ? [] : [stem]));
  const bare = last === undefined ? fact.name : fact.name.slice(0, fact.name.toLowerCase().lastIndexOf(last));
  return { whole: wholeName(fact), name: stems(fact.name), bare: stems(bare), value, unit };
}

function wholeName({ name, shown = name }: ShownFact): RegExp {
  const written = [name, shown].map((each) =>
    each
      .split(/[\s_-]+/)
      .map(RegExp.escape)
      .join('[\\s_-]+'),
  );
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${written.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
}

const keyOf = (stems: readonly string[]) => [...stems].sort().join(' ');

const profilesOf = remembered((facts: readonly ShownFact[]): Profiles => {
  const hasMost = facts.some(({ name }) => /(?<!\p{L})max(?:imum)?(?!\p{L})/iu.test(name));
  const all = facts.map((fact) => readFact(fact, hasMost));
  const holders = Map.groupBy(all, ({ value }) => value.join(' '));
  const inAnyOrder = Map.groupBy(all, ({ value }) => keyOf(value));
  const profiles = all.map((each): Profile => {
    const { value, unit } = each;
    const short = value.length > 0 && value.length <= longestValue;
    const same = holders.get(value.join(' ')) ?? [];
    const isBare =
      each.bare.length > 0 && !all.some((other) => other !== each && each.bare.every((stem) => other.name.includes(stem)));
    return {
      whole: each.whole,
      name: new Set(isBare ? each.bare : each.name),
      value: short ? value : [],
      quotes: short ? new Set() : quotesOf(value),
      distinct: same.length === 1 && value.some(isDistinct),
      loose:
        short &&
        value.length > 1 &&
        value.every(isDistinct) &&
        !value.some((stem) => negations.has(stem)) &&
        inAnyOrder.get(keyOf(value))?.length === 1,
      unit:
        unit !== undefined && same.filter((other) => other.unit !== undefined && isSameUnit(unit, other.unit)).length === 1
          ? unit
          : undefined,
    };
  });
  const named = Map.groupBy(
    all.flatMap(({ name }) => [...new Set(name)]),
    (stem) => stem,
  );
  return { profiles, unique: new Set([...named].flatMap(([stem, some]) => (some.length === 1 ? [stem] : []))) };
});

function runsOf(run: readonly string[], words: readonly Word[]): number[] {
  if (run.length === 0) return [];
  return words.flatMap((_, at) => (run.every((stem, offset) => words[at + offset]?.stem === stem) ? [at] : []));
}

/** A value in any order, near together, where nothing denies it. */
function inAnyOrder(value: readonly string[], words: readonly Word[]): Word[] {
  return words.flatMap((_, at) => {
    const rest = [...value];
    const spoken: Word[] = [];
    for (const word of words.slice(at, at + value.length + nearby)) {
      const place = rest.indexOf(word.stem);
      if (place >= 0) {
        rest.splice(place, 1);
        spoken.push(word);
      } else if (spoken.length === 0 || !(links.has(word.stem) || word.stem.endsWith('ly'))) return [];
      if (rest.length === 0) return negations.has(words[at - 1]?.stem ?? '') ? [] : spoken;
    }
    return [];
  });
}

/** Whether a word of a name that is in the sentence as a whole belongs to it: it is there once, or another word of the name is near. */
function isOfName(word: Word, named: readonly Word[], words: readonly Word[]): boolean {
  const isSame = ({ stem }: Word) => stem === word.stem;
  const at = words.indexOf(word);
  return (
    named.every(isSame) ||
    named.filter(isSame).length === 1 ||
    words.slice(Math.max(0, at - nearby), at + nearby + 1).some((each) => named.includes(each) && !isSame(each))
  );
}

type Range = Pick<Word, 'start' | 'end'>;

const isIn = ({ start, end }: Range, range: Range) => range.start <= start && end <= range.end;
const lengthOf = ({ start, end }: Range) => end - start;

/** Whether a stretch is part of a longer name of another fact: `course` in `lessons_in_course`. @param own names of the fact itself */
function isOfOther(stretch: Range, own: readonly Range[] = [], all: readonly Range[]): boolean {
  const longest = Math.max(lengthOf(stretch), ...own.filter((name) => isIn(stretch, name)).map(lengthOf));
  return all.some((name) => isIn(stretch, name) && lengthOf(name) > longest);
}

function spokenOf(
  { name, value, quotes, distinct, loose, unit }: Profile,
  words: readonly Word[],
  unique: ReadonlySet<string>,
  isForeign: (stretch: Range) => boolean,
): Word[] {
  const named = words.filter((word) => name.has(word.stem) && !isForeign(word));
  const whole = name.size > 0 && new Set(named.map(({ stem }) => stem)).size === name.size;
  const spoken = whole ? named.filter((word) => isOfName(word, named, words)) : [];
  const hasNumber = value.some(isNumber);
  for (const at of runsOf(value, words)) {
    const run = words.slice(at, at + value.length);
    if (isForeign({ start: run[0]?.start ?? 0, end: run.at(-1)?.end ?? 0 })) continue;
    const around = words.slice(Math.max(0, at - nearby), at + value.length + nearby);
    const near = whole ? [] : around.filter((word) => named.includes(word) && unique.has(word.stem));
    const isNear = near.length > 0 && (hasNumber || name.size === 1 || new Set(near.map(({ stem }) => stem)).size > 1);
    const measured = words[at]?.unit;
    const isMeasured = unit !== undefined && measured !== undefined && isSameUnit(unit, measured);
    if (isMeasured) spoken.push(...words.slice(at + 1, at + 2).filter(({ stem }) => isSameUnit(unit, stem)));
    if (distinct || whole || isNear || isMeasured) spoken.push(...run, ...(isNear ? near : []));
  }
  if (loose) spoken.push(...inAnyOrder(value, words));
  if (quotes.size > 0) {
    for (const at of words.keys()) {
      const run = words.slice(at, at + quoteLength);
      if (quotes.has(run.map(({ stem }) => stem).join(' '))) spoken.push(...run);
    }
  }
  return [...new Set(spoken)].toSorted((a, b) => a.start - b.start);
}

/** The stretches of a text that mention facts, in order; stretches of two facts may overlap. */
export function mentionsIn(text: string, facts: readonly ShownFact[]): Mention[] {
  const { profiles, unique } = profilesOf(facts);
  const namesIn: readonly (readonly Range[])[] = profiles.map(({ whole }) =>
    [...text.matchAll(whole)].map(({ index: start, 0: { length } }) => ({ start, end: start + length })),
  );
  const allNames = namesIn.flat();
  const mentions: Mention[] = [];
  for (const words of sentencesIn(text)) {
    for (const [fact, profile] of profiles.entries()) {
      let last: { fact: number; start: number; end: number } | undefined;
      const isForeign = (stretch: Range) => isOfOther(stretch, namesIn[fact], allNames);
      for (const word of spokenOf(profile, words, unique, isForeign)) {
        const { start, end } = namesIn[fact]?.find((name) => isIn(word, name)) ?? word;
        if (last !== undefined && /^[\s_-]*$/.test(text.slice(last.end, start))) last.end = Math.max(last.end, end);
        else {
          last = { fact, start, end };
          mentions.push(last);
        }
      }
    }
  }
  return mentions.toSorted((a, b) => a.start - b.start || a.fact - b.fact);
}

/** A line for each unit. One word can be for two: pounds weigh, and pounds pay. */
const units: readonly ReadonlySet<string>[] = [
  ['min', 'mins', 'minute', 'minutes'],
  ['h', 'hr', 'hrs', 'hour', 'hours'],
  ['sec', 'secs', 'second', 'seconds'],
  ['day', 'days'],
  ['wk', 'wks', 'week', 'weeks'],
  ['month', 'months'],
  ['yr', 'yrs', 'year', 'years'],
  ['km', 'kilometre', 'kilometres', 'kilometer', 'kilometers'],
  ['cm', 'centimetre', 'centimetres', 'centimeter', 'centimeters'],
  ['mile', 'miles'],
  ['metre', 'metres', 'meter', 'meters'],
  // Metres, minutes, months or millions: it is the same as itself only.
  ['m'],
  ['m2', 'm²', 'sqm', 'square metre', 'square metres', 'square meter', 'square meters'],
  ['m3', 'm³', 'cubic metre', 'cubic metres', 'cubic meter', 'cubic meters'],
  ['l', 'litre', 'litres', 'liter', 'liters'],
  ['kwh', 'kilowatt hour', 'kilowatt hours'],
  ['g', 'gram', 'grams'],
  ['kg', 'kilo', 'kilos', 'kilogram', 'kilograms'],
  ['lb', 'lbs', 'pound', 'pounds'],
  ['gbp', '£', 'pound', 'pounds'],
  ['eur', '€', 'euro', 'euros'],
  ['usd', '$', 'dollar', 'dollars'],
  ['chf', 'franc', 'francs'],
  ['pct', '%', 'percent', 'per cent'],
].map((words) => new Set(words));

const lines = (word: string) => units.filter((line) => line.has(word.toLowerCase()));

const isUnit = (word: string): boolean => lines(word).length > 0;
const isSameUnit = (one: string, other: string): boolean => lines(one).some((line) => line.has(other.toLowerCase()));

/** What follows a number as its unit, or comes before it as a currency; undefined where nothing does. Ranges in UTF-16 code units. */
function unitAt(text: string, start: number, end: number): string | undefined {
  const after = /^[\s\u00a0-]?((?:per|square|cubic|kilowatt) \p{L}+|[%€$£]|\p{L}+[23²³]?(?!\p{L}))/iu.exec(
    text.slice(end, end + 24),
  )?.[1];
  if (after !== undefined && isUnit(after)) return after;
  const before = /(?:([€$£])|(?<!\p{L})(EUR|USD|GBP|CHF))\s?$/u.exec(text.slice(Math.max(0, start - 5), start));
  return before?.[1] ?? before?.[2];
}
