import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run, startDemoServer, stats } from '../src/main/engine/engine.ts';
import { atMost, print } from './support/lines.ts';

/** Budget of the record of one courtroom trial, indexes included. */
const budget = 30_000;
const fewer = 6;
const more = 30;

const root = resolve(import.meta.dirname, '..');

interface ExperimentText {
  name: string;
  dataset: { path: string; sample: { n: number } };
  arms: { name: string }[];
}

/** Bytes of a store after a run of so many courtroom trials, its write-ahead log merged. */
async function storeBytes(folder: string, url: string, trials: number): Promise<{ bytes: number; promptTokens: number }> {
  const experiment: ExperimentText = JSON.parse(readFileSync(join(root, 'resources/experiments/nlsy97-demo.json'), 'utf8'));
  experiment.dataset.path = join(root, 'resources/samples/nlsy97/nlsy97-60.csv');
  experiment.dataset.sample.n = trials;
  experiment.arms = experiment.arms.filter(({ name }) => name === 'court');
  const file = join(folder, `${trials}.json`);
  const store = join(folder, `${trials}.db`);
  writeFileSync(file, JSON.stringify(experiment));
  await run(file, { store, url, concurrency: 4 });
  const [arm] = (
    await stats(
      store,
      experiment.name,
      { quick: true, cache: null },
      { signal: new AbortController().signal, onProgress: () => undefined },
    )
  ).arms;
  return { bytes: statSync(store).size, promptTokens: (arm?.prompt_tokens ?? 0) / (arm?.calls ?? 1) };
}

const folder = mkdtempSync(join(tmpdir(), 'assize-size-'));
const standin = await startDemoServer({ port: 0 });
try {
  const small = await storeBytes(folder, standin.url, fewer);
  const large = await storeBytes(folder, standin.url, more);
  const bytesATrial = Math.round((large.bytes - small.bytes) / (more - fewer));
  const promptTokensACall = Math.round(large.promptTokens);
  print({ protocol: 'agentic-sim', trials: more - fewer, promptTokensACall, bytesATrial, ...atMost(bytesATrial, budget) });
} finally {
  await standin.close();
  rmSync(folder, { recursive: true, force: true });
}
