import { afterAll, beforeAll, expect, test } from 'vitest';
import { methodText } from '../../../core/figures/answerText.ts';
import { lastAttempt } from '../../../core/record/fold.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { openQueryPool, type QueryPool } from '../queries/pool.ts';
import { parseChain } from '../store/parseChain.ts';
import { openStoreReadOnly, type Store } from '../store/store.ts';
import { trialReport } from './html/trialReport.ts';

const room = openFolder('answer-counts');
const experiment = 'nlsy97-demo';
let store: Store;
let pool: QueryPool;

beforeAll(async () => {
  const fault = (number: number) => (number % 3 === 0 ? 'prose' : number % 7 === 0 ? 'malformed' : null);
  const path = await makeSampleStore(room.folder, { cases: 6, fault, change: { reading: 'paper' } });
  store = openStoreReadOnly(path);
  pool = openQueryPool(path);
});
afterAll(async () => {
  await pool.close();
  store.close();
});

/** How the answers of a trial were read, counted by hand from its events. */
function methodsIn(trial: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, payload } of lastAttempt(parseChain(store.events.chain(trial)))) {
    if (kind === 'call-answer' && payload.method !== undefined) counts[payload.method] = (counts[payload.method] ?? 0) + 1;
  }
  return counts;
}

test('the counts of parsing methods are those of the events: in the statistics of an arm, and in the report of a trial', async () => {
  const { lines } = await pool.run('trialPage', { experiment, order: 'case', offset: 0, limit: 100 });
  const { arms } = await pool.run('statistics', { experiment, resamples: 0, cache: null });
  const seen = new Set<string>();
  for (const { arm, answers } of arms) {
    const sums: Record<string, number> = {};
    for (const { trial } of lines.filter((line) => line.arm === arm)) {
      const counts = methodsIn(trial);
      for (const [method, number] of Object.entries(counts)) sums[method] = (sums[method] ?? 0) + number;
      // A trial whose answers were all read as one JSON object has nothing to report.
      if (Object.keys(counts).join() === 'json') continue;
      const page = trialReport(store, experiment, trial);
      for (const [method, number] of Object.entries(counts))
        expect(page).toContain(`<th scope="row">read as ${methodText(method)}</th><td class="number">${number}</td>`);
    }
    expect(answers?.methods).toEqual(sums);
    for (const method of Object.keys(sums)) seen.add(method);
  }
  expect([...seen].toSorted()).toEqual(['embedded-json', 'json', 'tolerant-json']);
});
