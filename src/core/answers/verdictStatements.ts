import { signs, withSigns } from './labelMentions.ts';
import { isFormatting, namesOtherVerdict, namesVerdict, verdictNouns } from './verdictNames.ts';

/**
 * Finds sentences that give another verdict than an answer's, or deny the answer's own. A text may speak of other labels:
 * as long as it does so in passing (`rather than NO`, `which points to NO`, `NO would be possible`), it contradicts nothing.
 *
 * A statement is one of these: a line, clause or value of a verdict-like key that is a label and nothing else (`Sorry, NO`,
 * `Final: NO`); a noun of verdict, a verb of decision or a correction with a label behind it (`the answer is NO`, `I go
 * with NO`, `it should be NO`); a label that is called the answer (`NO is correct`); or a label at the end of its clause
 * without a word that makes it a passing one. What no rule knows is passing.
 */

/** Where a plain label ends: `no.` and `no because` may be the label, `no doubt` is not. */
const stop =
  '(?= ?(?:$|[.,;:!?]| (?:is|was|seems|appears|because|since|as|given|due|based|but|here|from|would|should|instead|after|then|now|it)\\b))';
const other = `(?:${signs.other}|${signs.otherPlain}${stop})`;
const own = `(?:${signs.own}|${signs.ownPlain}${stop})`;
const anyOther = `[${signs.other}${signs.otherPlain}]`;
const anyOwn = `[${signs.own}${signs.ownPlain}]`;
const anyLabel = `[${Object.values(signs).join('')}]`;

const noun = `(?:${verdictNouns.join('|')})s?`;

/** What a verdict is about. */
const subject =
  '(?:relation|relationship|pair|statement|hypothesis|premise|case|defendant|accused|suspect|person|charge|offence|crime|review|claim|text|passage)';

/** Words without weight between what announces a label and the label. */
const link = `(?: (?:with|for|on|at|to|towards?|in favou?r of|it|it's|is|be|as|that|this|an?|my|own|more|most|now|still|him|her|them|should|must|will|would|rather|probably|likely|definitely|clearly|actually|certainly|simply|just|indeed|therefore|thus|hence|then|really|in fact|instead|best|correctly|changed|the(?= (?:\\w+ ){0,2}${noun})|(?:final|correct|right|true|new|revised) ${noun}|${noun}|(?:(?:the|this|that) )?${subject})){0,6}`;

const copula =
  '(?:is|was|are|be|being|remains?|stays?|becomes?|lautet|ist|est|es|\u00e9|:|should (?:be|have been|read)|must (?:be|have been)|has to be|ought to be|would be|will be|needs to be|changes? to|changed to|turns to|goes to|comes out as|to be)';

const decides =
  '(?:think|believe|predict|choose|pick|say|answer|conclude|decide|vote|go|rule|find|lean|opt|settle|stick|stay|change|switch|mean|meant|estimate|select|guess|feel|hold|judge|classify|label|revise|correct|move|maintain|submit|prefer|expect|assume|suppose|declare|determine|give|return|put|tend|incline|suspect|respond|reply|went|chose|changed|decided|concluded|switched|corrected|revised|settled|thought|going|leaning|opting|sticking|choosing|picking|changing|predicting|answering|saying|concluding|voting|switching|correcting|revising)';

const first = "(?:i|we|i'd|i'll|i'm|i've|we'd|let's|let me|let us)";
const step = "(?: (?!(?:not|never|if|whether|why|how|some|others?|people|they|he|she|you)\\b)[\\w']{1,20}){0,4}?";

