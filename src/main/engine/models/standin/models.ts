import { createHash } from 'node:crypto';

/** A model that the stand-in claims to have. */
export interface StandinModel {
  readonly name: string;
  readonly digest: string;
  /** Bytes on disk and, without the key-value memory, when loaded. */
  readonly size: number;
  readonly family: string;
  readonly parameters: string;
  readonly quantization: string;
  readonly contextLength: number;
  readonly embeddingLength: number;
  readonly capabilities: readonly ('completion' | 'embedding' | 'thinking' | 'tools')[];
  readonly modifiedAt: string;
}

type Row = readonly [
  name: string,
  billions: number,
  family: string,
  context: number,
  width: number,
  extra?: 'thinking' | 'embedding' | undefined,
];

const rows: readonly Row[] = [
  ['llama3.1:latest', 8, 'llama', 131072, 4096],
  ['llama3.1:8b', 8, 'llama', 131072, 4096],
  ['llama3.2:latest', 3.2, 'llama', 131072, 3072],
  ['llama3.2:1b', 1.2, 'llama', 131072, 2048],
  ['llama3.2:3b', 3.2, 'llama', 131072, 3072],
  ['qwen2.5:latest', 7.6, 'qwen2', 32768, 3584],
  ['qwen2.5:0.5b', 0.5, 'qwen2', 32768, 896],
  ['qwen2.5:3b', 3.1, 'qwen2', 32768, 2048],
  ['qwen2.5:7b', 7.6, 'qwen2', 32768, 3584],
  ['qwen2.5:14b', 14.8, 'qwen2', 32768, 5120],
  ['qwen3:8b', 8.2, 'qwen3', 40960, 4096, 'thinking'],
  ['deepseek-r1:7b', 7.6, 'qwen2', 131072, 3584, 'thinking'],
  ['mistral:latest', 7.2, 'llama', 32768, 4096],
  ['mistral:7b', 7.2, 'llama', 32768, 4096],
  ['gemma2:2b', 2.6, 'gemma2', 8192, 2304],
  ['gemma2:9b', 9.2, 'gemma2', 8192, 3584],
  ['gemma3:4b', 4.3, 'gemma3', 131072, 2560],
  ['phi4:latest', 14.7, 'phi3', 16384, 5120],
  ['phi4:14b', 14.7, 'phi3', 16384, 5120],
  ['phi3:mini', 3.8, 'phi3', 131072, 3072],
  ['nomic-embed-text:latest', 0.137, 'nomic-bert', 2048, 768, 'embedding'],
];

/** `llama3.1` means `llama3.1:latest`. */
export function fullName(name: string): string {
  return name.includes(':') ? name : `${name}:latest`;
}

/** A stable digest of a made-up layer. */
export function fakeDigest(text: string): string {
  return createHash('sha256').update(`stand-in weights of ${text}`).digest('hex');
}

function makeModel([name, billions, family, contextLength, embeddingLength, extra]: Row): StandinModel {
  const bits = extra === 'embedding' ? 16 : 4.9;
  return {
    name,
    digest: fakeDigest(name),
    size: Math.round((billions * 1e9 * bits) / 8),
    family,
    parameters: billions < 1 ? `${Math.round(billions * 1000)}M` : `${billions.toFixed(1)}B`,
    quantization: extra === 'embedding' ? 'F16' : 'Q4_K_M',
    contextLength,
    embeddingLength,
    capabilities:
      extra === 'embedding'
        ? ['embedding']
        : extra === 'thinking'
          ? ['completion', 'tools', 'thinking']
          : ['completion', 'tools'],
    modifiedAt: '2025-06-01T09:00:00.000000000Z',
  };
}

/** Details for a name that no list knows: the size is read from the name where it tells one. */
export function inventModel(given: string): StandinModel {
  const name = fullName(given);
  const size = /(\d+(?:\.\d+)?)\s*b\b/i.exec(name)?.[1];
  const embedding = /embed|minilm|\bbge\b/i.test(name);
  const thinking = /qwen3|deepseek-r1|gpt-oss|qwq|magistral/i.test(name);
  const billions = size === undefined ? (embedding ? 0.3 : 7) : Math.max(Number(size), 0.05);
  const family = /^[a-z]+/i.exec(name.split('/').at(-1) ?? '')?.[0]?.toLowerCase() ?? 'unknown';
  return makeModel([
    name,
    billions,
    family,
    embedding ? 8192 : 32768,
    embedding ? 768 : 4096,
    embedding ? 'embedding' : thinking ? 'thinking' : undefined,
  ]);
}

/** The usual small open models. */
export const defaultModels: readonly StandinModel[] = rows.map(makeModel);
