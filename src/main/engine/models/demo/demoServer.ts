// The demo model: a server that invents answers by a visible rule.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, writeSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { z } from 'zod';
import { attempt } from '../../attempt.ts';
import type { Bias } from './bias.ts';
import {
  chatBodySchema,
  completionBodySchema,
  type EmbedBody,
  embedBodySchema,
  embeddingsBodySchema,
  keepAliveMs,
  namedBodySchema,
  servedContext,
} from './bodies.ts';
import { answerChat, drawFault, type Job, refuse } from './chat.ts';
import { bodyOf, type Exchange, Failure, ollamaFace, openaiFace, openExchange, parseBody } from './exchange.ts';
import { type DemoModel, fullName, modelInfo, modelNamed, usualModels } from './models.ts';
import { type Fault, type ProfileOverrides, readProfile } from './profiles.ts';
import { cutShare, type DecidePullFault, type DemoDisk, emptyDisk, layersOf, openPulls, type Pulls } from './pulls.ts';
import type { Slots } from './slots.ts';
import { openSlots, pause } from './slots.ts';
import { countTokens, unit } from './tokens.ts';

interface SeenRequest {
  readonly id: number;
  readonly time: string;
  readonly endpoint: string;
  readonly model: string | null;
  /** SHA-256 of the exact body. */
  readonly bodySha256: string;
  readonly seed: number | null;
  readonly messages: number;
  /** Null until the request was answered completely. */
  readonly status: number | null;
}

/** What a log line says of a body; missing values are null or 0. */
function glance(body: Buffer): Pick<SeenRequest, 'model' | 'seed' | 'messages'> {
  const { model = null, options, seed = null, messages, input } = attempt(() => JSON.parse(body.toString('utf8')), null) ?? {};
  return { model, seed: options?.seed ?? seed, messages: (messages ?? input)?.length ?? 0 };
}

/** Remembers requests, and writes each to the log when it arrives and again when it is answered. */
function openJournal(path: string | undefined) {
  const requests: SeenRequest[] = [];
  const file = path === undefined ? null : openSync(path, 'a');
  // Written before going on, so that a process that is killed leaves no request out.
  const write = (event: 'arrived' | 'answered', seen: SeenRequest): void => {
    if (file !== null) writeSync(file, `${JSON.stringify({ event, ...seen })}\n`);
  };
  return {
    requests,
    arrived: (endpoint: string, body: Buffer): SeenRequest => {
      const bodySha256 = createHash('sha256').update(body).digest('hex');
      const time = new Date().toISOString();
      const seen = { id: requests.length, time, endpoint, ...glance(body), bodySha256, status: null };
      requests.push(seen);
      write('arrived', seen);
      return seen;
    },
    answered: (seen: SeenRequest, status: number): void => {
      requests[seen.id] = { ...seen, status };
      write('answered', { ...seen, time: new Date().toISOString(), status });
    },
    close: (): void => {
      if (file !== null) closeSync(file);
    },
  };
}

/** A vector of length 1 whose directions are words and word pairs, so that like texts lie close together. */
export function embedText(text: string, model: string, length: number): number[] {
  const vector = new Array<number>(length).fill(0);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];
  words.forEach((word, index) => {
    for (const feature of index === 0 ? [word] : [word, `${words[index - 1]} ${word}`]) {
      const at = Math.floor(unit(`${model} at ${feature}`) * length);
      vector[at] = (vector[at] ?? 0) + (unit(`${model} sign ${feature}`) < 0.5 ? -1 : 1);
    }
  });
  const norm = Math.hypot(...vector) || 1;
  return vector.map((value) => Number((value / norm).toFixed(7)));
}

/** Answers a request for vectors, in Ollama's words or in OpenAI's. Throws `Failure`. */
export async function answerEmbed(job: Job<EmbedBody>, face: 'ollama' | 'openai'): Promise<void> {
  const { exchange, body, model, slots, pace } = job;
  refuse(job);
  const inputs = typeof body.input === 'string' ? [body.input] : body.input;
  const limit = Math.min(body.options.num_ctx ?? 4096, model.contextLength);
  const counts = inputs.map(countTokens);
  if (!body.truncate && counts.some((count) => count > limit))
    throw new Failure(400, 'the input length exceeds the context length');
  const tokens = counts.reduce((sum, count) => sum + Math.min(count, limit), 0);
  const lease = await slots.acquire(model, limit, exchange.signal);
  try {
    const workMs = (tokens / pace.promptRate) * 1000;
    if (pace.timed) await pause(workMs, exchange.signal);
    const embeddings = inputs.map((input) => embedText(input, model.name, model.embeddingLength));
    const data = embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    const figures = { total_duration: Math.ceil((lease.loadMs + workMs) * 1e6), load_duration: Math.round(lease.loadMs * 1e6) };
    if (face === 'ollama') exchange.json(200, { model: body.model, embeddings, ...figures, prompt_eval_count: tokens });
    else exchange.json(200, { object: 'list', model: body.model, data, usage: { prompt_tokens: tokens, total_tokens: tokens } });
  } finally {
    lease.release(keepAliveMs(body.keep_alive));
  }
}

