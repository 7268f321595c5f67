// A table of the predictions of four systems, as the benches of large experiments import it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningHost } from '../../e2e/loopback/support/host.ts';
import { randomSource } from '../../src/core/cases/shuffle.ts';
import { importPredictions } from '../../src/main/engine/engine.ts';
import { noColumns } from '../../src/shared/imported.ts';

export const systems = 4;
const columns = { case: 'id', truth: 'truth', system: 'system', prediction: 'prediction', confidence: 'sure' };

export function writeTable(folder: string, cases: number): string {
  const random = randomSource(1, 'bench');
  const label = (isYes: boolean) => (isYes ? 'YES' : 'NO');
  const rows = Array.from({ length: cases }, (_, index) => {
    const truth = random.next() < 0.4;
    return Array.from({ length: systems }, (_system, system) => {
      const predicted = random.next() < 0.6 + system / 20 ? truth : !truth;
      return `c${index},${label(truth)},s${system},${label(predicted)},${(0.5 + random.below(50) / 100).toFixed(2)}`;
    }).join('\n');
  });
  const file = join(folder, 'table.csv');
  writeFileSync(file, `${[Object.values(columns).join(','), ...rows].join('\n')}\n`);
  return file;
}

/** Makes an experiment of four trials for each case in a store. */
export async function importTable(store: string, table: string, experiment: string): Promise<void> {
  const reading = { columns: { ...noColumns, ...columns }, map: [], positiveIf: null, confidenceScale: 1 as const };
  const request = { ...reading, experiment, arm: 'a', fileName: 'table.csv', path: table };
  await importPredictions(store, request, { signal: new AbortController().signal, onProgress: () => undefined });
}

/** Makes an experiment called `large`, of four trials for each case, in the store of a host. */
export async function importLarge(host: RunningHost, cases: number): Promise<void> {
  const file = writeTable(host.folder, cases);
  const words = Object.entries(columns).flatMap(([part, column]) => [`--${part}`, column]);
  await host.assize(['import-predictions', file, '--experiment', 'large', '--arm', 'a', '--store', host.store, ...words]);
}
