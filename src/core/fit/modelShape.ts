import { z } from 'zod';

/** What a model's key-value memory depends on, from `model_info` of `/api/show`, whose keys begin with the architecture. */
export interface ModelShape {
  readonly architecture: string;
  /** Longest context in tokens; null if it is not reported. */
  readonly contextLength: number | null;
  readonly embeddingLength: number;
  /** Entries of the vocabulary; null if it is not reported. */
  readonly vocabulary: number | null;
  readonly layers: readonly LayerShape[];
}

export interface LayerShape {
  /** Numbers that one token leaves in the layer's cache: key-value heads x (length of a key + length of a value). */
  readonly perToken: number;
  /** Tokens behind which nothing is kept; null where all are. */
  readonly window: number | null;
}

const architectureSchema = z.string().regex(/^[\w-]{1,64}$/);
const count = z.int().min(1).max(100_000_000);
const mostLayers = 10_000;

/**
 * Every how many layers one looks at the whole context if a window is reported and the file does not say for which
 * layers, as llama.cpp has it for these architectures. Of all others every layer is counted with the whole context,
 * which is the most that it can take.
 */
const wholeEvery: ReadonlyMap<string, number> = new Map([
  ['gemma2', 2],
  ['gemma3', 6],
  ['gptoss', 2],
  ['gpt-oss', 2],
  ['cohere2', 4],
]);

/** Keys of architectures whose cache is not one key and one value for each head and token. */
const foreign: readonly (readonly [key: string, what: string])[] = [
  ['attention.kv_lora_rank', 'it keeps keys and values compressed'],
  ['ssm.state_size', 'some of its layers keep a state in place of keys and values'],
  ['ssm.conv_kernel', 'some of its layers keep a state in place of keys and values'],
  ['wkv.head_size', 'it keeps a state in place of keys and values'],
  ['attention.shared_kv_layers', 'some of its layers share their keys and values'],
];

/** The shape of a model, or why it is unknown; nothing is guessed for a missing key. */
export type ShapeReading = { readonly shape: ModelShape } | { readonly missing: string };

/** Whether the value is a list that the server shows only in its detailed answer: arrays come empty or null in a short answer. */
export function hasHiddenLists(info: Readonly<Record<string, unknown>>): boolean {
  const hidden = (name: string): boolean =>
    Object.entries(info).some(
      ([key, value]) => key.endsWith(name) && (value === null || (Array.isArray(value) && value.length === 0)),
    );
  return ['.attention.head_count', '.attention.head_count_kv', '.attention.sliding_window_pattern'].some(hidden);
}

/** @param info of `/api/show`: untrusted */
export function modelShape(info: Readonly<Record<string, unknown>>): ShapeReading {
  const architecture = architectureSchema.safeParse(info['general.architecture']);
  if (!architecture.success) return { missing: 'the server does not report its architecture' };
  const name = architecture.data;
  const at = (key: string): unknown => info[`${name}.${key}`];
  const number = (key: string): number | null => count.safeParse(at(key)).data ?? null;

  const odd = foreign.find(([key]) => at(key) !== undefined && at(key) !== 0);
  if (odd !== undefined) return { missing: `${odd[1]} (${name}), which this estimate does not cover` };

  const untold = (key: string): ShapeReading => ({ missing: `the server does not report ${name}.${key}` });
  const blocks = number('block_count');
  if (blocks === null || blocks > mostLayers) return untold('block_count');
  const embeddingLength = number('embedding_length');
  if (embeddingLength === null) return untold('embedding_length');

  const heads = perLayer(at('attention.head_count'), blocks, 1);
  if (heads === null) return untold('attention.head_count');
  // A file without the number has as many heads for keys and values as for queries.
  const reported = at('attention.head_count_kv');
  const keyValueHeads = reported === undefined ? heads : perLayer(reported, blocks, 0);
  if (keyValueHeads === null) return untold('attention.head_count_kv');
  const keyLength = number('attention.key_length');
  const valueLength = number('attention.value_length');

  const windows = windowsOf(name, blocks, number('attention.sliding_window'), at('attention.sliding_window_pattern'));
  const both = at('attention.causal') === false;
  const layers = keyValueHeads.map((count, layer) => {
    const usual = embeddingLength / (heads[layer] ?? 1);
    // A model that looks both ways at a whole text, as those for vectors do, keeps nothing.
    return { perToken: both ? 0 : count * ((keyLength ?? usual) + (valueLength ?? usual)), window: windows[layer] ?? null };
  });
  return {
    shape: {
      architecture: name,
      contextLength: number('context_length'),
      embeddingLength,
      vocabulary: number('vocab_size'),
      layers,
    },
  };
}

/** A number for all layers, or one for each; null where it is neither. */
function perLayer(value: unknown, blocks: number, least: number): number[] | null {
  const heads = z.int().min(least).max(100_000);
  const one = heads.safeParse(value);
  if (one.success) return Array.from({ length: blocks }, () => one.data);
  const list = z.array(heads).length(blocks).safeParse(value);
  return list.success ? list.data : null;
}

/** The window of each layer. The pattern of a file says which layers have it, as flags or as every how many one has not. */
function windowsOf(architecture: string, blocks: number, window: number | null, pattern: unknown): (number | null)[] {
  const everyLayer = (of: (layer: number) => boolean) =>
    Array.from({ length: blocks }, (_, layer) => (window !== null && of(layer) ? window : null));
  const flags = z
    .array(z.union([z.boolean(), z.literal([0, 1])]))
    .length(blocks)
    .safeParse(pattern);
  if (flags.success) return everyLayer((layer) => Boolean(flags.data[layer]));
  const every = z.int().min(1).max(mostLayers).safeParse(pattern).data ?? wholeEvery.get(architecture);
  return everyLayer((layer) => every !== undefined && (layer + 1) % every !== 0);
}
