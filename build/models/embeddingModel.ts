// Turns all-MiniLM-L6-v2 (BERT, six layers, vectors of 384 numbers) from safetensors into GGUF.
//
// A safetensors file is a u64 length, a JSON header of that many bytes (name -> dtype, shape, offsets from
// the header's end), then the data. The tensors keep their values; only names change.
import { z } from 'zod';
import { type GgufTensor, gguf } from '../engine/gguf.ts';

const layers = 6;
const width = 384;
const heads = 12;
const hidden = 1536;
/** Longest text in tokens. */
const longest = 512;

const headerSchema = z.record(
  z.string(),
  z.looseObject({
    shape: z.array(z.int()).optional(),
    dtype: z.string().optional(),
    data_offsets: z.tuple([z.int(), z.int()]).optional(),
  }),
);
const tokenizerSchema = z.looseObject({ model: z.looseObject({ vocab: z.record(z.string(), z.int()) }) });

/** Name in GGUF -> name in the source, without `.weight` and `.bias`. */
const layerNames = {
  attn_q: 'attention.self.query',
  attn_k: 'attention.self.key',
  attn_v: 'attention.self.value',
  attn_output: 'attention.output.dense',
  attn_output_norm: 'attention.output.LayerNorm',
  ffn_up: 'intermediate.dense',
  ffn_down: 'output.dense',
  layer_output_norm: 'output.LayerNorm',
} as const;

/** Name in GGUF -> name in the source, of every tensor. */
function tensorNames(): [string, string][] {
  const both = (to: string, from: string): [string, string][] =>
    ['weight', 'bias'].map((part) => [`${to}.${part}`, `${from}.${part}`]);
  return [
    ['token_embd.weight', 'embeddings.word_embeddings.weight'],
    ['position_embd.weight', 'embeddings.position_embeddings.weight'],
    ['token_types.weight', 'embeddings.token_type_embeddings.weight'],
    ...both('token_embd_norm', 'embeddings.LayerNorm'),
    ...Array.from({ length: layers }, (_, layer) =>
      Object.entries(layerNames).flatMap(([to, from]) => both(`blk.${layer}.${to}`, `encoder.layer.${layer}.${from}`)),
    ).flat(),
  ];
}

/** The tensors of a safetensors file under their names in GGUF. Throws where one is missing or not of 32-bit floats. */
function tensorsOf(safetensors: Buffer): GgufTensor[] {
  const start = 8 + Number(safetensors.readBigUInt64LE(0));
  const header = headerSchema.parse(JSON.parse(safetensors.toString('utf8', 8, start)));
  return tensorNames().map(([name, source]) => {
    const entry = header[source];
    if (entry?.shape === undefined || entry.data_offsets === undefined || entry.dtype !== 'F32')
      throw new Error(`the model has no tensor ${source} of 32-bit floats`);
    const [from, to] = entry.data_offsets;
    // A copy, since floats have to begin at a multiple of four bytes.
    const values = new Float32Array(new Uint8Array(safetensors.subarray(start + from, start + to)).buffer);
    return { name, shape: entry.shape.toReversed(), values };
  });
}

/** llama.cpp marks the beginning of a word; the source marks what continues one. */
function spelling(token: string): string {
  if (/^\[.*\]$/.test(token)) return token;
  return token.startsWith('##') ? token.slice(2) : `\u2581${token}`;
}

/**
 * The model as GGUF, which makes the mean of a text's token vectors its vector.
 *
 * @param tokenizer text of the source's `tokenizer.json`
 */
export function embeddingModel(safetensors: Buffer, tokenizer: string): Buffer {
  const { vocab } = tokenizerSchema.parse(JSON.parse(tokenizer)).model;
  const tokens = Object.entries(vocab)
    .toSorted(([, a], [, b]) => a - b)
    .map(([token]) => token);
  const idOf = (token: string) => {
    const id = vocab[token];
    if (id === undefined) throw new Error(`the vocabulary has no ${token}`);
    return { u32: id };
  };
  const keys = {
    'general.architecture': { text: 'bert' },
    'general.name': { text: 'all-MiniLM-L6-v2' },
    'bert.context_length': { u32: longest },
    'bert.embedding_length': { u32: width },
    'bert.block_count': { u32: layers },
    'bert.feed_forward_length': { u32: hidden },
    'bert.attention.head_count': { u32: heads },
    'bert.attention.layer_norm_epsilon': { f32: 1e-12 },
    'bert.attention.causal': { bool: false },
    // 1 is the mean.
    'bert.pooling_type': { u32: 1 },
    'tokenizer.ggml.model': { text: 'bert' },
    'tokenizer.ggml.pre': { text: 'default' },
    'tokenizer.ggml.tokens': { texts: tokens.map(spelling) },
    // 1 is an ordinary token, 3 one that steers the engine.
    'tokenizer.ggml.token_type': { i32s: tokens.map((token) => (/^\[(PAD|UNK|CLS|SEP|MASK)\]$/.test(token) ? 3 : 1)) },
    'tokenizer.ggml.token_type_count': { u32: 2 },
    'tokenizer.ggml.bos_token_id': idOf('[CLS]'),
    'tokenizer.ggml.cls_token_id': idOf('[CLS]'),
    'tokenizer.ggml.eos_token_id': idOf('[SEP]'),
    // Misspelled in the format itself.
    'tokenizer.ggml.seperator_token_id': idOf('[SEP]'),
    'tokenizer.ggml.unknown_token_id': idOf('[UNK]'),
    'tokenizer.ggml.padding_token_id': idOf('[PAD]'),
    'tokenizer.ggml.mask_token_id': idOf('[MASK]'),
  };
  return gguf(keys, tensorsOf(safetensors));
}
