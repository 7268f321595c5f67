import type { Brief, CaseFact, Side } from './brief.ts';
import { body, closer, fillers, type FrameName, frames, opener, rebuttal } from './phrases.ts';
import type { Dice } from './random.ts';

/** The labels an answer speaks for and against. */
export interface Stand {
  readonly favoured: string | null;
  readonly other: string | null;
}

interface TextPlan {
  /** A speech with opening and end, loose sentences of one bank, or a short phrase. */
  readonly bank: 'speech' | 'fact' | FrameName;
  readonly words: readonly [number, number];
}

const plans: readonly (readonly [RegExp, TextPlan])[] = [
  [
    /utter|argument|statement|opening|closing|rebut|refut|speech|remark|response|content|essay/i,
    { bank: 'speech', words: [68, 98] },
  ],
  [/weakness/i, { bank: 'weakness', words: [14, 26] }],
  [/strength/i, { bank: 'strength', words: [14, 26] }],
  [/opponent|counter|their_/i, { bank: 'opponent', words: [14, 26] }],
  [/rival|objection/i, { bank: 'rival', words: [12, 22] }],
  [/plan|strategy|approach|tactic/i, { bank: 'plan', words: [20, 34] }],
  [/critique|criticism|weigh_|feedback|review/i, { bank: 'critique', words: [20, 38] }],
  [/opinion|ruling|judgment|judgement/i, { bank: 'speech', words: [52, 80] }],
  [/summar|overview|synopsis/i, { bank: 'summary', words: [40, 64] }],
  [/reasoning|justif|rationale|explan|analysis|thought|reflection/i, { bank: 'speech', words: [32, 52] }],
  [/reason|why|because|comment|note/i, { bank: 'reason', words: [12, 24] }],
  [/factor|feature|attribute|evidence|fact$|facts$|symptom|sign/i, { bank: 'fact', words: [1, 6] }],
  [/title|topic|name|heading|subject|theme/i, { bank: 'title', words: [1, 6] }],
  [/scope|description|about/i, { bank: 'scope', words: [9, 18] }],
  [/claim|thesis|position|conclusion|finding/i, { bank: 'claim', words: [9, 18] }],
  [/question|inquir|unknown/i, { bank: 'question', words: [5, 12] }],
  [/recommend|step|action|test|next|advice|remedy/i, { bank: 'step', words: [7, 14] }],
  [/proposal|agreement|joint|consensus/i, { bank: 'speech', words: [45, 70] }],
  [/thinking/i, { bank: 'aside', words: [20, 36] }],
];

const knownWords: Readonly<Record<string, string>> = {
  numberofarrestsby2002: 'number of arrests by 2002',
  convictedby2002: 'conviction by 2002',
  hhsize97: 'household size in 1997',
  married02: 'marital status in 2002',
  college02: 'schooling in 2002',
  experience02: 'years of work by 2002',
  parentrelations: 'parents at home',
  urbanrural: 'place of living',
  faminjail: 'family member in jail',
  foodstamp: 'food stamps',
  askgod: 'asking God for help',
  godhasnothingtodo: 'the view that God has nothing to do with it',
  num_weight: 'weight',
  height_total_inches: 'height in inches',
  marijuana_anydrug: 'marijuana or any drug',
};

const smallWords =
  /^(?:about|above|after|again|against|although|always|because|before|being|below|between|could|during|every|might|never|other|really|shall|should|since|still|such|their|there|these|thing|those|through|under|until|where|whether|which|while|whose|would)$/;

const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;

