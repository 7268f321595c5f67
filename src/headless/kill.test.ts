import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { randomSource } from '../core/cases/shuffle.ts';
import { protocols } from '../core/protocols/index.ts';
import { timeless } from '../main/engine/lab/testing/laboratory.ts';
import { startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { parseChain } from '../main/engine/store/parseChain.ts';
import { reading } from '../main/engine/testing/reading.ts';
import { kills } from '../shared/exhaustive.fixture.ts';
import { verifyReportSchema } from '../shared/outputs.ts';
import { published, publishedText, reportOf } from './importing.fixture.ts';
import { eventCount, openBench } from './testing.ts';

/** Each command is killed with SIGKILL at this many random moments and run again each time, a run as often with two servers. */
const killsOf = { run: kills / 2, import: 20, checkpoint: 20, bundle: 20 };
const cases = 5;

/** What all servers were asked, in the order in which it came. */
const asked: { model: string | null; seed: number | null }[] = [];
/** Called for every request that arrives. */
let onRequest: () => void = () => undefined;
const fault = (request: (typeof asked)[number]) => {
  asked.push(request);
  onRequest();
  return null;
};
const bench = await openBench({ fault });
const { standin } = bench;
const second = await startDemoServer({ fault });
afterAll(() => second.close());
const demo = join(import.meta.dirname, '../../resources/experiments/nlsy97-demo.json');
const definition = JSON.parse(readFileSync(demo, 'utf8'));
const dataset = { ...definition.dataset, path: join(demo, '..', definition.dataset.path), sample: { from: 'test', n: cases } };
const [experiment, shared] = [bench.path('demo.json'), bench.path('shared.json')];
/** The two of the demonstration; where there is time one of each protocol, whose models distinguish its calls from those of others. */
const arms: readonly object[] =
  kills < 40 ? definition.arms : protocols.map(({ id }) => ({ name: id, protocol: id, cast: { '*': { model: `${id}:1b` } } }));
const backends = { default: { kind: 'ollama', url: standin.url }, second: { kind: 'ollama', url: second.url, joins: 'default' } };
writeFileSync(experiment, JSON.stringify({ ...definition, dataset, arms }));
writeFileSync(shared, JSON.stringify({ ...definition, dataset, arms, backends }));
const words = (file: string, store: string) => `run ${file} --store ${store} --ollama ${standin.url} --concurrency 3`;
const linesOf = async (store: string) => (await bench.lines(store, 'nlsy97-demo')).map(timeless);

const whole = bench.path('whole.db');
if ((await bench.assize(words(experiment, whole))).code !== 0) throw new Error('the run that is not killed fails');
const reference = await linesOf(whole);
const requests = asked.length;

/** A seed belongs to one call of one trial and attempt of an arm. */
const callOf = (model: unknown, seed: number) => `${model} ${seed}`;

function recordedCalls(path: string): Set<string> {
  return reading(path, ({ blobs, events }) => {
    const modelOf = (setup: string): unknown => JSON.parse(blobs.need(setup)).model;
    const calls = events
      .heads()
      .flatMap(({ chain }) =>
        parseChain(events.chain(chain)).flatMap(({ kind, payload }) =>
          kind === 'call-answer' ? [callOf(modelOf(payload.setup), payload.seed)] : [],
        ),
      );
    return new Set(calls);
  });
}

test.each([
  ['one server', experiment],
  ['two servers that share its calls', shared],
])(
  `a run of %s killed at ${killsOf.run} random moments ends as one that was never killed, and asks nothing twice`,
  {
    timeout: 60_000 * (10 + kills),
  },
  async (_, file) => {
    const seed = Date.now() % 2 ** 31;
    console.info(`seed of the moments: ${seed}`);
    const random = randomSource(seed, 'kill');
    expect(reference).toHaveLength(arms.length * cases);
    expect(reference.every(({ outcome }) => outcome === 'decided')).toBe(true);

    let killed = 0;
    for (let round = 0; killed < killsOf.run; round++) {
      const store = `${file}-${round}.db`;
      const seen = asked.length;
      for (let complete = false; !complete; ) {
        const before = asked.length;
        // Where no trial has asked, there may be half a store that cannot be read yet.
        const hasAsked = asked.slice(seen).some((request) => request.seed !== null);
        const answered = hasAsked ? recordedCalls(store) : new Set<string>();
        const { kill, ended } = bench.start(words(file, store));
        if (killed < killsOf.run) {
          // At a call, and at once or a moment later, when its answer may be about to be written: however fast the machine is.
          const [count, pause] = [before + 1 + random.below(Math.ceil(requests / 2)), random.below(3) * 10];
          onRequest = () => {
            if (asked.length >= count) setTimeout(() => kill('SIGKILL'), pause);
          };
        }
        const { code, errors } = await ended;
        onRequest = () => undefined;
        if (code === null) killed += 1;
        else expect(code, errors).toBe(0);
        complete = code === 0;
        const repeated = asked
          .slice(before)
          .filter((request) => request.seed !== null && answered.has(callOf(request.model, request.seed)));
        expect(repeated, 'calls made again though their answers are on the record').toEqual([]);
      }
      expect(await linesOf(store)).toEqual(reference);
      expect((await bench.assize(`verify ${store}`)).code).toBe(0);
      expect((await bench.assize(`replay ${store}`)).code).toBe(0);
    }
    expect(second.requests().length > 0).toBe(file === shared);
  },
);

const verified = async (store: string) => {
  const { code, output } = await bench.assize(`verify ${store} --json`);
  expect(code, output).toBe(0);
  return verifyReportSchema.parse(JSON.parse(output));
};
const remove = (path: string) => {
  for (const suffix of ['', '-wal', '-shm', '-journal', '.lock']) rmSync(path + suffix, { force: true });
};

test('an import, a checkpoint and a bundle that are killed at random moments lose nothing and leave nothing half', {
  tags: 'exhaustive',
  timeout: 1_200_000,
}, async () => {
  const [imported, store] = [bench.path('imported.db'), bench.path('killed-import.db')];
  const file = bench.path('predictions.csv');
  writeFileSync(file, readFileSync(published, 'utf8').split('\n').slice(0, 151).join('\n'));
  const importInto = (path: string) => publishedText(path, file);
  expect((await bench.assize(importInto(imported))).code).toBe(0);
  const [lines, events] = [await bench.lines(imported, 'published'), eventCount(imported)];
  const fresh = () => remove(store);
  await bench.killAtRandom(importInto(store), killsOf.import, fresh, async () => {
    // 2: nothing is on the record yet.
    if (existsSync(store)) expect([0, 2]).toContain((await bench.assize(`verify ${store}`)).code);
    expect(reportOf(await bench.assize(importInto(store))).trials).toBe(lines.length);
    expect((await bench.lines(store, 'published')).map(timeless)).toEqual(lines.map(timeless));
    expect(eventCount(store)).toBe(events);
    expect(await verified(store)).toMatchObject({ log: { signed: lines.length + 1, size: lines.length + 1 } });
  });

  const unsigned = () => {
    remove(store);
    copyFileSync(imported, store);
    const db = new Database(store);
    db.exec('DELETE FROM checkpoints; UPDATE leaves SET hashes = NULL');
    db.close();
  };
  await bench.killAtRandom(`checkpoint --store ${store}`, killsOf.checkpoint, unsigned, async () => {
    expect(await verified(store)).toMatchObject({ events });
    expect((await bench.assize(`checkpoint --store ${store}`)).code).toBe(0);
    expect(await verified(store)).toMatchObject({ log: { checkpoints: 1, signed: lines.length + 1 } });
  });

  const folder = bench.room('bundles');
  const out = join(folder, 'ran.zip');
  const bundle = `export nlsy97-demo --store ${whole} --format bundle --out ${out}`;
  await bench.killAtRandom(
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
  await verified(whole);
});
