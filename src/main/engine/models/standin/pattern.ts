import type { Dice } from './random.ts';

const letters = 'abcdefghijklmnopqrstuvwxyz';
const classes: Record<string, string> = { d: '0123456789', w: `${letters}0123456789`, s: ' ', D: letters, S: letters, W: ' -' };
const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

/** Writes texts for simple patterns: literals, classes, groups, alternatives and repetitions. */
class PatternReader {
  readonly #source: string;
  readonly #dice: Dice;
  readonly #more: number;
  #at = 0;

  constructor(source: string, dice: Dice, more: number) {
    this.#source = source;
    this.#dice = dice;
    this.#more = more;
  }

  #peek(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #take(): string {
    const taken = this.#source[this.#at] ?? '';
    this.#at += 1;
    return taken;
  }

  alternatives(): () => string {
    const branches = [this.#sequence()];
    while (this.#peek('|')) {
      this.#at += 1;
      branches.push(this.#sequence());
    }
    return () => this.#dice.pick(branches)();
  }

  #sequence(): () => string {
    const parts: (() => string)[] = [];
    while (this.#at < this.#source.length && !this.#peek('|') && !this.#peek(')')) parts.push(this.#repeated());
    return () => parts.map((part) => part()).join('');
  }

  #repeated(): () => string {
    const atom = this.#atom();
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at));
    if (found === null) return atom;
    this.#at += found[0].length;
    const low = found[1] === undefined ? Number(found[2]) : found[1] === '+' ? 1 : 0;
    const open = found[1] === undefined ? found[3] === ',' && found[4] === '' : found[1] !== '?';
    const high = open ? low + this.#more : found[1] === '?' ? 1 : found[3] === ',' ? Number(found[4]) : low;
    return () => Array.from({ length: this.#dice.between(low, Math.min(high, low + this.#more)) }, atom).join('');
  }

  #atom(): () => string {
    const first = this.#take();
    if (first === '^' || first === '$') return () => '';
    if (first === '.') return () => this.#dice.pick([...letters]);
    if (first === '[') return this.#fromSet(this.#set());
    if (first === '\\') return this.#fromSet(this.#escape());
    if (first !== '(') return () => first;
    const prefix = /^\?(?::|<[a-z]\w*>)/i.exec(this.#source.slice(this.#at));
    this.#at += prefix?.[0].length ?? 0;
    const inner = this.alternatives();
    this.#at += 1;
    return inner;
  }

  #fromSet(set: string): () => string {
    if (set === '') return () => '';
    return () => this.#dice.pick([...set]);
  }

  #escape(): string {
    const escaped = this.#take();
    if (escaped === 'b') return '';
    if (escaped === 'n') return '\n';
    if (escaped === 't') return '\t';
    if (escaped === 'p') {
      this.#at = this.#source.indexOf('}', this.#at) + 1;
      return letters;
    }
    return classes[escaped] ?? escaped;
  }

  #set(): string {
    const negated = this.#peek('^');
    if (negated) this.#at += 1;
    let members = '';
    while (this.#at < this.#source.length && !this.#peek(']')) {
      const first = this.#take();
      const low = first === '\\' ? this.#escape() : first;
      if (this.#peek('-') && this.#source[this.#at + 1] !== ']' && low.length === 1) {
        this.#at += 1;
        const last = this.#take();
        for (let code = low.charCodeAt(0); code <= last.charCodeAt(0); code += 1) members += String.fromCharCode(code);
      } else {
        members += low;
      }
    }
    this.#at += 1;
    if (!negated) return members;
    const preferred = [...letters].filter((letter) => !members.includes(letter)).join('');
    return preferred === '' ? [...printable].filter((letter) => !members.includes(letter)).join('') : preferred;
  }
}

/** A text meant to match the pattern; the caller checks it. `more` bounds open repetitions. */
export function writePattern(source: string, dice: Dice, more: number): string {
  return new PatternReader(source, dice, more).alternatives()();
}
