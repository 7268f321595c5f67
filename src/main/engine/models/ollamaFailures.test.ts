import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { Ollama } from 'ollama';
import { describe, expect, test } from 'vitest';
import { kept } from '../testing/kept.ts';
import { createDispatcher } from './dispatcher.ts';
import { asking, streams, verdictOn } from './testing/asking.ts';
import { last, part, serve } from './testing/server.ts';

const shared = asking();
const { serving, ask, model } = shared;

describe('refusal with a status', () => {
  const overflow = JSON.stringify({
    error: { code: 400, message: 'too long', type: 'exceed_context_size_error', n_prompt_tokens: 9, n_ctx: 8 },
  });
  test.each<[number, string, string | RegExp]>([
    [400, JSON.stringify({ error: overflow }), `overflow for good: ${overflow}`],
    [400, '{"error":"invalid format"}', 'backend_error for good: HTTP 400: invalid format'],
    [401, '{"error":"unauthorized"}', /^no-backend: http.*: the server refuses access \(HTTP 401\); Assize sends no key to/],
    [403, '', /^no-backend: http.*: the server refuses access \(HTTP 403\); Assize sends no key to/],
    [
      404,
      '{"error":"model \'m:1\' not found"}',
      'missing-model: the server does not have model m:1; get it with: ollama pull m:1',
    ],
    [
      404,
      '<html>404</html>',
      /^missing-model: http.* answers HTTP 404 when model m:1 is asked: <html>404<\/html>; check the address/,
    ],
    [405, 'no\n', 'backend_error for good: HTTP 405: no'],
    [413, '{"error":7}', 'backend_error for good: HTTP 413: {"error":7}'],
    [429, '{"error":"slow down"}', 'outage: HTTP 429 (too many requests)'],
    [500, '{"error":"llama runner process has terminated"}', 'backend_error: HTTP 500: llama runner process has terminated'],
    [501, '<html>', 'backend_error: HTTP 501: <html>'],
    [502, '<html>bad gateway</html>', 'outage: HTTP 502 (bad gateway)'],
    [503, '{"error":"server busy"}', 'outage: HTTP 503 (unavailable)'],
    [504, '{broken', 'outage: HTTP 504 (gateway timeout)'],
  ])('HTTP %i %s', async (status, body, expected) => {
    const server = await serving((_request, response) => {
      response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' }).end(body);
    });
    const verdict = await verdictOn(ask(server.url));
    if (typeof expected === 'string') expect(verdict).toBe(expected);
    else expect(verdict).toMatch(expected);
    expect(server.requests.filter(({ path }) => path === '/api/chat')).toHaveLength(1);
  });

  test('a long text is shortened', async () => {
    const server = await serving((_request, response) => response.writeHead(500).end('x'.repeat(100_000)));
    expect((await verdictOn(ask(server.url))).length).toBeLessThan(400);
  });

  test.each([301, 302, 303, 307, 308])('redirect %i is not followed, in a chat or in a probe', async (status) => {
    const other = await serving(streams(last()));
    const server = kept(
      await serve((request, response) => response.writeHead(status, { location: `${other.url}${request.url}` }).end('moved')),
    );
    const advice = 'give the address of the server itself';
    const expected = `no-backend: ${server.url} redirects (HTTP ${status}), and Assize follows no redirects; ${advice}`;
    expect(await verdictOn(ask(server.url))).toBe(expected);
    expect(await verdictOn(model(server.url).version())).toBe(expected);
    expect(other.requests).toEqual([]);
  });
});

