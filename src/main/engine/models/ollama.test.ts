import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { kept } from '../testing/kept.ts';
import { startDemoServer } from './demo/demoServer.ts';
import { createDispatcher } from './dispatcher.ts';
import { modelServer } from './modelServer.ts';
import { ollamaKind, ollamaModel } from './ollama.ts';
import { asking, failureOf, request, streams, verdictOn } from './testing/asking.ts';
import { last, part, serve } from './testing/server.ts';

const shared = asking();
const { serving, ask, model } = shared;

describe('request', () => {
  test('is the documented one, key for key', async () => {
    const server = await serving(streams(last()));
    await ask(`${server.url}/`);
    expect(server.requests).toHaveLength(1);
    const [{ method, path, body } = { method: '', path: '', body: '' }] = server.requests;
    expect(`${method} ${path}`).toBe('POST /api/chat');
    expect(JSON.parse(body)).toStrictEqual({
      model: 'm:1',
      messages: request.messages,
      format: request.schema,
      think: false,
      stream: true,
      keep_alive: '30m',
      truncate: false,
      shift: false,
      options: { temperature: 0.7, seed: 2_147_483_647, num_ctx: 2048, num_predict: 64, min_p: 0.05 },
    });
    expect(JSON.stringify(JSON.parse(body).format), 'the order of keys is the order of generation').toBe(
      JSON.stringify(request.schema),
    );
  });

  test('calls in a row share connections', async () => {
    const server = await serving(streams(part('a'), last()));
    for (let call = 0; call < 20; call++) await ask(server.url);
    // The client waits a moment before it uses one again, so that calls without a pause between take turns on two, or a few.
    expect(shared.dispatcher.connections().get('127.0.0.1')).toBeLessThan(10);
  });
});

describe('answer', () => {
  test('has texts, reasons, counts, and times in milliseconds', async () => {
    const figures = { total_duration: 5_250_000_000, load_duration: 1_500_000, prompt_eval_count: 11, eval_count: 7 };
    const thought = { message: { role: 'assistant', content: '', thinking: 'Hm' } };
    const server = await serving(streams(part('', thought), part('', thought), part('{"a"'), part(':1}'), last(figures)));
    expect(await ask(server.url)).toStrictEqual({
      text: '{"a":1}',
      thinking: 'HmHm',
      doneReason: 'stop',
      promptTokens: 11,
      completionTokens: 7,
      modelMs: 5250,
      loadMs: 1.5,
      standin: false,
    });
  });

  test('is reported while it grows, its thoughts left out', async () => {
    const thought = { message: { role: 'assistant', content: '', thinking: 'Hm' } };
    const server = await serving(streams(part('', thought), part('{"a"'), part(':1}'), last()));
    const seen: string[] = [];
    const { text } = await model(server.url).complete(request, new AbortController().signal, (soFar) => seen.push(soFar));
    expect(seen).toEqual(['{"a"', '{"a":1}']);
    expect(text).toBe('{"a":1}');
  });

  test('may be empty, cut by the token limit, without figures or with impossible ones', async () => {
    const none = { text: '', thinking: null, promptTokens: 0, completionTokens: 0, modelMs: 0, loadMs: 0 };
    expect(await ask((await serving(streams(last()))).url)).toMatchObject({ ...none, doneReason: 'stop' });
    expect(await ask((await serving(streams(last({ done_reason: 'length' })))).url)).toMatchObject({ doneReason: 'length' });
    expect(await ask((await serving(streams(last({ done_reason: undefined })))).url)).toMatchObject({ doneReason: 'stop' });
    const absurd = { prompt_eval_count: -1, eval_count: 1.5, total_duration: 'long', load_duration: -3 };
    expect(await ask((await serving(streams(last(absurd)))).url)).toMatchObject(none);
  });

  test.each(['{"done":true}', '{"done":true,"message":null}', '{"done":true,"message":{"role":"assistant","content":null}}'])(
    'may end with a line without text: %s',
    async (end) => {
      const server = await serving(streams(part('x'), `${end}\n`));
      expect(await ask(server.url)).toMatchObject({ text: 'x', doneReason: 'stop' });
    },
  );

  test('of the demo model says so', async () => {
    const standin = kept(await startDemoServer());
    expect(await ask(standin.url)).toMatchObject({ standin: true, doneReason: 'stop' });
    expect(await model(standin.url).version()).toMatchObject({
      standin: true,
    });
  });

  test('is whole however its bytes are cut, with blank lines and carriage returns between', async () => {
    const text = 'Zoë “€” 😀\u2028';
    const bytes = Buffer.from(`\n${part(text).replace('\n', '\r\n')}\r\n\n${last()}\n \n`);
    const server = await serving(streams(...Array.from(bytes, (byte) => Uint8Array.of(byte))));
    expect((await ask(server.url)).text).toBe(text);
  });

  test('is complete with its last line, though the server keeps the connection', async () => {
    const server = await serving((_request, response) => {
      response.write(part('x') + last());
    });
    // With these limits it is over at once or the test is.
    expect((await ask(server.url, { timeoutMs: 3_600_000, idleMs: 3_600_000 })).text).toBe('x');
    await expect.poll(() => server.aborted()).toBe(1);
  });
});

