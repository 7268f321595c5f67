import { believe, positiveLabel } from './belief.ts';
import type { Brief } from './brief.ts';
import { Dice } from './random.ts';

/** A decision between options that an answer contains. */
export interface Choice {
  readonly key: string;
  readonly options: readonly string[];
  readonly probabilities: readonly number[];
  readonly chosen: string;
}

/** The labels an answer speaks for and against. */
export interface Stand {
  readonly favoured: string | null;
  readonly other: string | null;
  /** Probability of the favoured label. */
  readonly certainty: number;
}

/** Decides once per set of options, so that all parts of an answer agree. */
export class Chooser {
  readonly #brief: Brief;
  readonly #model: string;
  readonly #temperature: number;
  readonly #seed: string;
  readonly #beliefs = new Map<string, readonly number[]>();
  /** How many speeches are known by then; all, except while an earlier moment is recalled. */
  #heard: number;
  readonly made: Choice[] = [];

  constructor(brief: Brief, model: string, temperature: number, seed: string) {
    this.#brief = brief;
    this.#model = model;
    this.#temperature = temperature;
    this.#seed = seed;
    this.#heard = brief.speeches.length;
  }

  /** Does something with the belief as it stood after the first speeches. */
  recalling<T>(speeches: number, act: () => T): T {
    const before = this.#heard;
    this.#heard = Math.min(speeches, this.#brief.speeches.length);
    try {
      return act();
    } finally {
      this.#heard = before;
    }
  }

  /** Probabilities of the options, in their order. */
  belief(options: readonly string[]): readonly number[] {
    const name = JSON.stringify([options, this.#heard]);
    const known = this.#beliefs.get(name);
    if (known !== undefined) return known;
    const brief = { ...this.#brief, speeches: this.#brief.speeches.slice(0, this.#heard) };
    const found = believe(options, brief, this.#model, this.#temperature, new Dice(`${this.#seed}${name}`));
    this.#beliefs.set(name, found);
    return found;
  }

  /** The options from the likeliest down. */
  ranked(options: readonly string[]): { option: string; probability: number }[] {
    const belief = this.belief(options);
    const list = options.map((option, index) => ({ option, probability: belief[index] ?? 0 }));
    return list.sort((left, right) => right.probability - left.probability);
  }

  /** The option for a field; a field that asks for an alternative gets the second best. */
  choose(key: string, options: readonly string[]): string {
    const ranked = this.ranked(options);
    const place = ranked.length > 1 && /altern|second|runner|^a2$|other|least/i.test(key) ? 1 : 0;
    const chosen = ranked[place]?.option ?? '';
    this.made.push({ key, options, probabilities: this.belief(options), chosen });
    return chosen;
  }

  /** Probability of the latest choice, or of the likeliest candidate label. */
  confidence(): number | null {
    const last = this.made.at(-1);
    if (last !== undefined) return last.probabilities[last.options.indexOf(last.chosen)] ?? null;
    const { labels } = this.#brief;
    return labels.length > 1 ? (this.ranked(labels)[0]?.probability ?? null) : null;
  }

  /** What the whole answer speaks for: an advocate's own side, else the likeliest label. */
  stand(): Stand {
    const { labels, side, assigned, claims } = this.#brief;
    if (labels.length < 2) return { favoured: assigned, other: null, certainty: 0.5 };
    const ranked = this.ranked(labels);
    const positive = positiveLabel(labels, claims.prosecution);
    let favoured = ranked[0]?.option ?? null;
    if (assigned !== null) favoured = assigned;
    else if (side === 'prosecution') favoured = positive;
    else if (side === 'defense') favoured = ranked.find(({ option }) => option !== positive)?.option ?? favoured;
    const certainty = ranked.find(({ option }) => option === favoured)?.probability ?? 0.5;
    return { favoured, other: ranked.find(({ option }) => option !== favoured)?.option ?? null, certainty };
  }
}
