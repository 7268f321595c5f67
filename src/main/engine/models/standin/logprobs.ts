import type { Choice } from './chooser.ts';
import { signed, unit } from './random.ts';
import { tokenize } from './tokens.ts';

interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes: readonly number[];
}

export interface TokenReport extends TokenLogprob {
  readonly top_logprobs?: readonly TokenLogprob[];
}

function report(token: string, probability: number): TokenLogprob {
  return { token, logprob: Number(Math.log(Math.max(probability, 1e-9)).toFixed(6)), bytes: [...Buffer.from(token)] };
}

/** First tokens of the options and their summed probabilities, likeliest first. */
function firstTokens(choice: Choice): (readonly [string, number])[] {
  const sums = new Map<string, number>();
  choice.options.forEach((option, index) => {
    const first = tokenize(option)[0] ?? '';
    sums.set(first, (sums.get(first) ?? 0) + (choice.probabilities[index] ?? 0));
  });
  return [...sums].sort((left, right) => right[1] - left[1]);
}

/** Where in the text each choice is written. */
function placeChoices(text: string, choices: readonly Choice[]): Map<number, Choice> {
  const places = new Map<number, Choice>();
  let from = 0;
  for (const choice of choices) {
    const written = `${JSON.stringify(choice.key)}:${JSON.stringify(choice.chosen)}`;
    const at = text.indexOf(written, from);
    if (at < 0) continue;
    from = at + written.length;
    places.set(from - JSON.stringify(choice.chosen).length + 1, choice);
  }
  return places;
}

/** Log probabilities of all tokens: a choice's first token carries the belief behind it. */
export function logprobsOf(text: string, tokens: readonly string[], choices: readonly Choice[], top: number): TokenReport[] {
  const places = placeChoices(text, choices);
  let at = 0;
  return tokens.map((token, index) => {
    const choice = places.get(at);
    at += token.length;
    let ranked: (readonly [string, number])[];
    if (choice === undefined) {
      const probability = 1 - 0.4 * unit('surprise', token, String(index)) ** 3;
      const others = Array.from(
        { length: 4 },
        (_, rank) =>
          [`${token}${'aeio'[rank] ?? ''}`, ((1 - probability) / 2 ** (rank + 1)) * (1 + signed(token) * 0.1)] as const,
      );
      ranked = [[token, probability], ...others];
    } else {
      ranked = firstTokens(choice);
    }
    const own = report(token, ranked.find(([name]) => name === token)?.[1] ?? 1e-6);
    return top === 0
      ? own
      : { ...own, top_logprobs: ranked.slice(0, top).map(([name, probability]) => report(name, probability)) };
  });
}
