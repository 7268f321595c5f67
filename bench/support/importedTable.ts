// A table of the predictions of four systems, as the benches of large experiments import it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningHost } from '../../e2e/loopback/support/host.ts';
import { randomSource } from '../../src/core/cases/shuffle.ts';

export const systems = 4;
const columns = { case: 'id', truth: 'truth', system: 'system', prediction: 'prediction', confidence: 'confidence' };

function table(cases: number): string {
  const random = randomSource(1, 'bench');
  const label = (isYes: boolean) => (isYes ? 'YES' : 'NO');
  const rows = Array.from({ length: systems * cases }, (_none, index) => {
    const truth = Math.floor(index / systems) % 3 === 0;
    return `c${Math.floor(index / systems)},${label(truth)},s${index % systems},${label(random.next() < 0.7 ? truth : !truth)},${random.next() < 0.5 ? 0.9 : 0.6}`;
  });
  return `${[Object.values(columns).join(','), ...rows].join('\n')}\n`;
}

/** Makes an experiment called `large`, of four trials for each case, in the store of a host. */
export async function importLarge(host: RunningHost, cases: number): Promise<void> {
  const file = join(host.folder, 'table.csv');
  writeFileSync(file, table(cases));
  const words = Object.entries(columns).flatMap(([part, column]) => [`--${part}`, column]);
  await host.assize(['import-predictions', file, '--experiment', 'large', '--arm', 'a', '--store', host.store, ...words]);
}
