import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { randomSource } from '../src/core/cases/shuffle.ts';
import { bootstrap } from '../src/core/statistics/bootstrap.ts';
import { sumsStatistic } from '../src/core/statistics/sumsStatistic.ts';

// The time that BCa intervals of 10,000 cases take in one worker thread, as a ratio to scipy's on the same machine.

const cases = 10_000;
const resamples = 10_000;
const rounds = 3;
/** How far an interval's end may be from scipy's. */
const tolerance = 0.005;

const intervalSchema = z.object({ seconds: z.number(), low: z.number(), high: z.number() });
const resultsSchema = z.record(z.string(), intervalSchema);
const referenceSchema = z.object({ version: z.string(), results: resultsSchema });
type Results = z.infer<typeof resultsSchema>;

interface Columns {
  readonly score: readonly number[];
  readonly truth: readonly number[];
  readonly prediction: readonly number[];
}

function columns(): Columns {
  const random = randomSource(1, 'bench');
  const rows = Array.from({ length: cases }, () => {
    const truth = Number(random.next() < 0.3);
    return { score: random.next() ** 2, truth, prediction: random.next() < 0.75 ? truth : 1 - truth };
  });
  return {
    score: rows.map(({ score }) => score),
    truth: rows.map(({ truth }) => truth),
    prediction: rows.map(({ prediction }) => prediction),
  };
}

/** The shortest of several runs: what the work takes where nothing else runs. */
function measure({ score, truth, prediction }: Columns): Results {
  const hits = truth.flatMap((isTrue, index) => [isTrue * (prediction[index] ?? 0), isTrue + (prediction[index] ?? 0)]);
  const statistics = {
    mean: sumsStatistic(Float64Array.from(score), 1, ([sum = 0]) => sum / cases),
    F1: sumsStatistic(Float64Array.from(hits), 2, ([both = 0, either = 0]) => (either === 0 ? null : (2 * both) / either)),
  };
  return Object.fromEntries(
    Object.entries(statistics).map(([name, statistic]) => {
      const times: number[] = [];
      let ends = { low: Number.NaN, high: Number.NaN };
      for (let round = 0; round < rounds; round++) {
        const started = performance.now();
        const interval = bootstrap(statistic, { resamples, seed: 1 });
        times.push((performance.now() - started) / 1000);
        ends = { low: interval?.low ?? Number.NaN, high: interval?.high ?? Number.NaN };
      }
      return [name, { seconds: Math.min(...times), ...ends }];
    }),
  );
}

async function inWorker(data: Columns): Promise<Results> {
  const worker = new Worker(new URL(import.meta.url), { workerData: data });
  return new Promise((resolve, reject) => {
    worker.once('message', (results) => resolve(resultsSchema.parse(results)));
    worker.once('error', reject);
  });
}

/** scipy's results, or why there are none. */
function reference(data: Columns): z.infer<typeof referenceSchema> | string {
  const script = join(import.meta.dirname, 'bootstrap.py');
  const child = spawnSync('python3', [script], { input: JSON.stringify({ ...data, resamples, rounds }), encoding: 'utf8' });
  if (child.error !== undefined) return `python3 does not start (${child.error.message})`;
  if (child.status !== 0) return `python3 says: ${child.stderr.trim().split('\n').at(-1)}`;
  return referenceSchema.parse(JSON.parse(child.stdout));
}

async function main(): Promise<void> {
  const data = columns();
  const results = await inWorker(data);
  const scipy = reference(data);
  console.info(`BCa, ${resamples} resamples of ${cases} cases, one worker thread, the shortest of ${rounds}:`);
  if (typeof scipy === 'string') console.info(`  no ratio: the reference is missing. ${scipy}`);
  for (const [name, { seconds, low, high }] of Object.entries(results)) {
    const own = `  ${name.padEnd(5)} ${seconds.toFixed(2)} s`;
    const expected = typeof scipy === 'string' ? undefined : scipy.results[name];
    if (typeof scipy === 'string' || expected === undefined) {
      console.info(own);
      continue;
    }
    const away = Math.max(Math.abs(low - expected.low), Math.abs(high - expected.high));
    const ratio = (seconds / expected.seconds).toFixed(2);
    console.info(
      `${own}, scipy ${scipy.version} ${expected.seconds.toFixed(2)} s, ratio ${ratio}; ends within ${away.toExponential(1)}`,
    );
    if (!(away < tolerance)) process.exitCode = 1;
  }
}

if (isMainThread) await main();
else parentPort?.postMessage(measure(workerData));
