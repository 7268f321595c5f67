// Variants of prompts: the files of the user and of experiments, and how a screen opens, checks and saves them.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type CheckedVariant, checkEdited, type EditedVariant } from '../../../core/prompts/editedVariant.ts';
import { messagesAsText, type PromptFile, PromptFileError, promptsHash, slotsIn } from '../../../core/prompts/promptFile.ts';
import { readVariant, type Variant, variantAsText } from '../../../core/prompts/variant.ts';
import { partsAsFile, partsOf } from '../../../core/prompts/variantParts.ts';
import { promptsIn } from '../../../core/prompts/wording.ts';
import { protocols, type RegisteredProtocol } from '../../../core/protocols/index.ts';
import type { EditablePrompt, OpenedVariant, VariantSource } from '../../../shared/api/prompts.ts';
import { AssizeError, badInput, systemCode } from '../../../shared/errors.ts';
import type { PromptsReport, VariantChoices } from '../../../shared/promptOutputs.ts';
import { ownCall } from '../commandText.ts';
import { configurationFolder, refuseForeignPath } from '../store/location.ts';
import type { Store } from '../store/store.ts';
import { writeWholeFile } from '../wholeFile.ts';
import { loadFrozen } from './frozen.ts';
import { readTextFile } from './jsonFile.ts';

/** Folder of the user's own variants; it need not be there. Throws bad input for a user without a home. */
export const variantsFolder = (): string => join(configurationFolder(), 'prompts');

export type VariantFile = { readonly path: string } & (
  | { readonly variant: Variant; readonly problem: null }
  | { readonly variant: null; readonly problem: AssizeError }
);

const protocolOf = (id: string) => protocols.find((protocol) => protocol.id === id);
const promptsOf = (protocol: string) => protocolOf(protocol)?.prompts;

/** Checks the words of a variant. Throws bad input with file and line. @param file as messages name it */
export function parseVariant(content: string, file: string): Variant {
  try {
    return readVariant(content, promptsOf);
  } catch (error) {
    if (!(error instanceof PromptFileError)) throw error;
    throw badInput(error.message, { file, line: error.line });
  }
}

/** The text of such a file, unchecked. Throws bad input. */
export function readVariantText(path: string): string {
  refuseForeignPath(path, 'prompts');
  return readTextFile(path, 'a variant of prompts');
}

/** Throws bad input with file and line. */
export const readVariantFile = (path: string): Variant => parseVariant(readVariantText(path), path);

/** The user's variants in the order of the files' names; none where there is no such folder. */
export function ownVariants(): VariantFile[] {
  const folder = variantsFolder();
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw badInput('the folder of variants cannot be read; check its permissions', { file: folder });
  }
  return names.toSorted().map((name): VariantFile => {
    const path = join(folder, name);
    try {
      return { path, variant: readVariantFile(path), problem: null };
    } catch (error) {
      if (!(error instanceof AssizeError)) throw error;
      return { path, variant: null, problem: error };
    }
  });
}

/** Why a name means none of the variants that have it; null where one or none has it. */
function doubleOf(name: string, files: readonly VariantFile[]): AssizeError | null {
  const found = files.filter(({ variant }) => variant?.name === name).map(({ path }) => basename(path));
  if (found.length < 2) return null;
  return badInput(`${JSON.stringify(name)} is the name of more than one variant: ${found.join(' and ')}; rename or remove one`);
}

/** The variant of a name. Throws bad input where there is none, where it is broken, and where two have the name. */
export function variantNamed(name: string) {
  const files = ownVariants();
  const double = doubleOf(name, files);
  if (double !== null) throw double;
  const only = files.find(({ variant }) => variant?.name === name);
  if (only?.variant) return { path: only.path, variant: only.variant };
  // A file of that name is most likely the one that is meant.
  const broken = files.find(({ path, problem }) => problem !== null && path === join(variantsFolder(), `${name}.md`));
  if (broken?.problem) throw broken.problem;
  const known = files.flatMap(({ variant }) => (variant === null ? [] : [variant.name]));
  const offer = known.length === 0 ? `you have none; ${ownCall} prompts says where they lie` : `there are ${known.join(', ')}`;
  throw badInput(`there is no variant of prompts ${JSON.stringify(name)}; ${offer}`);
}

/** The variant that an arm names. Throws bad input. @param base of relative paths, or null @param numCtx tokens of context */
export function namedVariant(given: string, base: string | null, numCtx: number): Variant {
  const { path, variant } = found(given, base);
  refuseLongParts(variant, numCtx, path);
  return variant;
}

