/** Sentences that leave no label: `None of them applies.` */
const none =
  /\bnone of (?:the|these|those|them|my)\b[^.!?\n]{0,40}?\b(?:appl(?:y|ies)|fits?|(?:is|are) (?:right|true|correct))\b|\bno (?:label|answer|option)s? (?:appl(?:y|ies)|fits?|(?:is|are) (?:right|true|correct))\b/i;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Whether a text leaves one label alone of those that an answer names: `Only damp applies.` */
const leavesOne = (text: string, own: ReadonlySet<string>): boolean =>
  [...own].some((label) =>
    new RegExp(
      `\\bonly (?:the )?["'\`*]{0,2}${escaped(label)}["'\`*]{0,2}(?: (?:appl|fits?|is (?:right|true|correct))|\\s*(?:[.!]|$))`,
      'im',
    ).test(text),
  );

/**
 * Whether a text outside of an answer names fewer labels than the answer's list: none, or one of several. Other labels
 * than those of the list are found as in answers with one label.
 * @param own the labels of the list, one or more
 */
export function namesFewer(text: string, own: ReadonlySet<string>): boolean {
  return none.test(text) || (own.size > 1 && leavesOne(text, own));
}
