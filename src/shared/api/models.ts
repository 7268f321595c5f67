import { z } from 'zod';

const bytes = z.number().min(0);

export const installedModelSchema = z.strictObject({
  name: z.string(),
  /** Hexadecimal, without `sha256:`; null if the server does not report it. */
  digest: z.string().nullable(),
  size: bytes.nullable(),
  family: z.string().nullable(),
  /** As the server words it: `8.0B`. */
  parameters: z.string().nullable(),
  quantization: z.string().nullable(),
  /** Longest context in tokens that the model was made for. */
  context: z.int().nullable(),
  /** `completion`, `embedding`, `tools`, `thinking`, `vision`…, as the server names them. */
  capabilities: z.array(z.string()),
  modified_at: z.string().nullable(),
  /** Why it is refused; null where it may be asked. Models that run elsewhere are refused. */
  refused: z.string().nullable(),
});
export type InstalledModel = z.infer<typeof installedModelSchema>;

export const loadedModelSchema = z.strictObject({
  name: z.string(),
  /** Bytes in memory, and how many of them on the GPU. */
  size: bytes,
  size_vram: bytes,
  /** size_vram / size, 0-1. */
  gpu_share: z.number().min(0).max(1),
  /** Tokens of context that it was loaded with. */
  context: z.int().nullable(),
  /** ISO 8601; null where it stays until it is unloaded. */
  expires_at: z.string().nullable(),
});
export type LoadedModel = z.infer<typeof loadedModelSchema>;

export const pullStates = ['waiting', 'pulling', 'verifying', 'done', 'failed', 'cancelled'] as const;

/** The fetching of a model, over all its layers. */
export const pullSchema = z.strictObject({
  model: z.string(),
  state: z.enum(pullStates),
  /** As the server words it: `pulling 8eeb52dfb3bb`, `verifying sha256 digest`. */
  status: z.string(),
  /** Layers that the server has reported so far. */
  layers: z.array(z.strictObject({ digest: z.string(), total: bytes, completed: bytes })),
  /** Sums over `layers`. */
  completed: bytes,
  total: bytes,
  bytes_per_second: z.number().nullable(),
  seconds_left: z.number().nullable(),
  /** How often it continued after an interruption. */
  resumed: z.int(),
  /** What went wrong and how to fix it; null unless `failed`. */
  problem: z.string().nullable(),
  /** What may keep it from ending well, such as a disk with too little room; null where nothing is known. */
  warning: z.string().nullable(),
  /** Seconds since the server said anything, where it should have; null while all goes well. */
  silent_seconds: z.number().nullable(),
});
export type Pull = z.infer<typeof pullSchema>;

export const fitSchema = z.strictObject({
  model: z.string(),
  context: z.int(),
  slots: z.int(),
  /** `gpu`: wholly on the GPU; `partly`: the rest is computed by the processor; `memory`: in main memory alone; `no`. */
  verdict: z.enum(['gpu', 'partly', 'memory', 'no', 'unknown']),
  weights: bytes.nullable(),
  /** Key-value memory of all slots. */
  key_values: bytes.nullable(),
  overhead: bytes.nullable(),
  needed: bytes.nullable(),
  /** Free bytes of the GPU with the most, and of main memory. */
  gpu_free: bytes.nullable(),
  memory_free: bytes.nullable(),
  /** Bytes that the model may take on all GPUs together, its overhead on each of them but one taken off; null where it is not known. */
  gpu_room: bytes.nullable(),
  /** Longest context with these slots that is wholly on the GPU; 0 where none is, null where it is unknown. */
  gpu_context: z.int().min(0).nullable(),
  /** The verdict, without the figures. */
  conclusion: z.string(),
  /** The figures, and the conclusion. */
  reason: z.string(),
});
export type Fit = z.infer<typeof fitSchema>;

/** A list of models that belong together, from a file of the program or of the user. */
export const ensembleSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** Where the list comes from. */
  source: z.string(),
  models: z.array(
    z.strictObject({
      name: z.string(),
      /** As the source names it. */
      called: z.string(),
      note: z.string().nullable(),
      /** Bytes to fetch, roughly; null if unknown. */
      bytes: bytes.nullable(),
      installed: z.boolean(),
    }),
  ),
  own: z.boolean(),
  /** What is wrong with the file, which then has no models and its name for id and title; null where nothing is. */
  problem: z.string().nullable(),
});
export type Ensemble = z.infer<typeof ensembleSchema>;

export interface ModelsView {
  readonly url: string;
  /** What keeps the list from being read; null where nothing does. */
  readonly problem: string | null;
  readonly standin: boolean;
  readonly installed: InstalledModel[];
  /** Bytes free where the models are stored; null if they are on another machine, or if unknown. */
  readonly disk_free: number | null;
}

export type ModelsFrame =
  /** The installed ones have changed: read them again. */
  | { readonly kind: 'installed' }
  | { readonly kind: 'loaded'; readonly loaded: readonly LoadedModel[] }
  /** Every pull of this start of the engine that was not dismissed, the newest first. */
  | { readonly kind: 'pulls'; readonly pulls: readonly Pull[] };

export const modelNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(300)
  .regex(/^[\w][\w.\-/:]*$/, { message: 'a model is named like llama3.1:8b' });
