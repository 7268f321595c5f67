import type { Fact } from '../../shared/domain.ts';
import type { TextGuard } from '../../shared/events.ts';
import { remembered } from '../../shared/remembered.ts';
import { fillTemplate, type Prompt } from '../prompts/wording.ts';
import { type Delimiters, delimitersOf } from './delimiters.ts';
import type { GuardRules, NeutralisationRule } from './found.ts';
import { type Instruction, instructionsIn } from './instructions.ts';
import { type Neutralised, neutralise } from './neutralise.ts';

/**
 * Is between a protocol and the models: every prompt passes it, so no protocol has to think of it. Control tokens
 * lose their power everywhere; parts are checked one by one, since no token reaches over the blank line between
 * them. Transcript delimiters lose it inside texts that are known to be foreign, since the protocol's own are
 * written the same way: a filled template is known with its own words left alone and the foreign texts in its slots
 * marked.
 *
 * Limits: a delimiter in a foreign text that a protocol cuts up before quoting it is not recognised, nor is a speech
 * that is, from its first to its last character, a filled template of the protocol: it is a heading with nothing under
 * it, and to mark it would be to mark the protocol's own.
 */
export interface PromptGuard {
  /** Fills a template with texts as they are. Throws on a slot without a value. */
  fill(template: string, slots: Readonly<Record<string, string>>): string;
  learnFacts(facts: readonly Fact[]): void;
  /** An answer as the model wrote it, and the value that was read from it. */
  learnAnswer(text: string, value: unknown): void;
  /** The prompt to send, and what was found in it; undefined where nothing was. */
  apply(prompt: Prompt): { sent: Prompt; found: TextGuard | undefined };
  /** A guard that knows what this one knows now: neither learns what the other learns later. */
  snapshot(): PromptGuard;
}

export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Places of known texts in a part: the longest first, none within another. */
function placesOf(part: string, known: ReadonlyMap<string, Neutralised>): { start: number; text: string; safe: Neutralised }[] {
  const all = [...known].flatMap(([text, safe]) => {
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

function countsOf(found: readonly { readonly rule: string }[]): Record<string, number> {
  const groups = Map.groupBy(found, ({ rule }) => rule);
  return Object.fromEntries([...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([rule, { length }]) => [rule, length]));
}

/** What is sent in the place of a text, where it has a heading; null where it has none. */
type Checked = Map<string, Neutralised | null>;

interface Known {
  /** Parts of prompts in which nothing is to be changed: every prompt repeats most of those before it. */
  readonly harmless: Set<string>;
  /** Texts that were looked at. What a snapshot learns now its guard learns later, so both have the same. */
  readonly checked: Checked;
  /** Foreign texts with delimiters, each with what is sent in its place. */
  readonly foreign: Map<string, Neutralised>;
  /** Filled templates, likewise. */
  readonly own: Map<string, Neutralised>;
  /** Facts with instruction-like stretches. */
  readonly instructive: Map<string, readonly Instruction[]>;
}

const delimitersFor = {
  1: remembered((templates: Readonly<Record<string, string>>) => delimitersOf(templates, 1)),
  2: remembered((templates: Readonly<Record<string, string>>) => delimitersOf(templates, 2)),
};

export const promptGuard = (templates: Readonly<Record<string, string>>, rules: GuardRules): PromptGuard =>
  guardWith(delimitersFor[rules](templates), {
    harmless: new Set(),
    checked: new Map(),
    foreign: new Map(),
    own: new Map(),
    instructive: new Map(),
  });

type Slots = Readonly<Record<string, string>>;

const isSame = (one: Slots, other: Slots): boolean => {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
};

function guardWith(delimiters: Delimiters, { harmless, checked, foreign, own, instructive }: Known): PromptGuard {
  const { rules } = delimiters;

  const check = (text: string): Neutralised | null => {
    const known = checked.get(text);
    if (known !== undefined) return known;
    const safe = neutralise(text, rules, delimiters);
    const found = safe.found.some(({ rule }) => rule === 'transcript-heading') ? safe : null;
    checked.set(text, found);
    return found;
  };

  const learn = (text: string) => {
    const safe = check(text);
    if (safe !== null) foreign.set(text, safe);
  };

  /** Known texts in their harmless form; one that is both own and foreign counts as what is said. */
  const withKnown = (part: string, both: 'own' | 'foreign'): Neutralised => {
    if (foreign.size === 0) return { text: part, found: [] };
    const places = placesOf(part, new Map(both === 'own' ? [...foreign, ...own] : [...own, ...foreign]));
    let result = '';
    let at = 0;
    for (const { start, text, safe } of places) {
      result += part.slice(at, start) + safe.text;
      at = start + text.length;
    }
    return { text: result + part.slice(at), found: places.flatMap(({ safe }) => safe.found) };
  };

  const applyToPart = (part: string): Neutralised => {
    const marked = withKnown(part, 'own');
    if (harmless.has(marked.text)) return marked;
    const rest = neutralise(marked.text, rules);
    if (rest.found.length === 0) harmless.add(marked.text);
    return { text: rest.text, found: [...marked.found, ...rest.found] };
  };

  /** By template, what it was filled with last and the text: most of a prompt is as it was in the one before. */
  const last = new Map<string, { readonly slots: Slots; readonly filled: string }>();

  return {
    fill(template, slots) {
      if (foreign.size === 0) {
        const before = last.get(template);
        if (before !== undefined && isSame(before.slots, slots)) return before.filled;
        const filled = fillTemplate(template, slots);
        if (filled !== '') own.set(filled, { text: filled, found: [] });
        last.set(template, { slots, filled });
        return filled;
      }
      const filled = fillTemplate(template, slots);
      const used = Object.entries(slots).filter(([name]) => template.includes(`{{${name}}}`));
      const safe = used.map(([name, value]) => [name, withKnown(value, 'foreign')] as const);
      const text = fillTemplate(template, Object.fromEntries(safe.map(([name, value]) => [name, value.text])));
      if (filled !== '') own.set(filled, { text, found: safe.flatMap(([, { found }]) => found) });
      return filled;
    },
    learnFacts(facts) {
      for (const text of facts.flatMap(({ name, value }) => [name, value])) {
        learn(text);
        const instructions = instructionsIn(text, rules);
        if (instructions.length > 0) instructive.set(text, instructions);
      }
    },
    learnAnswer(text, value) {
      for (const string of [text, ...stringsIn(value)]) learn(string);
    },
    apply(prompt) {
      const found: { rule: NeutralisationRule }[] = [];
      const flagged: Instruction[] = [];
      const sent = prompt.map((message) => ({
        ...message,
        parts: message.parts.map((part) => {
          for (const [text, instructions] of instructive) if (part.includes(text)) flagged.push(...instructions);
          const applied = applyToPart(part);
          found.push(...applied.found);
          return applied.text;
        }),
      }));
      if (found.length === 0 && flagged.length === 0) return { sent: prompt, found: undefined };
      return { sent, found: { rules, neutralised: countsOf(found), flagged: countsOf(flagged) } };
    },
    snapshot: () =>
      guardWith(delimiters, {
        harmless,
        checked,
        foreign: new Map(foreign),
        own: new Map(own),
        instructive: new Map(instructive),
      }),
  };
}
