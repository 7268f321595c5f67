import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cards, figuresOf } from '../../src/renderer/charts/figures.ts';
import { chartSvg } from '../../src/renderer/charts/kit/draw.ts';
import type { Figure, FigureSources, Plot } from '../../src/renderer/charts/kit/figure.ts';
import { linkedMarks, seriesIn } from '../../src/renderer/charts/kit/linkedMarks.ts';
import { paintFromCss } from '../../src/renderer/charts/kit/paint.ts';
import { heightAt, optionOf } from '../../src/renderer/charts/kit/plot.ts';
import type { Subset } from '../../src/shared/api/subset.ts';
import { exhaustive } from '../../src/shared/exhaustive.fixture.ts';
import { root } from '../repository.ts';
import { drawGallery, galleryFolder, galleryPage, recordSamples } from './gallery.ts';
import { misleadingMarks } from './marks.ts';
import { oddExperiments, openRecorded, type RecordedStore, recordExperiments, recordImported } from './recorded.ts';

// Each event of a record waits for its disk, which memory answers at once where a system has such a folder.
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'assize-figures-'));
const paint = paintFromCss(readFileSync(join(root, 'src/renderer/ui/base.css'), 'utf8'), 'light');
const figures = (await Promise.all(cards.map(figuresOf))).flat();
const odd = oddExperiments(folder);
const cast = { '*': { model: 'llama3.1:8b' } };
const other = { '*': { model: 'qwen2.5:14b' } };
let store: RecordedStore;
/** The experiments of the gallery, which take longest to record: none in the short suite. */
let samples: readonly string[] = [];
const recorded = new Map<string, FigureSources>();

