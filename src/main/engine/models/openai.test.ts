import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { kept } from '../testing/kept.ts';
import { startDemoServer } from './demo/demoServer.ts';
import { openaiModel } from './openai.ts';
import { asking, failureOf, request, streams, verdictOn } from './testing/asking.ts';
import { serve, type TestServer } from './testing/server.ts';

const shared = asking();
const key = 'sk-very-secret';

const clientOf = (url: string, more: { timeoutMs?: number; idleMs?: number; apiKey?: () => string | null } = {}) =>
  openaiModel(shared.dispatcher, {
    url: `${url}/v1`,
    timeoutMs: 60_000,
    idleMs: 60_000,
    apiKey: () => null,
    keySource: 'where the key is from',
    ...more,
  });

const ask = (url: string, more: Parameters<typeof clientOf>[1] & { signal?: AbortSignal } = {}) =>
  clientOf(url, more).complete(request, more.signal ?? new AbortController().signal);

const event = (value: unknown) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const part = (content: string | null, more: object = {}) =>
  event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason: null, ...more }] });
const end = (reason = 'stop') => event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
const done = event('[DONE]');

/** A server with one model, `m:1`, that answers every chat the same way. */
const serving = async (chat: RequestListener, card: object = {}): Promise<TestServer> =>
  kept(
    await serve((sent, response) => {
      if (sent.url === '/v1/models') response.end(JSON.stringify({ object: 'list', data: [{ id: 'm:1', ...card }] }));
      else if (sent.url === '/v1/chat/completions') chat(sent, response);
      else response.writeHead(404).end('{"detail":"Not Found"}');
    }),
  );

const refusing = (status: number, body: string) =>
  serving((_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body));

describe('request', () => {
  test('is the documented one, key for key', async () => {
    const server = await serving(streams(part('{}'), end(), done));
    await ask(server.url);
    const [{ method, path, body } = { method: '', path: '', body: '' }] = server.requests;
    expect(`${method} ${path}`).toBe('POST /v1/chat/completions');
    expect(JSON.parse(body)).toStrictEqual({
      model: 'm:1',
      messages: request.messages,
      stream: true,
      stream_options: { include_usage: true },
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: request.schema } },
      seed: 2_147_483_647,
      temperature: 0.7,
      max_tokens: 64,
      min_p: 0.05,
      chat_template_kwargs: { enable_thinking: false },
    });
    expect(body, 'the order of keys is the order of generation').toContain(JSON.stringify(request.schema));
  });

  test('asks for probabilities only where they are wanted, and names a penalty in both ways', async () => {
    const server = await serving(streams(part('{}'), end(), done));
    const options = { ...request.options, topLogprobs: 5, repeatPenalty: 1.1 };
    await clientOf(server.url).complete({ ...request, options }, new AbortController().signal);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({
      logprobs: true,
      top_logprobs: 5,
      repeat_penalty: 1.1,
      repetition_penalty: 1.1,
    });
  });

  test('carries the key in its header, and nowhere else', async () => {
    const headers: (string | undefined)[] = [];
    const server = await serving((sent, response) => {
      headers.push(sent.headers.authorization);
      response.end(part('{}') + end() + done);
    });
    await ask(server.url, { apiKey: () => key });
    await ask(server.url);
    expect(headers).toEqual([`Bearer ${key}`, undefined]);
    expect(JSON.stringify(server.requests)).not.toContain(key);
  });
});

