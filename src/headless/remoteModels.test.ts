import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changed, errorOf, openWorkbench, sampleExperiment, type Workbench, writeExperiment } from './testing.ts';

/** An Ollama that lists a model under a name that tells nothing, and runs it on somebody else's machine. */
const models = [{ name: 'harmless:8b', digest: 'a'.repeat(64), remote_host: 'https://ollama.com', remote_model: 'large' }];
const bodies: Record<string, unknown> = { '/api/version': { version: '0.33.0' }, '/api/tags': { models } };
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end(JSON.stringify(bodies[request.url ?? ''] ?? {}));
});
let bench: Workbench;
let url: string;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bench = openWorkbench();
});

afterAll(async () => {
  await new Promise((done) => server.close(done));
  bench.remove();
});

test.each(['harmless:8b', 'gpt-oss:120b-cloud', 'kimi-k2:cloud'])(
  'a model that runs on another machine is refused by run, by its plan and by try, and is never asked: %s',
  async (model) => {
    const room = bench.room(model.replaceAll(':', '-'));
    const file = writeExperiment(room, changed(sampleExperiment, ['llama3.1:8b', model]));
    const store = join(room, 'store.db');
    const to = ['--store', store, '--ollama', url, '--json'];
    const facts = ['--question', 'Will it rain?', '--facts', join(room, 'data.csv'), '--labels', 'NO,YES'];
    for (const words of [
      ['run', file, ...to],
      ['run', file, ...to, '--start-ollama'],
      ['run', file, ...to, '--plan'],
      ['try', '--protocol', 'standard', '--model', model, ...facts, ...to],
    ]) {
      const ended = await bench.assize(words);
      expect(ended.code, ended.errors).toBe(2);
      expect(errorOf(ended)).toMatchObject({
        code: 'bad-input',
        message: expect.stringContaining(`model ${model} runs on somebody else's machine; name a local model`),
      });
    }
    expect(existsSync(store)).toBe(false);
    expect(asked).not.toContain('/api/chat');
  },
  60_000,
);
