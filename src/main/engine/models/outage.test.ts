import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { kept } from '../testing/kept.ts';
import { openaiModel } from './openai.ts';
import { asking, request, verdictOn } from './testing/asking.ts';
import { last, part, serve, type TestServer } from './testing/server.ts';

const shared = asking();

interface Limits {
  readonly timeoutMs?: number;
  readonly idleMs?: number;
}

interface Interface {
  readonly begin: string;
  readonly error: (message: string) => string;
  readonly whole: string;
  /** What a cheap question about the server's health asks. */
  readonly health: string;
  ask(url: string, limits?: Limits): Promise<unknown>;
}

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

const interfaces: Readonly<Record<string, Interface>> = {
  ollama: {
    begin: part('a'),
    error: (message) => `${JSON.stringify({ error: message })}\n`,
    whole: last(),
    health: '/api/version',
    ask: (url, limits) => shared.ask(url, limits),
  },
  openai: {
    begin: event({ choices: [{ index: 0, delta: { content: 'a' } }] }),
    error: (message) => event({ error: { message } }),
    whole: event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    health: '/v1/models',
    ask: (url, limits) =>
      openaiModel(shared.dispatcher, {
        url: `${url}/v1`,
        timeoutMs: 60_000,
        idleMs: 60_000,
        ...limits,
        apiKey: () => null,
        keySource: '',
      }).complete(request, new AbortController().signal),
  },
};

const serving = async (chat: RequestListener): Promise<TestServer> =>
  kept(
    await serve((sent, response) => {
      if (sent.url === '/api/version') response.end('{"version":"0.33.0"}');
      else if (sent.url === '/v1/models') response.end('{"data":[{"id":"m:1"}]}');
      else chat(sent, response);
    }),
  );

/** Ways to fail that may be the first sign of a server that is going away; with limits where these are what ends the call. */
const failures: readonly (readonly [string, (response: ServerResponse, words: Interface) => void, RegExp, Limits])[] = [
  [
    'an error in mid-answer',
    (response, { begin, error }) => response.end(begin + error('oom')),
    /^backend_error: the server gave up/,
    {},
  ],
  [
    'an error in place of an answer',
    (response, { error }) => response.end(error('oom')),
    /^backend_error: the server gave up/,
    {},
  ],
  ['HTTP 500', (response) => response.writeHead(500).end('{"error":"crashed"}'), /^backend_error: HTTP 500: crashed$/, {}],
  [
    'a line that is none',
    (response, { begin }) => response.end(`${begin}%PDF\n`),
    /^backend_error: a line of the answer is not/,
    {},
  ],
  ['an answer that ends too soon', (response, { begin }) => response.end(begin), /^backend_error: the answer ended/, {}],
  [
    'a broken connection',
    (response, { begin }) => response.write(begin, () => response.destroy()),
    /^backend_error: the answer ended/,
    {},
  ],
  ['an answer that stops', (response, { begin }) => response.write(begin), /^timeout: the answer stood still/, { idleMs: 150 }],
  ['no answer at all', () => undefined, /^timeout: no complete answer/, { timeoutMs: 300 }],
];

