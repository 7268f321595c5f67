import { signs } from './labelMentions.ts';

/**
 * The forms in which a text may name another label than an answer's without giving it as the verdict. What stands in
 * none of them is taken for a second verdict. Texts are those of `prepared`: in lower case, with signs for labels.
 */

const anyOther = new RegExp(`[${signs.other}${signs.otherPlain}]`, 'u');
const anyOwn = new RegExp(`[${signs.own}${signs.ownPlain}]`, 'u');

const parties = '(?:prosecut(?:or|ion)s?|defen[cs]e|attorneys?|counsel|opponents?|other side)';

/** In front of the label: denied, compared, conceded, possible, earlier, asked or said by others, one among several. */
const inFront = new RegExp(
  `\\b(?:not|never|cannot|neither|nor|rather than|instead of|than|over|versus|vs|against|without|between|either|whether|if|unless|although|though|while|whereas|even if|could|might|may|possibl[ey]|excludes?|excluded|rule[sd]? out|reject(?:s|ed)?|dismiss(?:es|ed)?|unlikely|hardly|at first|first (?:thought|impression|guess|instinct|idea)|initially|initial|originally|earlier|previously|alternatives?|opposite|options?|labels?|choices?|someone|one would|argue[sd]?|argues for|claim(?:s|ed)?|contend(?:s|ed)?|insist(?:s|ed)?|assert(?:s|ed)?|said|says?|told|plead(?:s|ed)?|alleg\\w{1,8}|asks? for|asked for|wants?|wanted|seeks?|demands?|requests?|hopes?|according to (?:\\w+ )?${parties}|for the ${parties})\\b|n't\\b|\\b(?:i|we) (?:also )?considered ?$|(?:^|\\b(?:factors?|reasons?|arguments?|grounds?|case|evidence|points?) )(?:for|of|towards?) ?$`,
);

const anySign = `[${Object.values(signs).join('')}]`;

/** Words that turn a denial around, so that it affirms: `nothing against`, `no alternative to`. */
const affirms = new RegExp(
  `\\b(?:nothing|nobody|none|other than|apart from|except|how could|doubt\\w*|deny|denying|avoid|escape|(?:anything|everything|all) but)\\b|(?:\\bno|\\bnot|${anySign}) (?:other|alternatives?|options?|choice|longer|way around)\\b`,
);

/** Words with which the text makes another's verdict its own. */
const adopts =
  /\b(?:so (?:do|did|would|will) (?:i|we)|as do (?:i|we)|(?:and|as) (?:i|we)|me too|rightly|convinc\w+|persuad\w+)\b/;

/** Words with which a fact leans to a label; they pass where something is set against them. */
const leans =
  /\b(?:points?|pointed|pointing|speaks?|suggests?|suggested|supports?|supported|favou?rs?|favou?red|indicates?|indicated|leans?|consider(?:s|ed)?)\b/;

const outweighed = /\b(?:but|yet|however|still|outweigh\w*|weighs? more|weighed more|stronger|not enough|insufficient)\b/;

/** Whether a sentence says what leans to the answer's own label. */
export const leansToOwn = (text: string): boolean => leans.test(text) && anyOwn.test(text);

/** Behind the label: denied, unlikely, ruled out, or possible on a condition. */
const behind =
  /^ ?(?:fits? (?:\w{1,20} )?(?:less|badly|poorly)\b|(?:is|was|are|does|did|would|could|can|seems?|appears?|has been|should)(?: be| have been)?(?: \w{1,20})? ?(?:not\b|n't|less|unlikely|improbable|ruled out|excluded|rejected|wrong|incorrect|implausible|only if|no longer)|(?:is|was|does|did|would|could|can|has|should)n't\b|(?:is|was|remains|stays) (?:(?:still|also|very|quite|only) )?(?:possible|close|conceivable)\b|cannot\b|can't\b|could\b|might\b|may\b|(?:is|was|remains|stays) (?:an?|another|one|the other|the second|the alternative) (?:\w{1,20} )?(?:option|possibility|alternative)\b|would (?:\w{1,20} ){0,6}?(?:if|unless|possible|need|require|have to|take|imply|mean|another|alternative|too|only|ignore)\b)/;

/** The answer's own label above it. */
const belowOwn = new RegExp(
  `\\bprefer(?:s|red)? ${anyOwn.source} to ?$|${anyOwn.source} (?:beats|outweighs|exceeds|outranks) ?$`,
  'u',
);

const chanceOf = /\b(?:odds|chances?|probability|likelihood|risk) of(?: an?)? ?$/;
const isLow = /^ ?(?:is|are|was|were|seems?) (?:\w{1,20} )?(?:low|lower|small|smaller|slim)\b/;

const share =
  /^[)\]]? ?(?:(?:is|was|at|with|has|gets|of) |[:=] ?)?(?:only |just |about |around |roughly |approximately |~)?(\d{1,3}(?:\.\d{1,4})?)/;
