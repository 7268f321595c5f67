// Ollama, llama.cpp's server and vLLM with the real models, started for the measurement and ended after it.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { BackendDefinition } from '../../src/shared/experiment.ts';
import { importModel, post } from '../engine/ollamaModels.ts';
import { cacheFolder, failureOf } from '../engine/packages.ts';
import { findLlamaServer, findOllama, findVllm } from '../engine/programs.ts';
import { freePort, startServer } from '../engine/server.ts';
import { vllmOnProcessor } from '../engine/vllm.ts';
import { fetchWeights, type WeightsName } from './weights.ts';

export const modelNames = ['smollm2', 'gemma3'] as const;
export type ModelName = (typeof modelNames)[number];
export const serverNames = ['ollama', 'llama.cpp', 'vllm'] as const;
export type ServerName = (typeof serverNames)[number];

/** The model that precedents are found with. */
export const embedder: WeightsName = 'minilm';

/** Calls at once, and tokens that each of them has. */
export const slots = 4;
export const contextOfSlot = 8192;

/** A server with one language model and the embedding model, each under its own name. */
export interface ModelServer {
  readonly talking: BackendDefinition;
  readonly embedding: BackendDefinition;
  close(): Promise<void>;
}

/** A base model comes without a template: its prompt is the texts, and the beginning of an answer. */
const plainTemplates: Readonly<Partial<Record<ModelName, { ollama: string; jinja: string }>>> = {
  gemma3: {
    ollama: '{{ range .Messages }}{{ .Content }}\n\n{{ end }}Answer:\n',
    jinja: '{{ bos_token }}{% for message in messages %}{{ message.content }}\n\n{% endfor %}Answer:\n',
  },
};

async function startOllama(model: ModelName, threads: number): Promise<ModelServer | { missing: string }> {
  const found = findOllama();
  if ('missing' in found) return found;
  if ('url' in found)
    return { missing: 'OLLAMA_HOST names a server that is somebody’s; unset it, so that one with known settings is started' };
  const port = await freePort();
  const home = join(cacheFolder('models'), 'ollama');
  const environment = {
    OLLAMA_HOST: `127.0.0.1:${port}`,
    OLLAMA_MODELS: join(home, 'models'),
    OLLAMA_NO_CLOUD: '1',
    OLLAMA_NUM_PARALLEL: String(slots),
    OLLAMA_KEEP_ALIVE: '-1',
    HOME: home,
  };
  mkdirSync(home, { recursive: true });
  const server = await startServer(port, { command: [found.program, 'serve'], environment, ready: '/api/version' });
  try {
    const template = plainTemplates[model]?.ollama;
    const parameters = { num_thread: threads };
    const settings = template === undefined ? { parameters } : { parameters, template };
    await importModel(server.url, model, readFileSync(fetchWeights(model)), settings);
    await importModel(server.url, embedder, readFileSync(fetchWeights(embedder)), { parameters });
  } catch (error) {
    await server.kill();
    throw error;
  }
  const backend = { kind: 'ollama', url: server.url, concurrency: slots } as const;
  return { talking: backend, embedding: backend, close: () => server.kill() };
}

