import type { Fact } from '../../shared/domain.ts';
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
  'Underlined in speeches: words that name a fact, its value in the same words, or four words in a row of a longer value.';

/*
 * Which facts an utterance speaks of, by words alone: all words of a fact's name within one sentence, or its value
 * where that is no everyday word and belongs to one fact only, or its value next to a word of its name ("two arrests"); of a name
 * of several words a "yes" takes two, since one can be an idiom ("as a sign of" where a fact is called "sign hidden").
 * Of a longer value, what is quoted: four words of it in a row, one of them no everyday word.
 * It errs on the side of silence: paraphrases are not seen, and a fact that is not found may well be meant.
 */

interface Word {
  readonly start: number;
  readonly end: number;
  readonly stem: string;
}

const numeral = new Map(cardinals.map((word, value) => [word, String(value)]));

/** Words that distinguish no facts. */
const common = new Set(
  `a an and are as at by for from had has have in is it its of on or that the to was were with yes no none true false not unknown other
  text name value id case claim fact statement background question passage premise hypothesis note type`.split(/\s+/),
);

const nearby = 3;
const longestValue = 6;
const quoteLength = 4;

function stemOf(word: string): string {
  const lower = word.toLowerCase().replace(/['’]s?$/, '');
  const plain = numeral.get(lower) ?? lower;
  return plain.length > 3 && /[^su]s$/.test(plain) ? plain.slice(0, -1) : plain;
}

function wordsIn(text: string): Word[] {
  return [...text.matchAll(/\p{N}+(?:[.,]\p{N}+)*|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu)].map(({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
    stem: stemOf(word),
  }));
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
  readonly name: ReadonlySet<string>;
  /** Empty where it is too long to be spoken whole; then it has `quotes`. */
  readonly value: readonly string[];
  readonly quotes: ReadonlySet<string>;
  /** The value identifies the fact in any place. */
  readonly distinct: boolean;
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

const profilesOf = remembered((facts: readonly Fact[]): Profiles => {
  const values = facts.map(({ value }) => wordsIn(value).map(({ stem }) => stem));
  const holders = Map.groupBy(values, (value) => value.join(' '));
  const profiles = facts.map(({ name }, index): Profile => {
    const value = values[index] ?? [];
    const short = value.length > 0 && value.length <= longestValue;
    return {
      name: new Set(wordsIn(name.replaceAll('_', ' ')).flatMap(({ stem }) => (common.has(stem) ? [] : [stem]))),
      value: short ? value : [],
      quotes: short ? new Set() : quotesOf(value),
      distinct: holders.get(value.join(' '))?.length === 1 && value.some(isDistinct),
    };
  });
  const named = Map.groupBy(
    profiles.flatMap(({ name }) => [...name]),
    (stem) => stem,
  );
  return { profiles, unique: new Set([...named].flatMap(([stem, all]) => (all.length === 1 ? [stem] : []))) };
});

/** Starts of a run of words within a sentence, as indexes of words. */
function runsOf(run: readonly string[], words: readonly Word[]): number[] {
  if (run.length === 0) return [];
  return words.flatMap((_, at) => (run.every((stem, offset) => words[at + offset]?.stem === stem) ? [at] : []));
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

function spokenOf({ name, value, quotes, distinct }: Profile, words: readonly Word[], unique: ReadonlySet<string>): Word[] {
  const named = words.filter(({ stem }) => name.has(stem));
  const whole = name.size > 0 && new Set(named.map(({ stem }) => stem)).size === name.size;
  const spoken = whole ? named.filter((word) => isOfName(word, named, words)) : [];
  const isNumber = value.some((stem) => /^\p{N}/u.test(stem));
  for (const at of runsOf(value, words)) {
    const around = words.slice(Math.max(0, at - nearby), at + value.length + nearby);
    const near = whole ? [] : around.filter(({ stem }) => name.has(stem) && unique.has(stem));
    const isNear = near.length > 0 && (isNumber || name.size === 1 || new Set(near.map(({ stem }) => stem)).size > 1);
    if (distinct || whole || isNear) spoken.push(...words.slice(at, at + value.length), ...(isNear ? near : []));
  }
  if (quotes.size > 0) {
    for (const at of words.keys()) {
      const run = words.slice(at, at + quoteLength);
      if (quotes.has(run.map(({ stem }) => stem).join(' '))) spoken.push(...run);
    }
  }
  return [...new Set(spoken)].toSorted((a, b) => a.start - b.start);
}

/** The stretches of a text that mention facts, in order; stretches of two facts may overlap. */
export function mentionsIn(text: string, facts: readonly Fact[]): Mention[] {
  const { profiles, unique } = profilesOf(facts);
  const mentions: Mention[] = [];
  for (const words of sentencesIn(text)) {
    for (const [fact, profile] of profiles.entries()) {
      let last: { fact: number; start: number; end: number } | undefined;
      for (const { start, end } of spokenOf(profile, words, unique)) {
        if (last !== undefined && /^[\s_-]*$/.test(text.slice(last.end, start))) last.end = end;
        else {
          last = { fact, start, end };
          mentions.push(last);
        }
      }
    }
  }
  return mentions.toSorted((a, b) => a.start - b.start || a.fact - b.fact);
}
