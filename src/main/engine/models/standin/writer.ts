import type { Brief, Side, Speech } from './brief.ts';
import type { CaseFact } from './caseFacts.ts';
import type { Stand } from './chooser.ts';
import { Evidence, speakerName } from './evidence.ts';
import { fillers, frames } from './frames.ts';
import { type Bank, bodies, closers, openers, views } from './phrases.ts';
import { cutText, planFor, type TextPlan } from './plans.ts';
import { type Dice, unit } from './random.ts';
import { factTitle, recallFact, topicOf, wordFact } from './wording.ts';

export interface WriterParts {
  readonly brief: Brief;
  readonly model: string;
  readonly dice: Dice;
  /** 1 for a full answer, towards 0 for one that must be short. */
  readonly scale: number;
  readonly stand: () => Stand;
}

/** What a sentence speaks about, found out as it is written. */
interface Scene {
  readonly about: Speech | null;
  readonly speaker: string;
  readonly reversed: boolean;
  readonly used: Set<CaseFact>;
  readonly facts: Map<string, CaseFact | null>;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const countWords = (parts: readonly string[]): number => parts.join(' ').split(' ').length;
/** Words that the last sentence of a speech is likely to have. */
const usualEnd = 9;
const lists: Readonly<Record<string, string>> = { l: 'f', m: 'h', k: 'g', n: 'f', x: 'g' };
const vague = ['the question as it was put', 'what is known so far', 'the material before us', 'the wording of the question'];

/** A label as it stands in a sentence. */
function labelWords(label: string): string {
  return /^\p{Lu}{2,12}$/u.test(label) ? label : `'${label.replaceAll("'", '’')}'`;
}

/** Writes the sentences of one answer; every fact and frame is used up before it comes again. */
export class Writer {
  readonly #parts: WriterParts;
  readonly #decks = new Map<Bank, string[]>();
  #evidence: Evidence | null = null;
  #row: CaseFact[] = [];
  /** Frames of the text now being written. */
  readonly #said = new Set<string>();
  /** The fact that the object now being written is about. */
  focus: CaseFact | null = null;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  get evidence(): Evidence {
    const { brief, dice, stand } = this.#parts;
    this.#evidence ??= new Evidence(brief, dice, stand());
    return this.#evidence;
  }

  /** A text for a field of this name, at most `limit` long and where given at least `least`. */
  write(key: string, listed: boolean, least: number, limit: number): string {
    const plan = planFor(key, listed, limit);
    const words = Math.round(this.#parts.dice.between(...plan.words) * this.#parts.scale);
    if (!listed) this.evidence.refresh();
    this.#said.clear();
    return this.#stretch(this.#compose(plan, key, words, limit), least, limit);
  }

  /** Some lines of thinking before the answer. */
  muse(words: number): string {
    return this.#short(frames.aside, words, Number.POSITIVE_INFINITY);
  }

  /** The next fact in the order of the case, or null where it has none. */
  dealFact(): CaseFact | null {
    if (this.#row.length === 0) this.#row = [...this.#parts.brief.facts];
    return this.#row.shift() ?? null;
  }

  #compose({ bank }: TextPlan, key: string, words: number, limit: number): string {
    switch (bank) {
      case 'speech':
        return this.#speech(words, limit, false);
      case 'ruling':
        return this.#speech(words, limit, true);
      case 'fact':
        return cutText(this.#factName(), limit);
      case 'critique':
        return this.#critique(key, words, limit);
      case 'reason':
        return this.#reason(words, limit);
      default:
        return this.#short(frames[bank], bank === 'title' ? 1 : words, limit);
    }
  }

  #begin(ruling: boolean): string[] {
    const { side, turn, speeches } = this.#parts.brief;
    if (side === 'prosecution' || side === 'defense') {
      const first = this.#sentence(openers[side][turn]);
      const second = turn === 'rebuttal' ? this.#sentence(openers[side].rebuttal) : '';
      return second === '' ? [first] : [first, second];
    }
    if (speeches.length === 0) return [this.#sentence(views[side].fresh)];
    return [this.#sentence(views[side][ruling ? 'ruling' : 'heard'])];
  }

  #speech(words: number, limit: number, ruling: boolean): string {
    const { side } = this.#parts.brief;
    const parts = this.#begin(ruling);
    const advocate = side === 'prosecution' || side === 'defense';
    while (countWords(parts) + usualEnd < words) {
      const next = this.#sentence(bodies[side]);
      if (next === '') break;
      parts.push(next);
    }
    const end = this.#sentence(closers[advocate ? side : this.#parts.stand().certainty >= 0.72 ? 'sure' : 'torn']);
    while (parts.length > 1 && [...parts, end].join(' ').length > limit) parts.pop();
    const whole = [...parts, end].join(' ');
    if (whole.length <= limit) return whole;
    const shorter = [...parts, end].filter((part) => part.length <= limit);
    return shorter[0] ?? cutText(parts[0] ?? end, limit);
  }

  #short(bank: Bank, words: number, limit: number, about: Speech | null = null): string {
    const parts: string[] = [];
    do {
      const next = this.#sentence(bank, about, parts.length > 0);
      if (next === '') break;
      if ([...parts, next].join(' ').length > limit) {
        if (parts.length === 0) return this.#fitting(bank, limit, about) ?? cutText(next, limit);
        break;
      }
      parts.push(next);
    } while (countWords(parts) < words);
    return parts.join(' ');
  }

  #fitting(bank: Bank, limit: number, about: Speech | null): string | null {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const text = this.#sentence(bank, about);
      if (text.length <= limit) return text;
    }
    return null;
  }

