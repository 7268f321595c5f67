import { signs, withSigns } from './labelMentions.ts';
import { leadLength } from './regions.ts';

/** Openings with which an answer is taken back. */
const retraction =
  /\b(?:actually|wait|correction|correcting|corrected|on (?:second thought|reflection)|upon reflection|scratch that|i (?:meant|was wrong|misspoke|take that back|change my|(?:have )?changed my)|(?:that|this) (?:is|was) wrong|should (?:be|have been|read)|instead(?! of)|revised|reconsider(?:ed|ing)?|however|alternatively|mistake|update|ignore|(?:correct|right|real|true|better|final) (?:answer|prediction|label|verdict) is)\b/gi;

/** Characters after such an opening in which another label counts. */
const reach = 160;

/** Openings above which a text is taken for one that cannot decide. */
const mostRetractions = 30;

/** Words in front of an answer that make it an example, a form, somebody else's, a condition's, or none at all. */
const disclaimers: readonly RegExp[] = [
  /\b(?:for example|for instance|e\.g\.|an example|example (?:answer|output|response|reply)|hypothetical(?:ly)?|instead of|rather than)[^.!?\n]{0,40}$/i,
  /(?:^|\n)[ \t*#>]{0,20}example[*\s]{0,8}:?[*\s]{0,8}$/i,
  /(?:^|\n)[ \t*#>]{0,20}(?:the )?(?:expected |required |output |response |answer )*format(?: (?:is|should be|would be))?[\s*:]{0,8}$/i,
  /(?:\b(?:not|never)|n['\u2019]t)(?: (?:be|say|answer|predict|choose|give|output|return|write|respond|reply|with|the|a|an|as|this|that|is|correct|json)){0,4}\s*[:"`]*\s*$/i,
  /\b(?:wrong|incorrect|invalid|bad) (?:answer|output|response|prediction|verdict|reply)\b[^.!?\n]{0,12}$/i,
  /(?<!\bI )\b(?:would|might|could|may) (?:then )?(?:say|argue|answer|claim|respond|reply|predict)[^.!?\n]{0,12}$/i,
  /(?<!\bI )\b(?:said|says|answered|answers|gave|gives|claimed|claims|argued|argues)\b[^.!?\n]{0,12}$/i,
  /(?:^|\n)[ \t*#>]{0,20}(?:draft|thinking|thoughts?|question|input|user|prosecut(?:or|ion)|defen[cs]e|attorney|option \w{1,3})[*\s]{0,8}:?[*\s]{0,8}$/i,
  /\b(?:is it|should i (?:say|answer|predict))\s*$/i,
  /(?:^|[.!?\n])[ \t]{0,8}(?:if|unless|suppose)\b[^.!?\n]*$/i,
  /(?:(?<!~)~~|<del>|<s>|<!--[^>]*)\s*$/i,
];

/** The opening of a fence. */
const fence = /```\w{0,20}$/;

/** Whether the prose in front of an answer makes it an example, or denies it; its last `leadLength` characters are looked at. */
export function isDisclaimed(lead: string): boolean {
  const words = lead.slice(-leadLength).trimEnd().replace(fence, '').trimEnd();
  return disclaimers.some((pattern) => pattern.test(words));
}

/** Sentences behind an answer that call it wrong or take it out. */
const calledWrong: readonly RegExp[] = [
  /\b(?:that|this|the|my|above|previous|last) (?:[\w-]{1,20} ){0,3}?(?:answer|output|response|prediction|verdict|object|json|reply|decision|conclusion|one|above) (?:above )?(?:is|was|seems|looks|appears|may be|might be|could be) (?:[\w-]{1,20} ){0,2}?(?:invalid|wrong|incorrect|false|mistaken|erroneous|in error|an error|a mistake|withdrawn|retracted|void|not (?:valid|correct|right|true|accurate|my|what|the))\b/i,
  /(?:^|[.!?\n(])[ \t]{0,8}(?:but |sorry,? |no,? |wait,? |actually,? |hmm,? |oops,? ){0,3}(?:that|this|it|the above)(?:'s|\u2019s| is| was) (?:[\w-]{1,20} )?(?:invalid|wrong|incorrect|mistaken|false|erroneous|in error|an error|a mistake|not (?:valid|correct|right|true|accurate|my (?:final )?(?:answer|verdict|prediction|decision)|the (?:final |right |correct )?(?:answer|verdict|prediction|decision)))\b/i,
  /\bI (?:hereby )?(?:retract|withdraw|revoke|take back|must retract|have to retract|want to retract|must withdraw|disagree with (?:this|that|the above|my own))\b/i,
  /\bI was (?:\w{1,20} )?(?:wrong|mistaken)\b/i,
  /\bI (?:have |must have )?made (?:an?|this) (?:\w{1,20} )?(?:error|mistake)\b/i,
  /(?:^|[.!?\n])[ \t]{0,8}(?:not an? (?:valid|correct|real|proper|final) (?:answer|prediction|verdict)|the opposite is (?:true|right|correct|the case))\b/i,
  /\b(?:scratch that|strike that|never ?mind|forget (?:the above|that|this|it|my)|(?:do not|don['\u2019]t) (?:use|count|take|trust|accept) (?:this|that|it|the above|my))\b/i,
];

/** Whether the text behind an answer says that it was none. */
export function isCalledNoAnswer(after: string): boolean {
  return (
    calledWrong.some((pattern) => pattern.test(after)) ||
    /^[\s"'`.]*\?/.test(after) ||
    /\b(?:ignore|disregard) (?:the above|that|this|my)\b/i.test(after) ||
    /^[\s"'`.]*(?:is|was|would be)\b[^.!?\n]{0,20}\b(?:not|wrong|incorrect|false)\b/i.test(after) ||
    /\b(?:just|only|merely|is|was) an? (?:\w+ )?(?:example|placeholder|template|sample)\b/i.test(after)
  );
}

/** Characters from which on a label is hardly a word of any sentence. */
const distinct = 5;

const anotherLabel = new RegExp(
  `${signs.other}|${signs.otherPlain}(?=["'*\`]{0,3}(?:[.,;!)]|\\s*$))|\\bnot[ \\t]+(?:an?[ \\t]+)?["'*\`]{0,3}[${signs.own}${signs.ownPlain}]`,
);

/** Whether the text names another label, or denies one of the answer's own. Short labels are words of the language too. */
export const namesOther = (text: string, own: ReadonlySet<string>, labels: readonly string[]): boolean =>
  anotherLabel.test(withSigns(text, own, labels, distinct));

/** Whether the text takes an answer back: an opening that does so, then another label, or the answer's own denied. */
export function retracts(text: string, own: ReadonlySet<string>, labels: readonly string[]): boolean {
  let openings = 0;
  for (const match of text.matchAll(retraction)) {
    openings += 1;
    if (openings > mostRetractions) return true;
    if (namesOther(text.slice(match.index, match.index + match[0].length + reach), own, labels)) return true;
  }
  return false;
}

const refusal =
  /\bI (?:refuse|decline|(?:cannot|can not|can['\u2019]t|am unable to|am not able to|will not|won['\u2019]t) (?:make|give|provide|answer|predict|decide|determine))\b[^.!?\n]*/gi;

/** Whether the text refuses to answer, and not only to be certain. */
export const refuses = (text: string): boolean =>
  [...text.matchAll(refusal)].some(
    ([sentence]) => !/\b(?:but|however|with (?:\w+ )?certainty|for (?:sure|certain)|exactly|more)\b/i.test(sentence),
  );
