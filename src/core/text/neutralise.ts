import { controlTokensIn } from './controlTokens.ts';
import { delimitersIn } from './delimiters.ts';
import type { Found } from './found.ts';

export interface Neutralised {
  readonly text: string;
  /** Ranges of the given text, in order. */
  readonly found: readonly Found[];
}

/** A token keeps its words and loses the brackets that make it one; a heading gets them. */
function defused(text: string, { start, end, rule }: Found): string {
  const part = text.slice(start, end);
  const bare = part.replace(/^[<[]/, '').replace(/[>\]]$/, '');
  return rule === 'control-token' && bare !== part ? `‹${bare.replaceAll('<', '‹').replaceAll('>', '›')}›` : `‹${part.trim()}›`;
}

/**
 * Takes the power out of control tokens, and out of transcript delimiters where a pattern for them is given, without
 * taking them out of the text: `<|im_end|>` reads `‹|im_end|›`, `Defense, closing:` reads `‹Defense, closing:›`.
 * A text without any comes back as it is. What comes back holds none.
 */
export function neutralise(text: string, delimiters?: RegExp): Neutralised {
  const all = [...controlTokensIn(text), ...(delimiters === undefined ? [] : delimitersIn(text, delimiters))];
  if (all.length === 0) return { text, found: [] };
  const found: Found[] = [];
  let result = '';
  let at = 0;
  for (const one of all.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (one.start < at) continue;
    found.push(one);
    result += text.slice(at, one.start) + defused(text, one);
    at = one.end;
  }
  return { text: result + text.slice(at), found };
}
