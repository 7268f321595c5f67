// Makes a JSON answer readable.
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `own_strengths` as words. */
const words = (name: string) => name.replaceAll('_', ' ');

/** Fields that stand beside the text already. */
const shownElsewhere = new Set(['prediction', 'alternative', 'confidence', 'distribution', 'belief_updates']);

/** Fields that are the text itself and need no name before it. */
const plain = new Set(['opinion', 'reason']);

function lines(value: unknown, name: string | null): string[] {
  if (Array.isArray(value)) return value.flatMap((part) => lines(part, null).map((line) => `- ${line}`));
  if (isRecord(value)) {
    const entries = Object.entries(value).filter(([key]) => !shownElsewhere.has(key));
    const scalar = entries.every(([, part]) => typeof part !== 'object');
    if (name === null && scalar) return [entries.map(([, part]) => String(part)).join(', ')];
    return entries.flatMap(([key, part]) => lines(part, key));
  }
  const text = String(value);
  return [name === null || plain.has(name) ? text : `${words(name)}: ${text}`];
}

/** A model's JSON answer as lines that a person can read; any other text as it is. */
export function readableAnswer(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? lines(value, 'answer').join('\n') : text;
  } catch {
    return text;
  }
}
