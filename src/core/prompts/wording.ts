// The words of an arm: its texts, and the messages that they are put together to.
import { remembered } from '../../shared/remembered.ts';
import { messagesAsText, messagesIn, type PromptMessageText, type PromptWords } from './promptFile.ts';

/** A message as the texts it is joined from, with a blank line between: equal texts are stored once. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly string[];
}

export type Prompt = readonly PromptMessage[];

/** What fills a slot: a text, or several separate ones. */
export type SlotValue = string | readonly string[];

/** Name -> text: each text of a prompt under its own name, its messages under `prompt:` and its id. */
export type Templates = Readonly<Record<string, string>>;

const messagesName = (id: string) => `prompt:${id}`;

export function templatesOf(prompts: Readonly<Record<string, PromptWords>>): Templates {
  const templates: Record<string, string> = {};
  for (const [id, { messages, texts }] of Object.entries(prompts)) {
    Object.assign(templates, texts);
    if (messages.length > 0) templates[messagesName(id)] = messagesAsText(messages);
  }
  return templates;
}

/** The words of each prompt in such templates. @param shipped prompts that show which text is whose */
export const promptsIn = (templates: Templates, shipped: Readonly<Record<string, PromptWords>>): Record<string, PromptWords> =>
  Object.fromEntries(
    Object.entries(shipped).map(([id, { messages, texts }]) => {
      const own = templates[messagesName(id)];
      const words = Object.keys(texts).map((name) => [name, templates[name] ?? texts[name] ?? '']);
      return [id, { messages: own === undefined ? messages : messagesIn(own), texts: Object.fromEntries(words) }];
    }),
  );

/** Records from before prompts were whole files have texts alone; their messages are those that the protocol always had. */
export const withMessages = (recorded: Templates, shipped: Templates): Templates => ({
  ...Object.fromEntries(Object.entries(shipped).filter(([name]) => name.startsWith(messagesName('')))),
  ...recorded,
});

/** Fills each `{{slot}}`. Throws on a slot that has no value, so that no prompt goes out with a hole. */
export function fillTemplate(template: string, slots: Readonly<Record<string, string>>): string {
  if (!template.includes('{{')) return template;
  return template.replace(/\{\{(\w+)\}\}/g, (_match, slot: string) => {
    const value = slots[slot];
    if (value === undefined) throw new Error(`template slot {{${slot}}} has no value`);
    return value;
  });
}

export type Fill = typeof fillTemplate;

const loneSlot = /^\{\{(\w+)\}\}$/;
const asText = (value: SlotValue): string => (typeof value === 'string' ? value : value.join('\n\n'));

/** The paragraphs of a message. A slot that has one to itself leaves nothing behind where it is empty. */
function partsOf(body: string, slots: Readonly<Record<string, SlotValue>>, fill: Fill): string[] {
  return body.split('\n\n').flatMap((paragraph) => {
    const value = slots[loneSlot.exec(paragraph)?.[1] ?? ''];
    if (value !== undefined) return [value].flat().filter((text) => text !== '');
    const used = Object.entries(slots).filter(([name]) => paragraph.includes(`{{${name}}}`));
    return [fill(paragraph, Object.fromEntries(used.map(([name, each]) => [name, asText(each)])))];
  });
}

export type Wording = ReturnType<typeof openWording>;

/** Messages of prompts that were cut up, for all trials with the same templates. */
const knownMessages = remembered((_templates: Templates) => new Map<string, readonly PromptMessageText[]>());

export function openWording(templates: Templates, fill: Fill) {
  const parsed = knownMessages(templates);
  const template = (name: string): string => {
    const found = templates[name];
    if (found === undefined) throw new Error(`there is no prompt template ${name}`);
    return found;
  };
  const messagesOf = (id: string) => {
    const known = parsed.get(id);
    if (known !== undefined) return known;
    const messages = messagesIn(template(messagesName(id)));
    parsed.set(id, messages);
    return messages;
  };
  return {
    /** A text with its slots filled. Throws on an unknown text and on a slot without a value. */
    text: (name: string, slots: Readonly<Record<string, string>> = {}) => fill(template(name), slots),
    /** The messages of a prompt with their slots filled; one without a word is left out. Throws likewise. */
    prompt: (id: string, slots: Readonly<Record<string, SlotValue>>): Prompt =>
      messagesOf(id).flatMap(({ role, body }) => {
        const parts = partsOf(body, slots, fill);
        return parts.length === 0 ? [] : [{ role, parts }];
      }),
  };
}
