import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cards, figuresOf } from '../../src/renderer/charts/figures.ts';
import { chartSvg } from '../../src/renderer/charts/kit/draw.ts';
import type { Figure, FigureSources, Plot } from '../../src/renderer/charts/kit/figure.ts';
import { linkedMarks, seriesIn } from '../../src/renderer/charts/kit/linkedMarks.ts';
import { paintFromCss } from '../../src/renderer/charts/kit/paint.ts';
import { optionOf } from '../../src/renderer/charts/kit/plot.ts';
import { root } from '../repository.ts';
import { oddExperiments, openRecorded, type RecordedStore, recordExperiments, recordImported } from './recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'assize-figures-'));
const css = readFileSync(join(root, 'src/renderer/ui/base.css'), 'utf8');
const paint = paintFromCss(css, 'light');
const odd = oddExperiments(folder);
const names = [...Object.keys(odd), 'imported'];
const stores = new Map<string, { store: RecordedStore; sources: FigureSources }>();
const figures = (await Promise.all(cards.map(figuresOf))).flat();

beforeAll(async () => {
  for (const name of names) {
    const path = join(folder, `${name}.db`);
    if (name === 'imported') await recordImported(path, folder);
    else await recordExperiments(path, odd[name]?.files ?? [], { empty: odd[name]?.empty ?? 0 });
    const store = openRecorded(path);
    stores.set(name, { store, sources: await store.sources(name) });
  }
}, 300_000);
afterAll(async () => {
  for (const { store } of stores.values()) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const figureOf = (id: string): Figure => {
  const figure = figures.find((each) => each.id === id);
  if (figure === undefined) throw new Error(`${id} is not loaded`);
  return figure;
};
const plotOf = (id: string, sources: FigureSources): Plot => {
  const plot = figureOf(id).plot(sources);
  if (plot === null) throw new Error('There is nothing to draw.');
  return plot;
};
const recordedOf = (name: string) => {
  const found = stores.get(name);
  if (found === undefined) throw new Error(`${name} is not recorded`);
  return found;
};

/** Every value in an option that is no function, with the way to it. */
function walk(value: unknown, path: string, tell: (value: unknown, path: string) => void): void {
  tell(value, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) walk(part, `${path}.${key}`, tell);
}

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(numbersIn)
      : [];

test('ids are of addresses and file names, and each stands once; an entry says what its figure says', () => {
  expect(figures.map(({ id }) => id)).toEqual(cards.flatMap(({ ids }) => ids));
  expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length);
  for (const { id, group, title, requires } of figures) {
    expect(id).toMatch(/^[a-z0-9-]{1,80}$/);
    expect(cards.find(({ ids }) => ids.includes(id))?.group).toBe(group);
    expect(title).toMatch(/^\p{Lu}[^.]*$/u);
    expect(requires).toMatch(/^\p{Ll}.{20,}[^.]$/su);
  }
});

describe.each(figures.map(({ id }) => id))('%s', (id) => {
  test.each(names)('of %s is drawn, or is absent', async (name) => {
    const figure = figureOf(id);
    const { sources, store } = recordedOf(name);
    const before = JSON.stringify(sources);
    const data = figure.plot(sources);
    expect(JSON.stringify(sources)).toBe(before);
    if (data === null) return;
    expect(figure.plot(sources)?.table.rows).toEqual(data.table.rows);
    expect(data.caption).toMatch(/\.$/);
    for (const width of [420, 900]) {
      const height = data.height;
      expect(height).toBeGreaterThan(60);
      const option = optionOf(data, paint, { width, height });
      walk(option, 'option', (value, path) => {
        expect(Number.isNaN(value), path).toBe(false);
        if (/\.tooltip$/.test(path) && path.split('.').length === 2)
          expect(value, path).toMatchObject({ renderMode: 'richText' });
        if (/renderMode$/.test(path)) expect(value, path).toBe('richText');
        if (typeof value === 'string') expect(/[\u202A-\u202E\u2066-\u2069]/.test(value), path).toBe(false);
      });
      for (const [index, series] of seriesIn(option).entries()) expect(series.id, `series ${index} has an id`).toBeTruthy();
      const svg = chartSvg(option, { width, height });
      // Every tag is well formed, whatever the names are.
      expect(svg.replaceAll(/<\/?[\w:]+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>/g, '')).not.toContain('<');
      expect(svg).not.toMatch(/<script|<img|<foreignObject|\bNaN\b|undefined/);
    }

    const { columns, rows } = data.table;
    expect(new Set(columns.map(({ name: column }) => column)).size).toBe(columns.length);
    for (const row of rows) {
      expect(row).toHaveLength(columns.length);
      expect(row.some((cell) => typeof cell === 'number' && !Number.isFinite(cell))).toBe(false);
    }

    const marks = linkedMarks(data, optionOf(data, paint, { width: 900, height: 300 }));
    const rowsBehind = rows.map((_row, index) => data.table.behind(index)).filter((behind) => behind !== null);
    for (const behind of [...marks.map((mark) => mark.behind), ...rowsBehind].slice(0, 40)) {
      const page = await store.pool.run('trialPage', { experiment: name, order: 'case', offset: 0, limit: 500, ...behind });
      expect(page.total, JSON.stringify(behind)).toBe(page.lines.length);
      expect(page.lines.every((line) => line.experiment === name)).toBe(true);
    }
  });
});

test('the drawn numbers of accuracies stand in their table, and behind each mark are as many trials as its n says', async () => {
  for (const name of ['rich', 'one-arm', 'hostile', 'imported']) {
    const { sources, store } = recordedOf(name);
    const data = plotOf('accuracy-by-arm', sources);
    const option = optionOf(data, paint, { width: 600, height: 300 });
    const table = new Set(data.table.rows.flat());
    for (const { id, data: items } of seriesIn(option)) {
      // The last number of a mark of this figure is its place among the names.
      const drawn = id === 'accuracy' || id === 'f1' ? (items ?? []).flatMap((item) => numbersIn(item).slice(0, -1)) : [];
      for (const number of drawn) expect(table.has(number), `${name} ${id} ${number}`).toBe(true);
    }
    for (const [index, row] of data.table.rows.entries()) {
      const behind = data.table.behind(index);
      const { total } = await store.pool.run('trialPage', { experiment: name, order: 'case', offset: 0, limit: 1, ...behind });
      expect(total, `${name}, row ${index}`).toBe(row[4]);
    }
  }
});

/** Columns beside the drawn ones: counts, and what a table tells in addition. */
const beside =
  /(?:^|, )n$|^(?:cases|trials|finished trials|speeches|p \(|p adjusted|confidence |lowest |highest |calibration )|first wrong|first right|, arms$/;
/** Means over the trials of an arm, which the report gives as sums. */
const summed = /^(?:seconds|tokens) a trial/;

test.each([
  'accuracy-by-arm',
  'comparisons-forest',
  'accuracy-f1-bars',
  'confusion',
  'ranking-measures',
  'hearing-against-verdict',
  'corrections-degradations',
  'reliability',
  'confidence-histogram',
  'confidence-correctness',
  'f1-against-time',
  'accuracy-against-tokens',
  'group-rates',
])('numbers read back from the chart of %s are those of its table, and of the report', (id) => {
  const { sources } = recordedOf('rich');
  const data = plotOf(id, sources);
  // Bars to the left are drawn below 0.
  const drawn = numbersIn(optionOf(data, paint, { width: 900, height: data.height })).map(Math.abs);
  const reported = new Set(numbersIn(sources.report));
  const isDrawn = (cell: number) =>
    drawn.some((number) => Math.abs(number - Math.abs(cell)) < 1e-9 || Math.abs(number - 100 * Math.abs(cell)) < 1e-7);
  const { columns, rows } = data.table;
  let read = 0;
  for (const [place, { name, as }] of columns.entries()) {
    if (as === 'text' || beside.test(name)) continue;
    for (const cell of rows.map((row) => row[place])) {
      if (typeof cell !== 'number') continue;
      expect(isDrawn(cell), `${name} ${cell} is drawn`).toBe(true);
      if (!summed.test(name)) expect(reported.has(cell), `${name} ${cell} is in the report`).toBe(true);
      read += 1;
    }
  }
  expect(read).toBeGreaterThan(0);
});

test('a part of the trials has figures of its own numbers', async () => {
  const { store } = recordedOf('rich');
  const [first] = recordedOf('rich').sources.view.arms;
  const sources = await store.sources('rich', { arms: [first?.name ?? ''] });
  for (const { id } of figures) {
    const figure = figureOf(id);
    const data = figure.plot(sources);
    if (data !== null) expect(data.caption.length, id).toBeGreaterThan(5);
  }
  expect(plotOf('accuracy-by-arm', sources).table.rows).toHaveLength(1);
});
