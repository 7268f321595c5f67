// The tiny model as a folder of safetensors with its tokenizer, which is what vLLM reads.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GgufTensor } from './gguf.ts';
import {
  chatTemplate,
  endName,
  endToken,
  headSize,
  hidden,
  spaceName,
  tinyContext,
  tinyTensors,
  vocabulary,
  width,
} from './tinyModel.ts';

const nameOf: Readonly<Record<string, string>> = {
  'token_embd.weight': 'model.embed_tokens.weight',
  'output_norm.weight': 'model.norm.weight',
  'output.weight': 'lm_head.weight',
  'blk.0.attn_norm.weight': 'model.layers.0.input_layernorm.weight',
  'blk.0.attn_q.weight': 'model.layers.0.self_attn.q_proj.weight',
  'blk.0.attn_k.weight': 'model.layers.0.self_attn.k_proj.weight',
  'blk.0.attn_v.weight': 'model.layers.0.self_attn.v_proj.weight',
  'blk.0.attn_output.weight': 'model.layers.0.self_attn.o_proj.weight',
  'blk.0.ffn_norm.weight': 'model.layers.0.post_attention_layernorm.weight',
  'blk.0.ffn_gate.weight': 'model.layers.0.mlp.gate_proj.weight',
  'blk.0.ffn_up.weight': 'model.layers.0.mlp.up_proj.weight',
  'blk.0.ffn_down.weight': 'model.layers.0.mlp.down_proj.weight',
};

/** The bytes of a safetensors file: u64 length of a JSON header, the header, the data. Shapes run slowest first, unlike in GGUF. */
function safetensors(tensors: readonly GgufTensor[]): Buffer {
  const header: Record<string, unknown> = {};
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    header[nameOf[name] ?? name] = {
      dtype: 'F32',
      shape: shape.toReversed(),
      data_offsets: [offset, offset + values.byteLength],
    };
    offset += values.byteLength;
  }
  const head = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(head.length));
  return Buffer.concat([
    length,
    head,
    ...tensors.map(({ values: { buffer, byteOffset, byteLength } }) => Buffer.from(buffer, byteOffset, byteLength)),
  ]);
}

const config = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: width,
  intermediate_size: hidden,
  num_hidden_layers: 1,
  num_attention_heads: width / headSize,
  num_key_value_heads: 1,
  head_dim: headSize,
  hidden_act: 'silu',
  max_position_embeddings: tinyContext,
  rms_norm_eps: 1e-6,
  rope_theta: 10_000,
  vocab_size: vocabulary.length,
  eos_token_id: endToken,
  tie_word_embeddings: false,
  torch_dtype: 'float32',
};

const tokenizer = {
  version: '1.0',
  added_tokens: [
    { id: endToken, content: endName, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true },
  ],
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  post_processor: null,
  decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
  model: {
    type: 'BPE',
    vocab: Object.fromEntries(vocabulary.map((name, token) => [name, token])),
    merges: [`${spaceName} ${spaceName}`],
  },
};

/** Writes the model into a folder, which it makes. */
export function writeTinyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = {
    'config.json': config,
    'tokenizer.json': tokenizer,
    'tokenizer_config.json': { tokenizer_class: 'PreTrainedTokenizerFast', eos_token: endName, chat_template: chatTemplate },
    'generation_config.json': { eos_token_id: endToken },
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
  writeFileSync(join(folder, 'model.safetensors'), safetensors(tinyTensors()));
}
