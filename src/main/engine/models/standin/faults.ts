import type { Answer } from './answer.ts';
import { type Fault, type FaultKind, type FaultShares, faultKinds } from './profiles.ts';
import { Dice, unit } from './random.ts';
import type { JsonValue } from './schema.ts';

/** Whether a request of this content is hit, and by what: the shares lie side by side on [0, 1). */
export function drawFault(shares: FaultShares, content: string): Fault | null {
  let at = unit('fault', content);
  for (const kind of faultKinds) {
    const share = shares[kind] ?? 0;
    if (at < share) return { kind };
    at -= share;
  }
  return null;
}

function breakJson(text: string, dice: Dice): string {
  const ways: (() => string)[] = [
    () => text.replace(/[}\]]$/, ',$&'),
    () => text.slice(0, -1),
    () => text.replace(/"(\w+)":/g, '$1:'),
    () => text.replace(/"/g, "'"),
    () => text.replace(/([\]}"\d]),"/, '$1 "'),
    () => text.replace(/(\w) (\w)/, '$1 "$2" $2'),
    () => text.replace(/^\{/, '{ // my answer\n'),
    () => text.replace(/ (\w+ )/, '\n$1'),
    () => `${text}${text.slice(0, 20)}`,
    () => text.replace(/:(\d)/, ':about $1'),
  ];
  for (const way of dice.shuffle(ways)) {
    const broken = way();
    try {
      JSON.parse(broken);
    } catch {
      return broken;
    }
  }
  return text.slice(0, Math.max(1, text.length - 2));
}

function wrap(text: string, dice: Dice): string {
  const lead = dice.pick([
    'Sure! Here is my answer:',
    'Certainly. After weighing the case:',
    'Okay, here is the JSON you asked for:',
    'I have considered the record.',
  ]);
  const end = dice.pick([
    'Let me know if you need anything else.',
    'I hope this helps.',
    'This is only my reading of the file.',
    '',
  ]);
  const core = dice.chance(0.6) ? `\`\`\`json\n${text}\n\`\`\`` : text;
  return `${lead}\n\n${core}\n\n${end}`.trimEnd();
}

function replaceChoices(text: string, answer: Answer, label: string): string {
  const chosen = new Map(answer.choices.map(({ key, chosen: value }) => [key, value]));
  const walk = (value: JsonValue, key: string): JsonValue => {
    if (typeof value === 'string') return chosen.get(key) === value ? label : value;
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item: JsonValue) => walk(item, key));
    return Object.fromEntries(Object.entries(value).map(([name, item]: [string, JsonValue]) => [name, walk(item, name)]));
  };
  const parsed: JsonValue = JSON.parse(text);
  return JSON.stringify(walk(parsed, ''));
}

/** The text after a fault that changes what the model says. */
export function spoil(kind: FaultKind, answer: Answer, isJson: boolean, content: string): string {
  const dice = new Dice(`spoil${content}`);
  switch (kind) {
    case 'malformed':
      return isJson ? breakJson(answer.text, dice) : answer.text;
    case 'prose':
      return isJson ? wrap(answer.text, dice) : answer.text;
    case 'declining':
      return isJson && answer.choices.length > 0 ? replaceChoices(answer.text, answer, 'NO DECISION') : 'NO DECISION';
    case 'wrong-label':
      return isJson
        ? replaceChoices(answer.text, answer, dice.pick(['Undetermined', 'both', 'option 3', 'probably']))
        : answer.text;
    case 'empty':
      return '';
    default:
      return answer.text;
  }
}