/** Cases of which every third has no truth, tried by arms of every kind; the last arm has not reached all of them. */
function writePartly(): string {
  const rows = Array.from({ length: 6 }, (_none, index) => {
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

/** No figure may change what others are drawn from too. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(Object.freeze(value))) frozen(part);
  return value;
}

// One record for all tests: making it takes longer than they do.
beforeAll(async () => {
  const path = join(folder, 'store.db');
  if (exhaustive) samples = await recordSamples(path, folder);
  await recordExperiments(path, [writePartly()], { empty: 0.06, maxTrials: 90 });
  for (const { files, empty } of Object.values(odd)) await recordExperiments(path, files, { empty: empty ?? 0 });
  await recordImported(path, folder);
  store = openRecorded(path);
  for (const { name } of (await store.pool.run('experimentList', null)).experiments)
    recorded.set(name, frozen(await store.sources(name)));
}, 900_000);
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const sourcesOf = (name: string): FigureSources => {
  const found = recorded.get(name);
  if (found === undefined) throw new Error(`${name} is not recorded`);
  return found;
};
const plotOf = (id: string, sources: FigureSources): Plot => {
  const plot = figures.find((each) => each.id === id)?.plot(sources) ?? null;
  if (plot === null) throw new Error(`${id} has nothing to draw.`);
  return plot;
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

test('ids are of addresses and file names, and each occurs once', () => {
  expect(figures.map(({ id }) => id)).toEqual(cards.flatMap(({ ids }) => ids));
  expect(new Set(figures.map(({ id }) => id)).size).toBe(figures.length);
  for (const { id, title, requires } of figures) {
    expect(id).toMatch(/^[a-z0-9-]{1,80}$/);
    expect(title).toMatch(/^\p{Lu}[^.]*$/u);
    expect(requires).toMatch(/^\p{Ll}.{20,}[^.]$/su);
    // A screen shows it to people who write no files.
    expect(requires).not.toMatch(/[`"]/);
  }
});

test('every trial of the experiments that come with the program is decided', { tags: 'exhaustive' }, () => {
  for (const name of samples.slice(1)) {
    for (const { arm, planned, decided } of sourcesOf(name).report.arms) expect(decided, `${name}, ${arm}`).toBe(planned);
  }
});

test('the gallery is up to date: otherwise run `npm run figures`', { tags: 'exhaustive' }, async () => {
  const { page, pictures } = await drawGallery(samples.map(sourcesOf));
  expect(readFileSync(galleryPage, 'utf8')).toBe(page);
  const kept = existsSync(galleryFolder) ? readdirSync(galleryFolder).toSorted() : [];
  expect(kept).toEqual([...pictures.keys()].toSorted());
  for (const [name, svg] of pictures) expect(readFileSync(join(galleryFolder, name), 'utf8') === svg, name).toBe(true);
  for (const id of cards.flatMap(({ ids }) => ids)) expect(page).toContain(`\`${id}\``);
});

const demos = exhaustive ? ['evince-demo', 'debate-feedback-demo', 'socrasynth-labels-demo'] : [];

test.each([...Object.keys(odd), 'imported', ...demos])('every figure of %s is drawn, or is absent', (name) => {
  for (const [index, figure] of figures.entries()) {
    const at = `${figure.id} of ${name}`;
    const data = figure.plot(sourcesOf(name));
    if (data === null) continue;
    expect(figure.plot(sourcesOf(name))?.table.rows, at).toEqual(data.table.rows);
    expect(data.caption, at).toMatch(/\.$/);
    expect(data.caption, at).not.toMatch(/NaN|Infinity|undefined/);
    // In the short suite narrow and wide in turn.
    for (const width of [420, 900].filter((_width, turn) => exhaustive || (index + name.length) % 2 === turn)) {
      const height = heightAt(data, width);
      expect(height, at).toBeGreaterThan(60);
      const option = optionOf(data, paint, { width, height });
      walk(option, at, (value, path) => {
        expect(Number.isNaN(value), path).toBe(false);
        if (/^[^.]*\.tooltip$/.test(path)) expect(value, path).toMatchObject({ renderMode: 'richText' });
        if (/renderMode$/.test(path)) expect(value, path).toBe('richText');
        if (typeof value === 'string') expect(/[\u202A-\u202E\u2066-\u2069]/.test(value), path).toBe(false);
      });
      const ids = seriesIn(option).map(({ id }) => id);
      expect(ids.every(Boolean), `${at}: each series has an id`).toBe(true);
      expect(new Set(ids).size, at).toBe(ids.length);
      // A name without marks would look switched off.
      const drawn = new Set(seriesIn(option).map(({ name: series }) => series));
      const switches = (data.legend ?? []).map((each) => (typeof each === 'string' ? each : each.name));
      expect(
        switches.filter((each) => !drawn.has(each)),
        at,
      ).toEqual([]);
      const svg = chartSvg(option, { width, height });
      // Every tag is well formed, for any names.
      expect(svg.replaceAll(/<\/?[\w:]+(?:\s+[\w:-]+="[^"<]*")*\s*\/?>/g, ''), at).not.toContain('<');
      expect(svg, at).not.toMatch(/<script|<img|<foreignObject|\bNaN\b|undefined|Infinity/);
    }
    const { columns, rows } = data.table;
    expect(new Set(columns.map(({ name: column }) => column)).size, at).toBe(columns.length);
    for (const row of rows) {
      expect(row, at).toHaveLength(columns.length);
      expect(
        row.some((cell) => typeof cell === 'number' && !Number.isFinite(cell)),
        at,
      ).toBe(false);
    }
  }
});

test('every figure of protocols and ablations is drawn of a sample, and behind its rows are as many trials as they say', {
  tags: 'exhaustive',
}, async () => {
  const ofProtocols = cards.filter(({ group }) => group === 'protocols' || group === 'ablations').flatMap(({ ids }) => ids);
  for (const { id, plot } of figures.filter((each) => ofProtocols.includes(each.id))) {
    const drawn = samples.filter((name) => plot(sourcesOf(name)) !== null);
    expect(drawn.length, id).toBeGreaterThan(0);
    for (const experiment of drawn) {
      const data = plotOf(id, sourcesOf(experiment));
      const { columns, rows } = data.table;
      const counted = columns.findIndex((column) => column.name === 'trials');
      for (const [index, row] of rows.entries()) {
        const at = `${id} of ${experiment}, row ${index}`;
        const behind = data.table.behind(index);
        expect(behind, at).not.toBeNull();
        const { total } = await store.pool.run('trialPage', { experiment, order: 'case', offset: 0, limit: 1, ...behind });
        if (counted >= 0) expect(total, at).toBe(row[counted]);
        else expect(total, at).toBeGreaterThan(0);
      }
      expect(linkedMarks(data, optionOf(data, paint, { width: 900, height: data.height })).length, id).toBeGreaterThan(0);
    }
  }
});

test('the drawn numbers of accuracies stand in their table', () => {
  for (const name of ['rich', 'one-arm', 'hostile', 'imported']) {
    const data = plotOf('accuracy-by-arm', sourcesOf(name));
    const option = optionOf(data, paint, { width: 600, height: 300 });
    const table = new Set(data.table.rows.flat());
    for (const { id, data: items } of seriesIn(option)) {
      // The last number of a mark of this figure is its place among the names.
      const drawn = id === 'accuracy' || id === 'f1' ? (items ?? []).flatMap((item) => numbersIn(item).slice(0, -1)) : [];
      for (const number of drawn) expect(table.has(number), `${name} ${id} ${number}`).toBe(true);
    }
  }
});

/** Columns other than the drawn ones: counts, and what a table shows in addition. */
const furtherColumns =
  /(?:^|, )n$|^(?:cases|trials|finished trials|speeches|p \(|adjusted p|confidence |lowest |highest |calibration |expected calibration )|first wrong|first right|, arms$/;
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
])('numbers read back from the chart of %s are those of its table, and of the report', (id) => {
  const sources = sourcesOf('rich');
  const data = plotOf(id, sources);
  // Bars to the left are drawn below 0.
  const drawn = numbersIn(optionOf(data, paint, { width: 900, height: data.height })).map(Math.abs);
  const reported = new Set(numbersIn(sources.report));
  const isDrawn = (cell: number) =>
    drawn.some((number) => Math.abs(number - Math.abs(cell)) < 1e-9 || Math.abs(number - 100 * Math.abs(cell)) < 1e-7);
  const { columns, rows } = data.table;
  let read = 0;
  for (const [place, { name, as }] of columns.entries()) {
    if (as === 'text' || furtherColumns.test(name)) continue;
    for (const cell of rows.map((row) => row[place])) {
      if (typeof cell !== 'number') continue;
      expect(isDrawn(cell), `${name} ${cell} is drawn`).toBe(true);
      if (!summed.test(name)) expect(reported.has(cell), `${name} ${cell} is in the report`).toBe(true);
      read += 1;
    }
  }
  expect(read).toBeGreaterThan(0);
});

test('a part of the trials has figures of only its numbers', async () => {
  const [first] = sourcesOf('rich').view.arms;
  const sources = await store.sources('rich', { arms: [first?.name ?? ''] });
  for (const { id, plot } of figures) expect(plot(sources)?.caption.length ?? 6, id).toBeGreaterThan(5);
  expect(plotOf('accuracy-by-arm', sources).table.rows).toHaveLength(1);
});

/** What every figure that has something to draw of these sources leads to. */
async function followed(experiment: string, sources: FigureSources, subset?: Subset) {
  const drawn: { id: string; marks: number; rows: number }[] = [];
  const problems: string[] = [];
  const known = new Map();
  for (const figure of figures) {
    const data = figure.plot(sources);
    if (data === null) continue;
    const found = await misleadingMarks(figure, data, { store, experiment, paint, subset, known });
    drawn.push({ id: figure.id, marks: found.marks, rows: found.rows });
    problems.push(...found.problems);
  }
  return { drawn, problems };
}

test('behind every mark and row of every figure are the trials that it counts', async () => {
  const linked = new Map<string, number>();
  const problems: string[] = [];
  const isLinked = ({ id }: Figure) => (linked.get(id) ?? 0) > 0;
  for (const name of [...samples, ...[...recorded.keys()].filter((each) => !samples.includes(each))]) {
    const found = await followed(name, sourcesOf(name));
    problems.push(...found.problems);
    for (const { id, marks, rows } of found.drawn) linked.set(id, (linked.get(id) ?? 0) + Math.min(marks, rows));
  }
  expect(problems).toEqual([]);
  // The short suite has no experiments of some protocols.
  const unlinked = figures.filter((each) => (exhaustive || linked.has(each.id)) && !isLinked(each));
  expect(unlinked.map(({ id }) => id)).toEqual([]);
}, 900_000);

const furtherParts: [string, Subset][] = [
  ['a first answer', { first: ['YES'] }],
  ['a group and an outcome', { groups: { side: ['north'] }, outcomes: ['decided'] }],
  ['two arms over the cases of both', { arms: ['court', 'other cot'], paired: ['court', 'other cot'] }],
];

test.each<[string, Subset]>([
  ['arms and an outcome, whose pairs are fewer', { arms: ['court', 'bench', 'cot'], outcomes: ['decided'] }],
  ['known truth', { known: ['truth'] }],
  ...(exhaustive ? furtherParts : []),
])(
  'so it is over a part: %s',
  async (_what, subset) => {
    const { drawn, problems } = await followed('partly', await store.sources('partly', subset), subset);
    expect(problems).toEqual([]);
    expect(drawn.length).toBeGreaterThan(5);
  },
  120_000,
);
