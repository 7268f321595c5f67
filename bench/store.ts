// Imports a table of predictions into a new store, checks the store, and asks what the screens ask, each twice (the first reads
// the file). Times are by the clock, then of the processor: node bench/store.ts [CASES] (four systems; 25,000 cases by default)
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomSource } from '../src/core/cases/shuffle.ts';
import { verifyStore } from '../src/main/engine/audit/verify.ts';
import { importPredictions } from '../src/main/engine/engine.ts';
import { openQueryPool } from '../src/main/engine/queries/pool.ts';
import { queries } from '../src/main/engine/queries/queries.ts';
import { openStoreReadOnly } from '../src/main/engine/store/store.ts';
import { noColumns } from '../src/shared/imported.ts';

const cases = Number(process.argv[2] ?? 25_000);
const systems = 4;
const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
const [table, path] = [join(folder, 'table.csv'), join(folder, 'store.db')];
const experiment = 'bench';
const untold = () => undefined;

function tableText(): string {
  const random = randomSource(1, 'bench');
  const label = (isYes: boolean) => (isYes ? 'YES' : 'NO');
  const rows = Array.from({ length: cases }, (_, index) => {
    const truth = random.next() < 0.4;
    return Array.from({ length: systems }, (_system, system) => {
      const predicted = random.next() < 0.6 + system / 20 ? truth : !truth;
      return `c${index},${label(truth)},s${system},${label(predicted)},${(0.5 + random.below(50) / 100).toFixed(2)}`;
    }).join('\n');
  });
  return `${['id,truth,system,prediction,sure', ...rows].join('\n')}\n`;
}

async function measure(name: string, ask: () => unknown): Promise<void> {
  const [began, before, growth] = [performance.now(), process.cpuUsage(), process.resourceUsage().maxRSS];
  await ask();
  const { user, system } = process.cpuUsage(before);
  const [elapsed, busy] = [Math.round(performance.now() - began), Math.round((user + system) / 1000)];
  const memory = Math.round((process.resourceUsage().maxRSS - growth) / 1024);
  process.stdout.write(`${name}: ${elapsed} ms, ${busy} ms, ${memory} MiB more\n`);
}

const columns = { ...noColumns, case: 'id', prediction: 'prediction', confidence: 'sure', system: 'system', truth: 'truth' };
const reading = { columns, map: [], positiveIf: null, confidenceScale: 1 as const };
const request = { ...reading, experiment, arm: 'a', fileName: 'table.csv', path: table };

try {
  writeFileSync(table, tableText());
  const watch = { signal: new AbortController().signal, onProgress: untold };
  await measure(`import of ${systems * cases} rows`, () => importPredictions(path, request, watch));
  process.stdout.write(`a table of ${statSync(table).size} bytes, a store of ${statSync(path).size}\n`);
  const [store, pool] = [openStoreReadOnly(path), openQueryPool(path)];
  await measure('check of the record', () => verifyStore(store, {}));
  const [first] = store.trials.page({ experiment, order: 'case' }, { offset: 0, limit: 1 }).rows;
  const page = { experiment, offset: 0, limit: 100 } as const;
  const asked: Record<string, () => unknown> = {
    'list of experiments': () => queries.experimentList.run(store, null, () => undefined),
    'experiment with its counts': () => queries.experiment.run(store, { experiment }, untold),
    'table, newest first': () => queries.trialPage.run(store, { ...page, order: 'newest' }, untold),
    'table by case': () => queries.trialPage.run(store, { ...page, order: 'case' }, untold),
    'a trial': () => queries.trial.run(store, { trial: first?.trial ?? '' }, untold),
    // As a screen asks: in threads, whether the record is sound and the statistics, which are sent in stages.
    'all intervals': () =>
      Promise.all([
        pool.run('damage', { experiment }),
        pool.run('statistics', { experiment, cache: null, staged: true }, undefined, untold),
      ]),
  };
  for (const [name, ask] of Object.entries(asked))
    for (const round of ['first', 'again']) await measure(`${name}, ${round}`, ask);
  await pool.close();
  store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
