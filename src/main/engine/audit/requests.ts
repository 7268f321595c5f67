// Checks that what is recorded of a call, or of vectors, has the recorded hash of its request.
import { z } from 'zod';
import { refOf } from '../../../core/record/hash.ts';
import { separator } from '../../../core/record/trialCourt.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { readOnce } from '../../../shared/remembered.ts';
import type { DatasetRow } from '../store/datasets.ts';
import { ErasedText } from '../store/erasedText.ts';
import type { Store } from '../store/store.ts';

const setupSchema = z.object({
  model: z.string(),
  options: z.record(z.string(), z.unknown()),
  schema: z.record(z.string(), z.unknown()),
});

/** Characters of prompts that are kept: those of a trial repeat each other. */
const mostKept = 2 ** 24;

/** Reads a part of a prompt, and those that were read lately from memory. */
function partReader(store: Store): (name: string, dataset: number) => string | undefined {
  const kept = new Map<string, string>();
  let size = 0;
  return (name, dataset) => {
    const key = `${dataset} ${name}`;
    const part = kept.get(key) ?? store.blobs.part(name, dataset);
    if (part === undefined || kept.has(key)) return part;
    size += part.length;
    if (size > mostKept) {
      kept.clear();
      size = part.length;
    }
    kept.set(key, part);
    return part;
  };
}

/** Most calls of a store have one of a few setups, of some thousand characters. */
const mostSetups = 256;

const setupReader = (store: Store) =>
  readOnce((ref: string): z.infer<typeof setupSchema> | string => {
    const text = store.blobs.get(ref);
    if (text === undefined) return 'its setup is missing';
    return setupSchema.safeParse(JSON.parse(text)).data ?? 'its setup is not one';
  }, mostSetups);

/** Rebuilds a call's request and compares its hash. @returns what is wrong, or null @throws ErasedText */
export type RequestCheck = (dataset: DatasetRow, call: EventPayload<'call-answer'>) => string | null;

/** For many calls of a store: their prompts share texts. */
export function requestCheck(store: Store): RequestCheck {
  const readPart = partReader(store);
  const readSetup = setupReader(store);
  return (dataset, call) => {
    const setup = readSetup(call.setup);
    if (typeof setup === 'string') return setup;
    const { model, options, schema } = setup;
    const messages: { role: string; content: string }[] = [];
    for (const [role, names] of call.messages) {
      const parts = names.map((name) => readPart(name, dataset.id));
      for (const [index, part] of parts.entries()) {
        if (part !== undefined) continue;
        if (store.erasures.hasPart(names[index] ?? '')) throw new ErasedText();
        return 'a text of its prompt is missing';
      }
      messages.push({ role, content: parts.join(separator) });
    }
    const request = JSON.stringify({ model, messages, schema, options: { ...options, seed: call.seed } });
    return refOf(dataset.salt, request) === call.request ? null : 'its prompt does not have the hash of its request';
  };
}

const embeddingSetupSchema = z.object({ model: z.string(), options: z.object({ numCtx: z.int().optional() }) });

const bytesPerNumber = 4;

/** Rebuilds a request of vectors and compares hash and number. @param of what was embedded @returns what is wrong, or null */
export function checkVectors(
  store: Store,
  { salt }: Pick<DatasetRow, 'salt'>,
  { request, setup, vectors, dimensions }: Pick<EventPayload<'embedding-make'>, 'request' | 'setup' | 'vectors' | 'dimensions'>,
  { texts, of }: { readonly texts: () => readonly string[]; readonly of: string },
): string | null {
  const parsed = embeddingSetupSchema.safeParse(JSON.parse(store.blobs.get(setup) ?? 'null'));
  if (!parsed.success) return 'its setup is missing or not one';
  const { model, options } = parsed.data;
  const all = texts();
  const sent = { model, texts: all, ...(options.numCtx === undefined ? {} : { numCtx: options.numCtx }) };
  if (refOf(salt, JSON.stringify(sent)) !== request) return `its ${of}s do not have the hash of its request`;
  if (vectors === null) return null;
  if (store.erasures.has(vectors)) throw new ErasedText();
  const stored = store.blobs.bytes(vectors)?.length ?? 0;
  return stored === all.length * dimensions * bytesPerNumber ? null : `it has not one vector for each ${of}`;
}