/** Throws bad input for one part that is longer than the context. @param numCtx as for `namedVariant` */
export function refuseLongParts({ parts }: Variant, numCtx: number, file: string): void {
  const long = parts.find(({ characters }) => characters > 4 * numCtx);
  if (long === undefined) return;
  const tokens = Math.ceil(long.characters / 4);
  throw badInput(`this part has about ${tokens} tokens and the context ${numCtx}; shorten it, or raise runtime.numCtx`, {
    file,
    line: long.line,
  });
}

function found(given: string, base: string | null) {
  if (!/[\\/]|\.md$/.test(given)) return variantNamed(given);
  // A page must not make the engine read files by their paths.
  if (base === null) throw badInput('name one of your own variants; only an experiment file can give a path');
  refuseForeignPath(given, 'prompts');
  const path = resolve(base, given);
  return { path, variant: readVariantFile(path) };
}

export function promptsReport(): PromptsReport {
  const files = ownVariants();
  return {
    folder: variantsFolder(),
    protocols: protocols.map(({ id, prompts }) => ({ protocol: id, hash: promptsHash(prompts), prompts: Object.keys(prompts) })),
    variants: files.map(({ path, variant, problem }) => ({
      path,
      name: variant?.name ?? null,
      protocol: variant?.protocol ?? null,
      about: variant?.about ?? '',
      hash: variant?.hash ?? null,
      problem: (problem ?? (variant && doubleOf(variant.name, files)))?.describe() ?? null,
    })),
  };
}

/** The user's variants for a screen, which learns no path. */
export function variantChoices(): VariantChoices {
  const files = ownVariants();
  return {
    variants: files.flatMap(({ variant }) => {
      if (variant === null || doubleOf(variant.name, files) !== null) return [];
      const { name, protocol, about, hash } = variant;
      return [{ name, protocol, about, hash }];
    }),
    broken: [
      ...new Set(
        files.flatMap(({ path, variant, problem }) => {
          if (problem === null) return doubleOf(variant.name, files)?.message.concat('.') ?? [];
          const { line } = problem.place;
          return [`${basename(path)}${line === undefined ? '' : `, line ${line}`}: ${problem.message}.`];
        }),
      ),
    ],
  };
}

/** Throws bad input. */
export function knownProtocol(id: string): RegisteredProtocol {
  const protocol = protocolOf(id);
  if (protocol !== undefined) return protocol;
  throw badInput(`there is no protocol ${JSON.stringify(id)}; there are ${protocols.map((each) => each.id).join(', ')}`);
}

/** A variant with all the shipped words of a protocol, to be edited. Throws bad input. */
export function shippedAsVariant(name: string, protocol: string): string {
  const { prompts } = knownProtocol(protocol);
  return partsAsFile({ name, protocol, about: '' }, partsOf(prompts)).content;
}

/** Stores a variant among the user's own, and returns where. Throws bad input where the name is taken. */
export function keepVariant(content: string, file: string): { path: string; variant: Variant } {
  const variant = parseVariant(content, file);
  const path = join(variantsFolder(), `${variant.name}.md`);
  const taken = ownVariants().find((each) => each.variant?.name === variant.name)?.path ?? (existsSync(path) ? path : undefined);
  if (taken !== undefined) {
    throw badInput(`${basename(taken)} has the name ${JSON.stringify(variant.name)} already; choose another name`);
  }
  writeWholeFile(path, content);
  return { path, variant };
}

/** The words that an arm was recorded with, as a variant. Throws not-found, and bad input for an arm of another version. */
export function recordedVariant(store: Store, experiment: string, arm: string): string {
  const frozen = loadFrozen(store, experiment);
  const found = frozen.arms.find(({ name }) => name === arm);
  if (found === undefined) {
    const known = frozen.arms.map(({ name }) => name).join(', ');
    throw new AssizeError(
      'not-found',
      `experiment ${JSON.stringify(experiment)} has no arm ${JSON.stringify(arm)}; it has ${known}`,
    );
  }
  const { prompts } = knownProtocol(found.protocol);
  const templates = Object.fromEntries(Object.entries(found.templates).map(([name, ref]) => [name, store.blobs.need(ref)]));
  const name = found.prompts?.name ?? 'shipped';
  return variantAsText({ name, protocol: found.protocol, about: '', prompts: promptsIn(templates, prompts) }, prompts);
}

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

/** Writes an edited variant of the user's. Throws bad input where unusable, its name taken, or its file changed meanwhile. */
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