describe('answer that goes wrong', () => {
  const ended = 'backend_error: the answer ended before it was done';
  test.each<[string, readonly string[], string | RegExp]>([
    ['no last line', [part('a')], ended],
    ['nothing at all', [], ended],
    ['blank lines only', ['\n', '\r\n', ' \n'], ended],
    ['garbage', [part('a'), '%PDF-1.7\n', last()], 'backend_error: a line of the answer is not JSON: %PDF-1.7'],
    ['a line cut short', [part('a'), part('b').slice(0, 20)], /^backend_error: a line of the answer is not JSON: /],
    ['half a letter', [part('a'), '\n', 'Ã'], /^backend_error: a line of the answer is not JSON: /],
    ['HTML', ['<!doctype html>\n<p>Log in</p>\n'], 'backend_error: a line of the answer is not JSON: <!doctype html>'],
    ['an error', [part('a'), '{"error":"unexpected EOF"}\n'], 'backend_error: the server gave up in mid-answer: unexpected EOF'],
    ['an error without a line end', ['{"error":"oom"}'], 'backend_error: the server gave up in mid-answer: oom'],
    ['an error as an object', ['{"error":{"code":5}}\n'], 'backend_error: the server gave up in mid-answer: {"code":5}'],
    ['a number', ['42\n'], 'backend_error: a line of the answer is not part of a chat: 42'],
    ['null', ['null\n'], 'backend_error: a line of the answer is not part of a chat: null'],
    [
      'a progress line',
      ['{"status":"success"}\n'],
      'backend_error: a line of the answer is not part of a chat: {"status":"success"}',
    ],
    ['a message without text', ['{"message":{},"done":false}\n', last()], /not part of a chat/],
    ['a part without a message', ['{"message":null,"done":false}\n', last()], /not part of a chat/],
    ['a thought that is no text', ['{"message":{"content":"a","thinking":3},"done":false}\n', last()], /not part of a chat/],
    ['a last text that is none', ['{"message":{"content":3},"done":true}\n'], /not part of a chat/],
    ['no word on whether it is done', ['{"message":{"content":"a"},"done":"no"}\n', last()], /not part of a chat/],
  ])('%s', async (_name, texts, expected) => {
    const server = await serving(streams(...texts.map((text) => (text === 'Ã' ? Uint8Array.of(0xc3) : text))));
    expect(await verdictOn(ask(server.url))).toMatch(expected);
  });

  test('the package itself would have printed some of these', async () => {
    const server = await serving(streams('\n', last()));
    for await (const _line of await new Ollama({ host: server.url }).chat({ model: 'm', stream: true }));
    expect(shared.printed.splice(0)).toEqual([['invalid json: ', '']]);
  });

  test('a failed answer is not read on: the server sees the connection close', async () => {
    const server = await serving((_request, response) => {
      response.write('garbage\n');
    });
    expect(await verdictOn(ask(server.url))).toBe('backend_error: a line of the answer is not JSON: garbage');
    await expect.poll(() => server.aborted()).toBe(1);
  });

  test('an endless line is not collected for ever', async () => {
    const server = await serving((_request, response) => {
      const block = 'x'.repeat(2 ** 20);
      const more = () => {
        while (!response.destroyed && response.write(block));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    expect(await verdictOn(ask(server.url))).toBe('backend_error: a line of the answer is too long');
  });
});

describe('no connection', () => {
  test('refused', async () => {
    const server = await serve(() => undefined);
    await server.close();
    expect(await verdictOn(ask(server.url))).toBe(`outage: no connection to ${server.url}: ECONNREFUSED`);
  });

  test('a name that cannot be resolved', async () => {
    await shared.dispatcher.close();
    shared.dispatcher = createDispatcher({
      allowedHosts: ['models.invalid'],
      resolve: (_host, _options, callback) => callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []),
    });
    expect(await verdictOn(ask('http://models.invalid:11434'))).toBe(
      'outage: no connection to http://models.invalid:11434: ENOTFOUND',
    );
  });

  test.each([
    ['closed before any byte', '', /^outage: .*: the connection was cut \(UND_ERR_SOCKET\)$/],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', /^outage: .*: Response does not match the HTTP\/1\.1 protocol/],
  ])('%s', async (_name, greeting, expected) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(greeting));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    kept(server);
    const { port } = server.address() as AddressInfo;
    expect(await verdictOn(ask(`http://127.0.0.1:${port}`))).toMatch(expected);
  });

  test('a host that is not this machine: bad input, and nothing is sent', async () => {
    expect(await verdictOn(ask('http://models.invalid:11434'))).toMatch(/^bad-input: models\.invalid is not this machine/);
    expect([...shared.dispatcher.connections()]).toEqual([]);
  });
});

describe('probe', () => {
  test.each<[string, RequestListener, RegExp]>([
    ['a page', (_request, response) => response.end('<html>'), /, but this is not an Ollama server$/],
    ['other JSON', (_request, response) => response.end('{}'), /, but this is not an Ollama server$/],
    [
      '404',
      (_request, response) => response.writeHead(404).end('no'),
      /something answers at .*, but this is not an Ollama server \(HTTP 404\)$/,
    ],
    [
      '401',
      (_request, response) => response.writeHead(401).end('no'),
      /^no-backend: .*: the server refuses access \(HTTP 401\); Assize sends no key to/,
    ],
  ])('answered with %s', async (_name, answer, expected) => {
    const server = kept(await serve(answer));
    const client = model(server.url);
    expect(await verdictOn(client.version())).toMatch(expected);
    expect(await verdictOn(client.models())).toMatch(expected);
  });

  test('gives version, models and digests', async () => {
    const client = model((await serving(() => undefined)).url);
    expect(await client.version()).toEqual({ version: '0.33.0', standin: false });
    expect(await client.models()).toEqual([{ name: 'm:1', digest: 'd', remote: false }]);
  });

  const tagged = async (models: unknown) =>
    model(
      kept(
        await serve((request, response) => {
          if (request.url === '/api/tags') response.end(JSON.stringify({ models }));
          else response.writeHead(404).end();
        }),
      ).url,
    );

  test('of a server without the question for its version', async () => {
    expect(await (await tagged([])).version()).toEqual({ version: 'unknown', standin: false });
  });

  test('of a server that has null for what it does not have', async () => {
    expect(await (await tagged(null)).models()).toEqual([]);
    const models = [{ name: 'm', digest: null, remote_host: null, remote_model: '' }];
    expect(await (await tagged(models)).models()).toEqual([{ name: 'm', digest: null, remote: false }]);
  });

  test.each([{ remote_host: 'https://models.example' }, { remote_model: 'big' }])(
    'says that a model is remote: %j',
    async (more) => {
      expect(await (await tagged([{ name: 'm', digest: 'd', ...more }])).models()).toEqual([
        { name: 'm', digest: 'd', remote: true },
      ]);
    },
  );
});
