import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sampleAnswer } from '../core/answers/sample.ts';
import { randomSource } from '../core/cases/shuffle.ts';
import { last, part, serveOllama } from '../main/engine/models/testing/server.ts';
import { experimentSchema } from '../shared/experiment.ts';
import type { JsonSchema } from '../shared/model.ts';
import { statsReportSchema } from '../shared/outputs.ts';
import { varyReportSchema } from '../shared/promptOutputs.ts';
import { openBench } from './testing.ts';

const bench = await openBench();

/** A table that nothing can be learned from: every cell is drawn by lot. */
const random = randomSource(5, 'table');
const draw = (...values: readonly string[]) => values[random.below(values.length)] ?? '';
const rows = Array.from({ length: 100 }, (_, index) => ({
  id: `r${index}`,
  town: draw('Ely', 'Bath', 'Ripon', 'Wells', 'Truro'),
  age: String(20 + random.below(60)),
  height: String(140 + random.below(60)),
  code: draw('K1', 'K2', 'K3', 'K4', 'K5', 'K6', 'K7', 'K8'),
  again: draw('NO', 'YES'),
}));
const columns = ['id', 'town', 'age', 'height', 'code', 'again'] as const;
const table = [columns.join(','), ...rows.map((row) => columns.map((column) => row[column]).join(','))].join('\n');

const definition = {
  version: 1,
  name: 'remembered',
  runtime: { waitMinutes: 0, retries: 0 },
  dataset: {
    ...{ path: 'table.csv', id: 'id', label: { column: 'again' }, positive: 'YES', question: 'Again?', exclude: ['id'] },
    ...{ split: { test: 0.6, train: 0.4 }, sample: { n: 32 } },
  },
  arms: [
    { name: 'alone', protocol: 'single', cast: { '*': { model: 'm:1' } } },
    { name: 'shown', protocol: 'single', params: { shots: 1 }, cast: { '*': { model: 'm:1' }, retriever: { model: 'm:1' } } },
  ],
};

/** A model that knows the rows by heart wherever it reads the names of their columns, or one that guesses everything. */
async function modelThat(remembers: boolean) {
  const chance = randomSource(11, 'model');
  const guess = (...values: readonly string[]) => values[chance.below(values.length)];
  const model = await serveOllama((request, response) => {
    if (request.url !== '/api/chat') {
      response.writeHead(404).end('{}');
      return;
    }
    const body = JSON.parse(model.requests.at(-1)?.body ?? '{}') as { format: JsonSchema; messages: { content: string }[] };
    const prompt = body.messages.map(({ content }) => content).join('\n');
    const row = remembers
      ? rows.find(({ town, age, height }) =>
          [`town = ${town}, age = ${age}, height = ${height}\n`, `town is ${town}; age is ${age}; height is ${height};`].some(
            (fact) => `${prompt}\n`.includes(fact),
          ),
        )
      : undefined;
    const made = sampleAnswer(body.format, chance, 'shortest') as object;
    const known = {
      value: row?.code ?? guess('K1', 'K2', 'K3', 'K4', 'K5', 'K6', 'K7', 'K8', 'elsewhere'),
      prediction: row?.again ?? guess('NO', 'YES'),
    };
    const answer = Object.fromEntries(Object.entries({ ...made, ...known }).filter(([field]) => field in made));
    response.end(part(JSON.stringify(answer)) + last());
  });
  onTestFinished(() => model.close());
  return model;
}

async function ok(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await bench.assize(args);
  if (code !== 0) throw new Error(errors);
  return output;
}

/** The experiment with a probe, run by a model; its statistics. */
async function probed(room: string, probe: 'names' | 'rows', remembers: boolean) {
  const model = await modelThat(remembers);
  const [file, out, store] = [join(room, 'experiment.json'), join(room, `${probe}.json`), join(room, 'store.db')];
  writeFileSync(join(room, 'table.csv'), table);
  writeFileSync(file, JSON.stringify({ ...definition, arms: definition.arms.slice(0, 1) }));
  const { experiment } = varyReportSchema.parse(
    JSON.parse(await ok('vary', file, '--change', `probe=${probe}`, '--out', out, '--json')),
  );
  await ok('run', out, '--store', store, '--ollama', model.url);
  await ok('verify', store);
  expect(JSON.parse(await ok('replay', store, '--json'))).toMatchObject({ different: 0, not_replayable: 0 });
  const report = statsReportSchema.parse(
    JSON.parse(await ok('stats', experiment, '--store', store, '--resamples', '200', '--no-cache', '--json')),
  );
  return { report, prompts: model.requests.map(({ body }) => body) };
}

