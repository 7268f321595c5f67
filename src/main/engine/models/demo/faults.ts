import { isRecord } from '../../../../core/answers/fields.ts';
import { type FaultKind, faultKinds, type Profile } from './profiles.ts';
import { unit } from './tokens.ts';
import type { Written } from './write.ts';

/** Whether a request of this content is hit, and by what: the shares lie side by side on [0, 1). */
export function drawFault(shares: Profile['faults'], content: string): FaultKind | null {
  let at = unit(`fault ${content}`);
  for (const kind of faultKinds) {
    const share = shares[kind] ?? 0;
    if (at < share) return kind;
    at -= share;
  }
  return null;
}

function relabelled({ value, choices }: Written, label: string): string {
  const walk = (part: unknown, key: string): unknown => {
    if (typeof part === 'string') return choices.some((choice) => choice.key === key && choice.chosen === part) ? label : part;
    if (Array.isArray(part)) return part.map((item) => walk(item, key));
    return isRecord(part) ? Object.fromEntries(Object.entries(part).map(([name, item]) => [name, walk(item, name)])) : part;
  };
  return JSON.stringify(walk(value, ''));
}

const loopedWords = 'and so it goes on, ';
/** Longer than any limit of tokens: the reader has to end it. */
const loops = 5000;

const spoilt: Readonly<Partial<Record<FaultKind, (text: string, written: Written) => string>>> = {
  malformed: (text) => text.replace(/"(\w+)":/g, '$1:'),
  prose: (text) => `Sure! Here is my answer:\n\n\`\`\`json\n${text}\n\`\`\`\n\nI hope this helps.`,
  declining: (_text, written) => (written.choices.length > 0 ? relabelled(written, 'NO DECISION') : 'NO DECISION'),
  'wrong-label': (_text, written) => relabelled(written, 'option 3'),
  loop: (text) => `${text.slice(0, text.indexOf(':') + 1)}"${loopedWords.repeat(loops)}`,
  empty: () => '',
};

/** What the model says where the fault changes that. */
export const spoil = (kind: FaultKind | null, written: Written, text: string): string =>
  (kind === null ? undefined : spoilt[kind]?.(text, written)) ?? text;
