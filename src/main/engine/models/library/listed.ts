import { z } from 'zod';
import type { LoadedModel } from '../../../../shared/api/models.ts';
import { modelNameSchema } from '../../../../shared/api/models.ts';
import { fullModelName } from '../../lab/backends.ts';

/** Texts of a server are cut at a length that none of its own comes near. */
const bounded = (most: number) => z.string().transform((text) => text.slice(0, most));
const told = (most: number) => bounded(most).nullable().catch(null);
const bytes = z.number().min(0).nullable().catch(null);

const listedSchema = z.object({
  name: bounded(300),
  digest: told(100),
  size: bytes,
  modified_at: told(60),
  remote_host: z.unknown().optional(),
  remote_model: z.unknown().optional(),
  details: z
    .object({ family: told(60), parameter_size: told(30), quantization_level: told(30) })
    .nullable()
    .catch(null)
    .optional(),
});

/** A model as the server's list has it. */
export interface ListedModel {
  readonly name: string;
  readonly digest: string | null;
  readonly size: number | null;
  readonly family: string | null;
  readonly parameters: string | null;
  readonly quantization: string | null;
  readonly modifiedAt: string | null;
  readonly refused: string | null;
}

/** Entries that are none are passed over: one must not cost the list. */
export const tagsSchema = z.object({ models: z.array(z.unknown()).nullable() });
/** Beyond this a list is no list of models. */
const mostListed = 10_000;

/** Whether a time is one; Go writes one that was never set as the first of January of the year 1. */
const isSet = (text: string | null): boolean => text !== null && Date.parse(text) > 0;

const emptyAsNull = (text: string | null | undefined): string | null => (text ? text : null);

/** Why cases of a trial must not go to a model; null where they may. */
function refusalOf({ name, remote_host, remote_model }: z.infer<typeof listedSchema>): string | null {
  if (remote_host || remote_model) return 'It runs on another machine than the server: cases would leave this one.';
  const cloud = cloudRefusal(name);
  if (cloud !== null) return cloud;
  return modelNameSchema.safeParse(name).success ? null : 'Its name is none that a request can carry.';
}

/** Why a name is not asked for: Ollama's cloud models are told by theirs. */
export function cloudRefusal(name: string): string | null {
  return /cloud$/i.test(fullModelName(name))
    ? 'It is a cloud model, which runs on somebody else’s machine: cases would leave this one.'
    : null;
}

export function listedModels({ models }: z.infer<typeof tagsSchema>): ListedModel[] {
  return (models ?? []).slice(0, mostListed).flatMap((entry) => {
    const { data } = listedSchema.safeParse(entry);
    if (data === undefined || data.name === '') return [];
    const { name, digest, size, modified_at, details } = data;
    return [
      {
        name,
        digest: emptyAsNull(digest?.replace(/^sha256:/, '')),
        size,
        family: emptyAsNull(details?.family),
        parameters: emptyAsNull(details?.parameter_size),
        quantization: emptyAsNull(details?.quantization_level),
        modifiedAt: isSet(modified_at) ? modified_at : null,
        refused: refusalOf(data),
      },
    ];
  });
}

const runningSchema = z.object({
  name: bounded(300),
  size: z.number().min(0),
  size_vram: z.number().min(0).catch(0),
  context_length: z.int().min(1).nullable().catch(null),
  expires_at: z.string().max(60).nullable().catch(null),
});

/** A model that is kept for longer than this stays until it is unloaded. */
const foreverMs = 10 * 365 * 86_400_000;

/** Null for a time that is none, that was never set, as it is while a model is being loaded, or that never comes. */
function expiry(text: string | null, now: number): string | null {
  if (text === null || !isSet(text)) return null;
  const at = Date.parse(text);
  return at - now <= foreverMs ? new Date(at).toISOString() : null;
}

/** @param now milliseconds of the clock by which the server tells when a model goes */
export function loadedModels({ models }: z.infer<typeof tagsSchema>, now: number): LoadedModel[] {
  return (models ?? []).slice(0, mostListed).flatMap((entry) => {
    const { data } = runningSchema.safeParse(entry);
    if (data === undefined) return [];
    // Newer servers leave it out where nothing is on the GPU.
    const size_vram = Math.min(data.size, data.size_vram);
    return [
      {
        name: data.name,
        size: data.size,
        size_vram,
        gpu_share: data.size === 0 ? 0 : size_vram / data.size,
        context: data.context_length,
        expires_at: expiry(data.expires_at, now),
      },
    ];
  });
}