describe('answer', () => {
  test('has texts, thoughts kept apart, counts, times and probabilities', async () => {
    const token = { token: '{', logprob: -0.1, bytes: [123], top_logprobs: [{ token: '{', logprob: -0.1, bytes: [123] }] };
    const server = await serving(
      streams(
        ': ping\n\n',
        event({ choices: [{ index: 0, delta: { role: 'assistant', content: null }, finish_reason: null }] }),
        event({ choices: [{ index: 0, delta: { reasoning_content: 'Hm' } }] }),
        event({ choices: [{ index: 0, delta: { reasoning: ' so' } }] }),
        part('{"a"', { logprobs: { content: [token] } }),
        part(':1}'),
        end(),
        event({
          choices: [],
          usage: { prompt_tokens: 11, completion_tokens: 7 },
          timings: { prompt_ms: 5, predicted_ms: 7.5, cache_n: 3 },
        }),
        done,
      ),
    );
    const seen: string[] = [];
    const signal = new AbortController().signal;
    expect(await clientOf(server.url).complete(request, signal, (soFar) => seen.push(soFar))).toStrictEqual({
      text: '{"a":1}',
      logprobs: [{ token: '{', logprob: -0.1, bytes: [123], top: [{ token: '{', logprob: -0.1, bytes: [123] }] }],
      thinking: 'Hm so',
      doneReason: 'stop',
      promptTokens: 11,
      completionTokens: 7,
      cachedTokens: 3,
      modelMs: 12.5,
      promptMs: 5,
      completionMs: 7.5,
      loadMs: 0,
      standin: false,
    });
    expect(seen).toEqual(['{"a"', '{"a":1}']);
  });

  test('may be empty, cut by the token limit, without figures or with impossible ones, or end without its last event', async () => {
    const none = { text: '', thinking: null, promptTokens: 0, completionTokens: 0, modelMs: 0 };
    expect(await ask((await serving(streams(end(), done))).url)).toMatchObject({ ...none, doneReason: 'stop' });
    expect(await ask((await serving(streams(part('{"a'), end('length'), done))).url)).toMatchObject({ doneReason: 'length' });
    const absurd = event({ choices: [], usage: { prompt_tokens: -1, completion_tokens: 1.5 }, timings: { prompt_ms: 'long' } });
    expect(await ask((await serving(streams(end(), absurd, done))).url)).toMatchObject(none);
    expect(await ask((await serving(streams(part('x'), end()))).url)).toMatchObject({ text: 'x', doneReason: 'stop' });
  });

  test('says how much of its prompt the server had: llama.cpp, vLLM if it was told to, and nothing where it cannot be', async () => {
    const cached = async (figures: object) =>
      (await ask((await serving(streams(part('x'), end(), event({ choices: [], ...figures })))).url)).cachedTokens;
    const usage = (details: object | null) => ({
      usage: { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: details },
    });
    expect(await cached(usage({ cached_tokens: 8 }))).toBe(8);
    expect(await cached({ ...usage(null), timings: { prompt_ms: 1, predicted_ms: 1, cache_n: 0 } })).toBe(0);
    expect(await cached(usage(null))).toBeUndefined();
    expect(await cached(usage({ cached_tokens: 10 }))).toBeUndefined();
    expect(await cached(usage({ cached_tokens: -1 }))).toBeUndefined();
  });

  test('of the demo model says so, obeys the schema and is the one that it gives as Ollama', async () => {
    const standin = kept(await startDemoServer());
    const answer = await ask(standin.url);
    expect(answer).toMatchObject({ standin: true, doneReason: 'stop', thinking: null });
    expect(Object.keys(JSON.parse(answer.text))).toEqual(['zeta', 'alpha']);
    expect(answer.promptTokens).toBeGreaterThan(0);
    expect(answer.text).toBe((await shared.ask(standin.url)).text);
    expect(standin.requests()[0]).toMatchObject({ endpoint: '/v1/chat/completions', model: 'm:1', seed: 2_147_483_647 });
  });

  test('of the demo model has the probabilities that were asked for', async () => {
    const standin = kept(await startDemoServer());
    const wanted = { ...request, options: { ...request.options, topLogprobs: 3 } };
    const signal = new AbortController().signal;
    const { text, logprobs = [] } = await clientOf(standin.url).complete(wanted, signal);
    expect(logprobs.map(({ token }) => token).join('')).toBe(text);
    expect((await shared.model(standin.url).complete(wanted, signal)).logprobs).toEqual(logprobs);
  });
});

