// Variants of prompts as a screen opens, checks and saves them.
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type CheckedVariant, checkEdited, type EditedVariant } from '../../../core/prompts/editedVariant.ts';
import { messagesAsText, type PromptFile, slotsIn } from '../../../core/prompts/promptFile.ts';
import type { Variant } from '../../../core/prompts/variant.ts';
import { partsOf } from '../../../core/prompts/variantParts.ts';
import type { EditablePrompt, OpenedVariant, VariantSource } from '../../../shared/api/prompts.ts';
import { badInput } from '../../../shared/errors.ts';
import { writeWholeFile } from '../wholeFile.ts';
import { keepVariant, knownProtocol, ownVariants, readVariantText, variantNamed } from './promptVariants.ts';

const fileHash = (content: string) => createHash('sha256').update(content).digest('hex');

const editable = ({ id, step, slots, needed, messages, texts }: PromptFile): EditablePrompt => ({
  id,
  step,
  slots: Object.entries(slots).map(([name, meaning]) => ({ name, meaning, needed: needed.includes(name) })),
  parts: [...(messages.length === 0 ? [] : [[null, messagesAsText(messages)] as const]), ...Object.entries(texts)].map(
    ([text, shipped]) => ({ text, shipped, slots: slotsIn(shipped) }),
  ),
});

/** A variant, or a protocol's shipped words, with all parts to edit. Throws bad input. */
export function openVariant({ from, name: asked }: VariantSource): OpenedVariant {
  const found = from === 'own' ? variantNamed(asked) : null;
  const { id, prompts } = knownProtocol(found?.variant.protocol ?? asked);
  const { name = '', about = '', prompts: words = prompts } = found?.variant ?? {};
  // What is asked before what fills it, and the protocol's own before what several protocols have.
  const rank = ({ messages, protocol }: PromptFile) => 2 * Number(messages.length === 0) + Number(protocol !== id);
  return {
    edited: { name, protocol: id, about, parts: partsOf(words) },
    kept: found === null ? null : { name, file: fileHash(readVariantText(found.path)) },
    prompts: Object.values(prompts)
      .toSorted((one, other) => rank(one) - rank(other))
      .map(editable),
  };
}

/** Throws bad input for an unknown protocol. */
export const checkVariant = (edited: EditedVariant): CheckedVariant =>
  checkEdited(edited, knownProtocol(edited.protocol).prompts);

/** An edited variant that can be used, and its file. Throws bad input. */
export function usableVariant(edited: EditedVariant): { readonly content: string; readonly variant: Variant } {
  const { content, variant, problems } = checkVariant(edited);
  if (variant !== null) return { content, variant };
  const [problem] = problems;
  const { prompt, text, line } = problem?.place ?? {};
  const field = prompt === undefined ? 'name' : [prompt, text ?? 'messages'].join('/');
  throw badInput(problem?.message ?? 'this variant cannot be used', { field, ...(line === undefined ? {} : { line }) });
}

/**
 * Writes an edited variant among the user's own.
 * Throws bad input where it cannot be used, where its name is taken, and where it would overwrite what the file that it replaces
 * has become meanwhile.
 */
export function saveVariant(edited: EditedVariant, replaces: OpenedVariant['kept']): Variant {
  const { content, variant } = usableVariant(edited);
  if (replaces === null) return keepVariant(content, variant.name).variant;
  const before = ownVariants().find((each) => each.variant?.name === replaces.name);
  const isAsOpened = before !== undefined && fileHash(readVariantText(before.path)) === replaces.file;
  if (variant.name !== replaces.name || before === undefined) {
    keepVariant(content, variant.name);
    if (isAsOpened) rmSync(before.path);
  } else if (isAsOpened) writeWholeFile(before.path, content);
  else {
    throw badInput(
      'the file of this variant has changed since you opened it; save yours under another name, or discard your changes',
    );
  }
  return variant;
}

/** The text of a variant's file. Throws bad input where there is none. */
export const variantText = (name: string): string => readVariantText(variantNamed(name).path);

/** Removes a variant, and returns its file's text. Throws bad input where there is none. */
export function removeVariant(name: string): string {
  const content = variantText(name);
  rmSync(variantNamed(name).path);
  return content;
}
