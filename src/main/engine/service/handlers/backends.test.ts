import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDemoServer } from '../../models/demo/demoServer.ts';
import { serve } from '../../models/testing/server.ts';
import { kept } from '../../testing/kept.ts';
import { type EngineRoom, failureOf, openEngineRoom } from '../testing/engineRoom.ts';

let room: EngineRoom;
beforeAll(() => {
  room = openEngineRoom({ name: 'backends' });
});
afterAll(() => room.close());

const look = async (ollamaUrl: string) => {
  await room.client.settings.change({ ollamaUrl });
  const [ollama, standin] = await room.client.backends.look({});
  return { ollama, standin };
};

test('a server that answers is ready, with its version and models; the demo model always is', async () => {
  const server = await startDemoServer({ models: ['mine:1b', 'other:3b'] });
  const { ollama, standin } = await look(server.url);
  expect(ollama).toEqual({
    choice: 'ollama',
    url: server.url,
    state: 'ready',
    version: '0.0.0-standin',
    standin: true,
    models: ['mine:1b', 'other:3b'],
    problem: null,
  });
  expect(standin).toMatchObject({ choice: 'standin', state: 'ready', problem: null });
  expect(standin?.models).toContain('llama3.1:8b');
  await server.close();
  expect((await look(server.url)).ollama).toMatchObject({
    state: 'away',
    version: null,
    models: [],
    problem: expect.stringMatching(/ECONNREFUSED.*Start Ollama/),
  });
});

test('models that run elsewhere are left out, and a server that is no Ollama is away', async () => {
  const bodies: Record<string, unknown> = {
    '/api/version': { version: '0.12.0' },
    '/api/tags': {
      models: [
        { name: 'local:8b', digest: 'a' },
        { name: 'big:cloud', digest: 'b', remote_host: 'https://elsewhere.example', remote_model: 'big' },
      ],
    },
  };
  let answer = (url: string): string => JSON.stringify(bodies[url] ?? {});
  const { url } = kept(await serve((request, response) => response.end(answer(request.url ?? ''))));
  expect((await look(url)).ollama).toMatchObject({ state: 'ready', version: '0.12.0', standin: false, models: ['local:8b'] });
  answer = () => '<html>A router</html>';
  expect((await look(url)).ollama).toMatchObject({ state: 'away', problem: expect.stringContaining('not an Ollama server') });
});

test('a host that is not this machine is accepted as a setting, refused until it is allowed, and said so', async () => {
  const url = 'http://models.invalid:11434';
  const { refused } = await room.client.engine.status({});
  const { ollama } = await look(url);
  expect(ollama).toMatchObject({ url, state: 'refused', models: [], standin: false });
  expect(ollama?.problem).toMatch(/^models\.invalid is not this machine.*add models\.invalid to the allowed hosts/);
  expect((await room.client.engine.status({})).refused).toBe(refused + 1);
  await room.client.settings.change({ allowedHosts: ['models.invalid'] });
  expect((await look(url)).ollama).toMatchObject({ state: 'away' });
});

test('settings that do not fit are refused by field', async () => {
  expect(await failureOf(room.client.settings.change({ ollamaUrl: 'http://me:secret@127.0.0.1' }))).toMatchObject({
    code: 'bad-input',
    field: 'ollamaUrl',
  });
  expect(await failureOf(room.client.settings.change({ concurrency: 65 }))).toMatchObject({
    code: 'bad-input',
    field: 'concurrency',
  });
  expect(room.kept).toEqual([]);
});
