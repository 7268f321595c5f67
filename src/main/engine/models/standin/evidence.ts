import { leanOf, positiveLabel } from './belief.ts';
import type { Brief, Side, Speech } from './brief.ts';
import type { CaseFact } from './caseFacts.ts';
import type { Stand } from './chooser.ts';
import type { Dice } from './random.ts';
import { mentions, tellsNothing } from './wording.ts';

/** Traits of the body, which nobody is to be judged by. */
const bodyTraits = /^(?:sex|gender|race|ethnic\w*|skin\w*|height\w*|(?:num_)?weight\w*)$/i;

type Pile = readonly CaseFact[];

/** The facts as one speaker sees them: what helps, what harms, and what others made of them. */
export class Evidence {
  readonly #brief: Brief;
  readonly #dice: Dice;
  readonly #stand: Stand;
  readonly #positive: string | null;
  /** Facts worth speaking about. */
  readonly #worth: Pile;
  /** Facts that help the label spoken for, and facts that do not. */
  readonly helping: Pile;
  readonly harming: Pile;
  /** How often the text now being written has spoken of a fact, and in which order facts come up in it. */
  readonly #told = new Map<CaseFact, number>();
  readonly #rank = new Map<CaseFact, number>();

  constructor(brief: Brief, dice: Dice, stand: Stand) {
    this.#brief = brief;
    this.#dice = dice;
    this.#stand = stand;
    this.#positive = positiveLabel(brief.labels, brief.claims.prosecution);
    const telling = brief.facts.filter((fact) => !bodyTraits.test(fact.name) && !tellsNothing(fact));
    this.#worth = telling.length >= 5 ? telling : brief.facts;
    [this.helping, this.harming] = this.#split(stand.favoured, stand.other);
  }

  #split(favoured: string | null, other: string | null): [Pile, Pile] {
    const lean = (fact: CaseFact): number => leanOf(fact, favoured ?? '', other ?? '', this.#positive);
    const sorted = this.#worth.map((fact) => ({ fact, lean: lean(fact) })).sort((left, right) => right.lean - left.lean);
    const count = sorted.filter((item) => item.lean > 0).length;
    // Both sides of a case always find something to say.
    const least = Math.ceil(sorted.length * 0.4);
    const split = Math.min(Math.max(count, least), Math.max(1, Math.floor(sorted.length * 0.7)));
    const facts = sorted.map(({ fact }) => fact);
    return [facts.slice(0, split), facts.slice(split)];
  }

  /** How far a fact speaks for the label spoken for. */
  lean(fact: CaseFact): number {
    return leanOf(fact, this.#stand.favoured ?? '', this.#stand.other ?? '', this.#positive);
  }

  /** The fact of a pile that the text has spoken of least, telling ones first; null where the sentence has them all. */
  deal(pile: Pile, used: ReadonlySet<CaseFact>): CaseFact | null {
    const place = (fact: CaseFact): number => this.told(fact) * 10 - this.#rankOf(fact);
    const open = pile.filter((fact) => !used.has(fact)).sort((left, right) => place(left) - place(right));
    return open[0] ?? null;
  }

  #rankOf(fact: CaseFact): number {
    const known = this.#rank.get(fact) ?? Math.abs(this.lean(fact)) + this.#dice.next();
    this.#rank.set(fact, known);
    return known;
  }

  /** How often the text has spoken of a fact. */
  told(fact: CaseFact): number {
    return this.#told.get(fact) ?? 0;
  }

  tell(fact: CaseFact): void {
    this.#told.set(fact, this.told(fact) + 1);
  }

  /** Begins a new text: what the one before it spoke of may come up again. */
  refresh(): void {
    this.#told.clear();
    this.#rank.clear();
  }

  /** The speech to answer: the other side's last one, or whoever spoke last. */
  answered(): Speech | null {
    const { side, speeches } = this.#brief;
    const opposite: Side | null = side === 'prosecution' ? 'defense' : side === 'defense' ? 'prosecution' : null;
    return speeches.findLast((speech) => opposite === null || speech.side === opposite) ?? null;
  }

  of(side: Side): readonly Speech[] {
    return this.#brief.speeches.filter((speech) => speech.side === side);
  }

  /** Facts that help and harm the label that a side argues for; all of them where that is not known. */
  #pilesOf(side: Side): [Pile, Pile] {
    const { labels, claims } = this.#brief;
    if (side !== 'prosecution' && side !== 'defense') return [this.#worth, this.#worth];
    const accused = this.#positive;
    const denied = claims.defense ?? labels.find((label) => label !== accused) ?? null;
    return side === 'prosecution' ? this.#split(accused, denied) : this.#split(denied, accused);
  }

  /** The facts that some speeches of one side built on. */
  used(speeches: readonly Speech[]): Pile {
    const [first] = speeches;
    if (first === undefined) return [];
    const text = speeches.map((speech) => speech.text).join('\n');
    const spoken = this.#worth.filter((fact) => mentions(text, fact));
    const [helping] = this.#pilesOf(first.side);
    const own = spoken.filter((fact) => helping.includes(fact));
    return own.length > 0 ? own : spoken;
  }

  /** What a side never spoke of, of what helps or of what harms it. */
  unused(side: Side, helpful: boolean): Pile {
    const text = this.of(side)
      .map((speech) => speech.text)
      .join('\n');
    return this.#pilesOf(side)[helpful ? 0 : 1].filter((fact) => !mentions(text, fact));
  }
}

/** How a speaker is called inside a sentence. */
export function speakerName({ side, speaker }: Speech): string {
  if (side === 'prosecution' || side === 'defense') return `the ${side}`;
  const name = speaker.replace(/^the /, '').replace(/[_-]/g, ' ').trim();
  if (!/ (?:[a-d]|\d+)$/.test(name)) return `the ${name}`;
  return name.replace(/^\w/, (letter) => letter.toUpperCase()).replace(/ [a-d]$/, (end) => end.toUpperCase());
}
