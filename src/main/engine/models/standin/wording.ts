import { type CaseFact, plainStart } from './caseFacts.ts';
import { folded, knownWording, presence, quantity, spoken, type Wording } from './vocabulary.ts';

const same = (...forms: string[]): Wording => ({ plain: forms[0] ?? '', forms, plural: false });

const isPlural = (name: string): boolean => /(?:[^siu]s|ies|ees)$/i.test(name.split(/ (?:of|in|at|by|with|for) /)[0] ?? name);
const verbStart = /^(?:has|have|had|is|are|was|were|does|do|did|can|owns|uses|takes|lives|works|wants|needs|gets)\b/i;
const unknown = /^(?:unknown|n\/?a|nan|null|missing|-|\?|not (?:known|stated|reported))?$/i;

function singular(noun: string): string {
  const [head = '', ...rest] = noun.split(/(?= (?:of|in|at|by|with|for|per) )/);
  const one = head
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x)es$/, '$1')
    .replace(/([^s])s$/, '$1');
  return one + rest.join('');
}

function numberWording(name: string, value: string): Wording {
  const number = Number(value);
  const amount = /^(?:number|count|no\.?|num|n) (?:of )?(.+)$/i.exec(name)?.[1] ?? (isPlural(name) ? name : null);
  if (amount !== null && Number.isInteger(number) && number >= 0 && number <= 1000)
    return quantity(number, singular(amount), amount);
  const measured =
    /^(.+?)(?: in |[ (]+)(inches|years|months|weeks|days|hours|cm|kg|mm|pounds|km|miles|euros|dollars|percent)\)?$/i.exec(name);
  if (measured?.[1] !== undefined && measured[2] !== undefined) return same(`the ${measured[1]} of ${value} ${measured[2]}`);
  return same(`the ${name} of ${value}`, `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name} of ${value}`);
}

function entryWording({ name, value }: CaseFact): Wording {
  const noun = spoken(name);
  if (unknown.test(value)) return same(`the silence of the file on ${noun}`, `the gap in the file on ${noun}`);
  const known = knownWording(name, value);
  if (known !== null) return known;
  if (/^(?:true|false|yes|no)$/i.test(value)) {
    const there = /^(?:true|yes)$/i.test(value);
    if (verbStart.test(noun)) return same(`the ${there ? 'yes' : 'no'} to “${noun}”`);
    return presence(noun, there, isPlural(noun));
  }
  if (value.trim() !== '' && Number.isFinite(Number(value))) return numberWording(noun, value.trim());
  if (/^\p{L}[\p{L}-]*$/u.test(value)) return same(`${value} as ${noun}`, `the ${noun} given as ${value}`);
  const short = folded(value).replace(/["“”]/g, '');
  return same(`the ${noun} given as “${short}”`, `the entry “${short}” under ${noun}`);
}

const reporting =
  /(?:^|\s)(?:premise|hypothesis|claim|allegation|statement|assertion|argument|finding|report|objection|contention|submission)$/i;

/** `The bridge was closed` with a small letter, or null where a first word may be a name or a speaker talks of himself. */
function insideClause(value: string): string | null {
  if (!plainStart.test(value) || /[“”"?]/.test(value) || /\b(?:I|my|me|we|our|us|you|your)\b/i.test(value)) return null;
  return value.charAt(0).toLowerCase() + value.slice(1);
}

function passageWording({ name, value, cut }: CaseFact): Wording {
  const clause = cut ? null : insideClause(value);
  const noun = spoken(name);
  const place = noun === '' ? '' : ` in the ${noun}`;
  if (clause === null) {
    const words = `“${value}${cut ? ' …' : ''}”${place}`;
    return same(`the line ${words}`, `the passage ${words}`);
  }
  if (noun === '') return same(`the fact that ${clause}`, `the report that ${clause}`, `the account that ${clause}`);
  if (reporting.test(noun)) return same(`the ${noun} that ${clause}`);
  return same(`the point${place} that ${clause}`, `the account${place} that ${clause}`);
}

/** A passage that was told in full before, in short; null where the fact is short anyway. */
export function recallFact(fact: CaseFact, facts: readonly CaseFact[]): Wording | null {
  if (!fact.passage) return null;
  const alone = fact.name !== '' && facts.filter(({ name }) => name === fact.name).length === 1;
  if (alone) return same(`the ${spoken(fact.name)}`);
  const words = fact.value.split(' ');
  return words.length <= 6 ? null : same(`the line “${words.slice(0, 4).join(' ')} …”`);
}

/** A fact as a part of a sentence. */
export function wordFact(fact: CaseFact): Wording {
  return fact.passage ? passageWording(fact) : entryWording(fact);
}

/** Whether a fact only says that nothing is known. */
export function tellsNothing({ value, passage }: CaseFact): boolean {
  return !passage && unknown.test(value.trim());
}

/** Whether a text speaks of a fact in words of `wordFact`. */
export function mentions(text: string, fact: CaseFact): boolean {
  const { plain, forms } = wordFact(fact);
  const heard = text.toLowerCase();
  const told = fact.passage ? [fact.value] : [plain, ...forms];
  return told.some((form) => heard.includes(form.toLowerCase()));
}

const dull =
  /^(?:about|above|after|again|against|although|always|because|before|being|below|between|could|during|every|might|never|other|really|shall|should|since|still|such|their|there|these|thing|those|through|under|until|where|whether|which|while|whose|would|nobody|somebody|without|within|later|having)$/i;

/** What a fact is about, in a word or two. */
export function topicOf(fact: CaseFact): string {
  if (!fact.passage) return spoken(fact.name);
  const words = fact.value.match(/(?<![\p{L}'’])\p{L}{5,}(?![\p{L}'’])/gu) ?? [];
  const telling = words.filter((word) => !dull.test(word)).sort((left, right) => right.length - left.length)[0];
  if (telling !== undefined) return `the word “${telling.toLowerCase()}”`;
  return fact.name === '' ? 'the wording' : `the ${spoken(fact.name)}`;
}

/** A fact as a heading of its own: its name, or the first words of its passage. */
export function factTitle(fact: CaseFact): string {
  if (!fact.passage) return spoken(fact.name);
  const words = fact.value.split(' ').slice(0, 7).join(' ');
  return words.replace(/(?:\s+(?:the|an?|of|to|and|or|in|on|at|by|for|with|from|was|were|is|are|both))+$/, '');
}
