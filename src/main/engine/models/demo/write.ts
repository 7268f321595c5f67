import { asArray, isRecord, membersOf } from '../../../../core/answers/fields.ts';
import { type RandomSource, shuffled } from '../../../../core/cases/shuffle.ts';
import { capitalized } from '../../../../core/text/visible.ts';
import type { Bias } from './bias.ts';
import { Failure } from './exchange.ts';
import { type Brief, type CaseFact, firstLabel, type Speech } from './prompt.ts';

// The rule by which the demo model chooses labels and beliefs.

const pointsOfFacts = 10;
const pointsOfAll = 2;
const pointsOfSpeech = 1;

/** The label that a fact speaks for; null where there are none. */
export function labelFor({ name, value }: CaseFact, labels: readonly string[]): string | null {
  const letters = `${name}${value}`.match(/\p{L}/gu)?.length ?? 0;
  const numbers = (value.match(/\d+/g) ?? []).reduce((sum, digits) => sum + Number(digits.slice(-9)), 0);
  return labels.toSorted()[(letters + numbers) % Math.max(1, labels.length)] ?? null;
}

function speechesOf(speaker: string, speeches: readonly Speech[]): readonly Speech[] {
  if (speaker === 'first') return speeches.slice(0, 1);
  if (speaker === 'last') return speeches.slice(-1);
  if (speaker === 'longest') return speeches.toSorted((one, other) => other.text.length - one.text.length).slice(0, 1);
  return speeches.filter(({ heading }) => heading.toLowerCase().includes(speaker));
}

function planted(bias: Bias, { facts, speeches, labels }: Brief): readonly (string | null)[] {
  if (bias.kind === 'speech') return speechesOf(bias.speaker, speeches).map(({ text }) => firstLabel(labels, text));
  if (bias.kind === 'attribute') {
    return facts.some(({ name, value }) => name === bias.name && value === bias.value) ? [bias.label] : [];
  }
  return facts.flatMap(({ value }) => [...value.matchAll(/\banswer\b[^\n]{0,80}/gi)].map(([text]) => firstLabel(labels, text)));
}

/**
 * What a model at this temperature makes of a case, by the rule in `docs/demo-model.md`.
 * @returns `belief`: probability of each label, in the order given; they sum to 1, and there are none without labels.
 *   `seen`: facts that were not overlooked, with the label that each speaks for; null without labels
 */
export function lean(brief: Brief, biases: readonly Bias[], temperature: number, random: RandomSource) {
  const { facts, labels, speeches } = brief;
  const overlooked = Math.min(0.4, temperature / 2);
  const kept = facts.filter(() => random.next() >= overlooked);
  const seen = (kept.length > 0 ? kept : facts).map((fact) => ({ fact, label: labelFor(fact, labels) }));
  const points = new Map(labels.map((label) => [label, pointsOfAll / labels.length]));
  const give = (label: string | null, more: number): void => {
    if (label !== null && points.has(label)) points.set(label, (points.get(label) ?? 0) + more);
  };
  for (const { label } of seen) give(label, pointsOfFacts / seen.length);
  for (const { text } of speeches) give(firstLabel(labels, text), pointsOfSpeech);
  for (const bias of biases) for (const label of planted(bias, brief)) give(label, bias.points);
  const parts = labels.map((label) => Math.max(0.01, points.get(label) ?? 0));
  const all = parts.reduce((sum, part) => sum + part, 0);
  return { belief: parts.map((part) => part / all), seen };
}

export interface Choice {
  readonly key: string;
  readonly chosen: string;
  readonly options: readonly string[];
  /** Probability of each option; they sum to 1. */
  readonly belief: readonly number[];
}

/** `F` is a fact, `L` the label that the speaker takes. */
const sentences = {
  labelled: ['F speaks for L.', 'I take F as a sign of L.', 'L fits well with F.', 'F makes L likelier.', 'F leads to L.'],
  open: ['F matters here.', 'Much turns on F.', 'Nobody disputes F.', 'I come back to F.'],
};

