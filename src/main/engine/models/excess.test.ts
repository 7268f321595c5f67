import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { kept } from '../testing/kept.ts';
import { ollamaModel } from './ollama.ts';
import { openaiModel } from './openai.ts';
import type { LanguageModel } from './port.ts';
import { asking, request, streams, verdictOn } from './testing/asking.ts';
import { part, serve } from './testing/server.ts';

const shared = asking();
const key = 'sk-very"secret';

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const delta = (content: string, more: object = {}) => event({ choices: [{ delta: { content, ...more }, finish_reason: null }] });
const stop = event({ choices: [{ delta: {}, finish_reason: 'stop' }] });

function clientWith(url: string, apiKey: string): LanguageModel {
  return openaiModel(shared.dispatcher, {
    url,
    timeoutMs: 60_000,
    idleMs: 20_000,
    apiKey: () => apiKey,
    keySource: 'of this test',
  });
}

/** What differs between the two interfaces. */
const kinds: readonly {
  name: string;
  piece: (content: string) => string;
  client: (url: string) => LanguageModel;
}[] = [
  {
    name: 'ollama',
    piece: (content) => part(content),
    client: (url) => ollamaModel(shared.dispatcher, { url, timeoutMs: 60_000, idleMs: 20_000 }),
  },
  {
    name: 'openai',
    piece: (content) => delta(content),
    client: (url) => clientWith(url, key),
  },
];

/** A server that is there, however it answers a call. */
const serving = async (chat: RequestListener, about: object = {}) =>
  kept(
    await serve((sent, response) => {
      if (sent.method === 'POST') chat(sent, response);
      else response.end(JSON.stringify({ version: '1', models: [], data: [{ id: 'm:1' }], ...about }));
    }),
  );

/** Writes until the other end closes. */
const forEver =
  (status: number, text: string): RequestListener =>
  (_request, response) => {
    response.writeHead(status);
    const more = () => {
      while (!response.destroyed && response.write(text));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };

/** Words of letters, none twice: what repeats itself is cut as a loop before it is too long. */
const neverTheSame = Array.from({ length: 1 << 14 }, (_, index) =>
  index.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit))),
).join(' ');

const ask = (model: LanguageModel) => model.complete(request, new AbortController().signal);

describe.each(kinds)('$name', ({ piece, client }) => {
  test('an error without end is read as far as it may say something', async () => {
    const { url } = await serving(forEver(500, 'x'.repeat(1 << 16)));
    expect(await verdictOn(ask(client(url)))).toMatch(/^backend_error: HTTP 500: x{290}/);
  });

  test('an error that grows when it is unpacked is treated as any other', async () => {
    const packed = gzipSync(Buffer.alloc(1 << 26, 'x'));
    const { url } = await serving((_request, response) => response.writeHead(500, { 'content-encoding': 'gzip' }).end(packed));
    expect(await verdictOn(ask(client(url)))).toMatch(/^backend_error: HTTP 500: x{290}/);
  });

  test('an answer without end is refused where it is longer than its tokens can be', async () => {
    const { url } = await serving(forEver(200, piece(neverTheSame)));
    expect(await verdictOn(ask(client(url)))).toMatch(/^backend_error: the answer is longer than \d+ bytes/);
  });

  test('a server that describes itself without end is taken for one that is away', async () => {
    const server = kept(await serve(forEver(200, ' '.repeat(1 << 16))));
    expect(await verdictOn(client(server.url).models())).toMatch(/^outage: no answer from .*: its answer has no end/);
  });
});

test('an error that is null does not count', async () => {
  const { url } = await serving(streams(delta('{}'), event({ error: null, choices: [{ delta: {}, finish_reason: 'stop' }] })));
  expect(await ask(clientWith(url, key))).toMatchObject({ text: '{}', doneReason: 'stop' });
});

test('a key that a server repeats in an answer, a thought, its version or its models is not kept', async () => {
  const escaped = JSON.stringify({ a: key });
  const about = { build_info: `b1 ${key}`, data: [{ id: key }] };
  const { url } = await serving(
    streams(delta(escaped.slice(0, 9)), delta(escaped.slice(9)), delta('', { reasoning_content: `it is ${key}` }), stop),
    about,
  );
  const model = clientWith(url, key);
  expect(await ask(model)).toMatchObject({ text: '{"a":"…"}', thinking: 'it is …' });
  expect(await model.version()).toMatchObject({ version: 'llama.cpp b1 …' });
  expect(await model.models()).toMatchObject([{ name: '…' }]);
});

test('an answer is not changed where the key is a mere word', async () => {
  const { url } = await serving(streams(delta('{"a":"EMPTY"}'), stop));
  expect(await ask(clientWith(url, 'EMPTY'))).toMatchObject({ text: '{"a":"EMPTY"}' });
});
