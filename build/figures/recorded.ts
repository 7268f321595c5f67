import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { forReaders } from '../../src/core/telling/forReaders.ts';
import { importPredictions, run, startDemoServer } from '../../src/main/engine/engine.ts';
import { openQueryPool } from '../../src/main/engine/queries/pool.ts';
import type { FigureSources } from '../../src/renderer/charts/kit/figure.ts';
import type { Subset } from '../../src/shared/api/subset.ts';
import { noColumns } from '../../src/shared/imported.ts';
import { root } from '../repository.ts';

/**
 * Times and dates of a demo model depend on the machine: drawn are invented ones, 20 ms a token.
 */
function withInventedTimes(sources: FigureSources): FigureSources {
  const timed = <Arm extends FigureSources['report']['arms'][number]>(arm: Arm): Arm => {
    const ms = 20 * (arm.prompt_tokens + arm.completion_tokens);
    return { ...arm, model_ms: ms, wall_ms: ms };
  };
  const { report, view } = sources;
  return {
    ...sources,
    view: { ...view, log: [], summary: { ...view.summary, at: '2000-01-01T00:00:00.000Z' } },
    report: { ...report, arms: report.arms.map(timed) },
  };
}

/**
 * Runs experiment files one after the other into a store, each call in its turn, so that the record is the same every time.
 * @param empty share of the answers that are empty: what is malformed is mostly read all the same
 * @param maxTrials trials after which the run of each file stops
 */
export async function recordExperiments(
  store: string,
  files: readonly string[],
  { empty = 0, maxTrials = null }: { empty?: number; maxTrials?: number | null } = {},
): Promise<void> {
  /** Which answers are empty depends only on the question. */
  const isEmpty = (bodySha256: string) => Number.parseInt(bodySha256.slice(0, 4), 16) < empty * 0x10000;
  const standin = await startDemoServer({
    fault: ({ bodySha256 }) => (isEmpty(bodySha256) ? { kind: 'empty' } : null),
  });
  try {
    for (const file of files) {
      await run(file, { store, url: standin.url, concurrency: 1, maxTrials });
    }
  } finally {
    await standin.close();
  }
}

/** Experiments on the demo model, and what figures are drawn from, as the engine answers it. */
export type RecordedStore = ReturnType<typeof openRecorded>;

export function openRecorded(store: string) {
  const pool = openQueryPool(store);
  return {
    pool,
    async sources(experiment: string, subset?: Subset) {
      const asked = { experiment, ...(subset === undefined ? {} : { subset }) };
      const view = await pool.run('experiment', { experiment });
      const report = await pool.run('statistics', { ...asked, resamples: 200, cache: null });
      const deliberation = await pool.run('deliberation', asked);
      const protocols = await pool.run('protocolFigures', asked);
      return withInventedTimes({
        view: { ...view, cursor: '', asks: [], summary: { ...view.summary, run: null } },
        report: forReaders(report),
        deliberation,
        protocols,
      });
    },
    close: () => pool.close(),
  };
}

const demo = join(root, 'resources/experiments/nlsy97-demo.json');
const demoData = join(root, 'resources/samples/nlsy97/nlsy97-60.csv');

/** Writes the demonstration experiment with changes, and returns the file. */
export function writeDemo(folder: string, name: string, cases: number, change: Record<string, unknown> = {}): string {
  const base = JSON.parse(readFileSync(demo, 'utf8')) as { dataset: Record<string, unknown> };
  const dataset = { ...base.dataset, path: demoData, sample: { from: 'test', n: cases } };
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify({ ...base, name, dataset, ...change }));
  return file;
}

const arm = (name: string) => ({
  name,
  protocol: 'standard',
  params: { style: 'system1' },
  cast: { '*': { model: 'llama3.1:8b' } },
});

/** An experiment over a table written here. */
function writeTable(
  folder: string,
  name: string,
  rows: readonly Readonly<Record<string, string>>[],
  change: Record<string, unknown>,
  arms: readonly object[],
): string {
  const columns = Object.keys(rows[0] ?? {});
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const lines = [columns.map(cell).join(','), ...rows.map((row) => columns.map((column) => cell(row[column] ?? '')).join(','))];
  writeFileSync(join(folder, `${name}.csv`), lines.join('\r\n'));
  const file = join(folder, `${name}.json`);
  const split = { test: 0.8, train: 0.2, validation: 0 };
  const dataset = { path: `${name}.csv`, format: 'csv', kind: 'tabular', id: 'id', question: 'Which is it?', split, ...change };
  writeFileSync(file, JSON.stringify({ version: 1, name, seed: 7, dataset, arms }));
  return file;
}

const hostile = 'x\u202Ey<img src=x onerror=alert(1)>{b|=1+1},"\'\\';

const tableOf = (cases: number, label: (index: number) => string) =>
  Array.from({ length: cases }, (_none, index) => ({
    id: `c${index}`,
    size: String(index % 7),
    kind: index % 2 === 0 ? hostile : 'plain',
    label: label(index),
  }));

/** Files of experiments in which figures could go wrong, by what is odd in them. */
export function oddExperiments(folder: string): Readonly<Record<string, { files: readonly string[]; empty?: number }>> {
  const labels = { column: 'label' };
  return {
    rich: { files: [writeDemo(folder, 'rich', 8)] },
    'one-case': { files: [writeDemo(folder, 'one-case', 1)] },
    'one-arm': {
      files: [
        writeTable(
          folder,
          'one-arm',
          tableOf(12, (index) => `${index % 2}`),
          { label: labels },
          [arm('alone')],
        ),
      ],
    },
    'no-truth': {
      files: [
        writeTable(
          folder,
          'no-truth',
          tableOf(8, () => ''),
          { labels: ['0', '1'], exclude: ['label'] },
          [arm('a'), arm('b')],
        ),
      ],
    },
    'all-failed': { files: [writeDemo(folder, 'all-failed', 2)], empty: 1 },
    'many-labels': {
      files: [
        writeTable(
          folder,
          'many-labels',
          tableOf(54, (index) => `label ${index % 41}`),
          { label: labels },
          [arm('a')],
        ),
      ],
    },
    hostile: {
      files: [
        writeTable(
          folder,
          'hostile',
          tableOf(30, (index) => (index % 2 === 0 ? hostile : 'other')),
          { label: labels, groups: ['kind'] },
          [arm(hostile.slice(0, 40)), arm('b')],
        ),
      ],
    },
  };
}

/** An experiment that has nothing but predictions made elsewhere. */
export async function recordImported(store: string, folder: string): Promise<string> {
  const file = join(folder, 'predictions.csv');
  const rows = Array.from(
    { length: 12 },
    (_none, index) => `c${index},${index % 2},${index % 3 === 0 ? 1 : 0},0.${5 + (index % 5)}`,
  );
  writeFileSync(file, ['case,truth,said,sure', ...rows].join('\n'));
  await importPredictions(
    store,
    {
      path: file,
      fileName: 'predictions.csv',
      experiment: 'imported',
      arm: 'elsewhere',
      columns: { ...noColumns, case: 'case', prediction: 'said', confidence: 'sure', truth: 'truth' },
      map: [],
      positiveIf: null,
      confidenceScale: 1,
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  return 'imported';
}