/** Starts servers of llama.cpp, which end together, with the folder of their models. */
function llamaCppServers(threads: number) {
  const found = findLlamaServer();
  if ('missing' in found) return found;
  const folder = mkdtempSync(join(found.temporary, 'assize-models-'));
  const running: { kill(): Promise<void> }[] = [];
  const close = async () => {
    for (const server of running) await server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const start = async (name: WeightsName, words: readonly string[]): Promise<BackendDefinition> => {
    const file = join(folder, `${name}.gguf`);
    copyFileSync(fetchWeights(name), file);
    const port = await freePort();
    const place = ['--model', join('/', relative(found.root, file)), '--host', '127.0.0.1', '--port', String(port)];
    const command = [...found.command, ...place, '--alias', name, '--threads', String(threads), ...words];
    const server = await startServer(port, { command, ready: '/health' });
    running.push(server);
    return { kind: 'openai', url: `${server.url}/v1`, concurrency: slots };
  };
  return { running, start, embedding: () => start(embedder, ['--embeddings', '--parallel', '1']), close };
}

async function startLlamaCpp(model: ModelName, threads: number): Promise<ModelServer | { missing: string }> {
  const servers = llamaCppServers(threads);
  if ('missing' in servers) return servers;
  const { start, embedding, close } = servers;
  try {
    const template = plainTemplates[model]?.jinja;
    const context = ['--parallel', String(slots), '--ctx-size', String(slots * contextOfSlot)];
    const talking = await start(model, [...context, ...(template === undefined ? [] : ['--jinja', '--chat-template', template])]);
    return { talking, embedding: await embedding(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** vLLM reads no GGUF on a processor: the same weights as safetensors, in 16 bits, with their tokenizer. */
const unpackScript = `
import os, sys, torch
from transformers import AutoModelForCausalLM, AutoTokenizer
source, target = sys.argv[1:]
place = dict(pretrained_model_name_or_path=os.path.dirname(source), gguf_file=os.path.basename(source))
model = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.bfloat16)
# What is read is no longer quantized, and is saved only where nothing says that it is.
model.hf_quantizer = None
if hasattr(model.config, "quantization_config"): del model.config.quantization_config
model.save_pretrained(target)
AutoTokenizer.from_pretrained(**place).save_pretrained(target)
`;
/** What that script needs and vLLM does not bring. */
const unpackPackages = ['gguf==0.19.0', 'accelerate==1.15.0'];

/** Folder of a model for vLLM, made from its GGUF with vLLM's own Python if it is not there yet. Throws where that fails. */
function vllmFolder(program: string, model: ModelName): string {
  const file = fetchWeights(model);
  const folder = file.replace(/\.gguf$/, '-safetensors');
  if (existsSync(folder)) return folder;
  const python = join(dirname(program), 'python');
  const scratch = mkdtempSync(join(cacheFolder('models'), 'scratch-'));
  const partial = join(scratch, 'model');
  const environment = { PYTHONPATH: join(scratch, 'packages'), HF_HUB_OFFLINE: '1' };
  try {
    const install = ['-m', 'pip', 'install', '-q', '--no-deps', '--target', environment.PYTHONPATH, ...unpackPackages];
    const failure = failureOf(python, install) ?? failureOf(python, ['-c', unpackScript, file, partial], { environment });
    if (failure !== null) throw new Error(`${model} cannot be made ready for vLLM: ${failure}`);
    renameSync(partial, folder);
    return folder;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** vLLM on a processor serves one model: the vectors are llama.cpp's. */
async function startVllm(model: ModelName, threads: number): Promise<ModelServer | { missing: string }> {
  const found = findVllm();
  if ('missing' in found) return found;
  const servers = llamaCppServers(threads);
  if ('missing' in servers) return servers;
  const { running, embedding, close } = servers;
  try {
    const port = await freePort();
    const place = ['serve', vllmFolder(found.program, model), '--served-model-name', model, '--host', '127.0.0.1'];
    const template = plainTemplates[model]?.jinja;
    const words = ['--port', String(port), '--max-model-len', String(contextOfSlot), '--max-num-seqs', String(slots)];
    const plain = template === undefined ? [] : ['--chat-template', template];
    const command = [found.program, ...place, ...words, ...plain, ...vllmOnProcessor.words];
    const home = join(cacheFolder('models'), 'vllm');
    mkdirSync(home, { recursive: true });
    const threading = { OMP_NUM_THREADS: String(threads), VLLM_CPU_OMP_THREADS_BIND: 'nobind' };
    const environment = { ...vllmOnProcessor.environment, ...threading, HOME: home };
    const server = await startServer(port, { command, environment, ready: '/health', limitSeconds: 600 });
    running.push(server);
    return { talking: { kind: 'openai', url: `${server.url}/v1`, concurrency: slots }, embedding: await embedding(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const alike = ['A man is playing a guitar on stage.', 'Someone performs music with a guitar.'] as const;
const unlike = ['The stock market fell sharply on Monday.', 'Water the plants twice a week.'] as const;

const cosine = (a: readonly number[], b: readonly number[]) => {
  const product = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, place) => sum + value * (y[place] ?? 0), 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
};

/** Throws where texts that say the same are not much closer than texts that do not. Every server has this address. */
async function checkEmbedding({ embedding: { url } }: ModelServer): Promise<void> {
  const address = `${url.replace(/\/v1$/, '')}/v1/embeddings`;
  const body = { model: embedder, input: [...alike, ...unlike] };
  const { data } = await post<{ data: { embedding: number[] }[] }>(address, body);
  const [a = [], b = [], c = [], d = []] = data.map(({ embedding }) => embedding);
  const [near, far] = [cosine(a, b), Math.max(cosine(a, c), cosine(b, d), cosine(c, d))];
  if (!(near > far + 0.3))
    throw new Error(`the vectors of ${embedder} mean nothing: ${near} for like texts, ${far} for unlike ones`);
}

const starts = { ollama: startOllama, 'llama.cpp': startLlamaCpp, vllm: startVllm };

/**
 * The server, ready; or why there is none here. Throws where one that is there does not start.
 *
 * @param threads of the engine. They wait for one another after every step: where other programs take a core from one of
 *   them, two are far slower than one.
 */
export async function startModelServer(
  name: ServerName,
  model: ModelName,
  threads: number,
): Promise<ModelServer | { missing: string }> {
  const server = await starts[name](model, threads);
  if ('missing' in server) return server;
  try {
    await checkEmbedding(server);
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}