describe('refusal with a status', () => {
  const llamaOverflow =
    '{"error":{"code":400,"message":"request (9 tokens) exceeds the available context size (8 tokens)","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}}';
  const vllm =
    "This model's maximum context length is 8 tokens. However, you requested 12 tokens (8 in the messages, 4 in the completion).";
  const tooLarge = "'max_tokens' or 'max_completion_tokens' is too large: 9. This model's maximum context length is 8 tokens";
  test.each<[number, string, string | RegExp]>([
    [400, llamaOverflow, /^overflow for good: request \(9 tokens\).*\(exceed_context_size_error\)$/],
    [
      400,
      JSON.stringify({ object: 'error', message: vllm, type: 'BadRequestError', code: 400 }),
      /^overflow for good: This model's/,
    ],
    [400, JSON.stringify({ error: { message: tooLarge, type: 'BadRequestError' } }), /^overflow for good: 'max_tokens'/],
    [
      400,
      '{"error":{"message":"The decoder prompt (length 9) is longer than the maximum model length of 8."}}',
      /^overflow for good/,
    ],
    [
      400,
      '{"error":"Trying to keep the first 9 tokens. The model is loaded with context length of only 8"}',
      /^overflow for good/,
    ],
    [400, '{"error":{"message":"bad schema","type":"invalid_request_error"}}', /^backend_error for good: HTTP 400: bad schema/],
    [401, `{"error":"no ${key}"}`, /^no-backend: http.*: the server refuses access \(HTTP 401\); where the key is from$/],
    [
      404,
      '{"message":"The model `m:1` does not exist."}',
      'missing-model: the server does not have model m:1; name one that its list of models has',
    ],
    [422, '<html>', 'backend_error for good: HTTP 422: <html>'],
    [500, '{"error":{"message":"engine died"}}', 'backend_error: HTTP 500: engine died'],
    [503, '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}', 'outage: HTTP 503 (unavailable)'],
  ])('HTTP %i %s', async (status, body, expected) => {
    const server = await refusing(status, body);
    expect(await verdictOn(ask(server.url, { apiKey: () => key }))).toMatch(expected);
  });

  test('never repeats the key', async () => {
    for (const status of [400, 401, 500]) {
      const server = await refusing(status, JSON.stringify({ error: { message: `the key ${key} is wrong`, type: key } }));
      expect(String(await failureOf(ask(server.url, { apiKey: () => key })))).not.toContain(key);
    }
    const midway = await serving(streams(part('a'), event({ error: `no such key: ${key}` })));
    expect(await verdictOn(ask(midway.url, { apiKey: () => key }))).toBe(
      'backend_error: the server gave up in mid-answer: no such key: …',
    );
  });

  test('a redirect is not followed, and the key does not travel', async () => {
    const other = await serving(streams(end(), done));
    const server = kept(
      await serve((sent, response) => response.writeHead(307, { location: `${other.url}${sent.url}` }).end('moved')),
    );
    expect(await verdictOn(ask(server.url, { apiKey: () => key }))).toMatch(/^no-backend: .*redirects \(HTTP 307\)/);
    expect(other.requests).toEqual([]);
  });
});