const shareInFront =
  /(\d{1,3}(?:\.\d{1,4})?) ?(?:%|percent)(?: (?:chance|probability|likelihood|risk|goes|go|is|are|for|of|to|on|an?|confidence|in)){0,4} ?$/;

/** Whether a part of a hundred, or of one, is no more than half. */
const isMinor = (number: string | undefined): boolean => {
  const value = Number(number);
  return number?.includes('.') === true && value < 1 ? value <= 0.5 : value <= 50;
};

/** Whether the text behind a label gives it no more than half. */
export const hasMinorShare = (after: string): boolean => {
  const stated = share.exec(after)?.[1];
  return stated !== undefined && isMinor(stated);
};

/**
 * Whether a label stands there in passing.
 * @param before the clause in front of the label; a bracket's is all of its sentence
 * @param after the clause behind the label
 * @param rest all of the sentence behind the label
 * @param isWeighed whether a sentence beside it says what leans to the answer's own label
 */
export function isInPassing(before: string, after: string, rest: string, isWeighed = false): boolean {
  if (affirms.test(before) || adopts.test(`${before} ${rest}`)) return false;
  if (inFront.test(before) || behind.test(after)) return true;
  if (belowOwn.test(before) || (chanceOf.test(before) && isLow.test(after))) return true;
  if (/^ ?(?:means?|stands for|denotes)\b/.test(after) && (anyOwn.test(rest) || anyOwn.test(before))) return true;
  if (leans.test(before) && (isWeighed || outweighed.test(rest) || anyOwn.test(rest))) return true;
  const inFrontOf = shareInFront.exec(before)?.[1];
  if (inFrontOf !== undefined) return isMinor(inFrontOf);
  return hasMinorShare(after) || (/ or(?: an?)? ?$/.test(before) && anyOwn.test(before));
}

/** The places of another label in a clause that is not written as a word of the language. */
export const otherPlaces = (clause: string): number[] =>
  [...clause.matchAll(new RegExp(signs.other, 'gu'))].map(({ index }) => index);

/** Whether the text names another label and none of the answer's own. */
export const namesOnlyOther = (text: string): boolean => anyOther.test(text) && !anyOwn.test(text);

const concurring =
  /^(?:and |so |but |here |there |now )?(?:i|we) (?!(?:not|never|cannot|hardly|rarely)\b)(?:\w+ )?(?:agree|side|concur|follow|accept)\b/;

const partyNamed = new RegExp(
  `\\b(?:${parties}|majority|minority|jury|jurors?|judges?|court|experts?|panel|witness|others|first|second|third|last)\\b`,
);

/**
 * Whether a sentence without a label agrees with another verdict: with the party that it names, or the last sentence
 * with a label in front of it.
 */
export function agreesWithOther(texts: readonly string[], index: number): boolean {
  const text = texts[index] ?? '';
  if (!concurring.test(text) || anyOther.test(text) || anyOwn.test(text)) return false;
  const party = partyNamed.exec(text)?.[0];
  for (let at = index - 1; at >= Math.max(0, index - 12); at -= 1) {
    const earlier = texts[at] ?? '';
    if (party !== undefined ? !earlier.includes(party) : !anyOther.test(earlier) && !anyOwn.test(earlier)) continue;
    return namesOnlyOther(earlier);
  }
  return false;
}
