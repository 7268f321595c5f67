import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoServer, startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { planReportSchema } from '../shared/outputs.ts';
import { changed, openWorkbench, parseTrialLines, sampleExperiment, writeExperiment } from './testing.ts';

const bench = openWorkbench();
const store = bench.path('store.db');
let standin: DemoServer;

beforeAll(async () => {
  standin = await startDemoServer({ port: 0 });
});
afterAll(async () => {
  await standin.close();
  bench.remove();
});

const counterbalanced = changed(
  sampleExperiment,
  ['"name": "plain"', '"name": "court", "counterbalance": ["sides", "order"]'],
  ['"standard"', '"agentic-sim"'],
  ['"style": "system1"', '"turns": 1'],
);

test('the plan counts the further trials, the export names them, the statistics have their flip rates', async () => {
  const file = writeExperiment(bench.room('court'), counterbalanced);
  const asked = async (...words: string[]) => {
    const { code, output, errors } = await bench.assize([...words, '--store', store]);
    expect(code, errors).toBe(0);
    return output;
  };
  const plan = planReportSchema.parse(JSON.parse(await asked('run', file, '--plan', '--json', '--ollama', standin.url)));
  expect(plan.arms.map(({ arm, base_arm }) => [arm, base_arm])).toEqual([
    ['court', null],
    ['court~sides', 'court'],
    ['court~order', 'court'],
  ]);
  await asked('run', file, '--ollama', standin.url);

  const lines = parseTrialLines(await asked('export', 'rain', '--format', 'trials-jsonl', '--out', '-'));
  expect(lines).toHaveLength(plan.trials);
  expect(new Set(lines.map(({ arm, swap, base_arm }) => `${arm} ${swap} ${base_arm}`))).toEqual(
    new Set(['court null null', 'court~sides sides court', 'court~order order court']),
  );

  const told = await asked('stats', 'rain', '--no-cache', '--resamples', '100');
  expect(told).toContain('Counterbalancing, over pairs of the same case, replicate and seed');
  expect(told).toMatch(/^court +sides +3\/3 .*prosecution /m);
  expect(told).toMatch(/^court +order +3\/3 .*last speaker /m);
});
