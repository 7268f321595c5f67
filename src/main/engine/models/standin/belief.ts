import { type Brief, type CaseFact, findLabel, type Speech } from './brief.ts';
import { type Dice, signed, unit } from './random.ts';

const negation =
  /\b(?:no|not|non|never|none|false|low|good|negative|unlikely|innocent|acquit\w*|reject\w*|deny|denied|against|unfounded|0)\b|(?:^|[\s_-])not_|^(?:un|non|dis)(?=\w{4})/i;

/** The label that an accusing side stands for: of two, the one that is not a denial. */
export function positiveLabel(labels: readonly string[]): string | null {
  const plain = labels.filter((label) => !negation.test(label));
  return plain.length >= 1 && plain.length < labels.length ? (plain[0] ?? null) : (labels[0] ?? null);
}

const risks: readonly (readonly [RegExp, number])[] = [
  [/arrest|prior|convict|fel_count|misd|offen[cs]e/i, 0.6],
  [/cocaine|drug|homeless|jail|incarcerat|fever|severe|overdue|critical|debt/i, 0.45],
  [/depress|victim|foodstamp|pain|blood|delay/i, 0.2],
  [/college|degree|experience|married|employ|saving|owner|biological parents/i, -0.35],
];

/** How far the values of the facts speak for trouble; around 0 for an ordinary case. */
function riskOf(facts: readonly CaseFact[]): number {
  let total = -0.95;
  for (const { name, value } of facts) {
    const weight = risks.find(([words]) => words.test(name))?.[1];
    if (weight === undefined) continue;
    const number = Number(value);
    if (/^(?:true|yes)$/i.test(value)) total += weight;
    else if (/^(?:false|no|unknown|)$/i.test(value)) total -= weight * 0.1;
    else if (/\bno\b|not|never|none/i.test(value)) total -= weight * 0.4;
    else if (Number.isFinite(number)) total += weight * Math.max(-1.5, Math.min(2, (number - 1.5) * 0.5));
    else total += weight * 0.5;
  }
  return Math.max(-1.8, Math.min(1.8, total));
}

function pull(model: string, speech: Speech, option: string, options: readonly string[], positive: string | null): number {
  // A speech now and then does its own side harm, as in a real trial.
  const strength = unit(model, 'strength', speech.text) < 0.15 ? -0.4 : 0.25 + 0.65 * unit(model, 'weight', speech.text);
  if (speech.side === 'prosecution' || speech.side === 'defense') {
    const forPositive = speech.side === 'prosecution';
    return (option === positive) === forPositive ? strength : 0;
  }
  const mentioned = options.filter((other) => findLabel(speech.text, other) >= 0);
  if (mentioned.length > 0 && mentioned.length < options.length) return mentioned.includes(option) ? strength * 0.7 : 0;
  return signed(model, speech.text, option) * 0.25;
}

/**
 * Probabilities of the options: a seeded score of the facts, shared in part by all models, moved by
 * what was said in the trial, and blurred by temperature.
 */
export function believe(options: readonly string[], brief: Brief, model: string, temperature: number, dice: Dice): number[] {
  const items = brief.facts.length > 0 ? brief.facts.map(({ name, value }) => `${name}=${value}`) : brief.quotes;
  const whole = items.join('; ');
  const scale = 1 / Math.sqrt(Math.max(1, items.length));
  const positive = positiveLabel(options);
  const risk = options.length === 2 ? riskOf(brief.facts) : 0;
  const own = 0.35 + 0.8 * (brief.contentiousness ?? 0.4);
  const sharpness = 0.8 + 0.6 * unit(model, 'sharpness');
  const logits = options.map((option) => {
    // Most facts are the same in many cases: without a part of its own no case would stand out.
    let score =
      signed(model, 'habit', option) * 0.15 +
      signed('all', whole, option) * 1.1 +
      signed(model, brief.speaker, whole, option) * own;
    for (const item of items) score += (signed('all', item, option) + signed(model, item, option) * own) * scale * 0.3;
    if (options.length === 2) score += (option === positive ? 0.6 : -0.6) * risk;
    brief.speeches.forEach((speech, index) => {
      score += pull(model, speech, option, options, positive) / (1 + 0.12 * index);
    });
    if (brief.assigned === option) score += 2.2;
    if (temperature > 0) score += dice.bell() * Math.min(temperature, 2) * 0.45;
    return score * sharpness;
  });
  const highest = Math.max(...logits);
  const weights = logits.map((logit) => Math.exp(logit - highest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