/** Ways to give another label as the verdict; the part in front of the match must not make it a passing one. */
const statements: readonly RegExp[] = [
  `\\b${noun}${step} ?${copula}${link} ${other}`,
  `(?<![\\w'])${first}${step} ${decides}(?: (?:my|the|this|that) (?:\\w+ ){0,2}?${noun})?${link} ${other}`,
  `${anyOther} (?:is|was|seems|appears|looks|sounds|would be|should be|must be|(?:would|should|must) have been|remains)(?! (?:an?|another|one|the other|the second|the alternative) (?!(?:better|truer|more) )(?:\\w+ )?(?:option|possibility|alternative|choice|answer)\\b)(?: (?!not\\b|less\\b|un|also\\b|equally\\b|only\\b|possible\\b|wrong\\b|quite\\b|almost\\b|nearly\\b|never\\b)\\w{1,20}){0,3}? (?:${noun}|correct|right|true|better|likelier|more likely|most likely|more plausible|most plausible|more probable|most probable|appropriate|accurate|justified|warranted|called for|it|what (?:i|we))\\b`,
  `${anyOther} (?:fits best|fits better|applies|wins|prevails|it is|it has to be|it must be|after all|then|instead)(?: ?$)`,
  `\\b(?:should|must|has to|ought to|needs? to)(?: have)?(?: (?:been|be|read|say|become))?${link} ${other}`,
  `\\b(?:it|this|that|which|he|she|they|${subject})(?:'s| is| was| are| will be| should be)(?: (?:found|also|best|described|labell?ed|classified))?${link} ${other}`,
  `\\b(?:change|changed|changing|switch|switched|switching|revise|revised|correct|corrected|correcting|update|updated|amend|amended|move|flip|flipped|make|replace|set|overturn|use|record|mark|read)\\b(?: [\\w']{1,20}| ${anyOwn}){0,5}? (?:to|into|with|as|it|that|by)${link} ${other}`,
  `\\b(?:everything|all|overall|clearly|strongly|on balance|together|whole)\\b.{0,60}? (?:points?|speaks?|leads?|leans?|argues?|suggests?|indicates?|favou?rs?|supports?)(?: (?:to|towards?|for|in favou?r of))?(?: an?| the)? ${other}`,
  `\\b(?:please|then|so|hence|thus|therefore|instead|rather|just|simply|now) (?:use|read|record|take|predict|choose|pick|answer|say)${link} ${other}`,
  `\\b(?:suffers?|suffering) from${link} ${other}`,
  `\\b(?:this|it) is(?: an?| most| likely| clearly| probably){0,3} (?:case|instance) of ${other}`,
  `^(?:${fillers()} )*${other}(?: (?:because|since|as|given|due|based|at|with|for|here))\\b(?![^]*${anyOwn})`,
].map((source) => new RegExp(source, 'gu'));

/** Ways to deny the answer's own label. */
const denials: readonly RegExp[] = [
  `\\b${noun}${step} (?:is|was|should be|must be|would be)(?:n't| not| no longer| never)${link} ${own}`,
  `\\b(?:it|this|that|he|she|${subject})(?:'s| is| was| should)(?:n't| not(?: longer)?)(?: be)?${link} ${own}`,
  `\\b(?:should|must|can)(?:n't| ?not)(?: have been| be| say| read)?${link} ${own}`,
  `(?<![\\w'])${first} (?:do not|don't|did not|would not|wouldn't|cannot|can't|not longer|will not|won't|never) ${decides}${link} ${own}(?! (?:is|was) (?:certain|sure|guaranteed|obvious|proven|the only))`,
  `\\b(?:anything|all) but(?: an?)? ${anyOwn}`,
  `${anyOwn} (?:is|was|seems|would be)(?: \\w{1,20})? (?:wrong|incorrect|false|mistaken|invalid|a mistake|an error|the wrong|unlikely|less likely)\\b`,
  `${anyOwn} (?:is|was)(?:n't| not)(?: the| my| an?)?(?: \\w{1,20})? ?(?:${noun}|correct|right|true|likely|supported|it)\\b`,
  `^(?:${fillers()} )*not(?: an?| the)? ${anyOwn}(?: |$)`,
].map((source) => new RegExp(source, 'gu'));

function fillers(): string {
  return '(?:so|then|thus|hence|therefore|sorry|oops|hmm|hm|ah|oh|well|ok|okay|wait|rather|probably|likely|most likely|more likely|definitely|clearly|maybe|perhaps|simply|just|an?|the|final|finally|instead|again|still|now|yet|but|actually|correction|no|yes|surely|certainly|indeed|overall|in short|in sum|on balance|really|better|edit|update|i mean|my bad|apologies|ultimately|in conclusion|to conclude|in the end|make that|make it|and)';
}

