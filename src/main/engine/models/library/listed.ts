import { z } from 'zod';
import { modelShape } from '../../../../core/fit/modelShape.ts';
import { type InstalledModel, type LoadedModel, modelNameSchema } from '../../../../shared/api/models.ts';
import { fullModelName } from '../../lab/backends.ts';

/** Texts of a server are cut at a length that no real one comes near. */
const bounded = (most: number) => z.string().transform((text) => text.slice(0, most));
/** A text that the server may leave out, or leave empty. */
const optional = (most: number) =>
  bounded(most)
    .nullable()
    .catch(null)
    .transform((text) => text || null);

const listedSchema = z.object({
  name: bounded(300),
  digest: optional(100),
  size: z.number().min(0).nullable().catch(null),
  modified_at: optional(60),
  remote_host: z.unknown().optional(),
  remote_model: z.unknown().optional(),
  details: z
    .object({ family: optional(60), parameter_size: optional(30), quantization_level: optional(30) })
    .nullable()
    .catch(null)
    .optional(),
});

export type ListedModel = Omit<InstalledModel, 'context' | 'capabilities'>;

/** Invalid entries are skipped: one must not cost the list. Beyond ten thousand a list is no list of models. */
export const tagsSchema = z.object({ models: z.array(z.unknown()).nullable() });
const entriesOf = <T>(schema: z.ZodType<T>, { models }: z.infer<typeof tagsSchema>): T[] =>
  (models ?? []).slice(0, 10_000).flatMap((entry) => schema.safeParse(entry).data ?? []);

/** Whether a time is one; Go writes one that was never set as the first of January of the year 1. */
const isSet = (text: string | null): boolean => text !== null && Date.parse(text) > 0;

/** Why cases of a trial must not go to a model; null where they may. */
function refusalOf({ name, remote_host, remote_model }: z.infer<typeof listedSchema>): string | null {
  if (remote_host || remote_model) return 'It runs on another machine than the server: cases would leave this one.';
  const cloud = cloudRefusal(name);
  if (cloud !== null) return cloud;
  return modelNameSchema.safeParse(name).success ? null : 'This name cannot be sent in a request.';
}

/** Why a name is not asked for: Ollama's cloud models are known by their names. */
export function cloudRefusal(name: string): string | null {
  return /cloud$/i.test(fullModelName(name))
    ? 'It is a cloud model, which runs on somebody else’s machine: cases would leave this one.'
    : null;
}

export const listedModels = (list: z.infer<typeof tagsSchema>): ListedModel[] =>
  entriesOf(listedSchema, list)
    .filter(({ name }) => name !== '')
    .map((entry) => ({
      name: entry.name,
      digest: entry.digest?.replace(/^sha256:/, '') || null,
      size: entry.size,
      family: entry.details?.family ?? null,
      parameters: entry.details?.parameter_size ?? null,
      quantization: entry.details?.quantization_level ?? null,
      modified_at: isSet(entry.modified_at) ? entry.modified_at : null,
      refused: refusalOf(entry),
    }));

const runningSchema = z.object({
  name: bounded(300),
  size: z.number().min(0),
  size_vram: z.number().min(0).catch(0),
  context_length: z.int().min(1).nullable().catch(null),
  expires_at: z.string().max(60).nullable().catch(null),
});

/** A model that is kept for longer than this stays until it is unloaded. */
const foreverMs = 10 * 365 * 86_400_000;

/** Null for a time that is invalid, that was never set, as it is while a model is being loaded, or that never comes. */
function expiry(text: string | null, now: number): string | null {
  if (text === null || !isSet(text)) return null;
  const at = Date.parse(text);
  return at - now <= foreverMs ? new Date(at).toISOString() : null;
}

/** @param now milliseconds of the clock by which the server says when a model is unloaded */
export const loadedModels = (list: z.infer<typeof tagsSchema>, now: number): LoadedModel[] =>
  entriesOf(runningSchema, list).map(({ name, size, context_length, expires_at, ...entry }) => {
    // Newer servers leave it out where nothing is on the GPU.
    const size_vram = Math.min(size, entry.size_vram);
    const gpu_share = size === 0 ? 0 : size_vram / size;
    return { name, size, size_vram, gpu_share, context: context_length, expires_at: expiry(expires_at, now) };
  });

export const showSchema = z.object({
  model_info: z.record(z.string(), z.unknown()).nullable().catch(null),
  capabilities: z.array(z.string()).nullable().catch(null).optional(),
});

export const noDetails: ModelDetails = {
  context: null,
  capabilities: [],
  shape: { missing: 'the server does not report its layers' },
};

/** What `/api/show` says about a model and the list does not. */
export type ModelDetails = Readonly<ReturnType<typeof detailsIn>>;

export function detailsIn({ model_info, capabilities }: z.infer<typeof showSchema>) {
  const info = model_info ?? {};
  const context = z.int().min(1).safeParse(info[`${info['general.architecture']}.context_length`]);
  return {
    /** Longest context in tokens. */
    context: context.data ?? null,
    capabilities: (capabilities ?? []).slice(0, 20).map((name) => name.slice(0, 30)),
    shape: modelShape(info),
  };
}
