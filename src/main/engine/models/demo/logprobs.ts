import { tokenize } from './tokens.ts';
import type { Choice } from './write.ts';

/** A token, and the tokens that could stand in its place with their probabilities, likeliest first. */
export interface Token {
  readonly text: string;
  readonly alternatives: readonly (readonly [string, number])[];
}

/** Tokens of a text that could not have been another. */
export const certainTokens = (text: string): Token[] =>
  tokenize(text).map((token) => ({ text: token, alternatives: [[token, 1]] }));

/** A label as it is written behind its opening quote: one token, so that the token's probability is the belief. */
const ending = (label: string): string => JSON.stringify(label).slice(1);

/** An answer in tokens. Where a label was chosen, the token says how likely each of the labels was. */
export function tokensOf(text: string, choices: readonly Choice[]): Token[] {
  const tokens: Token[] = [];
  let from = 0;
  for (const { key, chosen, options, belief } of choices) {
    const written = `${JSON.stringify(key)}:${JSON.stringify(chosen)}`;
    const at = text.indexOf(written, from);
    // What a fault has changed has no choice any more.
    if (at < 0) continue;
    tokens.push(...certainTokens(text.slice(from, at + written.length - ending(chosen).length)));
    const ranked = options.map((option, index): [string, number] => [ending(option), belief[index] ?? 0]);
    tokens.push({ text: ending(chosen), alternatives: ranked.toSorted(([, one], [, other]) => other - one) });
    from = at + written.length;
  }
  return [...tokens, ...certainTokens(text.slice(from))];
}

const reported = ([token, share]: readonly [string, number]) => ({
  token,
  logprob: Number(Math.log(Math.max(share, 1e-9)).toFixed(6)),
  bytes: [...Buffer.from(token)],
});

/** A token as Ollama and OpenAI report it, with so many alternatives. */
export const reportOf = ({ text, alternatives }: Token, top: number) => ({
  ...reported(alternatives.find(([token]) => token === text) ?? [text, 1]),
  top_logprobs: alternatives.slice(0, top).map(reported),
});
