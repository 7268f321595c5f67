import type { StandinModel } from './models.ts';

/** What the file of a model says of its layers, by the keys of `model_info` without the architecture. */
type Shape = Readonly<Record<string, number | boolean | readonly number[]>>;

type Row = readonly [name: RegExp, blocks: number, heads: number, keyValueHeads: number, more?: Shape];

/** Of the usual small open ones, as their files have it. */
const rows: readonly Row[] = [
  [/^llama3\.2:1b/, 16, 32, 8, { 'attention.key_length': 64, 'attention.value_length': 64, vocab_size: 128256 }],
  [/^llama3\.2/, 28, 24, 8, { 'attention.key_length': 128, 'attention.value_length': 128, vocab_size: 128256 }],
  [/^llama3/, 32, 32, 8, { vocab_size: 128256 }],
  [/^qwen2\.5:0\.5b/, 24, 14, 2],
  [/^qwen2\.5:3b/, 36, 16, 2],
  [/^qwen2\.5:14b/, 48, 40, 8],
  [/^(qwen2\.5|deepseek-r1)/, 28, 28, 4],
  [/^qwen3/, 36, 32, 8, { 'attention.key_length': 128, 'attention.value_length': 128 }],
  [/^mistral/, 32, 32, 8, { vocab_size: 32768 }],
  [/^gemma2:2b/, 26, 8, 4, { 'attention.key_length': 256, 'attention.value_length': 256, 'attention.sliding_window': 4096 }],
  [/^gemma2/, 42, 16, 8, { 'attention.key_length': 256, 'attention.value_length': 256, 'attention.sliding_window': 4096 }],
  [/^gemma3/, 34, 8, 4, { 'attention.key_length': 256, 'attention.value_length': 256, 'attention.sliding_window': 1024 }],
  [/^phi4/, 40, 40, 10, { vocab_size: 100352 }],
  [/^phi3/, 32, 32, 32, { vocab_size: 32064 }],
  [/^nomic-embed-text/, 12, 12, 12, { 'attention.causal': false }],
];

/** Heads that differ from layer to layer. */
const openelm: Shape = {
  block_count: 16,
  'attention.head_count': [12, 12, 12, 12, 12, 16, 16, 16, 16, 16, 16, 16, 20, 20, 20, 20],
  'attention.head_count_kv': [3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5],
  'attention.key_length': 64,
  'attention.value_length': 64,
};

function shapeOf({ name, family, capabilities }: StandinModel): Shape {
  if (family === 'openelm') return openelm;
  const [, blocks, heads, keyValueHeads, more] = rows.find(([pattern]) => pattern.test(name)) ?? ['', 32, 32, 8];
  return {
    block_count: blocks,
    'attention.head_count': heads,
    'attention.head_count_kv': keyValueHeads,
    ...(capabilities.includes('embedding') ? { 'attention.causal': false } : {}),
    ...more,
  };
}

/** `model_info` of `/api/show`: lists are null unless many words are asked for, as Ollama leaves them out. */
export function modelInfo(model: StandinModel, verbose: boolean): Record<string, unknown> {
  const { family, parameters, contextLength, embeddingLength } = model;
  const shape = Object.entries({ context_length: contextLength, embedding_length: embeddingLength, ...shapeOf(model) });
  return {
    'general.architecture': family,
    'general.parameter_count': Math.round(Number.parseFloat(parameters) * (parameters.endsWith('M') ? 1e6 : 1e9)),
    ...Object.fromEntries(shape.map(([key, value]) => [`${family}.${key}`, Array.isArray(value) && !verbose ? null : value])),
    'tokenizer.ggml.tokens': verbose ? ['<s>', '</s>', 'a'] : null,
  };
}
