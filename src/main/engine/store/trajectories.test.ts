import { copyFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, expect, test, vi } from 'vitest';
import { computation, trajectoryKinds, trajectoryOf } from '../../../core/trajectory/trajectory.ts';
import { noColumns } from '../../../shared/imported.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { importPredictions } from '../engine.ts';
import { deliberation, protocolFigures } from '../queries/figures.ts';

import { queries } from '../queries/queries.ts';
import { trialPage } from '../queries/trialPage.ts';
import { openStore, openStoreReadOnly, type Store } from './store.ts';
import { startChild } from './testing/child.ts';
import { writeEveryProtocol } from './testing/everyProtocol.ts';
import { withStore, withWritable } from './withStore.ts';

const room = openFolder('trajectories');
const trials = 44;
let whole: string;
let expected: string;

/** A store of every protocol, of a format that has no trajectories. */
function older(name: string): string {
  writeEveryProtocol(room.path(name));
  return room.path(name);
}

function copy(name: string): string {
  copyFileSync(whole, room.path(name));
  return room.path(name);
}

const change = (path: string, sql: string) => {
  const db = new Database(path);
  db.exec(sql);
  db.close();
};

const rowsIn = (path: string) => {
  const db = new Database(path, { readonly: true });
  const rows = db.prepare('SELECT count(*) FROM trajectories').pluck().get();
  db.close();
  return Number(rows);
};

/** All that statistics, figures and filters say of a store, and how many chains they read for the course of a trial; what was said in it has no other place. */
async function answers(path: string): Promise<{ text: string; chainsRead: number }> {
  return withStore(openStoreReadOnly(path), async (store: Store) => {
    const read = vi.spyOn(store.events, 'ofKinds');
    const answers: unknown[] = [];
    const quiet = () => undefined;
    for (const experiment of store.experiments.names()) {
      // Of sixteen arms every pair is compared.
      const part = experiment === 'binary' ? { arms: ['assigned', 'parallel', 'retrospective', 'vote'] } : {};
      const subset = { ...part, known: ['first answer' as const] };
      const { store: _path, ...report } = await queries.statistics.run(
        store,
        { experiment, subset: part, resamples: 0, cache: null },
        quiet,
      );
      answers.push(report, await trialPage.run(store, { experiment, subset, order: 'case', offset: 0, limit: 500 }, quiet));
      answers.push(await deliberation.run(store, { experiment, subset }, quiet));
      answers.push(await protocolFigures.run(store, { experiment, subset: part }, quiet));
    }
    return { text: JSON.stringify(answers), chainsRead: read.mock.calls.filter(([, kinds]) => kinds === trajectoryKinds).length };
  });
}

beforeAll(async () => {
  const { text, chainsRead } = await answers(older('older.db'));
  expect(chainsRead).toBeGreaterThan(20);
  expected = text;
  whole = older('whole.db');
  const progress: [number, number][] = [];
  const onPreparing = (done: number, of: number) => progress.push([done, of]);
  expect(await withWritable(whole, { create: false }, { onPreparing }, (store) => store.trajectories.missing(null))).toEqual([]);
  expect(progress.map(([, of]) => of)).toEqual(progress.map(() => trials));
  expect(progress.map(([done]) => done)).toEqual([0, 10, 20, 30, 40]);
});

test('a store that a writer has opened says the same to the byte, and no chain is read for the course of a trial', async () => {
  expect(rowsIn(whole)).toBe(trials);
  expect(await answers(whole)).toEqual({ text: expected, chainsRead: 0 });
});

test('a writer that is killed in the middle leaves whole rows, and the next one makes the rest', async () => {
  const path = older('killed.db');
  const module = JSON.stringify(resolve(import.meta.dirname, 'projecting.ts'));
  const child = startChild(
    path,
    `const { addTrajectories } = await import(${module});
     const store = openStore(path, { create: false });
     await addTrajectories(store, { onProgress(done) {
       if (done === 20) say('some');
       if (done === 30) for (;;);
     } });`,
  );
  await child.said('some');
  child.kill();
  await child.ended;
  const made = rowsIn(path);
  expect([20, 30]).toContain(made);
  const { text, chainsRead } = await answers(path);
  expect([text === expected, chainsRead > 0]).toEqual([true, true]);
  const progress: number[] = [];
  await withWritable(path, { create: false }, { onPreparing: (_done, of) => progress.push(of) }, () => undefined);
  expect(progress[0]).toBe(trials - made);
  expect(await answers(path)).toEqual({ text: expected, chainsRead: 0 });
});

test('a row of another computation or of another head counts as none, and a writer remakes it', async () => {
  const path = copy('others.db');
  change(path, "UPDATE trajectories SET computation = computation + 1, trajectory = '{}' WHERE rowid % 2 = 0");
  change(path, "UPDATE trajectories SET head_hash = 'f', trajectory = '{}' WHERE rowid % 2 = 1");
  const { text, chainsRead } = await answers(path);
  expect([text === expected, chainsRead > 0]).toEqual([true, true]);
  await withWritable(path, { create: false }, {}, () => undefined);
  expect(await answers(path)).toEqual({ text: expected, chainsRead: 0 });
});

