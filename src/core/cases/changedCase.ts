// A case with one thing changed, as an arm declares it.

import type { Change } from '../../shared/changes.ts';
import type { Case, Fact } from '../../shared/domain.ts';
import { type RandomSource, randomSource } from './shuffle.ts';

/** The facts with some set to another value or left out; the same list where that changes nothing. */
function withFacts(facts: readonly Fact[], replaced: (fact: Fact) => string | null): readonly Fact[] {
  const changed = facts.flatMap((fact) => {
    const value = replaced(fact);
    return value === null ? [] : [value === fact.value ? fact : { ...fact, value }];
  });
  return changed.length === facts.length && changed.every((fact, place) => fact === facts[place]) ? facts : changed;
}

/** Share of the words that get a slip. */
const slips = 0.1;
const word = /\p{L}{3,}/gu;

/** A word with two neighbouring letters exchanged, not the first; the same where all of them are alike. */
function slipped(text: string, random: RandomSource): string {
  const letters = [...text];
  const places = letters.flatMap((letter, place) =>
    place > 0 && place < letters.length - 1 && letter !== letters[place + 1] ? [place] : [],
  );
  const place = places[random.below(Math.max(1, places.length))];
  if (place === undefined) return text;
  return [...letters.slice(0, place), letters[place + 1], letters[place], ...letters.slice(place + 2)].join('');
}

/** Facts with slips of the keyboard in about one word of ten, in one word at least; numbers stay. */
function withNoise(facts: readonly Fact[], inNames: boolean, seed: number): readonly Fact[] {
  const random = randomSource(seed, 'noise');
  const texts = facts.flatMap(({ name, value }) => (inNames ? [name, value] : [value]));
  const count = texts.reduce((sum, text) => sum + (text.match(word)?.length ?? 0), 0);
  if (count === 0) return facts;
  const sure = random.below(count);
  let place = -1;
  const write = (text: string) =>
    text.replace(word, (found) => {
      place += 1;
      return place === sure || random.below(1000) < slips * 1000 ? slipped(found, random) : found;
    });
  const written = facts.map(({ name, value }) => ({ name: inNames ? write(name) : name, value: write(value) }));
  return written.every(({ name, value }, at) => name === facts[at]?.name && value === facts[at].value) ? facts : written;
}

/** With a sentence behind the facts: a separate fact in a table, the end of the last text otherwise. */
function withSentence({ kind, facts }: Case, text: string): readonly Fact[] {
  const last = facts.at(-1);
  if (kind === 'tabular' || last === undefined) return [...facts, { name: 'note', value: text }];
  return [...facts.slice(0, -1), { ...last, value: `${last.value} ${text}` }];
}

function changedFacts(kase: Case, change: Change, seed: number): readonly Fact[] {
  const { facts, kind } = kase;
  switch (change.kind) {
    case 'facts':
      return withFacts(facts, ({ name, value }) => (Object.hasOwn(change.facts, name) ? (change.facts[name] ?? null) : value));
    case 'attribute':
      return withFacts(facts, ({ name, value }) =>
        name === change.attribute && Object.hasOwn(change.to, value) ? (change.to[value] ?? value) : value,
      );
    case 'fact-order':
      return facts.length < 2 ? facts : facts.toReversed();
    case 'noise':
      return withNoise(facts, kind === 'tabular', seed);
    case 'instruction':
      return withSentence(kase, change.text);
    case 'seed':
    case 'model':
    case 'prompts':
    case 'params':
    case 'mislead':
    case 'withhold':
    case 'replace':
    case 'truncate':
    case 'question':
      return facts;
  }
}

/**
 * The case with a declared change made in it; the very same case where the change is none of it, as with another seed, or where
 * it does not apply: the case lacks the fact, or has the value already.
 * @param seed of the case, which decides where slips are made
 */
export function changedCase(kase: Case, change: Change, seed: number): Case {
  if (change.kind === 'question') return change.question === kase.question ? kase : { ...kase, question: change.question };
  const facts = changedFacts(kase, change, seed);
  return facts === kase.facts ? kase : { ...kase, facts };
}

/** Whether a change is made in the case itself, and so may not apply to all of them. */
export const changesCase = ({ kind }: Change): boolean =>
  !['seed', 'model', 'prompts', 'params', 'mislead', 'withhold', 'replace', 'truncate'].includes(kind);
