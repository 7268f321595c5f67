import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { z } from 'zod';
import { type ChatBody, chatBodySchema, type EmbedBody, embedBodySchema } from './bodies.ts';
import { answerChat } from './chat.ts';
import { chatCompletionBodySchema, openaiFraming } from './chatCompletions.ts';
import { emptyDisk, type StandinDisk } from './disk.ts';
import { answerEmbed, embeddingsBodySchema, embeddingWords } from './embed.ts';
import { Exchange, parseBody } from './exchange.ts';
import { drawFault } from './faults.ts';
import { ollamaFraming } from './framing.ts';
import { Journal, type SeenRequest } from './journal.ts';
import { Library } from './library.ts';
import { HttpError, Machine } from './machine.ts';
import { type Fault, type ProfileOverrides, readProfile } from './profiles.ts';
import { cutShare, type DecidePullFault, Pulls } from './pulls.ts';

export interface StandinOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** Names joined by `+`, such as `laptop+flaky` or `hang:0.2`, or a profile with changes. */
  readonly profile: string | ProfileOverrides;
  /** Changes every answer; 0 leaves them as the request alone decides. */
  readonly seed: number;
  /** File that gets one JSON line when a request arrives and one when it was answered. */
  readonly logFile: string;
  /** Names of the models; absent: the usual small open ones. */
  readonly models: readonly string[];
  /** Whether names that are not listed are answered too. */
  readonly anyModel: boolean;
  /** Decides for each chat or embed request how it goes wrong, if at all; instead of the profile's shares. */
  readonly fault: (request: SeenRequest, body: string) => Fault | null;
  /** Decides for each line of a pull whether it goes wrong; instead of the profile's share. */
  readonly pullFault: DecidePullFault;
  /** What an earlier one had when it ended. */
  readonly disk: StandinDisk;
}

export interface Standin {
  readonly url: string;
  readonly port: number;
  /** Chat and embed requests so far, in order of arrival. */
  requests(): SeenRequest[];
  /** Slots in use and requests that wait for one. */
  load(): { busy: number; waiting: number };
  /** Pulls that are being answered. */
  pulls(): number;
  /** From now on models have so many bytes of the imitated GPU's memory, as where another program takes or frees some. */
  leaveVideoMemory(bytes: number): void;
  /** Takes no new connections from now on; what is under way goes on to its end. */
  leave(): void;
  /** Ends all open connections at once. */
  close(): Promise<void>;
}

const standinVersion = '0.0.0-standin';

type Handler = (exchange: Exchange, body: Buffer) => void | Promise<void>;

