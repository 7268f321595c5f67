// Takes the power out of control tokens and transcript headings.
import { controlTokensIn } from './controlTokens.ts';
import { type Delimiters, delimitersIn } from './delimiters.ts';
import { searched } from './fold.ts';
import type { Found, GuardRules, NeutralisationRule } from './found.ts';

export interface Neutralised {
  readonly text: string;
  /** One for each token and each heading; empty where the text came back as it is. */
  readonly found: readonly { readonly rule: NeutralisationRule }[];
}

function replaced(text: string, found: readonly Found[], harmless: (part: string) => string): string {
  let result = '';
  let at = 0;
  for (const { start, end } of found) {
    result += text.slice(at, start) + harmless(text.slice(start, end));
    at = end;
  }
  return result + text.slice(at);
}

const marked = (part: string) => `‹${part.trim()}›`;

/** A token keeps its words and loses the brackets that make it one; one without any is marked like a heading. */
function defused(token: string, rules: GuardRules): string {
  const words = Array.from(token, (character) => {
    const { text } = searched(character, rules);
    return '<[◁'.includes(text || ' ') ? '‹' : '>]▷'.includes(text || ' ') ? '›' : character;
  }).join('');
  return words === token ? marked(token) : words;
}

/**
 * Takes the power out of control tokens, and out of transcript delimiters where they are given, without
 * taking them out of the text: `<|im_end|>` reads `‹|im_end|›`, `Defense, closing:` reads `‹Defense, closing:›`.
 * A text without any comes back as it is.
 *
 * What comes back holds none, and so comes back from here as it is. No token admits `‹` or `›`, and every replacement
 * begins and ends with one of them: no token can reach over its edge, and within it none of the brackets is left that
 * a token needs. Headings come second, so that one that was built around a token is marked without it; the mark puts
 * nothing at the beginning of a line but itself, and a marked heading is none.
 */
export function neutralise(text: string, rules: GuardRules, delimiters?: Delimiters): Neutralised {
  const tokens = controlTokensIn(text, rules);
  const safe = replaced(text, tokens, (token) => defused(token, rules));
  const headings = delimiters === undefined ? [] : delimitersIn(safe, delimiters);
  return { text: replaced(safe, headings, marked), found: [...tokens, ...headings] };
}
