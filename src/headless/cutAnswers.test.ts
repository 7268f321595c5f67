import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { runReportSchema } from '../shared/outputs.ts';
import { openWorkbench, sampleExperiment, writeExperiment } from './testing.ts';

const bench = openWorkbench();
afterAll(() => bench.remove());

test.each([
  [['loops:1'], 3, [/truncated: 3 \(the answers repeated themselves until they were cut: .*repeatPenalty/]],
  [['long:1'], 0, [/truncated: 3 \(the answers did not fit: .*numPredict/]],
  [['loops:1', 'long:1'], 3, [/truncated: 6 \(3: the answers repeated/, /; 3: the answers did not fit/]],
])('the run says what to do about trials whose answers were cut: %s', async (models, looped, words) => {
  const standin = await startDemoServer({
    models,
    anyModel: false,
    fault: (_seen, body) => ({ kind: body.includes('"loops:1"') ? 'loop' : 'truncated' }),
  });
  const room = bench.room(models.join().replaceAll(/\W/g, '-'));
  const experiment = {
    ...(JSON.parse(sampleExperiment) as object),
    runtime: { retries: 0 },
    arms: models.map((model) => ({ name: model, protocol: 'standard', cast: { '*': { model } } })),
  };
  const file = writeExperiment(room, JSON.stringify(experiment));
  const command = ['run', file, '--store', join(room, 'store.db'), '--ollama', standin.url];
  const run = await bench.assize(command);
  expect(run.code, run.errors).toBe(3);
  for (const each of words) expect(run.output).toMatch(each);
  const again = await bench.assize([...command, '--json']);
  await standin.close();
  expect(runReportSchema.parse(JSON.parse(again.output))).toMatchObject({ looped, outcomes: { truncated: 3 * models.length } });
});