/** A fact's name as words. */
export function spoken(name: string): string {
  const known = knownWords[name.toLowerCase()];
  return (
    known ??
    name
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .replace(/[_\s]+/g, ' ')
      .trim()
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Cuts a text to a length, at a sentence's end where there is one, else between words. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.slice(0, limit);
  const stop = Math.max(start.lastIndexOf('. '), start.lastIndexOf('? '), /[.?]$/.test(start) ? limit - 1 : -1);
  if (stop > 0 && stop + 1 >= limit * 0.35) return start.slice(0, stop + 1);
  const gap = start.lastIndexOf(' ');
  const cut = gap > 0 ? start.slice(0, gap) : start;
  return cut.replace(/[\uD800-\uDBFF]$/, '').trimEnd();
}

/** Writes the sentences of one answer; every fact and frame is used up before it comes again. */
export class Writer {
  readonly #brief: Brief;
  readonly #dice: Dice;
  readonly #scale: number;
  readonly #stand: () => Stand;
  readonly #decks = new Map<string, string[]>();
  #facts: CaseFact[] = [];
  /** The fact that the object now being written is about. */
  focus: CaseFact | null = null;

  constructor(brief: Brief, dice: Dice, scale: number, stand: () => Stand) {
    this.#brief = brief;
    this.#dice = dice;
    this.#scale = scale;
    this.#stand = stand;
  }

  /** A text for a field of this name, at most `limit` long and where given at least `least`. */
  write(key: string, listed: boolean, least: number, limit: number): string {
    const plan = this.#planFor(key, limit);
    const target = listed && plan.words[1] > 26 ? [10, 20] : plan.words;
    const words = Math.round(this.#dice.between(target[0] ?? 8, target[1] ?? 16) * this.#scale);
    const text = plan.bank === 'speech' ? this.#speech(words, limit) : this.#short(plan.bank, words, limit);
    return this.#stretch(text, least, limit);
  }

  /** Some lines of thinking before the answer. */
  muse(words: number): string {
    return this.#short('aside', words, Number.POSITIVE_INFINITY);
  }

  /** The next fact of a shuffled deck, or null where the case has none. */
  dealFact(): CaseFact | null {
    if (this.#facts.length === 0) this.#facts = this.#dice.shuffle(this.#brief.facts);
    return this.#facts.pop() ?? null;
  }

  #planFor(key: string, limit: number): TextPlan {
    const found = plans.find(([words]) => words.test(key))?.[1] ?? { bank: 'reason', words: [10, 22] };
    // A long name such as `evidence` with room for a paragraph is not a short phrase.
    return limit < 40 && found.bank !== 'title' ? { bank: 'fact', words: [1, 5] } : found;
  }

  #speech(words: number, limit: number): string {
    const { side, speeches } = this.#brief;
    const parts = [this.#frame(opener[side], `opener-${side}`)];
    const end = this.#frame(closer[side], `closer-${side}`);
    const opposed = side === 'prosecution' || side === 'defense';
    if (speeches.length > 0 && opposed) parts.push(this.#frame(rebuttal, 'rebuttal'));
    const count = (): number => [...parts, end].join(' ').split(' ').length;
    while (count() < words) parts.push(this.#frame(body[side], `body-${side}`));
    while (parts.length > 1 && [...parts, end].join(' ').length > limit) parts.pop();
    const whole = [...parts, end].join(' ');
    if (whole.length <= limit) return whole;
    const shorter = [...parts, end].filter((part) => part.length <= limit);
    return shorter[0] ?? cutText(parts[0] ?? end, limit);
  }

  #short(bank: 'fact' | FrameName, words: number, limit: number): string {
    if (bank === 'fact') return cutText(this.#factName(), limit);
    const parts: string[] = [];
    do {
      const next = this.#frame(frames[bank], bank);
      const text = [...parts, next].join(' ');
      if (text.length > limit) {
        if (parts.length === 0) return this.#fitting(bank, limit) ?? cutText(next, limit);
        break;
      }
      parts.push(next);
    } while (bank !== 'title' && parts.join(' ').split(' ').length < words);
    return parts.join(' ');
  }

  #fitting(bank: FrameName, limit: number): string | null {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const text = this.#frame(frames[bank], bank);
      if (text.length <= limit) return text;
    }
    return null;
  }

  #stretch(text: string, least: number, limit: number): string {
    let result = text;
    while ([...result].length < least) {
      const next = least - result.length > 120 ? this.#frame(body[this.#brief.side], 'stretch') : this.#dice.pick(fillers);
      result = result === '' ? next : `${result} ${next}`;
    }
    // Here the end matters less than the least length, so the cut may fall inside a sentence.
    if (result.length <= limit) return result;
    const gentle = cutText(result, limit);
    return [...gentle].length >= least ? gentle : result.slice(0, limit);
  }

  #factName(): string {
    const fact = this.focus ?? this.dealFact();
    this.focus = fact;
    if (fact !== null) return spoken(fact.name);
    return this.#deal('quotes', this.#brief.quotes) ?? 'the account as given';
  }

  #frame(bank: readonly string[], deck: string): string {
    let frame = this.#deal(deck, bank) ?? '';
    while (/\[[^[\]]*\]/.test(frame)) {
      frame = frame.replace(/\[([^[\]]*)\]/, (_, options: string) => this.#dice.pick(options.split('|')));
    }
    const main = this.focus === null ? this.dealFact() : this.focus;
    const second = this.dealFact();
    const { favoured, other } = this.#stand();
    const against = this.#reversed(deck);
    const slots: Record<string, () => string> = {
      f: () => this.#phrase(main),
      g: () => this.#phrase(second),
      F: () => capital(this.#phrase(main)),
      n: () => (main === null ? this.#nameless() : spoken(main.name)),
      L: () => this.#label(against ? other : favoured, against),
      O: () => this.#label(against ? favoured : other, !against),
      q: () => this.#opposing(),
    };
    return capital(frame.replace(/\{(\w)\}/g, (slot, name: string) => slots[name]?.() ?? slot));
  }

  #reversed(deck: string): boolean {
    return deck === 'opponent';
  }

  #label(label: string | null, contrary: boolean): string {
    if (label !== null) return quoted(label);
    return contrary ? 'the contrary view' : 'this reading';
  }

  #nameless(): string {
    const words = this.#brief.quotes.join(' ').match(/(?<![\p{L}'])\p{L}{5,}(?![\p{L}'])/gu) ?? [];
    const topic = this.#deal(
      'topics',
      [...new Set(words.map((word) => word.toLowerCase()))].filter((word) => !smallWords.test(word)),
    );
    return topic ?? this.#dice.pick(['the account', 'the wording', 'the evidence', 'the context', 'the setting']);
  }

  #phrase(fact: CaseFact | null): string {
    if (fact === null) {
      const quote = this.#deal('quotes', this.#brief.quotes);
      if (quote === null) return this.#dice.pick(['the material before us', 'the question as put', 'what is known so far']);
      return `${this.#dice.pick(['the passage', 'the line', 'the phrase', 'the statement'])} ${quoted(quote)}`;
    }
    const name = spoken(fact.name);
    if (/^(?:true|yes)$/i.test(fact.value))
      return this.#dice.pick([`${name} on the record`, `${name} marked as ${fact.value}`, `the entry ${fact.value} for ${name}`]);
    if (/^(?:false|no)$/i.test(fact.value))
      return this.#dice.pick([
        `no ${name} on the record`,
        `${name} marked as ${fact.value}`,
        `the entry ${fact.value} for ${name}`,
      ]);
    if (Number.isFinite(Number(fact.value)))
      return this.#dice.pick([`${name} of ${fact.value}`, `${name} at ${fact.value}`, `the figure ${fact.value} for ${name}`]);
    return this.#dice.pick([
      `${name} recorded as ${quoted(fact.value)}`,
      `the entry ${quoted(fact.value)} for ${name}`,
      `${name} given as ${quoted(fact.value)}`,
    ]);
  }

  #opposing(): string {
    const { side, speeches } = this.#brief;
    const opposite: Side = side === 'prosecution' ? 'defense' : 'prosecution';
    const speech = speeches.findLast((candidate) => candidate.side === opposite) ?? speeches.at(-1);
    const sentences = (speech?.text ?? '').split(/(?<=[.?!])\s+/).filter((sentence) => sentence.split(' ').length > 5);
    const sentence = sentences.length > 0 ? this.#dice.pick(sentences) : 'the matter is plain';
    const words = sentence.split(' ').slice(0, 9).join(' ');
    return quoted(words.replace(/["“”]|(?<=^|\s)['‘’]|['‘’](?=[\s.,;:]|$)/g, '').replace(/[\s.,;:?!]+$/, ''));
  }

  #deal(name: string, bank: readonly string[]): string | null {
    const deck = this.#decks.get(name) ?? [];
    const next = deck.pop();
    if (next !== undefined) return next;
    const [first, ...rest] = this.#dice.shuffle(bank);
    this.#decks.set(name, rest);
    return first ?? null;
  }
}
