import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { randomSource } from '../core/cases/shuffle.ts';
import { timeless } from '../main/engine/lab/testing/laboratory.ts';
import { parseChain } from '../main/engine/store/parseChain.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { exhaustive } from '../shared/exhaustive.fixture.ts';
import { openBench } from './testing.ts';

/** The run is killed with SIGKILL at this many random moments and run again each time. */
const kills = exhaustive ? 50 : 8;
const concurrency = 3;
/** From before the program has loaded to well into the run. */
const moments = { from: 250, to: 1100 };

const experiment = join(import.meta.dirname, '../../resources/experiments/nlsy97-demo.json');
// Fast enough for a test, slow enough that a run outlives most kills.
const bench = await openBench({
  profile: { base: 'instant', machine: { timed: true, decodeRate: 20_000, promptRate: 1e6, loadRate: 1e15, slots: 8 } },
});
const { standin } = bench;
const runInto = (store: string) =>
  bench.start(`run ${experiment} --store ${store} --ollama ${standin.url} --concurrency ${concurrency}`);
const linesOf = async (store: string) => (await bench.lines(store, 'nlsy97-demo')).map(timeless);

/** Seeds of the calls whose answers are on the record: a seed belongs to one call of one trial and attempt. */
function recordedSeeds(path: string): Set<number> {
  const store = openStoreReadOnly(path);
  try {
    return new Set(
      store.events
        .heads()
        .flatMap(({ chain }) =>
          parseChain(store.events.chain(chain)).flatMap((event) => (event.kind === 'call-answer' ? [event.payload.seed] : [])),
        ),
    );
  } finally {
    store.close();
  }
}

test(`a run killed at ${kills} random moments ends as one that was never killed, and asks nothing twice`, {
  timeout: 240_000,
}, async () => {
  const seed = Date.now() % 2 ** 31;
  console.info(`seed of the moments: ${seed}`);
  const random = randomSource(seed, 'kill');
  const whole = bench.path('whole.db');
  expect((await runInto(whole).ended).code).toBe(0);
  const reference = await linesOf(whole);
  expect(reference).toHaveLength(40);
  expect(reference.every(({ outcome }) => outcome === 'decided')).toBe(true);

  let killed = 0;
  let asked = 0;
  for (let round = 0; killed < kills; round++) {
    const store = bench.path(`killed-${round}.db`);
    const seen = standin.requests().length;
    for (let complete = false; !complete; ) {
      const before = standin.requests().length;
      const answered = killed === 0 || before === seen ? new Set<number>() : recordedSeeds(store);
      const { kill, ended } = runInto(store);
      const delay = moments.from + random.below(moments.to - moments.from);
      const killing = killed < kills ? sleep(delay).then(() => kill('SIGKILL')) : Promise.resolve();
      const { code, errors } = await ended;
      await killing;
      if (code === null) killed += 1;
      else expect(code, errors).toBe(0);
      complete = code === 0;
      const repeated = standin
        .requests()
        .slice(before)
        .filter(({ seed }) => seed !== null && answered.has(seed));
      expect(repeated, 'calls made again though their answers are on the record').toEqual([]);
    }
    asked += standin.requests().length - seen;
    expect(await linesOf(store)).toEqual(reference);
    expect((await bench.assize(`verify ${store}`)).code).toBe(0);
    expect((await bench.assize(`replay ${store}`)).code).toBe(0);
  }
  console.info(`${killed} kills, ${asked} requests`);
});