/** A clause that is a label and nothing else of weight. */
const alone = new RegExp(
  `^(?:(?:${fillers()}|(?:[5-9]\\d|100) ?%) )*(${anyLabel})(?: (?:instead|then|now|sorry|though|it is|after all|for sure|again|indeed|please|(?:rather than|instead of|and not|but not|not|over) (?:an? )?${anyLabel}|(?:with |at )?\\d[^]*))*$`,
  'u',
);

const parties = '(?:prosecutor|prosecution|defen[cs]e|attorney|counsel|opponent|other side)';

/** Words in front of a statement that make it a condition, a possibility, an earlier thought, or another's. */
const takesBack = new RegExp(
  `\\b(?:not|never|whether|if|unless|could|might|may|cannot|can't|rather than|instead of|at first|first|initially|initial|originally|earlier|previously|previous|alternative|opposite|(?:wrong|incorrect|other|second|remaining) ${noun}|example|(?:some|someone|one|others?|people|you|they|he|she) would|argues?|argued|arguing|claims?|claimed|contends?|contended|insists|insisted|asserts|asserted|said|says|told|pleads?|pleaded|replied|alleg\\w{1,8}|according to (?:\\w+ )?${parties}|${parties}(?:'s)? (?:\\w{1,20} )?${noun}|for the ${parties})\\b|n't\\b`,
);

/** Openings of a sentence that make all of it another's. */
const anothers = new RegExp(
  `^(?:but |and |so )?(?:according to|for|in the view of|in the eyes of) (?:the |its |my )?${parties}\\b`,
);

/** Words in front of a label at the end of its clause that make it a passing one. */
const passing =
  /\b(?:than|over|versus|vs|against|between|either|nor|neither|although|though|while|whereas|even|possible|possibly|before|chance|probability|likelihood|risk|odds|percent|excludes?|excluded|rules? out|ruled out|rejects?|rejected|dismiss(?:es|ed)?|unlikely|hardly|from|points?|pointed|pointing|speaks?|favou?rs?|favou?red|supports?|supported|supporting|suggests?|suggested|suggesting|indicat\w+|leans?|consider(?:s|ed|ing)?|except|besides|without|wants?|wanted|seeks?|demands?|requests?|hopes?|case for|arguments? for|reasons? for|evidence for|weighs?|label(?:s|ed)?|options?|asked|asks?|one of|out of|set|word|called|count(?:s|ed)? for|close to|near|of)\b|\bfor(?: an?| the)? ?$|[%\u2026\d]/;

const conditional = /\b(?:if|unless|without|otherwise|were|had|suppose|assuming)\b/;

const concurs = /\b(?:i|we) (?:\w+ )?(?:agree|side|concur|follow|accept)\b/;

const joint = '(?: ?[/|] ?|,? or |,? and |, ?| vs\\.? | versus | and/or )';
const enumeration = new RegExp(`${anyLabel}(?:${joint}${anyLabel})+`, 'gu');
const listOpens = /(?:[([{:]|\b(?:from|of|are|between|labels|options|choices|either|values|set|with)) ?$/;

/** Takes out lists of labels to choose from: they say nothing. */
function withoutLists(text: string): string {
  return text.replace(enumeration, (list, index: number) => {
    const hasOwn = list.includes(signs.own) || list.includes(signs.ownPlain);
    const hasOther = list.includes(signs.other) || list.includes(signs.otherPlain);
    const closes = /^ ?(?:[)\]}.\n]|$)/.test(text.slice(index + list.length, index + list.length + 2));
    const isList =
      /[/|]|\b(?:or|and|vs|versus)\b/.test(list) || (closes && listOpens.test(text.slice(Math.max(0, index - 12), index)));
    return hasOwn && hasOther && isList ? '\u2026' : list;
  });
}

