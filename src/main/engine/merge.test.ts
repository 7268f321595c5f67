import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Part } from '../../shared/part.ts';
import { forge } from './audit/testing/forging.ts';
import { secondVerifier } from './audit/testing/pythonVerifier.ts';
import { openFolder, writeExperiment } from './audit/testing/sampleStore.ts';
import { verifyPath, withCopy } from './audit/testing/tampering.ts';
import { bundleOf } from './bundle/testing/bundles.ts';
import { wholeNote } from './checkpoint/signatures.ts';
import { eraseInStore, replay, run, stats, verify } from './engine.ts';
import { type DemoServer, startDemoServer } from './models/demo/demoServer.ts';
import { adopt, type CopyWatch, merge } from './newStores.ts';
import { toKey } from './store/blobs.ts';
import { openStoreReadOnly, type Store } from './store/store.ts';
import { writeOfEveryProtocol } from './store/testing/everyProtocol.ts';
import { withStore } from './store/withStore.ts';

const room = openFolder('merge');
const python = secondVerifier();
const watch: CopyWatch = { signal: new AbortController().signal, onProgress: () => undefined };
const experiment = 'nlsy97-demo';
/** Four cases before two arms. */
const trials = 8;
let standin: DemoServer;
let file: string;
/** An experiment that was frozen, and never tried. */
let start: string;
/** Three parts of it, each run on a copy. */
let parts: string[];
let whole: string;

const runInto = (store: string, more: { part?: Part; maxTrials?: number; file?: string } = {}) =>
  run(more.file ?? file, {
    store,
    url: standin.url,
    concurrency: 2,
    maxTrials: more.maxTrials ?? null,
    part: more.part,
    signal: watch.signal,
  });

async function runCopy(name: string, part?: Part): Promise<string> {
  const store = room.path(name);
  copyFileSync(start, store);
  await runInto(store, { ...(part === undefined ? {} : { part }) });
  return store;
}

beforeAll(async () => {
  standin = await startDemoServer();
  file = writeExperiment(room.folder, { cases: 4 });
  start = room.path('start.db');
  await runInto(start, { maxTrials: 0 });
  parts = [];
  for (const number of [1, 2, 3]) parts.push(await runCopy(`part-${number}.db`, { number, of: 3 }));
  whole = await runCopy('whole.db');
});

afterAll(() => standin.close());

let made = 0;
const merged = async (...stores: readonly string[]) => {
  made += 1;
  const into = room.path(`merged-${made}.db`);
  await merge(stores, into, watch);
  return into;
};

const looking = <T>(path: string, look: (store: Store) => T): Promise<T> => withStore(openStoreReadOnly(path), look);

/** All that a record says, in a fixed order. */
function contentOf(path: string): unknown[][] {
  const db = new Database(path, { readonly: true });
  const tables = new Set(db.prepare<[], string>('SELECT name FROM sqlite_schema').pluck().all());
  const manifest = (table: string) => `(SELECT hex(manifest) FROM datasets WHERE id = ${table}.dataset)`;
  const rows = [
    'SELECT trial, seq, kind, payload, hex(prev_hash), hex(hash) FROM events ORDER BY trial, seq',
    'SELECT hex(salt), hex(manifest) FROM datasets ORDER BY 2',
    `SELECT hex(ref), ${manifest('blobs')}, encoding, hex(bytes) FROM blobs ORDER BY ref`,
    `SELECT ${manifest('cases')}, id, position, split, hex(ref) FROM cases ORDER BY 1, 2`,
    `SELECT name, ${manifest('experiments')}, hex(definition), head_hash FROM experiments ORDER BY name`,
    'SELECT hex(ref), erasure, stays FROM erased ORDER BY ref',
    'SELECT * FROM trials ORDER BY trial',
    'SELECT * FROM trajectories ORDER BY trial',
  ]
    // A store of an older format does not have all tables.
    .filter((select) => tables.has(/FROM (\w+)(?! WHERE)[^)]*$/.exec(select)?.[1] ?? ''))
    .map((select) => db.prepare<[], unknown[]>(select).raw().all());
  db.close();
  return rows;
}

const verdictsOf = (path: string) =>
  looking(path, (store) =>
    store.trials.ofExperiment(experiment).map(({ trial, outcome, prediction, belief, calls, seed, prompt_tokens }) => ({
      ...{ trial, outcome, prediction, belief, calls, seed, prompt_tokens },
    })),
  );

