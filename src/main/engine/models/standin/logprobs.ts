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

/** An option as it is written: its tokens up to and with the closing quote. */
const written = (option: string): string[] => tokenize(JSON.stringify(option).slice(1));

/** For each token of what was chosen: the tokens that the options go on with there, likeliest first. */
function branches(choice: Choice): (readonly [string, number])[][] {
  let left = choice.options.map((option, index) => ({ tokens: written(option), mass: choice.probabilities[index] ?? 0 }));
  return written(choice.chosen).map((token, place) => {
    const whole = left.reduce((sum, { mass }) => sum + mass, 0);
    const sums = new Map<string, number>();
    for (const { tokens, mass } of left) sums.set(tokens[place] ?? '', (sums.get(tokens[place] ?? '') ?? 0) + mass / whole);
    left = left.filter(({ tokens }) => tokens[place] === token);
    return [...sums].sort((one, other) => other[1] - one[1]);
  });
}

/** By place in the text: the tokens that could stand there, for every token of a choice. */
function placeChoices(text: string, choices: readonly Choice[]): Map<number, (readonly [string, number])[]> {
  const places = new Map<number, (readonly [string, number])[]>();
  let from = 0;
  for (const choice of choices) {
    const entry = `${JSON.stringify(choice.key)}:${JSON.stringify(choice.chosen)}`;
    const at = text.indexOf(entry, from);
    if (at < 0) continue;
    from = at + entry.length;
    let place = from - JSON.stringify(choice.chosen).length + 1;
    places.set(place - 1, [['"', 1]]);
    for (const [index, ranked] of branches(choice).entries()) {
      places.set(place, ranked);
      place += written(choice.chosen)[index]?.length ?? 0;
    }
  }
  return places;
}

/** Log probabilities of all tokens: the tokens of a choice carry the belief behind it. */
export function logprobsOf(text: string, tokens: readonly string[], choices: readonly Choice[], top: number): TokenReport[] {
  const places = placeChoices(text, choices);
  let at = 0;
  return tokens.map((token, index) => {
    let ranked = places.get(at);
    at += token.length;
    if (ranked === undefined) {
      const probability = 1 - 0.4 * unit('surprise', token, String(index)) ** 3;
      const others = Array.from(
        { length: 4 },
        (_, rank) =>
          [`${token}${'aeio'[rank] ?? ''}`, ((1 - probability) / 2 ** (rank + 1)) * (1 + signed(token) * 0.1)] as const,
      );
      ranked = [[token, probability], ...others];
    }
    const own = report(token, ranked.find(([name]) => name === token)?.[1] ?? 1e-6);
    return top === 0
      ? own
      : { ...own, top_logprobs: ranked.slice(0, top).map(([name, probability]) => report(name, probability)) };
  });
}
