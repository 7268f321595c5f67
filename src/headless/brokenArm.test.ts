import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { planReportSchema, runReportSchema } from '../shared/outputs.ts';
import { openWorkbench, sampleExperiment, writeExperiment } from './testing.ts';

const bench = openWorkbench();
afterAll(() => bench.remove());

const sickServer = () =>
  startDemoServer({
    models: ['sick:1', 'well:1'],
    anyModel: false,
    fault: (_seen, body) => (body.includes('"sick:1"') ? { kind: 'reset' } : null),
  });

test('an arm whose calls all break off is given up, and the run goes on to the arm behind it', async () => {
  const standin = await sickServer();
  const room = bench.room('broken');
  const arm = { protocol: 'agentic-sim', params: { turns: 1 } };
  const experiment = {
    ...(JSON.parse(sampleExperiment) as object),
    runtime: { retries: 0, waitMinutes: 0 },
    arms: [
      { ...arm, name: 'first', cast: { '*': { model: 'sick:1' } } },
      { ...arm, name: 'second', cast: { '*': { model: 'well:1' } } },
    ],
  };
  const file = writeExperiment(room, JSON.stringify(experiment));
  const words = ['run', file, '--json', '--store', join(room, 'store.db'), '--ollama', standin.url];
  const plan = await bench.assize([...words, '--plan']);
  expect(planReportSchema.parse(JSON.parse(plan.output)).calls_at_a_time).toEqual({ default: 1 });
  const run = await bench.assize(words);
  await standin.close();
  expect(run.code, run.errors).toBe(3);
  const { outcomes, planned, complete } = runReportSchema.parse(JSON.parse(run.output));
  expect(complete).toBe(true);
  expect(outcomes).toEqual({ backend_error: planned / 2, decided: planned / 2 });
});

test('a tried case whose calls all break off ends without a verdict, while the server answers other models', async () => {
  const standin = await sickServer();
  const room = bench.room('tried');
  writeFileSync(join(room, 'facts.txt'), 'He was arrested twice.');
  const words = ['--question', 'Again?', '--labels', 'NO,YES', '--facts', join(room, 'facts.txt'), '--ollama', standin.url];
  const place = ['--store', join(room, 'store.db')];
  const tried = await bench.assize(['try', '--protocol', 'standard', '--model', 'sick:1', ...words, ...place]);
  await standin.close();
  expect(tried.code, tried.errors).toBe(3);
  expect(tried.output).toContain('backend_error');
});