describe('answer that goes wrong', () => {
  const ended = 'backend_error: the answer ended before it was done';
  test.each<[string, readonly string[], string | RegExp]>([
    ['no reason for its end', [part('a')], ended],
    ['a last event and no reason', [part('a'), done], ended],
    ['nothing at all', [], ended],
    ['pings only', [': ping\n\n', ': ping\n\n'], ended],
    ['garbage', [part('a'), event('%PDF-1.7'), end(), done], 'backend_error: a line of the answer is not JSON: %PDF-1.7'],
    [
      'a page',
      ['<!doctype html>\n<p>Log in</p>\n'],
      'backend_error: a line of the answer is not a server-sent event: <!doctype html>',
    ],
    [
      'an error',
      [part('a'), event({ error: { message: 'oom' } })],
      'backend_error: the server gave up in mid-answer: {"message":"oom"}',
    ],
    ['another shape', [event({ status: 'success' })], /^backend_error: a line of the answer is not part of a chat: /],
    ['a number', [event(42)], /not part of a chat: 42$/],
    ['an engine that gave it up', [part('a'), end('abort'), done], 'backend_error: the server ended the answer with "abort"'],
    ['a call of a tool', [end('tool_calls'), done], 'backend_error: the server ended the answer with "tool_calls"'],
  ])('%s', async (_name, texts, expected) => {
    expect(await verdictOn(ask((await serving(streams(...texts))).url))).toMatch(expected);
  });

  test('an answer that stops, though it pings', async () => {
    const still = await serving((_request, response) => {
      response.write(part('a'));
      const timer = setInterval(() => response.write(': ping\n\n'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await verdictOn(ask(still.url, { idleMs: 150 }))).toBe('timeout: the answer stood still for 0.15 s');
    await expect.poll(() => still.aborted()).toBe(1);
  });

  test('a server that names the speaker before it has read the prompt may then be silent', async () => {
    const server = await serving(async (_request, response) => {
      response.write(event({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] }));
      await sleep(300);
      response.end(part('{}') + end() + done);
    });
    expect(await ask(server.url, { idleMs: 100 })).toMatchObject({ text: '{}', doneReason: 'stop' });
  });
});

describe('probe', () => {
  const telling = async (answers: Readonly<Record<string, unknown>>) =>
    clientOf(
      kept(
        await serve((sent, response) => {
          const body = answers[sent.url ?? ''];
          if (body === undefined) response.writeHead(404).end('no');
          else response.end(typeof body === 'string' ? body : JSON.stringify(body));
        }),
      ).url,
    );
  const models = { object: 'list', data: [{ id: 'M:1', owned_by: 'vllm', max_model_len: 4096 }] };

  test.each<[string, Readonly<Record<string, unknown>>, string, number | undefined]>([
    ['vLLM', { '/v1/models': models, '/version': { version: '0.9.1' } }, 'vLLM 0.9.1', 4096],
    [
      'llama.cpp',
      {
        '/v1/models': { data: [{ id: 'M:1', owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } }] },
        '/props': { build_info: 'b1-a', default_generation_settings: { n_ctx: 2048 } },
      },
      'llama.cpp b1-a',
      2048,
    ],
    ['a server that says no more', { '/v1/models': { data: [{ id: 'M:1' }] } }, 'unknown', undefined],
    [
      'a server with other answers',
      { '/v1/models': { data: [{ id: 'M:1' }] }, '/props': '<p>', '/version': '{}' },
      'unknown',
      undefined,
    ],
  ])('of %s', async (_name, answers, version, contextLength) => {
    const client = await telling(answers);
    expect(await client.version()).toEqual({ version, standin: false });
    expect(await client.models()).toEqual([{ name: 'M:1', digest: null, remote: false, contextLength }]);
  });

  test('of the demo model', async () => {
    const standin = kept(await startDemoServer({ models: ['llama3.1:8b'], anyModel: false }));
    expect(await clientOf(standin.url).version()).toEqual({ version: '0.0.0-standin', standin: true });
    expect(await clientOf(standin.url).models()).toEqual([
      { name: 'llama3.1:8b', digest: null, remote: false, contextLength: 16_384 },
    ]);
  });

  test('of another kind of server', async () => {
    const client = await telling({ '/v1/models': '<html>' });
    expect(await verdictOn(client.version())).toMatch(
      /, but this is not an OpenAI-compatible server, whose address ends in \/v1/,
    );
    expect(await verdictOn((await telling({})).models())).toMatch(
      /^outage: something answers at .*, but this is not an OpenAI.* \(HTTP 404\)$/,
    );
  });
});
