import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { serveGiant } from '../main/engine/models/testing/giant.ts';
import { planReportSchema } from '../shared/outputs.ts';
import { changed, openWorkbench, sampleExperiment, writeExperiment } from './testing.ts';

const bench = openWorkbench();
afterAll(() => bench.remove());

test('run --plan warns of a model that will not fit with the slots of the run, in words and as JSON', async () => {
  const server = await serveGiant('giant:1t');
  const room = bench.room('fit');
  const file = writeExperiment(room, changed(sampleExperiment, ['llama3.1:8b', 'giant:1t']));
  const words = ['run', file, '--plan', '--store', join(room, 'store.db'), '--ollama', server.url];
  const [text, json] = await Promise.all([
    bench.assize([...words, '--concurrency', '3']),
    bench.assize([...words, '--json', '--concurrency', '1']),
  ]);
  await server.close();
  expect(text.code, text.errors).toBe(0);
  expect(text.output).toMatch(/^Note: model giant:1t: It needs about .* x 3 slots\).*It will not fit/m);
  const { notes } = planReportSchema.parse(JSON.parse(json.output));
  const [note] = notes.filter((each) => each.startsWith('model giant:1t:'));
  expect(note).toMatch(/It will not fit/);
  expect(note).not.toContain('slots)');
});
