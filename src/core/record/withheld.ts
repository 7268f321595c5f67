import type { Change } from '../../shared/changes.ts';
import { randomSource, shuffled } from '../cases/shuffle.ts';
import type { Prompt } from '../prompts/wording.ts';

/** Replaces a withheld speech. It names no label and gives no reason, so that no one argues about it. */
const nothingSaid = '(Nothing was said here.)';

/** The speech that an utterance belongs to: all that a role says in one turn. Its key without the last part, such as `turn-2/defense`. */
export const speechOf = (utterance: string): string => utterance.slice(0, Math.max(0, utterance.lastIndexOf('/'))) || utterance;

/** Shorter texts are found only by themselves: their words could be those of a rule or a fact. */
const shortest = 20;

/** Speeches heard where a debate is cut at random: 0 to all but one, each as likely, by draw. @param seed of the case */
export function heardSpeeches({ speeches, draw }: Extract<Change, { kind: 'truncate' }>, seed: number): number {
  const order = shuffled([...speeches.keys()], randomSource(seed, 'truncate'));
  return order[draw - 1] ?? speeches.length;
}

/** Keeps the speech that a change withholds or replaces out of every prompt after it, its speaker's own too. @param seed of the case */
export function withholding(change: Change | undefined, seed: number) {
  const unheard = new Set(
    change?.kind === 'withhold' || change?.kind === 'replace'
      ? [change.speech]
      : change?.kind === 'truncate'
        ? change.speeches.slice(heardSpeeches(change, seed))
        : [],
  );
  const instead = new Map<string, string>();
  const heardBefore = new Set<string>();
  const started = new Set<string>();
  const take = (speech: string, text: string) => {
    if (!unheard.has(speech)) heardBefore.add(text);
    // A speech that only repeats what was heard adds nothing: silencing these words would silence the earlier speech.
    else if (!heardBefore.has(text) && !instead.has(text))
      instead.set(text, change?.kind === 'replace' && !started.has(speech) ? change.text : nothingSaid);
  };
  /** The part in one pass, so that no words that are put in are searched for the others. */
  const partWithout = (part: string): string => {
    const whole = instead.get(part);
    if (whole !== undefined) return whole;
    let without = '';
    for (let from = 0; ; ) {
      const found = [...instead]
        .filter(([text]) => text.length >= shortest)
        .map(([text, words]) => ({ text, words, at: part.indexOf(text, from) }))
        .filter(({ at }) => at >= 0)
        .toSorted((one, other) => one.at - other.at || other.text.length - one.text.length)[0];
      if (found === undefined) return without + part.slice(from);
      without += part.slice(from, found.at) + found.words;
      from = found.at + found.text.length;
    }
  };
  return {
    /** Takes note of the answer that an utterance of a speech is read from. */
    answered: take,
    /** Takes note of an utterance of a speech: other words are heard in place of the first, and nothing in place of the others. */
    uttered(speech: string, text: string) {
      take(speech, text);
      started.add(speech);
    },
    without: (prompt: Prompt) =>
      instead.size === 0 ? prompt : prompt.map((message) => ({ ...message, parts: message.parts.map(partWithout) })),
  };
}
