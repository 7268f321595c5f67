import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runReportSchema } from '../shared/commandOutputs.ts';
import { openBench, sampleExperiment } from './testing.ts';

const faults = { 'sick:1': 'reset', 'loops:1': 'loop', 'long:1': 'truncated' } as const;
const bench = await openBench({
  models: ['well:1', ...Object.keys(faults)],
  anyModel: false,
  fault(_seen, body) {
    const [, kind = null] = Object.entries(faults).find(([model]) => body.includes(`"${model}"`)) ?? [];
    return kind && { kind };
  },
});
const experiment = (runtime: object, arms: readonly object[]) =>
  JSON.stringify({ ...(JSON.parse(sampleExperiment) as object), runtime, arms });

test('a tried case whose calls all break off ends without a verdict, while the server answers other models', async () => {
  const room = bench.room('tried');
  const facts = join(room, 'facts.txt');
  writeFileSync(facts, 'He was arrested twice.');
  const words = `try --protocol standard --model sick:1 --question Again? --labels NO,YES --facts ${facts}`;
  const tried = await bench.assize(`${words} --ollama ${bench.standin.url} --store ${join(room, 'store.db')}`);
  expect(tried.code, tried.errors).toBe(3);
  expect(tried.output).toContain('backend_error');
});

test.each([
  [['loops:1'], 3, [/truncated: 3 \(the answers repeated themselves until they were cut: .*repeatPenalty/]],
  [['long:1'], 0, [/truncated: 3 \(the answers did not fit: .*numPredict/]],
  [['loops:1', 'long:1'], 3, [/truncated: 6 \(3: the answers repeated/, /; 3: the answers did not fit/]],
])('the run says what to do about trials whose answers were cut: %s', async (models, looped, words) => {
  const arms = models.map((model) => ({ name: model, protocol: 'standard', cast: { '*': { model } } }));
  const project = bench.project(models.join('-'), experiment({ retries: 0 }, arms));
  const run = await bench.assize(project.words.slice(0, -1));
  expect(run.code, run.errors).toBe(3);
  for (const each of words) expect(run.output).toMatch(each);
  const again = await project.run();
  expect(runReportSchema.parse(JSON.parse(again.output))).toMatchObject({ looped, outcomes: { truncated: 3 * models.length } });
});
