import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cards, figuresOf } from '../../src/renderer/charts/figures.ts';
import { chartSvg } from '../../src/renderer/charts/kit/draw.ts';
import type { FigureSources } from '../../src/renderer/charts/kit/figure.ts';
import { linkedMarks, seriesIn } from '../../src/renderer/charts/kit/linkedMarks.ts';
import { paintFromCss } from '../../src/renderer/charts/kit/paint.ts';
import { optionOf } from '../../src/renderer/charts/kit/plot.ts';
import { root } from '../repository.ts';
import { openRecorded, type RecordedStore, recordExperiments } from './recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'assize-protocol-figures-'));
const paint = paintFromCss(readFileSync(join(root, 'src/renderer/ui/base.css'), 'utf8'), 'light');

const figures = (await Promise.all(cards.map(figuresOf))).flat();

/** Figures of protocols and ablations, with the sample experiment that each has something to draw of. */
const drawn: Readonly<Record<string, string>> = {
  ablation: 'debate-feedback-demo',
  'ablation-macro-f1': 'evince-demo',
  'structure-by-shots': 'structures',
  'exchange-measures': 'evince-demo',
  'mixture-divergence': 'evince-demo',
  'panel-by-topic': 'socrasynth-labels-demo',
  'crit-by-round': 'socrasynth-labels-demo',
  'debate-ends': 'evince-demo',
  'feedback-rounds': 'debate-feedback-demo',
  'round-settlements': 'debate-feedback-demo',
};
const samples = ['debate-feedback-demo', 'evince-demo', 'socrasynth-labels-demo'];
let store: RecordedStore;
const sources = new Map<string, FigureSources>();

/** A sample experiment over few cases, its data where they are. */
function written(sample: string, change: Record<string, unknown> = {}): string {
  const path = join(root, 'resources/experiments', `${sample}.json`);
  const base = JSON.parse(readFileSync(path, 'utf8')) as { dataset: { path: string; sample: object } };
  const dataset = { ...base.dataset, path: resolve(path, '..', base.dataset.path), sample: { ...base.dataset.sample, n: 3 } };
  const whole = { ...base, dataset, ...change };
  const file = join(folder, `${String(change.name ?? sample)}.json`);
  writeFileSync(file, JSON.stringify(whole));
  return file;
}

beforeAll(async () => {
  const cast = { '*': { model: 'llama3.1:8b' } };
  const arms = ['single', 'vote'].flatMap((protocol) =>
    [0, 1].map((shots) => ({ name: `${protocol} ${shots}`, protocol, params: { shots }, cast })),
  );
  const path = join(folder, 'store.db');
  await recordExperiments(path, [
    ...samples.map((sample) => written(sample)),
    written('courtroom-demo', { name: 'structures', arms }),
  ]);
  store = openRecorded(path);
  for (const name of [...samples, 'structures']) sources.set(name, await store.sources(name));
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('every figure of protocols and ablations has a sample experiment here', () => {
  const all = figures.filter(({ group }) => group === 'protocols' || group === 'ablations').map(({ id }) => id);
  expect(Object.keys(drawn).toSorted()).toEqual(all.toSorted());
});

test.each(Object.entries(drawn))('%s of %s is drawn, and behind its rows are as many trials as they say', async (id, name) => {
  const figure = figures.find((each) => each.id === id);
  const found = sources.get(name);
  if (figure === undefined || found === undefined) throw new Error(`${id} of ${name} is missing`);
  const data = figure.plot(found);
  if (data === null) throw new Error('There is nothing to draw.');
  for (const width of [420, 900]) {
    const size = { width, height: data.height };
    const option = optionOf(data, paint, size);
    const ids = seriesIn(option).map((series) => series.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(chartSvg(option, size)).not.toMatch(/\bNaN\b|undefined|Infinity/);
  }
  expect(data.caption).not.toMatch(/NaN|Infinity|undefined/);
  const { columns, rows } = data.table;
  const counted = columns.findIndex((column) => column.name === 'trials');
  for (const [index, row] of rows.entries()) {
    const behind = data.table.behind(index);
    expect(behind, `row ${index}`).not.toBeNull();
    const { total } = await store.pool.run('trialPage', { experiment: name, order: 'case', offset: 0, limit: 1, ...behind });
    if (counted >= 0) expect(total, `row ${index}`).toBe(row[counted]);
    else expect(total, `row ${index}`).toBeGreaterThan(0);
  }
  const option = optionOf(data, paint, { width: 900, height: data.height });
  expect(linkedMarks(data, option).length).toBeGreaterThan(0);
});
