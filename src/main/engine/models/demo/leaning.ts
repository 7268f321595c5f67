// The rule by which the demo model chooses labels and beliefs.
import type { RandomSource } from '../../../../core/cases/shuffle.ts';
import type { Bias } from './bias.ts';
import { type Brief, type CaseFact, firstLabel, type Speech } from './prompt.ts';

const pointsOfFacts = 10;
const pointsOfAll = 2;
const pointsOfSpeech = 1;

/** The label that a fact speaks for; null where there are none. */
export function labelFor({ name, value }: CaseFact, labels: readonly string[]): string | null {
  const letters = `${name}${value}`.match(/\p{L}/gu)?.length ?? 0;
  const numbers = (value.match(/\d+/g) ?? []).reduce((sum, digits) => sum + Number(digits.slice(-9)), 0);
  return labels.toSorted()[(letters + numbers) % Math.max(1, labels.length)] ?? null;
}

/** The speeches that a planted bias is about. */
function speechesOf(speaker: string, speeches: readonly Speech[]): readonly Speech[] {
  if (speaker === 'first') return speeches.slice(0, 1);
  if (speaker === 'last') return speeches.slice(-1);
  if (speaker === 'longest') return speeches.toSorted((one, other) => other.text.length - one.text.length).slice(0, 1);
  return speeches.filter(({ heading }) => heading.toLowerCase().includes(speaker));
}

/** Each label that a planted bias gives points to. */
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