test.each([true, false])(
  'rows: a model that remembers the table (%s) completes more than the most frequent value',
  async (remembers) => {
    const { report, prompts } = await probed(bench.room(`rows-${remembers}`), 'rows', remembers);
    expect(report.labels).toEqual(['K1', 'K2', 'K3', 'K4', 'K5', 'K6', 'K7', 'K8']);
    const asked = prompts.filter((body) => body.includes('what stands in the column code'));
    expect(asked).toHaveLength(32);
    // The prompt has neither the hidden cell, nor what follows it, nor the possible values.
    for (const body of asked) expect(body).not.toMatch(/K\d|again|YES/);
    const pair = report.comparisons.find(({ b }) => b === 'majority');
    const beyond = report.arms[0]?.measures.find(({ name }) => name === 'completed_beyond_shuffled');
    const majority = report.baselines[0]?.measures.find(({ name }) => name === 'completed_beyond_shuffled');
    expect(majority?.value).toBeCloseTo(0, 12);
    if (remembers) {
      expect(report.arms[0]?.accuracy_all).toMatchObject({ value: 1, n: 32 });
      expect(pair?.difference.low).toBeGreaterThan(0.5);
      expect(beyond?.low).toBeGreaterThan(0.5);
    } else {
      // What no row has is a wrong completion and no failure.
      expect(report.arms[0]).toMatchObject({ n: 32, decided: 32 });
      expect(beyond?.low).toBeLessThanOrEqual(0);
      expect(beyond?.high).toBeGreaterThanOrEqual(0);
      expect(pair?.difference.low).toBeLessThanOrEqual(0);
      expect(pair?.difference.high).toBeGreaterThanOrEqual(0);
    }
    expect(report.notes.join()).toContain('share of cells that they completed exactly');
  },
);

test.each([true, false])('names: a model that remembers the table (%s) loses by neutral names', async (remembers) => {
  const { report, prompts } = await probed(bench.room(`names-${remembers}`), 'names', remembers);
  const masked = prompts.filter((body) => body.includes('column 1 is'));
  expect(masked).toHaveLength(32);
  for (const body of masked) expect(body).not.toMatch(/town|age is|height/);
  const pair = report.comparisons.find(({ a, b }) => a === 'alone' && b === 'alone (names masked)');
  expect(pair?.paired_cases).toBe(32);
  if (remembers) expect(pair?.difference.low).toBeGreaterThan(0.2);
  else {
    expect(pair?.difference.low).toBeLessThan(0);
    expect(pair?.difference.high).toBeGreaterThan(0);
  }
});

test('arms with examples keep their names, and texts have no rows to complete', async () => {
  const room = bench.room('refused');
  const [file, out] = [join(room, 'experiment.json'), join(room, 'out.json')];
  writeFileSync(join(room, 'table.csv'), table);
  writeFileSync(file, JSON.stringify(definition));
  const vary = (...more: readonly string[]) => bench.assize(['vary', file, '--out', out, '--force', ...more]);
  expect((await vary('--change', 'probe=names')).code).toBe(0);
  const written = experimentSchema.parse(JSON.parse(readFileSync(out, 'utf8')));
  expect(written.arms.map(({ name, mask }) => [name, mask])).toEqual([
    ['alone', undefined],
    ['alone (names masked)', 'names'],
    ['shown', undefined],
  ]);
  expect(await vary('--change', 'probe=names', '--arm', 'shown')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('no arm'),
  });
  writeFileSync(file, JSON.stringify({ ...definition, arms: [{ ...definition.arms[1], mask: 'names' }] }));
  expect(await bench.assize(['run', file, '--plan'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('cannot mask names'),
  });
  const text = { ...definition.dataset, kind: 'text', columns: { text: 'town' } };
  writeFileSync(file, JSON.stringify({ ...definition, dataset: text, arms: definition.arms.slice(0, 1) }));
  expect(await vary('--change', 'probe=rows')).toMatchObject({ code: 2, errors: expect.stringContaining('use probe=names') });
  expect(await vary('--change', 'probe=all')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('probe=names or probe=rows'),
  });
});