/** Starts the stand-in on 127.0.0.1: Ollama's native API, and OpenAI's chat completions and embeddings under `/v1`, answered without a model. */
export async function startStandin(options: Partial<StandinOptions> = {}): Promise<Standin> {
  const profile = readProfile(options.profile ?? 'instant');
  const machine = new Machine(profile.machine);
  const disk = options.disk ?? emptyDisk();
  const pulls = new Pulls(disk, profile.machine, options.pullFault ?? cutShare(profile.pullCut));
  const library = new Library(options.models, options.anyModel ?? true, machine, disk, pulls);
  const journal = new Journal(options.logFile);

  /** Notes the request before anything can go wrong with it. */
  const note = (exchange: Exchange, endpoint: string, body: Buffer): SeenRequest => {
    const seen = journal.arrived({ endpoint, bodySha256: createHash('sha256').update(body).digest('hex'), ...glance(body) });
    exchange.onAnswered((status) => journal.answered(seen.id, status));
    return seen;
  };
  const turnedAway = new Set<string>();
  const faultFor = (seen: SeenRequest, body: Buffer): Fault | null => {
    if (options.fault !== undefined) return options.fault(seen, body.toString('utf8'));
    const fault = drawFault(profile.faults, seen.bodySha256);
    // A busy server takes the same request when it comes again; every other fault stays with its request.
    if (fault?.kind === 'http-503' && turnedAway.has(seen.bodySha256)) return null;
    if (fault?.kind === 'http-503') turnedAway.add(seen.bodySha256);
    return fault;
  };

  const chat = async (exchange: Exchange, raw: Buffer, endpoint: string, schema: z.ZodType<ChatBody>): Promise<void> => {
    const seen = note(exchange, endpoint, raw);
    const body = parseBody(schema, raw);
    const fault = body.messages.length === 0 ? null : faultFor(seen, raw);
    const model = library.find(body.model);
    await answerChat({
      exchange,
      body,
      model,
      machine,
      fault: fault?.kind ?? null,
      content: seen.bodySha256,
      serverSeed: options.seed ?? 0,
    });
  };
  const embed = async (
    exchange: Exchange,
    raw: Buffer,
    endpoint: string,
    schema: z.ZodType<EmbedBody>,
    words: (typeof embeddingWords)[keyof typeof embeddingWords],
  ): Promise<void> => {
    const seen = note(exchange, endpoint, raw);
    const body = parseBody(schema, raw);
    const fault = faultFor(seen, raw)?.kind;
    if (fault === 'http-500') throw new HttpError(500, 'llama runner process has terminated: exit status 2');
    if (fault === 'http-503') throw new HttpError(503, 'server busy, please try again.  maximum pending requests exceeded');
    await answerEmbed(exchange, body, library.find(body.model), machine, words);
  };

  const handlers = new Map<string, Handler>([
    ['GET /', (exchange) => exchange.text(200, 'text/plain; charset=utf-8', 'Ollama is running')],
    ['GET /api/version', (exchange) => exchange.json(200, { version: standinVersion, any_model: options.anyModel ?? true })],
    ['GET /api/status', (exchange) => exchange.json(200, { cloud: { disabled: true, source: 'env' } })],
    ['GET /api/tags', (exchange) => library.tags(exchange)],
    ['GET /api/ps', (exchange) => library.ps(exchange)],
    ['POST /api/show', (exchange, body) => library.show(exchange, body)],
    ['POST /api/chat', (exchange, body) => chat(exchange, body, '/api/chat', chatBodySchema)],
    ['POST /api/embed', (exchange, body) => embed(exchange, body, '/api/embed', embedBodySchema, embeddingWords.ollama)],
    ['POST /api/pull', (exchange, body) => library.pull(exchange, body)],
    ['POST /api/create', (exchange, body) => library.create(exchange, body)],
    ['DELETE /api/delete', (exchange, body) => library.delete(exchange, body)],
    ['GET /version', (exchange) => exchange.json(200, { version: standinVersion })],
    ['GET /v1/models', (exchange) => library.served(exchange)],
    [
      'POST /v1/embeddings',
      (exchange, body) => embed(exchange, body, '/v1/embeddings', embeddingsBodySchema, embeddingWords.openai),
    ],
    ['POST /v1/chat/completions', (exchange, body) => chat(exchange, body, '/v1/chat/completions', chatCompletionBodySchema)],
  ]);
  const paths = new Set([...handlers.keys()].map((key) => key.split(' ')[1]));

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    const exchange = new Exchange(request, response, path.startsWith('/v1/') ? openaiFraming : ollamaFraming);
    try {
      const method = request.method === 'HEAD' ? 'GET' : request.method;
      const handler = handlers.get(`${method} ${path}`);
      if (handler === undefined)
        throw paths.has(path) ? new HttpError(405, 'method not allowed') : new HttpError(404, `path '${path}' not found`);
      await handler(exchange, await exchange.body());
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    await Promise.all(running);
    journal.close();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: () => journal.list(),
    load: () => machine.load(),
    pulls: () => pulls.running,
    leaveVideoMemory: (bytes) => machine.videoMemory.leave(bytes),
    leave: () => void server.close(),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** What the log says of a body, as far as it can be told without trusting it. */
function glance(body: Buffer): { model: string | null; seed: number | null; messages: number } {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return { model: null, seed: null, messages: 0 };
  }
  const field = (from: unknown, name: string): unknown =>
    typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
  const model = field(value, 'model');
  const seed = field(field(value, 'options'), 'seed') ?? field(value, 'seed');
  const messages = field(value, 'messages') ?? field(value, 'input');
  return {
    model: typeof model === 'string' ? model : null,
    seed: typeof seed === 'number' ? seed : null,
    messages: Array.isArray(messages) ? messages.length : 0,
  };
}
