// A variant in the parts that a person edits: the messages of a prompt together, and each of its texts.
import { messagesAsText, type PromptWords, withoutBlankEnds } from './promptFile.ts';

export interface VariantPart {
  readonly prompt: string;
  /** Name of a text; null: the messages, under their markers. */
  readonly text: string | null;
  readonly words: string;
}

/** Every part of such prompts, in their order, the messages of each first. */
export const partsOf = (prompts: Readonly<Record<string, PromptWords>>): VariantPart[] =>
  Object.entries(prompts).flatMap(([prompt, { messages, texts }]) => [
    ...(messages.length === 0 ? [] : [{ prompt, text: null, words: messagesAsText(messages) }]),
    ...Object.entries(texts).map(([text, words]) => ({ prompt, text, words })),
  ]);

/** Those whose words are not the shipped ones; blank lines around them do not count. */
export function changedParts(
  parts: readonly VariantPart[],
  shipped: Readonly<Record<string, PromptWords>>,
): readonly VariantPart[] {
  const before = new Map(partsOf(shipped).map(({ prompt, text, words }) => [JSON.stringify([prompt, text]), words]));
  return parts.filter(({ prompt, text, words }) => before.get(JSON.stringify([prompt, text])) !== withoutBlankEnds(words));
}

export interface VariantFront {
  readonly name: string;
  readonly protocol: string;
  /** What it is for; empty where nothing is said. */
  readonly about: string;
}

export interface PlaceInPart {
  readonly prompt: string;
  readonly text: string | null;
  /** From 1, in the words of the part. */
  readonly line: number;
}

/** The file of a variant that has these parts, and the part that a line of it belongs to; null for the front matter. */
export function partsAsFile(
  { name, protocol, about }: VariantFront,
  parts: readonly VariantPart[],
): { readonly content: string; readonly placeOf: (line: number) => PlaceInPart | null } {
  const lines = ['---', `variant: ${JSON.stringify(name)}`, `protocol: ${protocol}`];
  if (about !== '') lines.push(`about: ${JSON.stringify(about)}`);
  lines.push('---');
  const starts: { readonly part: VariantPart; readonly marker: number; readonly words: number }[] = [];
  for (const [index, part] of parts.entries()) {
    const marker = lines.length + 2;
    lines.push('');
    if (part.prompt !== parts[index - 1]?.prompt) lines.push(`=== prompt: ${part.prompt} ===`, '');
    if (part.text !== null) lines.push(`=== text: ${part.text} ===`, '');
    starts.push({ part, marker, words: lines.length + 1 });
    lines.push(...part.words.split('\n'));
  }
  return {
    content: `${lines.join('\n')}\n`,
    placeOf(line) {
      const found = starts.findLast(({ marker }) => marker <= line);
      if (found === undefined) return null;
      const { prompt, text } = found.part;
      return { prompt, text, line: Math.max(1, line - found.words + 1) };
    },
  };
}
