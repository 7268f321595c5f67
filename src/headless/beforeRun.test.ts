import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveGiant } from '../main/engine/models/testing/giant.ts';
import { serve } from '../main/engine/models/testing/server.ts';
import { doctorReportSchema } from '../shared/commandOutputs.ts';
import { planReportSchema } from '../shared/outputs.ts';
import { changed, errorOf, lineOf, openBench, sampleExperiment, snapshot } from './testing.ts';

/** Notes and refusals about models, servers and keys, before a run asks any of them. */

const key = 'sk-quite-secret';
const bench = await openBench({}, { GPU_KEY: key, GITHUB_TOKEN: key });
const { standin } = bench;

test('run --plan warns of a model that will not fit with the slots of the run, in words and as JSON', async () => {
  const server = await serveGiant('giant:1t');
  const { file, store } = bench.project('fit', changed(sampleExperiment, ['llama3.1:8b', 'giant:1t']));
  const words = `run ${file} --plan --store ${store} --ollama ${server.url}`;
  const [text, json] = await Promise.all([
    bench.assize(`${words} --concurrency 3`),
    bench.assize(`${words} --json --concurrency 1`),
  ]);
  await server.close();
  expect(text.code, text.errors).toBe(0);
  expect(text.output).toMatch(/^Note: model giant:1t: It needs about .* x 3 slots\).*It will not fit/m);
  const { notes } = planReportSchema.parse(JSON.parse(json.output));
  const [note] = notes.filter((each) => each.startsWith('model giant:1t:'));
  expect(note).toMatch(/It will not fit/);
  expect(note).not.toContain('slots)');
});

test.each(['harmless:8b', 'gpt-oss:120b-cloud', 'kimi-k2:cloud'])(
  'a model that runs on another machine is refused by run, by its plan and by try, and is never asked: %s',
  async (model) => {
    // It lists a model under a name that says nothing, and runs it on someone else's machine.
    const models = [{ name: 'harmless:8b', digest: 'a'.repeat(64), remote_host: 'https://ollama.com', remote_model: 'large' }];
    const bodies: Record<string, unknown> = { '/api/version': { version: '0.33.0' }, '/api/tags': { models } };
    const server = await serve(({ url = '' }, response) => void response.end(JSON.stringify(bodies[url] ?? {})));
    const { room, file, store } = bench.project(model, changed(sampleExperiment, ['llama3.1:8b', model]));
    const to = `--store ${store} --ollama ${server.url} --json`;
    const facts = `--question Rain? --facts ${join(room, 'data.csv')} --labels NO,YES`;
    for (const words of [
      `run ${file} ${to}`,
      `run ${file} ${to} --start-ollama`,
      `run ${file} ${to} --plan`,
      `try --protocol standard --model ${model} ${facts} ${to}`,
    ]) {
      const ended = await bench.assize(words);
      expect(ended.code, ended.errors).toBe(2);
      expect(errorOf(ended)).toMatchObject({
        code: 'bad-input',
        message: expect.stringContaining(`model ${model} runs on somebody else's machine; name a local model`),
      });
    }
    expect(existsSync(store)).toBe(false);
    expect(server.requests.map(({ path }) => path)).not.toContain('/api/chat');
    await server.close();
  },
);

/** A copy of the sample whose server is sent a key; no role is cast from a second one. */
function keyed(room: string, url: string, apiKeyVariable = 'GPU_KEY') {
  const unasked = { kind: 'openai', url: 'http://unasked.example.org/v1', apiKeyVariable: 'GPU_KEY' };
  const backends = { default: { kind: 'openai', url, apiKeyVariable }, unasked };
  return bench.project(room, JSON.stringify({ ...JSON.parse(sampleExperiment), backends }, null, 2));
}

test('plan and doctor say which variable is sent to which host, and never what it holds', async () => {
  const { file, store } = keyed('keyed', `${standin.url}/v1`);
  const [plan, words, doctor] = await Promise.all([
    bench.assize(`run ${file} --plan --store ${store} --json`),
    bench.assize(`run ${file} --plan --store ${store}`),
    bench.assize(`doctor ${file} --store ${store} --json`),
  ]);
  const note = `backend default: the key in GPU_KEY is sent to ${new URL(standin.url).host}`;
  expect(planReportSchema.parse(JSON.parse(plan.output)).notes).toContain(note);
  expect(words.output).toContain(`Note: ${note}\n`);
  const checks = doctorReportSchema.parse(JSON.parse(doctor.output)).checks;
  expect(checks).toContainEqual({ name: 'key of default', state: 'ok', found: note, mend: null });
  for (const { output, errors } of [plan, words, doctor]) {
    expect(output + errors).not.toContain(key);
    expect(output + errors).not.toContain('unasked');
  }
});

test('a server in place of the one with the key is sent none, and no note says otherwise', async () => {
  const plan = await keyed('replaced', 'http://gpu.invalid/v1').run('--plan');
  expect(plan.code, plan.errors).toBe(0);
  expect(planReportSchema.parse(JSON.parse(plan.output)).notes.join()).not.toContain('GPU_KEY');
});

test.each(['', '--plan'])('"run %s" sends no key over plain http to a host that is not allowed by name', async (words) => {
  const { room, file, store } = keyed(`plain${words}`, 'http://192.0.2.1:8000/v1');
  const before = snapshot(room);
  const ended = await bench.assize(`run ${words} ${file} --store ${store} --json`);
  expect(ended.code).toBe(2);
  expect(errorOf(ended)).toMatchObject({ code: 'bad-input', field: 'backends.default.apiKeyVariable' });
  expect(ended.errors).toMatch(
    /the key in GPU_KEY would go to 192\.0\.2\.1 over plain http.*https.*SSH tunnel.*--allow-host 192\.0\.2\.1/,
  );
  expect(ended.errors).not.toContain(key);
  expect(snapshot(room)).toEqual(before);
});

test('a file that names another secret is refused with its line, for any server', async () => {
  const { file, store } = keyed('foreign', `${standin.url}/v1`, 'GITHUB_TOKEN');
  const asked = standin.requests().length;
  const ended = await bench.assize(`run ${file} --store ${store} --json`);
  expect(ended.code).toBe(2);
  expect(errorOf(ended)).toMatchObject({
    field: 'backends.default.apiKeyVariable',
    line: lineOf(readFileSync(file, 'utf8'), '"GITHUB_TOKEN"'),
  });
  expect(ended.errors).toContain('GITHUB_TOKEN is not read as the key of a server');
  expect(ended.errors).not.toContain(key);
  expect(standin.requests()).toHaveLength(asked);
});
