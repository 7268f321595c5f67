// How a store grows with its trials: node bench/growth.ts. Imports up to a million predictions, and runs up to 100,000 trials of one call
// and 10,000 of agentic-sim against the mock server, ten times as many each time and each time into a new store. Asks the largest store
// of each kind what the screens ask. Prints lines of JSON; needs 4 GB of disk.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../src/main/engine/engine.ts';
import { openStoreReadOnly } from '../src/main/engine/store/store.ts';
import { withStore } from '../src/main/engine/store/withStore.ts';
import { askAsScreens } from './support/asked.ts';
import { importTable, systems, writeTable } from './support/importedTable.ts';
import { atMost, print, rounded } from './support/lines.ts';
import { startMock, writeExperiment } from './support/mockRun.ts';

/** What one more trial may take among the most trials, as a multiple of what it takes among the fewest. */
const goal = 1.1;
const folder = mkdtempSync(join(tmpdir(), 'assize-growth-'));
const store = join(folder, 'store.db');
const server = await startMock({ latencyMs: 0, pieces: 1, bodiesFile: join(folder, 'bodies.json') });

const runTrials = (protocol: string) => (trials: number) => {
  const request = { allowedHosts: [], concurrency: 8, maxTrials: null, retry: [], signal: new AbortController().signal };
  const file = writeExperiment(folder, trials, protocol);
  return run(file, { ...request, store, url: server.url, onProgress: () => undefined });
};

const kinds = [
  {
    kind: 'imported',
    sizes: [1000, 10_000, 100_000, 1_000_000],
    make: (trials: number) => importTable(store, writeTable(folder, trials / systems), 'bench'),
  },
  { kind: 'standard, one call', sizes: [1000, 10_000, 100_000], make: runTrials('standard') },
  { kind: 'agentic-sim', sizes: [100, 1000, 10_000], make: runTrials('agentic-sim') },
];

try {
  for (const { kind, sizes, make } of kinds) {
    let before = { trials: 0, bytes: 0 };
    const growths: number[] = [];
    for (const trials of sizes) {
      rmSync(store, { force: true });
      const began = performance.now();
      await make(trials);
      const seconds = rounded((performance.now() - began) / 1000, 1);
      const { size: bytes } = statSync(store);
      if (before.trials > 0) growths.push((bytes - before.bytes) / (trials - before.trials));
      before = { trials, bytes };
      print({ kind, trials, bytes, bytesATrial: Math.round(bytes / trials), seconds });
    }
    const [first = Number.NaN] = growths;
    const ratio = rounded((growths.at(-1) ?? Number.NaN) / first, 3);
    print({ kind, bytesOfOneMore: growths.map((growth) => Math.round(growth)), lastToFirst: ratio, ...atMost(ratio, goal) });
    await withStore(openStoreReadOnly(store), (opened) => askAsScreens(opened, 'bench'));
  }
} finally {
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
