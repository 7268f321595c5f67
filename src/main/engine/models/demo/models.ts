// The models that the demo model claims to have.
import { createHash } from 'node:crypto';

export type DemoModel = Readonly<ReturnType<typeof modelNamed>>;

const usual =
  'llama3.1 llama3.1:8b llama3.2 llama3.2:1b llama3.2:3b qwen2.5 qwen2.5:0.5b qwen2.5:3b qwen2.5:7b qwen2.5:14b qwen3:8b ' +
  'deepseek-r1:7b mistral mistral:7b gemma2:2b gemma2:9b gemma3:4b phi4 phi4:14b phi3:mini nomic-embed-text';

/** `llama3.1` means `llama3.1:latest`. */
export const fullName = (name: string): string => (name.includes(':') ? name : `${name}:latest`);

export const fakeDigest = (text: string): string => createHash('sha256').update(`stand-in weights of ${text}`).digest('hex');

/** A model of this name: its name says what it is made of, where it does; all others are alike. */
export function modelNamed(given: string) {
  const name = fullName(given);
  const embeds = /embed|minilm|\bbge\b/i.test(name);
  const thinks = /qwen3|deepseek-r1|gpt-oss|qwq|magistral/i.test(name);
  const size = /(\d+(?:\.\d+)?)\s*b\b/i.exec(name)?.[1] ?? (embeds ? 0.1 : 7);
  const billions = Math.max(0.05, Number(size));
  return {
    name,
    digest: fakeDigest(name),
    /** Bytes on disk and when loaded. */
    size: Math.round((billions * 1e9 * (embeds ? 16 : 4.9)) / 8),
    family: /^[a-z]+\d*/i.exec(name.split('/').at(-1) ?? '')?.[0]?.toLowerCase() ?? 'unknown',
    billions,
    contextLength: embeds ? 8192 : 32_768,
    embeddingLength: embeds ? 768 : 4096,
    capabilities: embeds ? ['embedding'] : thinks ? ['completion', 'tools', 'thinking'] : ['completion', 'tools'],
  };
}

export const usualModels = (): DemoModel[] => usual.split(' ').map(modelNamed);

/** `model_info` of `/api/show`: layers and heads are those of Llama 3 8B for every name. */
export function modelInfo({ family, billions, contextLength, embeddingLength }: DemoModel) {
  return {
    'general.architecture': family,
    'general.parameter_count': Math.round(billions * 1e9),
    [`${family}.context_length`]: contextLength,
    [`${family}.embedding_length`]: embeddingLength,
    [`${family}.block_count`]: 32,
    [`${family}.attention.head_count`]: 32,
    [`${family}.attention.head_count_kv`]: 8,
  };
}