export interface DemoServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Names joined by `+`, such as `laptop+flaky` or `hang:0.2`, or a profile with changes. */
  readonly profile: string | ProfileOverrides;
  /** Changes every answer that is given above temperature 0. */
  readonly seed: number;
  readonly biases: readonly Bias[];
  /** File that gets one JSON line when a request arrives and one when it was answered. */
  readonly logFile: string;
  /** Names of the models; absent: the usual small open ones. */
  readonly models: readonly string[];
  readonly anyModel: boolean;
  /** Decides for each chat or embed request how it goes wrong, if at all; instead of the profile's shares. */
  readonly fault: (request: SeenRequest, body: string) => Fault | null;
  /** Decides for each line of a pull whether it goes wrong; instead of the profile's share. */
  readonly pullFault: DecidePullFault;
  /** What an earlier one had when it ended. */
  readonly disk: DemoDisk;
}

export type DemoServer = Awaited<ReturnType<typeof startDemoServer>>;

const version = '0.0.0-standin';

type Handler = (exchange: Exchange, body: Buffer, path: string) => void | Promise<void>;

/** Starts the demo model on 127.0.0.1: Ollama's native API, and OpenAI's chat completions and embeddings under `/v1`, answered without a model. */
export async function startDemoServer(options: Partial<DemoServerOptions> = {}) {
  const { anyModel = true, seed: serverSeed = 0, biases = [], disk = emptyDisk() } = options;
  const { machine: pace, faults, pullCut } = readProfile(options.profile ?? 'instant');
  const slots = openSlots(pace);
  const pulls = openPulls(disk, pace, options.pullFault ?? cutShare(pullCut));
  const library = openLibrary(options.models, anyModel, slots, disk, pulls);
  const journal = openJournal(options.logFile);

  const turnedAway = new Set<string>();
  const faultFor = (seen: SeenRequest, body: Buffer): Fault['kind'] | null => {
    if (options.fault !== undefined) return options.fault(seen, body.toString('utf8'))?.kind ?? null;
    const kind = drawFault(faults, seen.bodySha256);
    // A busy server takes the same request when it comes again; every other fault stays with its request.
    if (kind === 'http-503' && turnedAway.has(seen.bodySha256)) return null;
    if (kind === 'http-503') turnedAway.add(seen.bodySha256);
    return kind;
  };
  /** Notes a request before anything can go wrong with it, reads it, and has it answered. Throws `Failure`. */
  const asked =
    <Body extends { readonly model: string }>(schema: z.ZodType<Body>, answer: (job: Job<Body>) => Promise<void>): Handler =>
    (exchange, raw, path) => {
      const seen = journal.arrived(path, raw);
      exchange.onAnswered((status) => journal.answered(seen, status));
      const body = parseBody(schema, raw);
      const decide = () => faultFor(seen, raw);
      return answer({ exchange, body, model: library.find(body.model), slots, pace, serverSeed, biases, decide });
    };

  const handlers: Readonly<Record<string, Handler>> = {
    'GET /': (exchange) => exchange.text(200, 'Ollama is running'),
    'GET /api/version': (exchange) => exchange.json(200, { version, any_model: anyModel }),
    'GET /api/status': (exchange) => exchange.json(200, { cloud: { disabled: true, source: 'env' } }),
    'GET /api/tags': library.tags,
    'GET /api/ps': library.ps,
    'POST /api/show': library.show,
    'POST /api/chat': asked(chatBodySchema, answerChat),
    'POST /api/embed': asked(embedBodySchema, (job) => answerEmbed(job, 'ollama')),
    'POST /api/pull': library.pull,
    'DELETE /api/delete': library.remove,
    'GET /version': (exchange) => exchange.json(200, { version }),
    'GET /v1/models': library.served,
    'POST /v1/embeddings': asked(embeddingsBodySchema, (job) => answerEmbed(job, 'openai')),
    'POST /v1/chat/completions': asked(completionBodySchema, answerChat),
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const exchange = openExchange(request, response, path.startsWith('/v1/') ? openaiFace : ollamaFace);
    try {
      const handler = handlers[`${request.method === 'HEAD' ? 'GET' : request.method} ${path}`];
      if (handler === undefined) throw new Failure(404, `no such request: ${request.method} ${path}`);
      await handler(exchange, await bodyOf(request), path);
    } catch (error) {
      exchange.fail(error);
    }
  };

  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    response.once('finish', () => {
      if (!server.listening) request.socket.destroySoon();
    });
    const served = serve(request, response).finally(() => running.delete(served));
    running.add(served);
  });
  // Rejects on an error such as a port that is taken.
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await Promise.all([closed, ...running]);
    journal.close();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    /** Chat and embed requests so far, in order of arrival. */
    requests: () => [...journal.requests],
    load: slots.load,
    pulls: pulls.running,
    showGpuShare: library.showGpuShare,
    /** Takes no new connections from now on; what is under way is finished. */
    leave: () => void server.close(),
    /** Ends all open connections at once. */
    close: () => (closing ??= close()),
  };
}

