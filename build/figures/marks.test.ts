import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cards, figuresOf } from '../../src/renderer/charts/figures.ts';
import type { FigureSources } from '../../src/renderer/charts/kit/figure.ts';
import { paintFromCss } from '../../src/renderer/charts/kit/paint.ts';
import type { Subset } from '../../src/shared/api/subset.ts';
import { root } from '../repository.ts';
import { misleadingMarks } from './marks.ts';
import { oddExperiments, openRecorded, type RecordedStore, recordExperiments, recordImported, writeDemo } from './recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'assize-marks-'));
const paint = paintFromCss(readFileSync(join(root, 'src/renderer/ui/base.css'), 'utf8'), 'light');
const samples = 'resources/experiments';
const cast = { '*': { model: 'llama3.1:8b' } };
const other = { '*': { model: 'qwen2.5:14b' } };

/** A sample experiment over few cases, its data where they are. */
function written(file: string): string {
  const path = join(root, samples, file);
  const base = JSON.parse(readFileSync(path, 'utf8')) as { dataset: { path: string; sample?: object } };
  const dataset = { ...base.dataset, path: resolve(path, '..', base.dataset.path), sample: { ...base.dataset.sample, n: 3 } };
  const target = join(folder, file);
  writeFileSync(target, JSON.stringify({ ...base, dataset }));
  return target;
}

/** Cases of which every third has no truth, tried by arms of every kind; the last arm has not come to all of them. */
function writePartly(): string {
  const rows = Array.from({ length: 9 }, (_none, index) => {
    const truth = index % 3 === 2 ? '' : index % 2 === 0 ? 'YES' : 'NO';
    return `c${index},${index * 3},${index % 2 === 0 ? 'north' : 'south'},${truth}`;
  });
  writeFileSync(join(folder, 'partly.csv'), ['id,size,side,label', ...rows].join('\n'));
  const arms = [
    { name: 'court', protocol: 'agentic-sim', params: { priorBelief: true, turns: 1 }, cast, counterbalance: ['order'] },
    { name: 'bench', protocol: 'courtroom', params: { deliberation: 'parallel', shots: 0, ambiguity: 5, judges: 3 }, cast },
    { name: 'votes', protocol: 'vote', params: { voters: 3, shots: 0 }, cast },
    { name: 'one', protocol: 'single', params: { shots: 0 }, cast },
    { name: 'other one', protocol: 'single', params: { shots: 0 }, cast: other },
    { name: 'cot', protocol: 'standard', params: { style: 'cot' }, cast },
    { name: 'other cot', protocol: 'standard', params: { style: 'cot' }, cast: other },
  ];
  const split = { test: 1, train: 0, validation: 0 };
  const dataset = {
    path: 'partly.csv',
    format: 'csv',
    kind: 'tabular',
    id: 'id',
    question: 'Which is it?',
    label: { column: 'label' },
    positive: 'YES',
    groups: ['side'],
    split,
  };
  const file = join(folder, 'partly.json');
  writeFileSync(file, JSON.stringify({ version: 1, name: 'partly', seed: 7, replicates: 2, dataset, arms }));
  return file;
}

let store: RecordedStore;
let names: string[] = [];

beforeAll(async () => {
  const path = join(folder, 'store.db');
  const odd = oddExperiments(folder);
  const settings = ['single', 'vote'].flatMap((protocol) =>
    [0, 1].map((shots) => ({ name: `${protocol} ${shots}`, protocol, params: { shots }, cast })),
  );
  const files = readdirSync(join(root, samples)).filter((name) => name.endsWith('.json'));
  await recordExperiments(path, [writePartly()], { empty: 0.06, maxTrials: 150 });
  await recordExperiments(path, odd['all-failed']?.files ?? [], { empty: 1 });
  await recordExperiments(path, [
    ...['rich', 'one-arm', 'no-truth', 'many-labels', 'hostile'].flatMap((name) => odd[name]?.files ?? []),
    ...files.map(written),
    writeDemo(folder, 'settings', 3, { arms: settings }),
  ]);
  await recordImported(path, folder);
  store = openRecorded(path);
  names = (await store.pool.run('experimentList', null)).map(({ name }) => name);
}, 300_000);
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const figures = (await Promise.all(cards.map(figuresOf))).flat();

/** What every figure that has something to draw of these sources leads to. */
async function followed(experiment: string, sources: FigureSources, subset?: Subset) {
  const drawn: { id: string; marks: number; rows: number }[] = [];
  const problems: string[] = [];
  for (const figure of figures) {
    const data = figure.plot(sources);
    if (data === null) continue;
    const found = await misleadingMarks(figure, data, { store, experiment, paint, ...(subset === undefined ? {} : { subset }) });
    drawn.push({ id: figure.id, marks: found.marks, rows: found.rows });
    problems.push(...found.problems);
  }
  return { drawn, problems };
}

test('behind every mark and row of every figure are the trials that it counts', async () => {
  const linked = new Map<string, number>();
  const problems: string[] = [];
  for (const name of names) {
    const found = await followed(name, await store.sources(name));
    problems.push(...found.problems);
    for (const { id, marks, rows } of found.drawn) linked.set(id, (linked.get(id) ?? 0) + Math.min(marks, rows));
  }
  expect(problems).toEqual([]);
  // Of each there was something to follow.
  expect(figures.map(({ id }) => id).filter((id) => (linked.get(id) ?? 0) === 0)).toEqual([]);
}, 300_000);

test.each<[string, Subset]>([
  ['known truth', { known: ['truth'] }],
  ['a first answer', { first: ['YES'] }],
  ['a group and an outcome', { groups: { side: ['north'] }, outcomes: ['decided'] }],
  ['arms and an outcome, whose pairs are fewer', { arms: ['court', 'bench', 'cot'], outcomes: ['decided'] }],
  ['two arms over the cases of both', { arms: ['court', 'other cot'], paired: ['court', 'other cot'] }],
])(
  'so it is over a part: %s',
  async (_what, subset) => {
    const { drawn, problems } = await followed('partly', await store.sources('partly', subset), subset);
    expect(problems).toEqual([]);
    expect(drawn.length).toBeGreaterThan(5);
  },
  120_000,
);