test('of a damaged row, its trial is read from its chain, and the damage comes first', async () => {
  const damaged = copy('damagedRows.db');
  change(
    damaged,
    `UPDATE trajectories SET trajectory = substr(trajectory, 1, 40) WHERE rowid % 3 = 0;
     UPDATE trajectories SET trajectory = replace(trajectory, '"steps"', '"stepz"') WHERE rowid % 3 = 1;
     UPDATE trials SET prediction = '{' WHERE trial < '8' AND prediction IS NOT NULL`,
  );
  const { text } = await answers(damaged);
  const numbersOf = (json: string) =>
    JSON.stringify(
      JSON.parse(json, (key, value) => (['finding', 'primary', 'notes', 'damage'].includes(key) ? undefined : value)),
    );
  expect(numbersOf(text) === numbersOf(expected)).toBe(true);
  expect(JSON.parse(text)[0].finding.sentence).toMatch(
    /^The record is damaged or was changed: \d+ of its parts fail the check\./,
  );
});

test('a chain that cannot be read does not prevent opening the store', async () => {
  const path = older('damaged.db');
  change(path, "UPDATE events SET payload = '{' WHERE kind = 'ruling-give'");
  const left = await withWritable(path, { create: false }, {}, (store) => store.trajectories.missing(null).length);
  expect([left > 0, left + rowsIn(path)]).toEqual([true, trials]);
});

test('a trial that is tried again has the trajectory of its last attempt once it has ended', () => {
  const path = copy('again.db');
  const store = openStore(path, { create: false });
  const { trial } = store.trials.all().find(({ outcome }) => outcome === 'decided') ?? { trial: '' };
  const [open] = store.events.ofKinds(trial, ['trial-open']);
  const before = store.trajectories.of(trial);
  const write = (action: () => unknown) => store.write(() => [action(), store.trials.project(trial)]);
  write(() => store.events.append(trial, 'trial-open', { ...JSON.parse(String(open?.payload)), attempt: 2 }));
  expect([before.steps.length > 0, store.trajectories.of(trial).steps]).toEqual([true, []]);
  const close = { v: 1, at: new Date(0).toISOString(), outcome: 'timeout', incomplete: false } as const;
  write(() => store.events.append(trial, 'trial-close', close));
  expect([store.trajectories.of(trial).steps, store.trajectories.missing(null)]).toEqual([[], []]);
  store.close();
});

test('of imported trials only those with opinions have a row, and one that is gone is missed', async () => {
  const [path, table] = [room.path('imported.db'), room.path('table.csv')];
  const cells = ['id,truth,prediction,o1,o2', 'a,YES,YES,NO,YES', 'b,NO,YES,YES,NO'];
  writeFileSync(table, cells.join('\n'));
  const columns = { ...noColumns, case: 'id', prediction: 'prediction', truth: 'truth' };
  const scale = { positiveIf: null, confidenceScale: 1 } as const;
  const common = { ...scale, map: [], experiment: 'e', fileName: 'table.csv', path: table };
  const watch = { signal: new AbortController().signal, onProgress: () => undefined };
  await importPredictions(path, { ...common, columns, arm: 'bare' }, watch);
  expect(rowsIn(path)).toBe(0);
  await importPredictions(path, { ...common, columns: { ...columns, opinions: ['o1', 'o2'] }, arm: 'opinions' }, watch);
  expect(rowsIn(path)).toBe(2);
  const { text, chainsRead } = await answers(path);
  expect([text.includes('"YES"'), chainsRead]).toEqual([true, 0]);
  // What an older program kept of the others is right too.
  withStore(openStore(path, { create: false }), (store) => {
    expect(store.trajectories.missing(null)).toEqual([]);
    for (const { trial, head_hash } of store.trials.all().filter(({ arm }) => arm === 'bare'))
      change(
        path,
        `INSERT INTO trajectories VALUES ('${trial}', '${head_hash}', ${computation}, '${JSON.stringify(trajectoryOf([]))}')`,
      );
  });
  expect(verifyPath(path).result).toBe('intact');
  expect(await answers(path)).toEqual({ text, chainsRead: 0 });
  change(path, 'UPDATE trajectories SET computation = computation - 1');
  expect((await answers(path)).text).toBe(text);
  await withWritable(path, { create: false }, {}, () => undefined);
  expect([rowsIn(path), await answers(path)]).toEqual([2, { text, chainsRead: 0 }]);
  change(path, 'DELETE FROM trajectories');
  expect(verifyPath(path).first_bad).toMatchObject({
    kind: 'trajectories',
    problem: expect.stringContaining('the row is missing'),
  });
});