/** What `stats` says of a store, but for times and its path. */
async function statisticsOf(path: string) {
  const asked = { signal: watch.signal, onProgress: () => undefined };
  const { store: _path, arms, ...rest } = await stats(path, experiment, { cache: null }, asked);
  return { ...rest, arms: arms.map(({ model_ms: _model, wall_ms: _wall, ...arm }) => arm) };
}

test('every trial is in one part, and no part has all of them', async () => {
  const verdicts = await Promise.all(parts.map(verdictsOf));
  const ids = verdicts.flat().map(({ trial }) => trial);
  expect(new Set(ids).size).toBe(trials);
  expect(ids).toHaveLength(trials);
  for (const { length } of verdicts) expect(length).toBeGreaterThan(0);
});

test('parts amount to what one run amounts to, and every check finds them intact', async () => {
  const into = await merged(...parts);
  const report = verifyPath(into);
  expect(report).toMatchObject({ result: 'intact', trials });
  await python.agrees(into, report);
  expect(await replay(into, undefined, () => undefined)).toMatchObject({ identical: trials, different: 0 });
  expect(await verdictsOf(into)).toEqual(await verdictsOf(whole));
  const statistics = await statisticsOf(into);
  expect(statistics.arms.map(({ n }) => n)).toEqual([trials / 2, trials / 2]);
  expect(statistics).toEqual(await statisticsOf(whole));
});

test('the content is the same in any order and number of steps in which stores are joined', async () => {
  const [one = '', two = '', three = ''] = parts;
  const all = await merged(one, two, three);
  const expected = contentOf(all);
  for (const order of [
    [three, two, one],
    [all, all],
    [two, all, one],
  ]) {
    expect(contentOf(await merged(...order)), order.join()).toEqual(expected);
  }
  expect(contentOf(await merged(three, await merged(one, two)))).toEqual(expected);
});

test('of a chain that continues in one of the stores, that one is taken', async () => {
  const earlier = room.path('earlier.db');
  copyFileSync(start, earlier);
  await runInto(earlier, { part: { number: 1, of: 3 }, maxTrials: 1 });
  const later = room.path('later.db');
  copyFileSync(earlier, later);
  await runInto(later, { part: { number: 1, of: 3 } });
  for (const stores of [
    [earlier, later],
    [later, earlier],
  ]) {
    expect(contentOf(await merged(...stores))).toEqual(contentOf(later));
  }
});

const fixtures = join(import.meta.dirname, 'store/fixtures');

test.each(readdirSync(fixtures))(
  'the stored record %s is joined with itself, and with another one',
  { tags: 'exhaustive' },
  async (name) => {
    const old = room.path(name.replace(/\.\w+$/, ''));
    const isOfEveryProtocol = name.endsWith('.br');
    if (isOfEveryProtocol) writeOfEveryProtocol(old);
    else writeFileSync(old, gunzipSync(readFileSync(join(fixtures, name))));
    // It is the largest; the others are joined with themselves too.
    const into = await merged(...(isOfEveryProtocol ? [] : [old]), old, parts[0] ?? '');
    const report = verifyPath(into);
    expect(report.result, report.first_bad?.problem).toBe('intact');
    await python.agrees(into, report);
    const before = contentOf(old);
    const known = new Set(contentOf(into).flatMap((rows) => rows.map((row) => JSON.stringify(row))));
    // An older program had neither erasures nor trajectories, and other columns of trials.
    for (const [table, rows] of before.slice(0, 5).entries())
      for (const row of rows) expect(known.has(JSON.stringify(row)), `${table}`).toBe(true);
    expect((await replay(into, undefined, () => undefined)).different).toBe(0);
  },
);

test('experiments of two stores with different data are both kept', async () => {
  const other = room.path('other.db');
  mkdirSync(room.path('other'));
  const named = writeExperiment(room.path('other'), { cases: 2, change: { name: 'other' } });
  await runInto(other, { file: named, maxTrials: 1 });
  const into = await merged(parts[0] ?? '', other);
  expect(await looking(into, (store) => store.experiments.names())).toEqual([experiment, 'other']);
  expect(verifyPath(into).result).toBe('intact');
});

test('the log of the first store continues: what it signed holds, and so does what was signed before they parted', async () => {
  const [first = '', second = ''] = parts;
  const into = await merged(first, second);
  const notes = (path: string) => looking(path, (store) => store.log.checkpoints().map(wholeNote));
  const [signed, signedElsewhere] = await Promise.all([notes(first), notes(second)]);
  expect(signed.length).toBeGreaterThan(0);
  for (const since of signed) expect(await verify(into, { since })).toMatchObject({ result: 'intact', since: { extends: true } });
  const since = signedElsewhere.at(-1);
  expect(await verify(into, { since })).toMatchObject({ result: 'tampered', first_bad: { kind: 'checkpoint' } });
  expect(await verify(second, { since })).toMatchObject({ result: 'intact' });
});

