import { join } from 'node:path';
import { expect, test } from 'vitest';
import { statsReportSchema } from '../shared/outputs.ts';
import { openBench, sampleExperiment } from './testing.ts';

// The verdict hangs on one fact: 60 points, and all facts together have 10.
const bench = await openBench({ biases: [{ kind: 'attribute', name: 'sex', value: 'female', label: 'YES', points: 60 }] });

test('the fact on which the verdict hangs is the least change, and has the largest Shapley value', async () => {
  const court = JSON.parse(sampleExperiment);
  const arm = { ...court.arms[0], name: 'court', params: { ...court.arms[0].params, temperature: 0 } };
  const dataset = { ...court.dataset, split: { test: 1 }, sample: { n: 8 } };
  // An odd age speaks for NO, by the rule of the demo model.
  const rows = [1, 2, 3, 4, 5, 6, 7, 8].map((each) => `c${each},${19 + 2 * each},${each % 2 ? 'female' : 'male'},True`);
  const data = ['id,age,sex,zz_outcome', ...rows.with(1, 'c2,23,male,False'), ''].join('\n');
  const project = bench.project('facts', JSON.stringify({ ...court, dataset, arms: [arm] }), data);
  expect(await project.run()).toMatchObject({ code: 0 });
  const woman = (await project.lines()).find(({ groups }) => groups.sex === 'female');
  if (woman === undefined) throw new Error('the sample has no woman');
  const out = join(project.room, 'facts.json');
  const vary = (...words: readonly string[]) => bench.assize(['vary', project.file, '--out', out, '--force', ...words]);
  expect((await vary('--change', 'leave-out=1')).errors).toContain('add --trial ID');
  expect((await vary('--trial', woman.trial, '--change', 'shapley=300')).errors).toMatch(/up to 600 trials; at most 300/);
  expect(await vary('--trial', woman.trial, '--change', 'shapley', '--change', 'leave-out=1')).toMatchObject({ code: 0 });
  expect(await bench.assize(['run', out, '--store', project.store, '--ollama', bench.standin.url])).toMatchObject({ code: 0 });
  expect(await bench.assize(['verify', project.store])).toMatchObject({ code: 0 });
  const stats = ['stats', `trial ${woman.trial} again`, '--store', project.store, '--resamples', '0'];
  const { facts, changes } = statsReportSchema.parse(JSON.parse((await bench.assize([...stats, '--json'])).output));
  const [found] = facts ?? [];
  expect(found?.sizes).toEqual([
    { size: 1, of: 2, tried: 2 },
    { size: 2, of: 1, tried: 1 },
  ]);
  expect(found?.smallest).toEqual([['sex']]);
  // A set of several facts has its place there, and is no change among the others.
  expect(changes?.map(({ change }) => change).toSorted()).toEqual(['without age', 'without sex']);
  const { shapley } = found ?? {};
  const value = (name: string) => shapley?.values.find(({ fact }) => fact === name)?.value ?? Number.NaN;
  expect(shapley?.method).toBe('exact');
  expect(value('sex')).toBeGreaterThan(3 * Math.abs(value('age')));
  expect(value('sex') + value('age')).toBeCloseTo((shapley?.all ?? 0) - (shapley?.none ?? 0), 12);
  expect((await bench.assize(stats)).output).toMatch(/flips the verdict: without sex\. Tried: 2 of 2 single facts\./);
});