/** The whole words of a text that fit; a single word that is too long is cut. */
const wholeWords = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1)).replace(/\s+\S*$/, '')}…`.slice(0, most);

/** Where between its bounds a number lies; whole where the schema or the width of its range asks for it. */
function within({ type, minimum, maximum }: Record<string, unknown>, share: number): number {
  const least = Number(minimum ?? 0);
  const most = Number(maximum ?? least + 100);
  const value = least + share * (most - least);
  return type === 'integer' || most - least > 1 ? Math.round(value) : Number(value.toFixed(2));
}

/** How likely a label applies by itself, from its part of a belief: one half where that is a tenth above an equal part. */
const applying = (share: number, labels: number): number => Math.min(0.98, (share * labels) / 2.2);

export interface Terms {
  readonly brief: Brief;
  readonly biases: readonly Bias[];
  readonly temperature: number;
  readonly random: RandomSource;
}

export type Written = Readonly<ReturnType<typeof writeAnswer>>;

/** Writes an answer that the JSON schema admits, field by field in its order. Throws `Failure` where it cannot be read. */
export function writeAnswer(whole: unknown, { brief, biases, temperature, random }: Terms) {
  const { labels } = brief;
  const { belief, seen } = lean(brief, biases, temperature, random);
  const shareOf = (label: string): number => belief[labels.indexOf(label)] ?? 0;
  const ranked = labels.toSorted((one, other) => shareOf(other) - shareOf(one));
  const side = brief.assigned ?? ranked[0] ?? null;
  const order = shuffled(seen, random);
  // What speaks for the own side comes first.
  const facts: readonly CaseFact[] = [true, false].flatMap((own) =>
    order.filter(({ label }) => (label === side) === own).map(({ fact }) => fact),
  );
  const choices: Choice[] = [];
  let dealt = 0;
  let focus: CaseFact | null = null;
  const nextFact = (): CaseFact => facts[dealt++ % facts.length] ?? { name: '', value: 'the question' };

  const choose = (options: readonly unknown[], key: string, rank: number): unknown => {
    const texts = options.map(String);
    if (labels.length > 0 && texts.every((text) => labels.includes(text))) {
      const offered = ranked.filter((label) => texts.includes(label));
      const chosen = offered[(key === 'alternative' ? 1 : rank) % offered.length] ?? '';
      const total = texts.reduce((sum, text) => sum + shareOf(text), 0);
      choices.push({ key, chosen, options: texts, belief: texts.map((text) => shareOf(text) / total) });
      return chosen;
    }
    const named = facts.filter(({ name }) => texts.includes(name));
    if (named.length === 0) return options[random.below(options.length)];
    focus = named[dealt++ % named.length] ?? null;
    return focus?.name;
  };

  const sentence = (): string => {
    const { name, value } = focus ?? nextFact();
    focus = null;
    const short = value.split(/\s+/).slice(0, 12).join(' ');
    const fact = name === '' || short !== value ? `the passage “${short}”` : `the fact that ${name} is ${value}`;
    const frames = side === null ? sentences.open : sentences.labelled;
    const text = (frames[random.below(frames.length)] ?? '').replace(/[FL]\b/g, (slot) => (slot === 'F' ? fact : `"${side}"`));
    // A fact can be a sentence, with its own full stop.
    return capitalized(text.replace(/([.!?])\.$/, '$1'));
  };

  const write = (schema: unknown, key: string, rank: number): unknown => {
    if (!isRecord(schema)) throw new Failure(400, `the schema of ${key} is no object`);
    const type = asArray(schema.type)[0] ?? schema.type;
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return choose(schema.enum, key, rank);
    const branches = asArray(schema.anyOf ?? schema.oneOf);
    if (branches.length > 0) return write(branches[0], key, rank);
    if (type === 'object') {
      const members = [...membersOf(schema)];
      const shares = members.length === labels.length && members.every(([name]) => labels.includes(name));
      const values = members.map(([name, part], index) => {
        if (!shares || !isRecord(part)) {
          focus = facts.find((fact) => fact.name === name) ?? focus;
          return [name, write(part, name, key === 'ranking' ? index : rank)];
        }
        return [name, within(part, key === 'likelihoods' ? applying(shareOf(name), labels.length) : shareOf(name))];
      });
      return Object.fromEntries(values);
    }
    if (type === 'array') return list(schema, key);
    if (type === 'integer' || type === 'number') {
      const stated = key === 'confidence' ? ranked[0] : key === 'percent' ? choices.at(-1)?.chosen : undefined;
      return within({ ...schema, type }, stated === undefined ? 0.4 + random.next() / 2 : shareOf(stated));
    }
    if (type === 'boolean') return random.next() < (key === 'concedes' ? 0.2 : 0.75);
    if (type === 'null') return null;
    if (type === 'string') return words(schema, key);
    throw new Failure(400, `${key}: no type that can be written`);
  };

  const list = ({ items, minItems = 0, maxItems = 40 }: Record<string, unknown>, key: string): unknown => {
    const clamp = (length: number): number => Math.max(Number(minItems), Math.min(Number(maxItems), length));
    if (isRecord(items) && Array.isArray(items.enum) && items.enum.every((label) => labels.includes(String(label)))) {
      const named = ranked.filter((label) => Math.round(100 * applying(shareOf(label), labels.length)) >= 50);
      return Array.from({ length: clamp(named.length) }, (_, index) => ranked[index % ranked.length]);
    }
    // Its sentences are about facts of the case, and none of them is from elsewhere.
    if (key === 'outside')
      return Array.from({ length: clamp(random.below(3) === 0 ? 1 : 0) }, () => 'How such cases mostly end.');
    const length = clamp(key === 'factors' ? facts.length : key === 'ranking' ? labels.length : 3);
    return Array.from({ length }, (_, index) => write(items, key, key === 'ranking' ? index : 0));
  };

  const words = ({ minLength = 0, maxLength = 400 }: Record<string, unknown>, key: string): string => {
    const [least, most] = [Number(minLength), Number(maxLength)];
    if (key === 'factor') return (nextFact().name || 'the case').padEnd(least, '.').slice(0, most);
    let text = sentence();
    for (let more = 0; more < 2 || text.length < least; more += 1) {
      const longer = `${text} ${sentence()}`;
      if (longer.length > Math.max(least, Math.min(most, 240))) break;
      text = longer;
    }
    return wholeWords(text, most).padEnd(least, '.');
  };

  return { value: write(whole, '', 0), choices };
}
