// Imports a table of predictions into a new store, checks the store, and asks what the screens ask, each twice (the first reads
// the file): node bench/store.ts [CASES] (four systems; 25,000 cases by default, of which the goals are). Prints lines of JSON.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyStore } from '../src/main/engine/audit/verify.ts';
import { openQueryPool } from '../src/main/engine/queries/pool.ts';
import { openStoreReadOnly } from '../src/main/engine/store/store.ts';
import { askAsScreens, measure } from './support/asked.ts';
import { importTable, systems, writeTable } from './support/importedTable.ts';
import { print } from './support/lines.ts';

const cases = Number(process.argv[2] ?? 25_000);
const folder = mkdtempSync(join(tmpdir(), 'assize-bench-'));
const path = join(folder, 'store.db');
const experiment = 'bench';

try {
  const table = writeTable(folder, cases);
  await measure(`import of ${systems * cases} rows`, () => importTable(path, table, experiment));
  print({ what: 'sizes', tableBytes: statSync(table).size, storeBytes: statSync(path).size });
  const [store, pool] = [openStoreReadOnly(path), openQueryPool(path)];
  await measure('check of the record', () => verifyStore(store, {}), 10_000);
  await askAsScreens(store, experiment, 300);
  // As a screen asks: in threads, whether the record is sound and the statistics, which are sent in stages.
  const intervals = () =>
    Promise.all([
      pool.run('damage', { experiment }),
      pool.run('statistics', { experiment, cache: null, staged: true }, undefined, () => undefined),
    ]);
  for (const round of ['first', 'again']) await measure(`all intervals, ${round}`, intervals, 30_000);
  await pool.close();
  store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
