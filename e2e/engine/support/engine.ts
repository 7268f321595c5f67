import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { importModel, post } from '../../../build/engine/ollamaModels.ts';
import { findLlamaServer, findOllama, findVllm } from '../../../build/engine/programs.ts';
import { freePort, type ServerProcess, startServer } from '../../../build/engine/server.ts';
import { writeTinyFolder } from '../../../build/engine/tinyFolder.ts';
import { tinyModel } from '../../../build/engine/tinyModel.ts';
import { vllmOnProcessor } from '../../../build/engine/vllm.ts';
import type { BackendDefinition } from '../../../src/shared/experiment.ts';

/** A real engine with the tiny model. */
export interface RealEngine {
  readonly backend: BackendDefinition;
  /** Address of the server itself, for what the program does not ask. */
  readonly url: string;
  readonly model: string;
  /** Calls that it answers at once. */
  readonly slots: number;
  /** Null where the server is somebody else's: then its settings are unknown, and it is not to be killed. */
  readonly process: ServerProcess | null;
  /** The vector of each text. */
  embed(texts: readonly string[]): Promise<number[][]>;
  /** A model of the engine that makes vectors, until it is closed. */
  retriever(): Promise<EmbeddingServer>;
  close(): Promise<void>;
}

export interface EmbeddingServer {
  readonly backend: BackendDefinition;
  readonly model: string;
  close(): Promise<void>;
}

const slots = 4;
/** Tokens that each of the calls at once has. */
export const contextOfSlot = 8192;

/** Vectors from a server that is there for this one question. */
async function embedWith(start: () => Promise<ServerProcess>, texts: readonly string[]): Promise<number[][]> {
  const server = await start();
  try {
    const body = { model: 'tiny', input: texts };
    const { data } = await post<{ data: { embedding: number[] }[] }>(`${server.url}/v1/embeddings`, body);
    return data.map(({ embedding }) => embedding);
  } finally {
    await server.kill();
  }
}

/** A server with the interface of OpenAI; what it needs is in a folder that goes with it. */
function openAiEngine(
  running: ServerProcess,
  startEmbedding: () => Promise<ServerProcess>,
  folder: string,
  concurrency: number,
): RealEngine {
  return {
    backend: { kind: 'openai', url: `${running.url}/v1`, concurrency },
    url: running.url,
    model: 'tiny',
    slots: concurrency,
    process: running,
    async retriever() {
      const server = await startEmbedding();
      return { backend: { kind: 'openai', url: `${server.url}/v1` }, model: 'tiny', close: () => server.kill() };
    },
    embed: (texts) => embedWith(startEmbedding, texts),
    async close() {
      await running.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** llama.cpp's server, started here, with a second one for embeddings while they are asked for. */
export async function startLlamaCpp(): Promise<RealEngine> {
  const found = findLlamaServer();
  if ('missing' in found) throw new Error(found.missing);
  const folder = mkdtempSync(join(found.temporary, 'assize-engine-'));
  const start = async (pooling: boolean, words: readonly string[]) => {
    const file = join(folder, pooling ? 'embedding.gguf' : 'tiny.gguf');
    writeFileSync(file, tinyModel({ pooling }));
    const port = await freePort();
    const place = ['--model', join('/', relative(found.root, file)), '--host', '127.0.0.1', '--port', String(port)];
    const command = [...found.command, ...place, '--alias', 'tiny', '--threads', '1', ...words];
    return startServer(port, { command, ready: '/health' });
  };
  const running = await start(false, ['--ctx-size', String(slots * contextOfSlot), '--parallel', String(slots)]);
  const startEmbedding = () => start(true, ['--embeddings', '--ctx-size', '2048']);
  return openAiEngine(running, startEmbedding, folder, slots);
}

const ollamaModels = { talking: 'assize-tiny', embedding: 'assize-tiny-embedding' } as const;

/** Ollama: the one that runs where `OLLAMA_HOST` says, or one started here with its own models. */
export async function startOllama(): Promise<RealEngine> {
  const found = findOllama();
  if ('missing' in found) throw new Error(found.missing);
  const folder = mkdtempSync(join(tmpdir(), 'assize-ollama-'));
  const port = await freePort();
  const environment = {
    OLLAMA_HOST: `127.0.0.1:${port}`,
    OLLAMA_MODELS: join(folder, 'models'),
    OLLAMA_NO_CLOUD: '1',
    OLLAMA_NUM_PARALLEL: String(slots),
    HOME: folder,
  };
  const running =
    'url' in found ? null : await startServer(port, { command: [found.program, 'serve'], environment, ready: '/api/version' });
  const url = 'url' in found ? found.url.replace(/\/+$/, '') : `http://127.0.0.1:${port}`;
  await importModel(url, ollamaModels.talking, tinyModel({ pooling: false }));
  await importModel(url, ollamaModels.embedding, tinyModel({ pooling: true }));
  return {
    backend: { kind: 'ollama', url },
    url,
    model: ollamaModels.talking,
    slots,
    process: running,
    retriever: () =>
      Promise.resolve({ backend: { kind: 'ollama', url }, model: ollamaModels.embedding, close: () => Promise.resolve() }),
    async embed(texts) {
      const body = { model: ollamaModels.embedding, input: texts, truncate: false };
      return (await post<{ embeddings: number[][] }>(`${url}/api/embed`, body)).embeddings;
    },
    async close() {
      for (const model of Object.values(ollamaModels)) {
        if (running !== null) break;
        await fetch(`${url}/api/delete`, { method: 'DELETE', body: JSON.stringify({ model }) });
      }
      await running?.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** vLLM on this machine's processor, with a second one for embeddings while they are asked for. */
export async function startVllm(): Promise<RealEngine> {
  const found = findVllm();
  if ('missing' in found) throw new Error(found.missing);
  const folder = mkdtempSync(join(tmpdir(), 'assize-vllm-'));
  writeTinyFolder(join(folder, 'tiny'));
  const environment = { HOME: folder, ...vllmOnProcessor.environment };
  const start = async (words: readonly string[]) => {
    const port = await freePort();
    const place = ['serve', join(folder, 'tiny'), '--served-model-name', 'tiny', '--host', '127.0.0.1', '--port', String(port)];
    const command = [found.program, ...place, '--dtype', 'float32', '--max-model-len', String(contextOfSlot), ...words];
    return startServer(port, { command, environment, ready: '/health', limitSeconds: 600 });
  };
  const together = 32;
  const running = await start(['--max-num-seqs', String(together), '--enable-prompt-tokens-details', ...vllmOnProcessor.words]);
  const pooling = JSON.stringify({ pooling_type: 'MEAN' });
  const startEmbedding = () => start(['--runner', 'pooling', '--convert', 'embed', '--pooler-config', pooling]);
  return openAiEngine(running, startEmbedding, folder, together);
}
