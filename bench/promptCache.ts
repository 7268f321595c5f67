// How much of its prompts a real server need not compute, because an earlier prompt began alike: trials with SmolLM2 on llama.cpp's
// server, whose answers say how many tokens came from its cache, compared with the most that any cache could spare, and with the same
// run without a cache: node bench/promptCache.ts [CASES] [CALLS AT A TIME]. Prints a line of JSON for each protocol; needs the weights.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { post } from '../build/engine/ollamaModels.ts';
import { startModelServer } from '../build/models/servers.ts';
import { run } from '../src/main/engine/engine.ts';
import { atLeast, print, rounded } from './support/lines.ts';
import { writeExperiment } from './support/mockRun.ts';

const cases = Number(process.argv[2] ?? 3);
const atATime = Number(process.argv[3] ?? 1);
const goal = 0.95;

interface Seen {
  readonly messages: unknown;
  /** Tokens that came from the cache, and tokens that were computed. */
  cached: number;
  computed: number;
}

/** Sits before a server and notes what each request was and what it spared. */
async function watched(url: string, useCache: boolean) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const isChat = request.url?.endsWith('/chat/completions') === true;
    const body = parts.length === 0 ? undefined : JSON.parse(Buffer.concat(parts).toString());
    const entry: Seen = { messages: body?.messages, cached: 0, computed: 0 };
    if (isChat) seen.push(entry);
    const sent = isChat && !useCache ? { ...body, cache_prompt: false } : body;
    const answer = await fetch(new URL(request.url ?? '', url), {
      method: request.method ?? 'GET',
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(sent), headers: { 'content-type': 'application/json', connection: 'close' } }),
    });
    const text = await answer.text();
    entry.cached = Number(/"cache_n":(\d+)/.exec(text)?.[1] ?? 0);
    entry.computed = Number(/"prompt_n":(\d+)/.exec(text)?.[1] ?? 0);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { seen, url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

function commonLength(a: readonly number[], b: readonly number[]): number {
  const differs = a.findIndex((token, index) => token !== b[index]);
  return differs < 0 ? a.length : differs;
}

/** The most tokens that could have been spared: what each prompt shares with an earlier one, its last token excepted. */
async function mostSpared(url: string, seen: readonly Seen[]): Promise<{ all: number; shared: number }> {
  const earlier: number[][] = [];
  let [all, shared] = [0, 0];
  for (const { messages } of seen) {
    const { prompt } = await post<{ prompt: string }>(`${url}/apply-template`, { messages });
    const { tokens } = await post<{ tokens: number[] }>(`${url}/tokenize`, { content: prompt, parse_special: true });
    all += tokens.length;
    shared += Math.min(tokens.length - 1, Math.max(0, ...earlier.map((other) => commonLength(tokens, other))));
    earlier.push(tokens);
  }
  return { all, shared };
}

const folder = mkdtempSync(join(tmpdir(), 'assize-cache-'));
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const protocols = { 'agentic-sim': {}, courtroom: { shots: 0 }, 'debate-feedback': {} };
try {
  for (const [protocol, params] of Object.entries(protocols)) {
    const runs: { seconds: number; seen: Seen[] }[] = [];
    let most = { all: 0, shared: 0 };
    for (const useCache of [true, false]) {
      const server = await startModelServer('llama.cpp', 'smollm2', 1);
      if ('missing' in server) throw new Error(server.missing);
      const origin = server.talking.url.replace(/\/v1$/, '');
      const watch = await watched(origin, useCache);
      try {
        const backends = { default: { kind: 'openai', url: watch.url, concurrency: atATime } };
        const runtime = { numCtx: 8192, numPredict: 96 };
        const file = writeExperiment(folder, cases, protocol, { model: 'smollm2', params, backends, runtime });
        const store = join(folder, `${protocol}-${useCache}.db`);
        const signal = new AbortController().signal;
        const request = { allowedHosts: [], concurrency: null, maxTrials: null, retry: [], signal, store, url: undefined };
        const began = performance.now();
        await run(file, { ...request, onProgress: () => undefined });
        runs.push({ seconds: (performance.now() - began) / 1000, seen: watch.seen });
        if (useCache) most = await mostSpared(origin, watch.seen);
      } finally {
        watch.close();
        await server.close();
      }
    }
    const [cachedRun, plainRun] = runs;
    const spared = sum((cachedRun?.seen ?? []).map(({ cached }) => cached));
    const share = spared / most.shared;
    const found = { spared: rounded(spared / most.all, 3), ofTheMost: rounded(share, 3), ...atLeast(share, goal) };
    const withoutCache = rounded((plainRun?.seconds ?? 0) / (cachedRun?.seconds ?? 1), 3);
    print({ protocol, cases, atATime, calls: cachedRun?.seen.length, promptTokens: most.all, ...found, withoutCache });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
