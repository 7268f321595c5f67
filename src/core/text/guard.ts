import type { Fact } from '../../shared/domain.ts';
import type { TextGuard } from '../../shared/events.ts';
import type { Prompt } from '../protocols/court.ts';
import { delimitersOf } from './delimiters.ts';
import type { Found } from './found.ts';
import { type Instruction, instructionsIn } from './instructions.ts';
import { type Neutralised, neutralise } from './neutralise.ts';

/**
 * Stands between a protocol and the models: every prompt passes it, so no protocol has to think of it.
 * Control tokens lose their power wherever they stand. Transcript delimiters lose it inside texts that are known to be
 * foreign, since the protocol's own are written the same way. The rules are version 1; a change that alters what is
 * sent is a new version beside it, or old records could not be replayed.
 *
 * Limit: a delimiter in a foreign text that a protocol cuts up before quoting it is not recognised.
 */
export interface PromptGuard {
  learnFacts(facts: readonly Fact[]): void;
  /** An answer as the model wrote it, and the value that was read from it. */
  learnAnswer(text: string, value: unknown): void;
  /** The prompt to send, and what was found in it; undefined where nothing was. */
  apply(prompt: Prompt): { sent: Prompt; found: TextGuard | undefined };
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Where foreign texts stand in a part: the longest first, none within another. */
function placesOf(part: string, foreign: ReadonlyMap<string, Neutralised>): { start: number; text: string; safe: Neutralised }[] {
  const all = [...foreign].flatMap(([text, safe]) => {
    const places: { start: number; text: string; safe: Neutralised }[] = [];
    for (let start = part.indexOf(text); start >= 0; start = part.indexOf(text, start + text.length)) {
      places.push({ start, text, safe });
    }
    return places;
  });
  let end = 0;
  return all
    .toSorted((a, b) => a.start - b.start || b.text.length - a.text.length)
    .filter(({ start, text }) => {
      if (start < end) return false;
      end = start + text.length;
      return true;
    });
}

/** Counts by rule, in the order of the rules' names. */
function countsOf(found: readonly { readonly rule: string }[]): Record<string, number> {
  const groups = Map.groupBy(found, ({ rule }) => rule);
  return Object.fromEntries([...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([rule, { length }]) => [rule, length]));
}

export function promptGuard(templates: Readonly<Record<string, string>>): PromptGuard {
  const delimiters = delimitersOf(templates);
  /** Foreign texts with delimiters. */
  const foreign = new Map<string, Neutralised>();
  /** Facts with instruction-like stretches. */
  const instructive = new Map<string, readonly Instruction[]>();

  const learn = (text: string) => {
    const safe = neutralise(text, delimiters);
    if (safe.found.some(({ rule }) => rule === 'transcript-heading')) foreign.set(text, safe);
  };

  const applyToPart = (part: string): { part: string; found: readonly Found[] } => {
    const found: Found[] = [];
    let result = '';
    let at = 0;
    for (const { start, text, safe } of placesOf(part, foreign)) {
      result += part.slice(at, start) + safe.text;
      found.push(...safe.found);
      at = start + text.length;
    }
    const rest = neutralise(result + part.slice(at));
    return { part: rest.text, found: [...found, ...rest.found] };
  };

  return {
    learnFacts(facts) {
      for (const text of facts.flatMap(({ name, value }) => [name, value])) {
        learn(text);
        const instructions = instructionsIn(text);
        if (instructions.length > 0) instructive.set(text, instructions);
      }
    },
    learnAnswer(text, value) {
      for (const string of [text, ...stringsIn(value)]) learn(string);
    },
    apply(prompt) {
      const found: Found[] = [];
      const flagged: Instruction[] = [];
      const sent = prompt.map((message) => ({
        ...message,
        parts: message.parts.map((part) => {
          for (const [text, instructions] of instructive) if (part.includes(text)) flagged.push(...instructions);
          const applied = applyToPart(part);
          found.push(...applied.found);
          return applied.part;
        }),
      }));
      if (found.length === 0 && flagged.length === 0) return { sent: prompt, found: undefined };
      return { sent, found: { rules: 1, neutralised: countsOf(found), flagged: countsOf(flagged) } };
    },
  };
}
