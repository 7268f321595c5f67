import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoServer, startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { doctorReportSchema, planReportSchema } from '../shared/outputs.ts';
import { errorOf, lineOf, openWorkbench, sampleExperiment, snapshot, type Workbench, writeExperiment } from './testing.ts';

const key = 'sk-quite-secret';
let bench: Workbench;
let standin: DemoServer;

beforeAll(async () => {
  bench = openWorkbench({ GPU_KEY: key, GITHUB_TOKEN: key });
  standin = await startDemoServer({ port: 0 });
});

afterAll(async () => {
  await standin.close();
  bench.remove();
});

/** A copy of the sample whose only server is sent a key. */
const keyed = (room: string, url: string, apiKeyVariable = 'GPU_KEY') =>
  writeExperiment(
    room,
    JSON.stringify({ ...JSON.parse(sampleExperiment), backends: { default: { kind: 'openai', url, apiKeyVariable } } }, null, 2),
  );

test('plan and doctor tell which variable is sent to which host, and never what it holds', async () => {
  const room = bench.room('told');
  const file = keyed(room, `${standin.url}/v1`);
  const store = join(room, 'store.db');
  const [plan, words, doctor] = await Promise.all([
    bench.assize(['run', file, '--plan', '--store', store, '--json']),
    bench.assize(['run', file, '--plan', '--store', store]),
    bench.assize(['doctor', file, '--store', store, '--json']),
  ]);
  const host = new URL(standin.url).host;
  expect(planReportSchema.parse(JSON.parse(plan.output)).notes).toContain(
    `backend default: the key in GPU_KEY is sent to ${host}`,
  );
  expect(words.output).toContain(`Note: backend default: the key in GPU_KEY is sent to ${host}\n`);
  const checks = doctorReportSchema.parse(JSON.parse(doctor.output)).checks;
  expect(checks).toContainEqual({
    name: 'key of default',
    state: 'ok',
    found: `backend default: the key in GPU_KEY is sent to ${host}`,
    mend: null,
  });
  for (const { output, errors } of [plan, words, doctor]) expect(output + errors).not.toContain(key);
});

test('a server in place of the one with the key is sent none, and nothing of the kind is told', async () => {
  const room = bench.room('replaced');
  const file = keyed(room, 'http://gpu.invalid/v1');
  const plan = await bench.assize(['run', file, '--plan', '--store', join(room, 'store.db'), '--ollama', standin.url, '--json']);
  expect(plan.code, plan.errors).toBe(0);
  expect(planReportSchema.parse(JSON.parse(plan.output)).notes.join()).not.toContain('GPU_KEY');
});

test.each([[['run']], [['run', '--plan']]])(
  '%j sends no key over plain http to a host that is not allowed by name',
  async (words) => {
    const room = bench.room(`plain-${words.length}`);
    const file = keyed(room, 'http://192.0.2.1:8000/v1');
    const before = snapshot(room);
    const ended = await bench.assize([...words, file, '--store', join(room, 'store.db'), '--json']);
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({ code: 'bad-input', field: 'backends.default.apiKeyVariable' });
    expect(ended.errors).toMatch(
      /the key in GPU_KEY would go to 192\.0\.2\.1 over plain http.*https.*SSH tunnel.*--allow-host 192\.0\.2\.1/,
    );
    expect(ended.errors).not.toContain(key);
    expect(snapshot(room)).toEqual(before);
  },
);

test('a file that names another secret is refused with its line, whatever the server is', async () => {
  const room = bench.room('foreign');
  const file = keyed(room, `${standin.url}/v1`, 'GITHUB_TOKEN');
  const asked = standin.requests().length;
  const ended = await bench.assize(['run', file, '--store', join(room, 'store.db'), '--json']);
  expect(ended.code).toBe(2);
  expect(errorOf(ended)).toMatchObject({
    field: 'backends.default.apiKeyVariable',
    line: lineOf(readFileSync(file, 'utf8'), '"GITHUB_TOKEN"'),
  });
  expect(ended.errors).toContain('GITHUB_TOKEN is not read as the key of a server');
  expect(ended.errors).not.toContain(key);
  expect(standin.requests()).toHaveLength(asked);
});
