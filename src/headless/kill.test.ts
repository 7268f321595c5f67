import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { randomSource } from '../core/cases/shuffle.ts';
import { timeless } from '../main/engine/lab/testing/laboratory.ts';
import { parseChain } from '../main/engine/store/parseChain.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { exhaustive } from '../shared/exhaustive.fixture.ts';
import { verifyReportSchema } from '../shared/outputs.ts';
import { published, publishedText, reportOf } from './importing.fixture.ts';
import { openBench } from './testing.ts';

/** Each command is killed with SIGKILL at this many random moments and run again each time: 8 in all, and 100 in the exhaustive suite. */
const killsOf = exhaustive
  ? { run: 40, import: 20, checkpoint: 20, bundle: 20 }
  : { run: 4, import: 2, checkpoint: 1, bundle: 1 };
const kills = killsOf.run;
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
  timeout: 600_000,
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

/** Kills a command at random moments of the time that it takes, and looks after each kill; in the end it is run as usual. */
async function killedAtRandom(words: string, times: number, reset: () => void, look: () => Promise<void>): Promise<void> {
  const seed = Date.now() % 2 ** 31;
  const random = randomSource(seed, words);
  reset();
  const began = performance.now();
  expect((await bench.start(words).ended).code).toBe(0);
  const whole = performance.now() - began;
  let ended = 0;
  for (let killed = 0; killed < times; ) {
    reset();
    const { kill, ended: end } = bench.start(words);
    const killing = sleep(whole * (0.2 + 0.8 * random.next())).then(() => kill('SIGKILL'));
    const { code, errors } = await end;
    await killing;
    if (code === null) killed += 1;
    else {
      ended += 1;
      expect(code, errors).toBe(0);
    }
    await look();
  }
  console.info(`${words.split(' ')[0]}: ${times} kills within ${Math.round(whole)} ms, ${ended} ended before; seed ${seed}`);
}

const verified = async (store: string) => {
  const { code, output } = await bench.assize(`verify ${store} --json`);
  expect(code, output).toBe(0);
  return verifyReportSchema.parse(JSON.parse(output));
};
const eventsOf = (path: string) => {
  const store = openStoreReadOnly(path);
  try {
    return store.events.count();
  } finally {
    store.close();
  }
};
const remove = (path: string) => {
  for (const suffix of ['', '-wal', '-shm', '-journal', '.lock']) rmSync(path + suffix, { force: true });
};

test('an import, a checkpoint and a bundle that are killed at random moments lose nothing and leave nothing half', {
  timeout: 1_200_000,
}, async () => {
  const [whole, store] = [bench.path('imported.db'), bench.path('killed-import.db')];
  const file = bench.path('predictions.csv');
  writeFileSync(file, readFileSync(published, 'utf8').split('\n').slice(0, 401).join('\n'));
  const importInto = (path: string) => publishedText(path, file);
  expect((await bench.assize(importInto(whole))).code).toBe(0);
  const [lines, events] = [await bench.lines(whole, 'published'), eventsOf(whole)];
  const fresh = () => remove(store);
  await killedAtRandom(importInto(store), killsOf.import, fresh, async () => {
    // 2: nothing is on the record yet.
    if (existsSync(store)) expect([0, 2]).toContain((await bench.assize(`verify ${store}`)).code);
    expect(reportOf(await bench.assize(importInto(store))).trials).toBe(lines.length);
    expect((await bench.lines(store, 'published')).map(timeless)).toEqual(lines.map(timeless));
    expect(eventsOf(store)).toBe(events);
    expect(await verified(store)).toMatchObject({ log: { signed: lines.length + 1, size: lines.length + 1 } });
  });

  const unsigned = () => {
    remove(store);
    copyFileSync(whole, store);
    const db = new Database(store);
    db.exec('DELETE FROM checkpoints; UPDATE leaves SET hashes = NULL');
    db.close();
  };
  await killedAtRandom(`checkpoint --store ${store}`, killsOf.checkpoint, unsigned, async () => {
    expect(await verified(store)).toMatchObject({ events });
    expect((await bench.assize(`checkpoint --store ${store}`)).code).toBe(0);
    expect(await verified(store)).toMatchObject({ log: { checkpoints: 1, signed: lines.length + 1 } });
  });

  const folder = bench.room('bundles');
  const out = join(folder, 'ran.zip');
  const ran = bench.path('ran.db');
  expect((await runInto(ran).ended).code).toBe(0);
  const bundle = `export nlsy97-demo --store ${ran} --format bundle --out ${out}`;
  await killedAtRandom(
    bundle,
    killsOf.bundle,
    () => rmSync(out, { force: true }),
    async () => {
      if (existsSync(out)) expect((await bench.assize(`verify ${out}`)).code).toBe(0);
      rmSync(out, { force: true });
      expect((await bench.assize(bundle)).code).toBe(0);
      expect(readdirSync(folder)).toEqual(['ran.zip']);
    },
  );
  await verified(ran);
});
