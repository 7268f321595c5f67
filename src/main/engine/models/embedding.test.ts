import { describe, expect, test } from 'vitest';
import { BackendOutage, CallFailure } from '../../../shared/model.ts';
import { kept } from '../testing/kept.ts';
import { startDemoServer } from './demo/demoServer.ts';
import { createDispatcher } from './dispatcher.ts';
import { ollamaModel } from './ollama.ts';
import { openaiModel } from './openai.ts';
import type { LanguageModel } from './port.ts';
import { serve, type TestServer } from './testing/server.ts';

const limits = { timeoutMs: 60_000, idleMs: 60_000 };

/** The same server over both interfaces. */
function models(url: string): Record<'ollama' | 'openai', LanguageModel> {
  const dispatcher = kept(createDispatcher({ allowedHosts: [] }));
  return {
    ollama: ollamaModel(dispatcher, { url, ...limits }),
    openai: openaiModel(dispatcher, { url: `${url}/v1`, ...limits, apiKey: () => null, keySource: 'there is no key' }),
  };
}

const embed = (model: LanguageModel, texts: readonly string[], numCtx?: number) =>
  model.embed({ model: 'nomic-embed-text', texts, ...(numCtx === undefined ? {} : { numCtx }) }, new AbortController().signal);

/** A server that answers every request for vectors alike. */
async function answering(status: number, body: unknown): Promise<TestServer> {
  const server = await serve((request, response) => {
    const listed = request.url === '/api/version' ? { version: '1' } : { data: [] };
    response.writeHead(request.method === 'GET' ? 200 : status, { 'content-type': 'application/json' });
    const answer = request.method === 'GET' ? listed : body;
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  return kept(server);
}

test('both interfaces of the demo model give the same vectors, in the order of the texts, and say that it is the demo model', async () => {
  const standin = kept(await startDemoServer());
  const { ollama, openai } = models(standin.url);
  const texts = ['a roof', 'a vase', 'a roof'];
  const [one, other] = [await embed(ollama, texts), await embed(openai, texts)];
  expect(one.vectors).toEqual(other.vectors);
  expect(one.vectors[0]).toEqual(one.vectors[2]);
  expect(one.vectors[0]).not.toEqual(one.vectors[1]);
  expect([one.standin, other.standin]).toEqual([true, true]);
  expect(one.promptTokens).toBeGreaterThan(0);
});

test('what is sent: no text may be cut in silence, and a context only where one is wanted', async () => {
  const server = await answering(200, { embeddings: [[1, 0]], data: [{ index: 0, embedding: [1, 0] }] });
  const { ollama, openai } = models(server.url);
  await embed(ollama, ['x']);
  await embed(ollama, ['x'], 512);
  await embed(openai, ['x']);
  const base = { model: 'nomic-embed-text', input: ['x'], truncate: false, keep_alive: '30m' };
  expect(server.requests.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
    ['/api/embed', base],
    ['/api/embed', { ...base, options: { num_ctx: 512 } }],
    ['/v1/embeddings', { model: 'nomic-embed-text', input: ['x'], encoding_format: 'float' }],
  ]);
});

test('an answer out of order is put in order by its indexes', async () => {
  const data = [
    { index: 1, embedding: [0, 1] },
    { index: 0, embedding: [1, 0] },
  ];
  const server = await answering(200, { data });
  expect((await embed(models(server.url).openai, ['a', 'b'])).vectors).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

test.each([
  ['ollama', 400, { error: 'the input length exceeds the context length' }],
  ['openai', 400, { error: { message: 'This model has a maximum context length of 512 tokens', type: 'BadRequestError' } }],
  ['openai', 500, { error: { code: 500, message: 'input (771 tokens) is too large to process', type: 'server_error' } }],
] as const)('%s: a text that is too long is an overflow for good (HTTP %i)', async (kind, status, body) => {
  const server = await answering(status, body);
  await expect(embed(models(server.url)[kind], ['a'])).rejects.toMatchObject({
    name: 'CallFailure',
    kind: 'overflow',
    permanent: true,
  });
});

describe.each(['ollama', 'openai'] as const)('%s', (kind) => {
  const asked = async (status: number, body: unknown) => {
    const server = await answering(status, body);
    return embed(models(server.url)[kind], ['a', 'b']).catch((error: unknown) => error);
  };

  test.each([
    ['too few', [[1, 0]]],
    ['of several lengths', [[1, 0], [1]]],
    ['empty', [[], []]],
    ['no numbers', [['1'], ['0']]],
    [
      'with a gap',
      [
        [1, null],
        [0, 1],
      ],
    ],
    ['none', undefined],
  ])('vectors that are %s are a failed answer', async (_what, vectors) => {
    const body = { embeddings: vectors, data: vectors?.map((embedding, index) => ({ embedding, index })) ?? [] };
    expect(await asked(200, body)).toMatchObject({ name: 'CallFailure', kind: 'backend_error', permanent: false });
  });

  test('text that is no JSON is a failed answer, and a server that is overloaded an outage', async () => {
    expect(await asked(200, 'so sorry')).toBeInstanceOf(CallFailure);
    expect(await asked(503, { error: 'busy' })).toBeInstanceOf(BackendOutage);
  });
});