describe('limits', () => {
  test('an answer that stops', async () => {
    const server = await serving((_request, response) => {
      response.write(part('a'));
    });
    expect(await verdictOn(ask(server.url, { idleMs: 100 }))).toBe('timeout: the answer stood still for 0.1 s');
    await expect.poll(() => server.aborted()).toBe(1);
  });

  test('a queued request may be silent for longer than an answer, but not for ever', async () => {
    const server = await serving(() => undefined);
    const startedAt = performance.now();
    expect(await verdictOn(ask(server.url, { timeoutMs: 300, idleMs: 50 }))).toBe('timeout: no complete answer within 0.3 s');
    expect(performance.now() - startedAt).toBeGreaterThan(280);
    await expect.poll(() => server.aborted()).toBe(1);
  });

  test('a server that reads a long prompt may be silent though it has sent headers and blank lines', async () => {
    const server = await serving(async (_request, response) => {
      response.flushHeaders();
      await sleep(50);
      response.write('\n');
      await sleep(250);
      response.end(part('a') + last());
    });
    expect((await ask(server.url, { idleMs: 100 })).text).toBe('a');
  });

  test('an answer that moves on is ended by the whole limit only', async () => {
    const server = await serving((_request, response) => {
      const timer = setInterval(() => response.write(part('a')), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await verdictOn(ask(server.url, { timeoutMs: 1500, idleMs: 1000 }))).toBe('timeout: no complete answer within 1.5 s');
  });

  test('an error text that does not end', async () => {
    const server = await serving((_request, response) => {
      response.writeHead(500).write('{"err');
    });
    expect(await verdictOn(ask(server.url, { timeoutMs: 200 }))).toBe('timeout: no complete answer within 0.2 s');
  });
});

describe('interruption', () => {
  test.each<[string, string]>([
    ['before any byte', ''],
    ['in mid-answer', part('a')],
  ])('%s closes the connection', async (_name, begin) => {
    const controller = new AbortController();
    const server = await serving((_request, response) => {
      if (begin === '') controller.abort();
      else response.write(begin, () => controller.abort());
    });
    expect(await verdictOn(ask(server.url, { signal: controller.signal }))).toMatch(/^interrupted: /);
    await expect.poll(() => server.aborted()).toBe(1);
  });

  test('in advance: nothing is sent', async () => {
    const server = await serving(streams(last()));
    expect(await verdictOn(ask(server.url, { signal: AbortSignal.abort() }))).toMatch(/^interrupted: /);
    expect(server.requests).toEqual([]);
  });

  test('is no failure of the call, however the call ended', async () => {
    const server = modelServer(shared.dispatcher, { url: 'http://127.0.0.1', timeoutMs: 1000, idleMs: 1000 }, ollamaKind);
    const broken = () => Promise.reject(new Error('the connection broke'));
    const call = server.call({ model: 'm:1' }, AbortSignal.abort(), broken, () => Promise.resolve());
    expect(await verdictOn(call)).toMatch(/^interrupted: /);
  });

  test('while it is being found out whether the server lives', async () => {
    const controller = new AbortController();
    const server = kept(
      await serve((request, response) => {
        if (request.url === '/api/version') controller.abort();
        else response.write(part('a'), () => response.destroy());
      }),
    );
    expect(await verdictOn(ask(server.url, { signal: controller.signal }))).toMatch(/^interrupted: /);
  });

  test('leaves no timer and no socket', async () => {
    const busy = () =>
      process
        .getActiveResourcesInfo()
        .filter((kind) => kind === 'Timeout' || kind === 'TCPSocketWrap')
        .toSorted();
    const standin = await startDemoServer();
    const before = busy();
    const own = createDispatcher({ allowedHosts: [] });
    const client = ollamaModel(own, { url: standin.url, timeoutMs: 60_000, idleMs: 60_000 });
    const controller = new AbortController();
    await client.complete(request, controller.signal);
    const calls = Array.from({ length: 20 }, () => failureOf(client.complete(request, controller.signal)));
    controller.abort();
    await Promise.all(calls);
    await own.close();
    await standin.close();
    await expect.poll(() => busy().length).toBeLessThanOrEqual(before.length);
  });
});