/** The text with signs for labels, ready for the rules: quotes, marks and double spaces gone. */
function prepared(text: string, own: ReadonlySet<string>, labels: readonly string[]): string {
  // Where no label begins with it, the word denies: "there is no reason to say", "I no longer think".
  const denies = !labels.some((label) => /^no[\s_-]/i.test(label));
  const source = denies
    ? text.replace(/\bno (?=(?:reason|grounds?|basis|need|cause|evidence|way|sign|longer)\b)/gi, 'not ')
    : text;
  // A number in front of a line is no label, though a label may be a number.
  const unnumbered = source.replace(/(^|\n)([ \t>*-]{0,8})\d{1,2}[.)](?=[ \t]+\S)/g, '$1$2\u2022');
  const signed = withSigns(unnumbered, own, labels)
    .replace(/~~([^~\n]{1,80})~~|<(?:del|s)>([^<\n]{1,80})<\/(?:del|s)>/g, ' not $1$2 ')
    .replaceAll('\u2019', "'")
    .replace(/["`*\u201c\u201d\u2018\\$]|'(?=[\ue000-\ue003])|(?<=[\ue000-\ue003])'/g, '')
    .replace(/[\t _\u00a0]+/g, ' ');
  return withoutLists(signed);
}

/** A label with its share: `YES: 80%`, `P(YES) = 0.8`. A share of one may also be the measure of something else. */
const otherShare = new RegExp(
  `(?:${anyOther})[)\\]]? ?(?:(?:is|at|with|has|of|[:=|-]) ?)?(?:about |around |approximately |roughly |~)?(?:(\\d{1,3}(?:\\.\\d{1,6})?) ?(?:%|percent\\b)|(?<=[:=] ?)(0?\\.\\d{1,6})(?![\\d%]))`,
  'gu',
);

/** Whether the text gives another label more than half. */
function givesOtherMost(signed: string): boolean {
  return [...signed.matchAll(otherShare)].some((match) => {
    const share = match[1] === undefined ? 100 * Number(match[2]) : Number(match[1]);
    const before = /[^.!?\n;]*$/.exec(signed.slice(Math.max(0, match.index - 120), match.index))?.[0] ?? '';
    return share > 50 && share <= 100 && !takesBack.test(before) && !conditional.test(before) && !anothers.test(before.trim());
  });
}

interface Clause {
  readonly text: string;
  /** What stands in front of it: a delimiter, or nothing at the start of a sentence. */
  readonly delimiter: string;
}

const delimiters =
  /((?<!\b(?:anything|all|nothing|none)) but (?!not )| - |=>|->|[,:=|()[\]{}<>\u2192\u2014\u2013\uff1a\uff0c\u300c\u300d])/;

function clausesOf(sentence: string): Clause[] {
  const parts = sentence.split(delimiters);
  return parts.flatMap((text, index) =>
    index % 2 === 0 ? [{ text: text.trim(), delimiter: index === 0 ? '' : (parts[index - 1] ?? '') }] : [],
  );
}

const hasSign = (text: string): boolean => /[\ue000-\ue003]/.test(text);

/** From one label to the next. */
const isArrow = (clause: Clause | undefined): boolean => /^(?:=>|->|\u2192)$/.test(clause?.delimiter ?? '');

const onlyFillers = new RegExp(`^(?:${fillers()}(?: |$))+$`);

/** Whether words in front of a colon, an equals sign or a bracket announce a verdict; without words anything does. */
function announces(clauses: readonly Clause[], index: number): boolean {
  const before = alone.exec(clauses[index - 1]?.text ?? '')?.[1];
  if (isArrow(clauses[index]) && (before === signs.own || before === signs.ownPlain)) return true;
  for (let at = index - 1; at >= 0; at -= 1) {
    const key = clauses[at]?.text ?? '';
    // What stands in brackets behind a key is a note on it.
    if (key === '' && clauses[at]?.delimiter === ')') at -= 1;
    if (!/\p{L}/u.test(key) && !hasSign(key)) continue;
    const formats = clauses[index]?.delimiter === '>' && isFormatting(key);
    return formats || namesVerdict(key) || onlyFillers.test(key);
  }
  return true;
}

/** A sentence, and what holds for all of it. */
interface Sentence {
  readonly text: string;
  readonly asks: boolean;
  readonly listed: boolean;
  readonly concurs: boolean;
  readonly isAnothers: boolean;
  readonly isConditional: boolean;
}

/** Index in a clause from which its words give nothing any more; below 0 where it never gives anything. */
function limitOf(clause: string, sentence: Sentence): number {
  if (sentence.concurs) return Number.POSITIVE_INFINITY;
  if (sentence.isAnothers || (sentence.isConditional && /\b(?:would|were)\b/.test(clause))) return -1;
  return takesBack.exec(clause)?.index ?? Number.POSITIVE_INFINITY;
}

/** Whether one of the patterns matches in front of the limit; in a statement its own words count as well. */
function stated(patterns: readonly RegExp[], clause: string, limit: number, inclusive: boolean): boolean {
  const isInFront = (match: RegExpExecArray): boolean =>
    inclusive ? match.index + match[0].length <= limit : match.index <= limit;
  return limit >= 0 && patterns.some((pattern) => [...clause.matchAll(pattern)].some(isInFront));
}

const hasOwnSign = new RegExp(anyOwn);

const isPlainOther = (label: string): boolean => label === signs.otherPlain;

const bullet = /^\s*(?:[-\u2022>#+]\s*|\d{1,2}[.)]\s*|\(?[a-z]\)\s*)+/;

function sentencesOf(text: string): Sentence[] {
  return [...text.matchAll(/([^.!?\n;\u3002\uff01\uff1f]+)([.!?\n;\u3002\uff01\uff1f]*)/gu)].map(([, words = '', end = '']) => ({
    text: words.replace(bullet, '').trim(),
    asks: /[?\uff1f]/.test(end),
    listed: bullet.test(words),
    concurs: concurs.test(words),
    isAnothers: anothers.test(words.trim()),
    isConditional: conditional.test(words),
  }));
}

/** The label that a sentence is, if it is nothing else. */
const aloneIn = (sentence: Sentence | undefined): string | null => alone.exec(sentence?.text ?? '')?.[1] ?? null;

function isOption(sentences: readonly Sentence[], index: number): boolean {
  if (sentences[index]?.listed !== true) return false;
  return [sentences[index - 1], sentences[index + 1]].some((beside) => beside?.listed === true && aloneIn(beside) !== null);
}

function givesOther(sentences: readonly Sentence[], index: number): boolean {
  const sentence = sentences[index];
  if (sentence === undefined || sentence.asks) return false;
  const clauses = clausesOf(sentence.text);
  return clauses.some(({ text, delimiter }, at) => {
    if (!hasSign(text)) return false;
    const label = alone.exec(text)?.[1];
    if (label !== undefined) {
      if (label === signs.own || label === signs.ownPlain) return false;
      const next = clauses[at + 1];
      // A label in front of a colon is explained there, or gets its share.
      if (next?.delimiter === ':' || next?.delimiter === '=' || isArrow(next)) return false;
      if (/[:=|>([{\uff1a\u300c]/.test(delimiter)) return sentence.concurs || announces(clauses, at);
      if (namesOtherVerdict(clauses[at - 1]?.text ?? '') && delimiter !== ',') return false;
      if (isOption(sentences, index)) return false;
      // A question of fact that the text asks itself is answered by a word of the language.
      const question = sentences[index - 1];
      return !(isPlainOther(label) && delimiter === '' && question?.asks === true && !forecast.test(question.text));
    }
    const limit = limitOf(text, sentence);
    if (stated(statements, text, limit, true) || stated(denials, text, limit, false)) return true;
    const ends = text.endsWith(signs.other) && !hasOwnSign.test(text);
    return ends && limit >= text.length && !passing.test(text.slice(0, -1));
  });
}

/** Words of a question that asks for what is to be decided, as far as that lies in the future. */
const forecast = /^(?:so |and |now |but )?(?:will|would|is \w+(?: \w+)? (?:likely|going) to)\b/;

const otherSign = new RegExp(anyOther);

/** A sentence can only say something else with another label, or with a word that denies. */
const mayDiffer = (text: string): boolean =>
  hasSign(text) &&
  (otherSign.test(text) ||
    /\bnot\b|\bcannot\b|n't\b|\bnever\b|\b(?:wrong|incorrect|false|mistaken|mistake|invalid|error|unlikely|less|anything but|all but)\b/.test(
      text,
    ));

/** Whether a text outside of an answer gives another verdict than the answer's own labels, or denies one of them. */
export function statesOtherVerdict(text: string, ownLabels: ReadonlySet<string>, labels: readonly string[]): boolean {
  const signed = prepared(text, ownLabels, labels);
  if (!mayDiffer(signed)) return false;
  if (givesOtherMost(signed)) return true;
  const sentences = sentencesOf(signed);
  return sentences.some((sentence, index) => mayDiffer(sentence.text) && givesOther(sentences, index));
}
