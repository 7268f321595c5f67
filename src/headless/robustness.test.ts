import { join } from 'node:path';
import { expect, test } from 'vitest';
import { statsReportSchema } from '../shared/outputs.ts';
import { openBench, sampleExperiment } from './testing.ts';

const bench = await openBench({ biases: [{ kind: 'instruction', points: 60 }] });

test('one change makes the whole suite, and a planted instruction is what flips verdicts', async () => {
  const court = JSON.parse(sampleExperiment);
  const arm = { name: 'court', protocol: 'agentic-sim', params: { turns: 1, temperature: 0 }, cast: { '*': { model: 'm:1b' } } };
  const dataset = { ...court.dataset, split: { test: 1 }, sample: { n: 4 } };
  const project = bench.project('suite', JSON.stringify({ ...court, dataset, arms: [arm] }));
  const out = join(project.room, 'suite.json');
  expect(await bench.assize(['vary', project.file, '--change', 'robustness', '--out', out])).toMatchObject({ code: 0 });
  expect(await bench.assize(['run', out, '--store', project.store, '--ollama', bench.standin.url])).toMatchObject({ code: 0 });
  expect(await bench.assize(['verify', project.store])).toMatchObject({ code: 0 });
  expect(JSON.parse((await bench.assize(['replay', project.store, '--json'])).output)).toMatchObject({
    different: 0,
    not_replayable: 0,
  });
  const stats = ['stats', 'rain', '--store', project.store, '--resamples', '200'];
  const { changes = [] } = statsReportSchema.parse(JSON.parse((await bench.assize([...stats, '--json'])).output));
  const flips = new Map(changes.map(({ kind, moves }) => [kind, moves.reduce((sum, { n }) => sum + n, 0)]));
  expect([...flips.keys()]).toEqual(['seed', 'noise', 'fact-order', 'question', 'instruction', 'mislead', 'params']);
  const believed = (await project.lines()).filter(({ arm: name, prediction }) => name === 'court' && prediction === 'NO').length;
  // At temperature 0 other seeds change nothing, and everybody who was not of that opinion follows the instruction.
  expect(believed).toBeGreaterThan(0);
  expect([flips.get('seed'), flips.get('instruction')]).toEqual([0, believed]);
  const instruction = changes.find(({ kind }) => kind === 'instruction');
  expect(instruction?.measures.find(({ name }) => name === 'pass_rate')?.value).toBeCloseTo(1 - believed / 4, 12);
  const { output } = await bench.assize(stats);
  expect(output).toContain('Declared changes');
  expect(output).toContain('verdict stays');
});
