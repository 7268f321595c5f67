// Which of a method's texts are in what a model was sent.
import type { PromptWords } from './promptFile.ts';

const slot = /\{\{\w+\}\}/;

/** Whether the words of a template are in a message, in order, whatever fills its slots. */
function isIn(template: string, message: string): boolean {
  let at = 0;
  return template.split(slot).every((words) => {
    const found = message.indexOf(words.trim(), at);
    at = found + words.trim().length;
    return found >= 0;
  });
}

/**
 * Names of the texts that some message holds. A text whose words all begin another one is found with it.
 * A layout of messages, `prompt:` and an id, is in it where it has no texts, or one of them is.
 * @param shipped prompts by their ids, with the texts that are theirs
 */
export function textsIn(
  messages: readonly string[],
  templates: readonly { readonly name: string; readonly text: string | null }[],
  shipped: Readonly<Record<string, PromptWords>>,
): ReadonlySet<string> {
  const found = new Set(
    templates.flatMap(({ name, text }) => (text === null || messages.some((message) => isIn(text, message)) ? [name] : [])),
  );
  const layouts = templates.filter(({ name }) => name.startsWith('prompt:'));
  const isAsked = (id: string) => {
    const texts = Object.keys(shipped[id]?.texts ?? {});
    return texts.length === 0 || texts.some((text) => found.has(text));
  };
  for (const { name } of layouts) found.delete(name);
  return new Set([...found, ...layouts.map(({ name }) => name).filter((name) => isAsked(name.slice('prompt:'.length)))]);
}
