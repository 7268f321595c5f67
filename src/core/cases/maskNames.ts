// Replaces what a model could recognise a known case by.
import type { Case, Fact } from '../../shared/domain.ts';

const word = /\p{L}[\p{L}\p{N}'’-]*/gu;
/** What a sentence often begins with. */
const openers = new Set(
  'A After All Also Although An And As At Because Before But By During Each Every For From He Her His However I If In It Its Many Most My No Not Of On One Or Our She Since So Some That The Their Then There These They This Those Though To Two Under Until We What When Where Which While Who Why With Yet You Your'.split(
    ' ',
  ),
);

/** Without the ending of a genitive, which stays in the text. */
const stem = (text: string) => text.replace(/['’]s?$/, '');

interface Word {
  readonly stem: string;
  readonly capital: boolean;
  /** First word of a sentence. */
  readonly first: boolean;
  readonly from: number;
  readonly to: number;
}

function wordsIn(text: string): Word[] {
  return [...text.matchAll(word)].map(({ 0: found, index }) => {
    const before = text.slice(0, index).replace(/["“”„‘([\s]+$/u, '');
    const own = stem(found);
    return {
      stem: own,
      capital: /^\p{Lu}/u.test(own),
      first: before === '' || /[.!?:;]$/.test(before),
      from: index,
      to: index + own.length,
    };
  });
}

/** Words that seem to be proper names: capitals within a sentence, the same words elsewhere, and the word right before one. */
function namesIn(texts: readonly string[]): string[] {
  const all = texts.map(wordsIn);
  const sure = new Set(
    all.flat().flatMap(({ stem: own, capital, first }) => (capital && !first && !/^I(?:$|['’])/.test(own) ? [own] : [])),
  );
  return all.flatMap((words) =>
    words.flatMap(({ stem: own, capital, first, to }, place) => {
      const next = words[place + 1];
      const leads = next !== undefined && next.from - to === 1 && sure.has(next.stem) && !openers.has(own);
      return capital && (sure.has(own) || (first && leads)) ? [own] : [];
    }),
  );
}

/**
 * A case in which names are replaced by neutral ones: of a table the names of columns by `column 1`, `column 2`, …; of texts the
 * words that seem to be proper names by `Name-1`, `Name-2`, …, the same word by the same one in all texts of the case. Names are
 * found by their capital letters, so texts without any, or with nothing else, stay as they are, and in languages that write all
 * nouns with capitals every noun is taken for a name. Question, labels and the values of a table stay.
 */
export function maskNames(kase: Case): Case {
  if (kase.kind === 'tabular') {
    return { ...kase, facts: kase.facts.map(({ value }, place): Fact => ({ name: `column ${place + 1}`, value })) };
  }
  const mixed = kase.facts.filter(({ value }) => /\p{Ll}/u.test(value));
  const names = new Map([...new Set(namesIn(mixed.map(({ value }) => value)))].map((name, place) => [name, `Name-${place + 1}`]));
  const masked = (text: string) =>
    wordsIn(text)
      .toReversed()
      .reduce((left, { stem: own, from, to }) => left.slice(0, from) + (names.get(own) ?? own) + left.slice(to), text);
  return { ...kase, facts: kase.facts.map((fact) => (mixed.includes(fact) ? { ...fact, value: masked(fact.value) } : fact)) };
}
