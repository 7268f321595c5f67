import type { Brief, Speech } from './brief.ts';
import type { CaseFact } from './caseFacts.ts';
import { findLabel } from './labels.ts';
import { type Dice, signed, unit } from './random.ts';

const negation =
  /\b(?:no|not|non|never|none|false|low|good|negative|unlikely|innocent|acquit\w*|reject\w*|deny|denied|against|unfounded|0)\b|(?:^|[\s_-])not_|^(?:un|non|dis)(?=\w{4})/i;

/** The label that an accusing side stands for: of two, the one that is not a denial. */
export function positiveLabel(labels: readonly string[], claimed: string | null): string | null {
  if (claimed !== null && labels.includes(claimed)) return claimed;
  const plain = labels.filter((label) => !negation.test(label));
  return plain.length >= 1 && plain.length < labels.length ? (plain[0] ?? null) : (labels[0] ?? null);
}

const risks: readonly (readonly [RegExp, number])[] = [
  [/arrest|prior|convict|fel_count|misd|offen[cs]e/i, 0.6],
  [/cocaine|drug|homeless|jail|incarcerat|fever|severe|overdue|critical|debt/i, 0.45],
  [/depress|victim|foodstamp|pain|blood|delay/i, 0.2],
  [/college|degree|experience|married|employ|saving|owner|biological parents/i, -0.35],
];

/** How far one fact speaks for trouble. */
function riskOf({ name, value, passage }: CaseFact): number {
  const weight = risks.find(([words]) => words.test(passage ? value : name))?.[1];
  if (weight === undefined) return 0;
  if (passage) return /\b(?:no|not|never|none|nobody)\b/i.test(value) ? -weight * 0.4 : weight * 0.5;
  const number = Number(value);
  if (/^(?:true|yes)$/i.test(value)) return weight;
  if (/^(?:false|no|unknown|)$/i.test(value)) return -weight * 0.1;
  if (/\bno\b|not|never|none/i.test(value)) return -weight * 0.4;
  if (Number.isFinite(number)) return weight * Math.max(-1.5, Math.min(2, (number - 1.5) * 0.5));
  return weight * 0.5;
}

/** What the facts of an ordinary case come to, so that such a case is an open one. */
const ordinaryRisk = 0.95;

const nameOf = ({ name, value }: CaseFact): string => `${name}=${value}`;

/** How far a fact speaks for one label and against another: above 0 for, below 0 against. */
export function leanOf(fact: CaseFact, favoured: string, other: string, positive: string | null): number {
  const taste = (signed('all', nameOf(fact), favoured) - signed('all', nameOf(fact), other)) * 0.15;
  const risk = riskOf(fact) - (/^(?:false|no)$/i.test(fact.value) ? 0.05 : 0);
  if (favoured === positive) return taste + risk;
  return other === positive ? taste - risk : taste;
}

function pull(model: string, speech: Speech, option: string, options: readonly string[], positive: string | null): number {
  // A speech now and then does its own side harm, as in a real trial.
  const strength = unit(model, 'strength', speech.text) < 0.15 ? -0.25 : 0.15 + 0.45 * unit(model, 'weight', speech.text);
  if (speech.side === 'prosecution' || speech.side === 'defense') {
    const forPositive = speech.side === 'prosecution';
    return (option === positive) === forPositive ? strength : 0;
  }
  const mentioned = options.filter((other) => findLabel(speech.text, other) >= 0);
  if (mentioned.length > 0 && mentioned.length < options.length) return mentioned.includes(option) ? strength * 0.7 : 0;
  return signed(model, speech.text, option) * 0.2;
}

/**
 * Probabilities of the options: a seeded score of the facts, shared in part by all models, moved by
 * what was said in the trial, and blurred by temperature.
 */
export function believe(options: readonly string[], brief: Brief, model: string, temperature: number, dice: Dice): number[] {
  const items = brief.facts.map(nameOf);
  const whole = items.join('; ');
  const scale = 1 / Math.sqrt(Math.max(1, items.length));
  const positive = positiveLabel(options, brief.claims.prosecution);
  const risk =
    brief.facts.reduce((sum, fact) => sum + riskOf(fact), 0) - (brief.facts.some(({ passage }) => passage) ? 0 : ordinaryRisk);
  const own = 0.35 + 0.8 * (brief.contentiousness ?? 0.4);
  const sharpness = 0.8 + 0.4 * unit(model, 'sharpness');
  const logits = options.map((option) => {
    // Most facts are the same in many cases: without a part of its own no case would stand out.
    let score =
      signed(model, 'habit', option) * 0.15 +
      signed('all', whole, option) * 0.8 +
      signed(model, brief.speaker, whole, option) * own * 0.7;
    for (const item of items) score += (signed('all', item, option) + signed(model, item, option) * own) * scale * 0.3;
    if (options.length === 2) score += (option === positive ? 0.5 : -0.5) * Math.max(-1.8, Math.min(1.8, risk));
    brief.speeches.forEach((speech, index) => {
      score += pull(model, speech, option, options, positive) / (1 + 0.12 * index);
    });
    if (brief.assigned === option) score += 2.2;
    if (temperature > 0) score += dice.bell() * Math.min(temperature, 2) * 0.16;
    return score * sharpness;
  });
  const highest = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - highest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