describe('stores are not joined, and nothing is left of the attempt,', () => {
  const refused = async (stores: readonly string[], problem: RegExp, file: string, options = watch) => {
    const folder = room.path(`refused-${made}`);
    made += 1;
    const before = stores.map((path) => readFileSync(path));
    await expect(merge(stores, join(folder, 'into.db'), options)).rejects.toMatchObject({
      message: expect.stringMatching(problem),
      place: { file },
    });
    if (existsSync(folder)) expect(readdirSync(folder)).toEqual([]);
    expect(stores.map((path, index) => before[index]?.equals(readFileSync(path)))).toEqual(stores.map(() => true));
  };

  test('if both tried one trial', async () => {
    const [one = ''] = parts;
    await refused(
      [one, whole],
      /both have tried case ".*" in arm ".*Their records differ from event 0 of the chain [0-9a-f]{16} on/,
      whole,
    );
  });

  test('if each froze the experiment for itself, or with other settings', async () => {
    const [one = ''] = parts;
    const apart = room.path('apart.db');
    await runInto(apart, { maxTrials: 1 });
    await refused(
      [one, apart],
      /both have an experiment "nlsy97-demo", and the two are not parts of one run\. It was prepared twice, at .*Keep the two as separate stores and read the other one with --store\. To put their trials in one table, export each: assize export nlsy97-demo --store /,
      apart,
    );
    const changed = room.path('changed.db');
    mkdirSync(room.path('changed'));
    await runInto(changed, { file: writeExperiment(room.path('changed'), { cases: 3 }), maxTrials: 1 });
    await refused([one, changed], /dataset.sample.n is 4 in the first store and 3 in the other/, changed);
  });

  test('if an event or a text of one of them was changed', async () => {
    const [one = '', two = ''] = parts;
    for (const sql of [
      'UPDATE events SET payload = replace(payload, \'"outcome":"decided"\', \'"outcome":"timeout"\') WHERE kind = \'trial-close\'',
      'UPDATE blobs SET bytes = (SELECT bytes FROM blobs WHERE dataset > 0 LIMIT 1) WHERE rowid = (SELECT max(rowid) FROM blobs)',
      "DELETE FROM events WHERE trial = (SELECT min(trial) FROM events WHERE kind = 'trial-open')",
    ]) {
      await withCopy(
        two,
        (db) => expect(db.prepare(sql).run().changes).toBeGreaterThan(0),
        (copy) => refused([one, copy], /the record does not verify/, copy),
      );
    }
  });

  test('if a trial was rewritten with all its hashes', async () => {
    const [one = ''] = parts;
    const forged = room.path('forged.db');
    const trial = await looking(one, (store) => store.trials.all()[0]?.trial ?? '');
    forge(one, forged, trial, ({ events }) => {
      const ruling = events.find(({ kind }) => kind === 'ruling-give');
      if (ruling !== undefined) ruling.payload.confidence = 0.123;
    });
    await refused([await merged(...parts), forged], new RegExp(`of the chain ${trial} on`), forged);
  });

  test('if one is not there, or is no store', async () => {
    const [one = ''] = parts;
    await refused([one, file], /not a store/, file);
    await expect(merge([one, room.path('none.db')], room.path('into.db'), watch)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('if it is interrupted, at any step', async () => {
    for (const step of ['check', 'derive']) {
      const stop = new AbortController();
      const onProgress: CopyWatch['onProgress'] = (progress) => (progress.step === step ? stop.abort() : undefined);
      const folder = room.path(`interrupted-${step}`);
      const interrupted = merge(parts, join(folder, 'into.db'), { signal: stop.signal, onProgress });
      await expect(interrupted).rejects.toMatchObject({ code: 'interrupted' });
      if (existsSync(folder)) expect(readdirSync(folder)).toEqual([]);
    }
  });
});

test('a file that is there already is not replaced', async () => {
  await expect(merge(parts, whole, watch)).rejects.toMatchObject({ code: 'output-exists' });
});

describe('what one of the stores erased', () => {
  /** A copy of a part from which a case was erased that all parts have tried, or all but one. */
  async function erasedCopy(name: string, part: string): Promise<{ path: string; kase: string }> {
    const path = room.path(name);
    copyFileSync(part, path);
    const tried = await Promise.all(parts.map((each) => looking(each, (store) => store.trials.all())));
    const shared = tried
      .flat()
      .find(({ case_id }) => new Set(tried.filter((rows) => rows.some((row) => row.case_id === case_id))).size > 1);
    const kase = shared?.case_id ?? '';
    await eraseInStore(path, { kind: 'case', experiment, case: kase }, {});
    return { path, kase };
  }

  const textsAbout = (path: string, kase: string) =>
    looking(path, (store) => {
      const about = store.trials.ofExperiment(experiment).filter(({ case_id }) => case_id === kase);
      const chains = about.flatMap(({ trial }) => store.events.chain(trial).map(({ payload }) => payload.toString()));
      return [...store.blobs.all()].filter(({ ref }) => chains.some((payload) => payload.includes(ref)));
    });

  test('does not come back from a store that had it from before', async () => {
    const [one = ''] = parts;
    const { path } = await erasedCopy('erased-earlier.db', one);
    for (const stores of [
      [path, one],
      [one, path],
    ]) {
      const into = await merged(...stores);
      expect(contentOf(into)).toEqual(contentOf(path));
      expect(verifyPath(into)).toMatchObject({ result: 'intact', erasure_unfinished: false });
    }
  });

  test('is erased again with all that another store said about it, so that no byte of it is in the new file', async () => {
    const [one = '', ...others] = parts;
    const { path, kase } = await erasedCopy('erased-part.db', one);
    const before = await merged(...parts);
    const into = await merged(path, ...others);
    const report = verifyPath(into);
    expect(report).toMatchObject({ result: 'intact', trials, erasure_unfinished: false });
    expect(report.erasures).toMatchObject([{ scope: 'case' }, { scope: 'case' }]);
    await python.agrees(into, report);
    expect(await replay(into, undefined, () => undefined)).toMatchObject({ different: 0 });
    // Of the answers, prompts and the case itself nothing is left; what trials on other cases say too stays.
    const outside = await looking(before, (store) => {
      const chains = store.trials
        .ofExperiment(experiment)
        .filter(({ case_id }) => case_id !== kase)
        .flatMap(({ trial }) => store.events.chain(trial).map(({ payload }) => payload.toString()));
      return (ref: string) => chains.some((payload) => payload.includes(ref.slice(0, 12)));
    });
    const gone = (await textsAbout(before, kase)).filter(({ ref, dataset }) => dataset > 0 && !outside(ref));
    expect(gone.length).toBeGreaterThan(5);
    expect((await textsAbout(into, kase)).filter(({ ref, dataset }) => dataset > 0 && !outside(ref))).toEqual([]);
    const db = new Database(before, { readonly: true });
    const bytesOf = db.prepare<[Buffer], Buffer>('SELECT bytes FROM blobs WHERE ref = ?').pluck();
    const stored = gone.flatMap(({ ref }) => bytesOf.get(toKey(ref)) ?? []).filter(({ length }) => length >= 24);
    db.close();
    const file = readFileSync(into);
    expect(stored.length).toBeGreaterThan(5);
    expect(stored.filter((bytes) => file.includes(bytes))).toEqual([]);
    const out = room.path('erased.zip');
    await bundleOf(into, experiment, out);
    expect(await verify(out, {})).toMatchObject({ result: 'intact', trials });
  });

  test.each(['data-set', 'experiment'] as const)('of a whole %s is erased again with its salt', async (kind) => {
    const [one = '', two = ''] = parts;
    const path = room.path(`erased-${kind}.db`);
    copyFileSync(one, path);
    await eraseInStore(path, { kind, experiment }, {});
    const into = await (kind === 'data-set' ? merged(path, two) : merged(two, path));
    const report = verifyPath(into);
    expect(report).toMatchObject({ result: 'intact', erasures: [{ scope: kind }, { scope: kind, salt: true }] });
    await python.agrees(into, report);
    expect(await looking(into, (store) => [...store.blobs.all()].filter(({ dataset }) => dataset > 0))).toEqual([]);
  });

  test('for each of them apart cannot be joined', async () => {
    const [one = '', two = ''] = parts;
    const first = await erasedCopy('erased-one.db', one);
    const second = await erasedCopy('erased-two.db', two);
    await expect(merge([first.path, second.path], room.path('apart-erased.db'), watch)).rejects.toThrow(
      /each store has continued it for itself\. Nothing was written\. .*Their records differ from event \d+ of the chain erasure\/texts on/,
    );
  });
});

test('a record that is adopted gets its own log', async () => {
  const [one = ''] = parts;
  const into = room.path('adopted.db');
  await adopt(one, into, watch);
  const origins = await Promise.all([one, into].map((path) => looking(path, (store) => store.log.origin())));
  expect(origins[0]).not.toBe(origins[1]);
});
