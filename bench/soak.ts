// Whether a long run keeps memory: trials of one call each against a server that answers at once, with the heap after a forced
// collection, the memory of the process and the size of the store after every tenth of them.
// node bench/soak.ts [TRIALS] (50,000 by default): prints a line of JSON for each tenth, and the growth over the second half.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type RunProgress, run } from '../src/main/engine/engine.ts';
import { atMost, print } from './support/lines.ts';
import { startMock, writeExperiment } from './support/mockRun.ts';

const trials = Number(process.argv[2] ?? 50_000);
const tenths = 10;
const atATime = 8;
/** Bytes of heap that a trial may leave behind: what the program keeps of each trial of a run is its row in the plan. */
const mostLeft = 2048;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const folder = mkdtempSync(join(tmpdir(), 'assize-soak-'));
const store = join(folder, 'store.db');
const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

interface Point {
  readonly trials: number;
  readonly heap: number;
  readonly rss: number;
  readonly store: number;
}

/** Growth for each trial by least squares. */
function slope(points: readonly Point[], of: 'heap' | 'rss' | 'store'): number {
  const mean = (value: (point: Point) => number) => points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const [x, y] = [mean((point) => point.trials), mean((point) => point[of])];
  return mean((point) => (point.trials - x) * (point[of] - y)) / mean((point) => (point.trials - x) ** 2);
}

const server = await startMock({ latencyMs: 0, pieces: 1, bodiesFile: join(folder, 'bodies.json') });
try {
  const points: Point[] = [];
  const onProgress = ({ finished_now }: RunProgress) => {
    if (finished_now < ((points.length + 1) * trials) / tenths) return;
    collect();
    const { heapUsed, rss } = process.memoryUsage();
    const point = { trials: finished_now, heap: heapUsed, rss, store: sizeOf(store) + sizeOf(`${store}-wal`) };
    points.push(point);
    print({ ...point });
  };
  const request = { allowedHosts: [], concurrency: atATime, maxTrials: null, retry: [], signal: new AbortController().signal };
  const file = writeExperiment(folder, trials, 'standard');
  const report = await run(file, { ...request, store, url: server.url, onProgress });
  const half = points.slice(tenths / 2 - 1);
  const growth = { heap: slope(half, 'heap'), rss: slope(half, 'rss'), store: slope(half, 'store') };
  const bytesATrial = sizeOf(store) / report.done;
  const rounded = Object.fromEntries(Object.entries(growth).map(([name, value]) => [name, Math.round(value)]));
  print({ done: report.done, growthATrial: rounded, bytesATrial: Math.round(bytesATrial) });
  print({ what: 'heap that a trial leaves behind', bytes: rounded.heap, ...atMost(growth.heap, mostLeft) });
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
