import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import { run } from '../../engine.ts';
import { startDemoServer } from '../../models/demo/demoServer.ts';
import type { Fault } from '../../models/demo/profiles.ts';
import { keptStore } from '../../store/testing/keptStore.ts';

const resources = resolve(import.meta.dirname, '../../../../../resources');
export const sampleData = join(resources, 'samples/nlsy97/nlsy97-60.csv');
const definition = join(resources, 'experiments/nlsy97-demo.json');

/** A temporary folder of a test file, which goes with it. */
export function openFolder(name: string): { folder: string; path(file: string): string } {
  const folder = mkdtempSync(join(tmpdir(), `assize-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, path: (file) => join(folder, file) };
}

export interface SampleOptions {
  readonly cases: number;
  /** Changes to the experiment file. */
  readonly change?: Readonly<Record<string, unknown>>;
  /** How the n-th question to the demo model goes wrong, if at all. */
  readonly fault?: (number: number) => Fault['kind'] | null;
  readonly maxTrials?: number;
}

/** Questions that go wrong in a sample store: retries, a forfeited turn, and a trial that ends in a failure. */
export const someFaults: Readonly<Record<number, Fault['kind']>> = {
  0: 'overflow',
  2: 'error-line',
  4: 'http-500',
  6: 'truncated',
  20: 'wrong-label',
  22: 'malformed',
  31: 'declining',
};

const usualFault: NonNullable<SampleOptions['fault']> = (number) => someFaults[number] ?? null;
export const noFault = (): null => null;

/** The store that was made alike before in this run of all tests, or will be; null where the faults are a test's own. */
function madeBefore({ cases, change = {}, fault = usualFault, maxTrials }: SampleOptions) {
  if (fault !== usualFault && fault !== noFault) return null;
  return keptStore(JSON.stringify([cases, change, fault === noFault, maxTrials]));
}

/** Writes the demonstration experiment, with fewer cases, next to a store and returns its path. */
export function writeExperiment(folder: string, { cases, change = {} }: Pick<SampleOptions, 'cases' | 'change'>): string {
  const base = JSON.parse(readFileSync(definition, 'utf8')) as { dataset: Record<string, unknown> };
  const dataset = { ...base.dataset, path: sampleData, sample: { from: 'test', n: cases } };
  const file = join(folder, 'experiment.json');
  writeFileSync(file, JSON.stringify({ ...base, dataset, ...change }));
  return file;
}

/** Runs the demonstration experiment with the real engine; only the models are the demo model's. Continues in a store that exists. */
export async function makeSampleStore(folder: string, options: SampleOptions): Promise<string> {
  const { fault = usualFault, maxTrials = null } = options;
  const store = join(folder, 'sample.db');
  const file = writeExperiment(folder, options);
  const made = existsSync(store) ? null : madeBefore(options);
  if (made?.copyTo(store)) return store;
  const standin = await startDemoServer({
    fault(request) {
      const kind = fault(request.id);
      return kind === null ? null : { kind };
    },
  });
  try {
    await run(file, { store, url: standin.url, concurrency: 1, maxTrials });
  } finally {
    await standin.close();
  }
  made?.keep(store);
  return store;
}