  #reason(words: number, limit: number): string {
    const against =
      this.focus === null ? this.evidence.harming.length > 0 && this.#parts.dice.chance(0.2) : this.evidence.lean(this.focus) < 0;
    return this.#short(against ? frames.contrary : frames.reason, this.focus === null ? words : 1, limit);
  }

  /** What the sides did well and badly; of one side where the field's name says which. */
  #critique(key: string, words: number, limit: number): string {
    const named: Side[] = [];
    if (/prosecut|plaintiff/i.test(key)) named.push('prosecution');
    if (/defen/i.test(key)) named.push('defense');
    const sides =
      named.length > 0 ? named : (['prosecution', 'defense'] as const).filter((side) => this.evidence.of(side).length > 0);
    const answered = this.evidence.answered();
    if (sides.length === 0) return this.#short(answered === null ? frames.remark : frames.critique, words, limit, answered);
    const room = Math.floor(limit / sides.length) - 1;
    const texts = sides.map((side) => {
      const speech = this.evidence.of(side).at(-1);
      if (speech === undefined) return cutText(`The ${side} has not been heard yet.`, room);
      const text = this.#short(frames.critique, words, room, speech);
      if (text !== '') return text;
      this.#said.clear();
      return this.#short(frames.critique, words, room, speech);
    });
    return texts.join(' ');
  }

  #stretch(text: string, least: number, limit: number): string {
    let result = text;
    while ([...result].length < least) {
      const body = least - result.length > 120 ? this.#sentence(bodies[this.#parts.brief.side]) : '';
      const next = body === '' ? this.#parts.dice.pick(fillers) : body;
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
    return fact === null ? 'the account as given' : factTitle(fact);
  }

  /**
   * A sentence of a bank, about facts that fit it. One that needs more than the case offers is passed over, and so
   * is one that the text has already; empty where none is left.
   */
  #sentence(bank: Bank, about: Speech | null = null, again = false): string {
    const speech = about ?? this.evidence.answered();
    const name = speech === null ? '' : speakerName(speech);
    const reversed = bank === frames.contrary;
    for (let attempt = 0; attempt < bank.length * 2; attempt += 1) {
      const frame = this.#nextFrame(bank);
      if (this.#said.has(frame) || (attempt < bank.length && this.#isWorn(frame))) continue;
      const scene: Scene = { about: speech, speaker: again ? 'it' : name, reversed, used: new Set(), facts: new Map() };
      const text = this.#fill(frame, scene);
      if (text === null) continue;
      this.#said.add(frame);
      return text;
    }
    if (again || this.#said.size > 0) return '';
    const scene: Scene = { about: null, speaker: '', reversed, used: new Set(), facts: new Map() };
    return this.#fill('What counts here is {f}.', scene) ?? '';
  }

  /** Whether a speech has used a frame already. */
  #isWorn(frame: string): boolean {
    const fixed = frame.split(/\{\w\}|\[[^\]]*\]|<[^>]*>/).sort((left, right) => right.length - left.length)[0] ?? '';
    return fixed.length >= 10 && this.#parts.brief.speeches.some(({ text }) => text.includes(fixed));
  }

  /** Every model has some sentences that it never uses. */
  #nextFrame(bank: Bank): string {
    const deck = this.#decks.get(bank) ?? [];
    const next = deck.pop();
    if (next !== undefined) return next;
    const own = bank.filter((frame) => bank.length < 5 || unit(this.#parts.model, 'voice', frame) > 0.2);
    const [first = '', ...rest] = this.#parts.dice.shuffle(own.length > 2 ? own : bank);
    this.#decks.set(bank, rest);
    return first;
  }

  #fill(frame: string, scene: Scene): string | null {
    // What others said is settled first, so that the speaker's own facts are different ones.
    for (const slot of ['q', 'p', 'd', 'u', 'v', 'f', 'g', 'h']) {
      const wanted = [...frame.matchAll(/\{(\w)\}/g)].some(([, name = '']) => (lists[name] ?? name) === slot);
      if (wanted && !this.#settle(slot, scene)) return null;
    }
    if (frame.includes('{S}') && scene.speaker === '') return null;
    let text = frame;
    while (/\[[^[\]]*\]/.test(text))
      text = text.replace(/\[([^[\]]*)\]/, (_, options: string) => this.#parts.dice.pick(options.split('|')));
    let plural = false;
    const filled = text.replace(
      /\{(\w)\}|<([^/<>]*)\/([^<>]*)>/g,
      (_, slot: string | undefined, one = '', several = '', at = 0) => {
        if (slot === undefined) return plural ? several : one;
        const said = this.#say(slot, scene);
        plural = said.plural;
        return at === 0 || /[.?!]\s$/.test(text.slice(0, at)) ? capital(said.words) : said.words;
      },
    );
    // A fact may begin with the word before it.
    return /(?<!\p{L})(\p{L}+) \1(?!\p{L})/iu.test(filled) ? null : capital(filled);
  }

  #settle(slot: string, { about, reversed, used, facts }: Scene): boolean {
    const { evidence } = this;
    const piles: Record<string, () => readonly CaseFact[]> = {
      q: () => evidence.used(about === null ? [] : [about]),
      p: () => evidence.used(evidence.of('prosecution')),
      d: () => evidence.used(evidence.of('defense')),
      u: () => (about === null ? [] : evidence.unused(about.side, true)),
      v: () => (about === null ? [] : evidence.unused(about.side, false)),
      f: () => (reversed ? evidence.harming : evidence.helping),
      g: () => evidence.harming,
      h: () => evidence.helping,
    };
    const fixed = slot === 'f' ? this.focus : null;
    const fact = fixed ?? evidence.deal(piles[slot]?.() ?? [], used);
    if (fact === null && (slot !== 'f' || this.#parts.brief.facts.length > 0)) return false;
    facts.set(slot, fact);
    if (fact !== null) used.add(fact);
    return true;
  }

  #say(slot: string, { speaker, facts }: Scene): { words: string; plural: boolean } {
    const { dice, stand } = this.#parts;
    const one = (words: string): { words: string; plural: boolean } => ({ words, plural: false });
    if (slot === 'L') return one(stand().favoured === null ? 'this reading' : labelWords(stand().favoured ?? ''));
    if (slot === 'O') return one(labelWords(stand().other ?? 'the contrary view'));
    if (slot === 'S') return one(speaker);
    const fact = facts.get(lists[slot] ?? slot) ?? null;
    if (fact === null) return one(dice.pick(vague));
    if (slot === 'n' || slot === 'x') return one(topicOf(fact));
    const short = this.evidence.told(fact) > 0 && this.focus === null ? recallFact(fact, this.#parts.brief.facts) : null;
    const { plain, forms, plural } = short ?? wordFact(fact);
    this.evidence.tell(fact);
    const listed = slot === 'l' || slot === 'm' || slot === 'k';
    return { words: listed ? plain : dice.pick(forms), plural };
  }
}