const detailsOf = ({ family, billions, capabilities }: DemoModel): object => ({
  format: 'gguf',
  family,
  parameter_size: billions < 1 ? `${Math.round(billions * 1000)}M` : `${billions.toFixed(1)}B`,
  quantization_level: capabilities.includes('embedding') ? 'F16' : 'Q4_K_M',
});

const listed = (model: DemoModel) => {
  const { name, size, digest } = model;
  return { name, model: name, size, digest, details: detailsOf(model) };
};

/** The models that the demo model has, and the endpoints about them. @param names absent: the usual small open ones */
function openLibrary(names: readonly string[] | undefined, anyModel: boolean, slots: Slots, disk: DemoDisk, pulls: Pulls) {
  disk.models ??= new Map((names?.map(modelNamed) ?? usualModels()).map((model) => [model.name, model]));
  const { models } = disk;
  for (const { digest } of [...models.values()].flatMap(layersOf)) disk.whole.add(digest);
  let gpuShare: number | null = null;
  /** The model that a request names. Throws `Failure` 404. */
  const find = (name: string): DemoModel => {
    const model = models.get(fullName(name)) ?? (anyModel ? modelNamed(name) : undefined);
    if (model === undefined) throw new Failure(404, `model '${name}' not found`);
    return model;
  };
  return {
    find,
    /** From now on `/api/ps` lists the loaded models, with this share of each on a GPU, 0 to 1; none before, since none takes memory. */
    showGpuShare: (share: number): void => {
      gpuShare = share;
    },
    tags: (exchange: Exchange): void =>
      exchange.json(200, {
        models: [...models.values()].map((model) => ({ ...listed(model), modified_at: '2025-06-01T09:00:00Z' })),
      }),
    served: (exchange: Exchange): void => {
      const data = [...models.values()].map(({ name, contextLength }) => ({
        ...{ id: name, object: 'model', created: 0, owned_by: 'stand-in' },
        max_model_len: Math.min(contextLength, servedContext),
      }));
      exchange.json(200, { object: 'list', data, any_model: anyModel });
    },
    ps: (exchange: Exchange): void => {
      const shown = gpuShare === null ? [] : slots.running();
      const loaded = shown.map(({ model, numCtx, keepUntil }) => ({
        ...listed(model),
        expires_at: new Date(Date.now() + keepUntil - performance.now()).toISOString(),
        size_vram: Math.round(model.size * (gpuShare ?? 0)),
        context_length: numCtx,
      }));
      exchange.json(200, { models: loaded });
    },
    show: (exchange: Exchange, body: Buffer): void => {
      const model = find(parseBody(namedBodySchema, body).model);
      const license = 'No weights stand behind this name: the answers come from the stand-in.';
      exchange.json(200, { license, details: detailsOf(model), model_info: modelInfo(model), capabilities: model.capabilities });
    },
    remove: (exchange: Exchange, body: Buffer): void => {
      const { model } = parseBody(namedBodySchema, body);
      const gone = models.get(fullName(model));
      if (gone === undefined) throw new Failure(404, `model '${model}' not found`);
      models.delete(gone.name);
      for (const { digest } of layersOf(gone)) disk.whole.delete(digest);
      slots.unload(gone.name);
      exchange.text(200, '');
    },
    pull: (exchange: Exchange, body: Buffer): Promise<void> => {
      const { model, stream } = parseBody(namedBodySchema, body);
      const whole = modelNamed(model);
      return pulls.answer(exchange, whole, stream, () => void models.set(whole.name, whole));
    },
  };
}
