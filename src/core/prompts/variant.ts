// Other words for the prompts of a protocol, in one file.
import { z } from 'zod';
import { controlTokensIn } from '../text/controlTokens.ts';
import { isDeviceName } from '../text/deviceNames.ts';
import { guardRules } from '../text/found.ts';
import {
  messagesAsText,
  type PromptFile,
  PromptFileError,
  type PromptWords,
  parseSections,
  promptsHash,
  type Section,
  slotsIn,
  wordsOf,
} from './promptFile.ts';
import { changedParts, partsAsFile, partsOf, type VariantFront } from './variantParts.ts';

export type Prompts = Readonly<Record<string, PromptFile>>;

export interface Variant extends VariantFront {
  /** Every prompt, those with the shipped words too. */
  readonly prompts: Readonly<Record<string, PromptWords>>;
  /** As `promptsHash` has it. */
  readonly hash: string;
  /** Its own words, part by part: where they begin, and how many characters they have. */
  readonly parts: readonly { readonly line: number; readonly characters: number }[];
  readonly warnings: readonly { readonly line: number; readonly message: string }[];
}

export const variantNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, {
    message: 'a name has letters, digits, dots, dashes and underscores, at most 64, and begins with a letter or digit',
  })
  // It names the variant's file.
  .refine((name) => !isDeviceName(name), { message: 'Windows keeps this name for a device; choose another name' });

const frontSchema = z.strictObject({
  variant: variantNameSchema,
  protocol: z.string().min(1),
  about: z.string().max(500).default(''),
});

const list = (names: readonly string[]): string => names.join(', ');

/** The sections of each prompt, under the marker that names it. Throws `PromptFileError`. */
function byPrompt(sections: readonly Section[], known: Prompts): Map<string, { line: number; parts: Section[] }> {
  const groups = new Map<string, { line: number; parts: Section[] }>();
  let current: Section[] | null = null;
  for (const section of sections) {
    const { kind, name, text, line, textLine } = section;
    if (kind === 'prompt') {
      if (!Object.hasOwn(known, name)) {
        throw new PromptFileError(line, `this protocol has no prompt ${name}; it has ${list(Object.keys(known))}`);
      }
      if (groups.has(name)) throw new PromptFileError(line, `the prompt ${name} is there twice: put its parts together`);
      if (text !== '') throw new PromptFileError(textLine, 'begin with a line such as === system === or === text: NAME ===');
      current = [];
      groups.set(name, { line, parts: current });
    } else if (current === null) {
      throw new PromptFileError(line, 'name the prompt first, with a line such as === prompt: NAME ===');
    } else current.push(section);
  }
  return groups;
}

const lineIn = ({ text, textLine }: Section, index: number): number => textLine + text.slice(0, index).split('\n').length - 1;

function refuseControlTokens(section: Section): void {
  const [found] = controlTokensIn(section.text, guardRules);
  if (found === undefined) return;
  const token = JSON.stringify(section.text.slice(found.start, found.end));
  throw new PromptFileError(lineIn(section, found.start), `${token} is a control token of a model; write it in other words`);
}

/** @param own prompt of the section @param all prompts of the protocol, to say where a slot belongs */
function refuseUnknownSlots(section: Section, allowed: readonly string[], own: PromptFile, all: Prompts): void {
  for (const { 0: slot, 1: name = '', index } of section.text.matchAll(/\{\{(\w+)\}\}/g)) {
    if (allowed.includes(name)) continue;
    const owner = [own, ...Object.values(all)].find(({ slots }) => Object.hasOwn(slots, name));
    const elsewhere =
      owner === undefined
        ? ''
        : owner === own
          ? '; it belongs to another part of this prompt'
          : `; it belongs to the prompt ${owner.id}, which may know what this one may not`;
    const offer = allowed.length === 0 ? 'no slots' : list(allowed.map((each) => `{{${each}}}`));
    throw new PromptFileError(lineIn(section, index), `${slot} is no slot of this text${elsewhere}. This text has ${offer}`);
  }
}

/**
 * Reads a variant. What it leaves out keeps the shipped words; the messages of a prompt are replaced together.
 * Throws `PromptFileError`.
 * @param promptsOf the prompts of a protocol; undefined where there is none of that id
 */
export function readVariant(content: string, promptsOf: (protocol: string) => Prompts | undefined): Variant {
  const { front, lineOf, sections } = parseSections(content, frontSchema, true);
  const shipped = promptsOf(front.protocol);
  if (shipped === undefined)
    throw new PromptFileError(lineOf('protocol'), `there is no protocol ${JSON.stringify(front.protocol)}`);
  const warnings: { line: number; message: string }[] = [];
  const prompts: Record<string, PromptWords> = {};
  const groups = byPrompt(sections, shipped);
  for (const [id, own] of Object.entries(shipped)) {
    const { line, parts } = groups.get(id) ?? { line: 1, parts: [] };
    const { messages, texts } = wordsOf(parts);
    prompts[id] = { messages: messages.length === 0 ? own.messages : messages, texts: { ...own.texts, ...texts } };
    /** @param before the shipped words that these replace */
    const check = (replacing: readonly Section[], before: string, at: number) => {
      const allowed = slotsIn(before);
      for (const section of replacing) {
        refuseControlTokens(section);
        refuseUnknownSlots(section, allowed, own, shipped);
      }
      const used = replacing.flatMap(({ text }) => slotsIn(text));
      const missing = allowed.filter((each) => !used.includes(each));
      const messageOf = (slot: string) => `{{${slot}}} is missing: ${own.slots[slot] ?? ''}`;
      const needed = missing.filter((each) => own.needed.includes(each));
      if (needed.length > 0) {
        const them = needed.length === 1 ? 'it' : 'them';
        throw new PromptFileError(at, `${needed.map(messageOf).join(' ')} The role cannot do without ${them}`);
      }
      warnings.push(...missing.map((slot) => ({ line: at, message: messageOf(slot) })));
    };
    if (messages.length > 0) {
      if (own.messages.length === 0) throw new PromptFileError(line, `the prompt ${id} has texts alone; leave the messages out`);
      check(
        parts.filter(({ kind }) => kind === 'message'),
        messagesAsText(own.messages),
        line,
      );
    }
    for (const part of parts.filter(({ kind }) => kind === 'text')) {
      const before = own.texts[part.name];
      if (before === undefined || !Object.hasOwn(own.texts, part.name)) {
        throw new PromptFileError(part.line, `the prompt ${id} has no text ${part.name}; it has ${list(Object.keys(own.texts))}`);
      }
      check([part], before, part.line);
    }
  }
  const { variant: name, protocol, about } = front;
  const parts = sections.map(({ line, text }) => ({ line, characters: text.length }));
  return { name, protocol, about, prompts, hash: promptsHash(prompts), parts, warnings };
}

export const variantAsText = (variant: Pick<Variant, 'name' | 'protocol' | 'about' | 'prompts'>, shipped: Prompts): string =>
  partsAsFile(variant, changedParts(partsOf(variant.prompts), shipped)).content;