describe.each(Object.entries(interfaces))('%s', (_kind, words) => {
  describe.each(failures)('%s', (_name, fail, expected, limits) => {
    test('of a server that lives is a failed answer; its health is asked for once', async () => {
      const server = await serving((_request, response) => fail(response, words));
      expect(await verdictOn(words.ask(server.url, limits))).toMatch(expected);
      expect(server.requests.map(({ path }) => path).slice(1)).toEqual([words.health]);
    });

    test('of a server that is gone is an outage', async () => {
      const server = await serving((_request, response) => {
        server.leave();
        response.shouldKeepAlive = false;
        fail(response, words);
      });
      expect(await verdictOn(words.ask(server.url, limits))).toBe(
        `outage: no answer from ${server.url}${words.health}: nothing listens there (ECONNREFUSED)`,
      );
    });
  });

  test.each([
    ['an answer', (response: ServerResponse) => response.end(words.begin + words.whole), /^$/],
    [
      'a refusal for good',
      (response: ServerResponse) => response.writeHead(400).end('{"error":"bad"}'),
      /^backend_error for good/,
    ],
    ['an overloaded server', (response: ServerResponse) => response.writeHead(503).end(), /^outage: HTTP 503/],
  ])('%s costs no further request', async (_name, reply, expected) => {
    const server = await serving((_request, response) => reply(response));
    const verdict = await verdictOn(words.ask(server.url)).catch((error: Error) => {
      expect(error.message).toBe('the call did not fail');
      return '';
    });
    expect(verdict).toMatch(expected);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [400, 'exceed_context_size_error'],
    [413, "This model's maximum context length is 8 tokens"],
    [500, 'the request exceeds the available context size, try increasing it'],
    [500, 'prompt too long; exceeded max context length by 12 tokens'],
    [422, 'The decoder prompt (length 9) is longer than the maximum model length of 8.'],
  ])('HTTP %i with the words of an overflow is one: %s', async (status, message) => {
    const server = await serving((_request, response) => response.writeHead(status).end(JSON.stringify({ error: message })));
    expect(await verdictOn(words.ask(server.url))).toBe(`overflow for good: ${message}`);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [413, 'request body too large', /^backend_error for good: HTTP 413: request body too large$/],
    [500, 'out of memory while the context was allocated', /^backend_error: HTTP 500: /],
    [503, "This model's maximum context length is 8 tokens", /^outage: HTTP 503/],
  ])('HTTP %i without them is no overflow: %s', async (status, message, expected) => {
    const server = await serving((_request, response) => response.writeHead(status).end(JSON.stringify({ error: message })));
    expect(await verdictOn(words.ask(server.url))).toMatch(expected);
  });

  test('an overflow that is reported in mid-answer is one, and no other error is', async () => {
    const message = 'the prompt is longer than the context length currently available to the model';
    const telling = await serving((_request, response) => response.end(words.begin + words.error(message)));
    expect(await verdictOn(words.ask(telling.url))).toMatch(/^overflow for good: .*longer than the context length/);
    expect(telling.requests).toHaveLength(1);
    const other = await serving((_request, response) =>
      response.end(words.begin + words.error('Context size has been exceeded.')),
    );
    expect(await verdictOn(words.ask(other.url))).toMatch(/^backend_error: /);
  });
});

describe('a key that a server echoes', () => {
  const key = `sk-"quoted\\and"-${'0123456789'.repeat(4)}`;
  const ask = async (chat: RequestListener): Promise<string> => {
    const { url } = await serving(chat);
    const model = openaiModel(shared.dispatcher, {
      url: `${url}/v1`,
      timeoutMs: 60_000,
      idleMs: 60_000,
      apiKey: () => key,
      keySource: '',
    });
    return verdictOn(model.complete(request, new AbortController().signal));
  };
  /** No stretch of the key that would reveal a part of it, in any spelling of its quotes and backslashes. */
  const expectNoPart = (verdict: string) => expect(verdict.replaceAll('\\', '')).not.toMatch(/sk-|quoted|and"|0123/);

  test('is taken out before the text is cut, wherever the cut falls', async () => {
    for (let length = 140; length <= 330; length += 10) {
      const filler = 'x'.repeat(length);
      const texts: RequestListener[] = [
        (_request, response) => response.end(`data: ${JSON.stringify({ error: `${filler}${key}` })}\n\n`),
        (_request, response) => response.end(`data: ${JSON.stringify({ error: { message: `${filler}${key}` } })}\n\n`),
        (_request, response) => response.end(`${filler}${key}\n`),
        (_request, response) => response.end(`data: {"${filler}${JSON.stringify(key).slice(1)}}\n\n`),
        (_request, response) => response.writeHead(500).end(`{"detail":"${filler}","key":${JSON.stringify(key)}}`),
        (_request, response) => response.end(event({ choices: [{ delta: {}, finish_reason: `${filler}${key}` }] })),
      ];
      for (const text of texts) expectNoPart(await ask(text));
    }
  });

  test('is taken out where it is escaped, and the rest of the text stays', async () => {
    const body = JSON.stringify({ detail: `no such key: ${key}`, at: 'the door' });
    expect(await ask((_request, response) => response.writeHead(500).end(body))).toBe(
      'backend_error: HTTP 500: {"detail":"no such key: …","at":"the door"}',
    );
  });

  test('leaves a message of bounded length', async () => {
    expect((await ask((_request, response) => response.end('y'.repeat(100_000)))).length).toBeLessThan(400);
  });
});
