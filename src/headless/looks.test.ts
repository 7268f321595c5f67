import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { looksAt } from '../main/engine/lab/looks.ts';
import { type EngineRoom, openEngineRoom } from '../main/engine/service/testing/engineRoom.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { withStore } from '../main/engine/store/withStore.ts';
import { kept } from '../main/engine/testing/kept.ts';
import { changed, openBench, type Project, sampleExperiment } from './testing.ts';

const bench = await openBench();
const experiment = 'rain';
const decided = changed(sampleExperiment, [
  '"replicates": 1,',
  '"replicates": 1, "primary": { "compare": ["plain", "baseline:majority"] },',
]);
let project: Project;
beforeAll(async () => {
  project = bench.project('unfinished', decided);
  expect(await project.run('--max-trials', '2')).toMatchObject({ code: 0 });
});

const looksIn = (path: string) => withStore(openStoreReadOnly(path), (store) => looksAt(store, experiment));

describe('before the planned end', () => {
  test.each([
    ['stats rain', [2]],
    ['stats rain --where sex=female', [2]],
    ['stats rain --arms plain --resamples 0', [2]],
    ['export rain --format html --out', [2]],
    ['export rain --format html --out -', [2]],
    ['export rain --format bundle --redact --out', [2]],
    ['reviews rain', [2]],
    ['stats nothing', []],
    ['export rain --format trials-csv --out -', []],
    ['export rain --format html --trial TRIAL --out -', []],
    ['show rain', []],
    ['show rain TRIAL', []],
  ] as const)('%s: looks %j', async (words, looks) => {
    const store = join(bench.room('copies'), `${words.replaceAll(/[ /]/g, '_')}.db`);
    copyFileSync(project.store, store);
    const [first] = await project.lines();
    const args = words.replace('TRIAL', first?.trial ?? '').split(' ');
    await bench.assize([...args, ...(args.at(-1) === '--out' ? [`${store}.out`] : []), '--store', store]);
    expect(await looksIn(store)).toEqual(looks);
  });

  const saved = async (frames: Promise<AsyncIterable<unknown>>) => {
    for await (const _frame of await frames);
  };
  test.each<[string, (client: EngineRoom['client']) => Promise<unknown>, readonly number[]]>([
    ['counts', ({ experiments }) => experiments.stats({ experiment, quick: true }), []],
    ['results of a part', ({ experiments }) => saved(experiments.stagedStats({ experiment, subset: { arms: ['plain'] } })), [2]],
    ['results', ({ experiments }) => experiments.stats({ experiment, subset: { groups: { sex: ['female'] } } }), [2]],
    ['a report', ({ exports }) => saved(exports.report({ experiment, trial: null, format: 'html' })), [2]],
    ['a bundle', ({ exports }) => exports.make({ experiment, trial: null, format: 'bundle' }), [2]],
    ['rows', ({ exports }) => exports.make({ experiment, trial: null, format: 'trials-csv' }), []],
    ['what reviews found', ({ reviews }) => reviews.results({ experiment }), [2]],
  ])('the screens ask for %s', async (_what, ask, looks) => {
    const room = kept(openEngineRoom({ name: 'looks' }));
    copyFileSync(project.store, room.path('store.db'));
    await ask(room.client);
    expect(await looksIn(room.path('store.db'))).toEqual(looks);
    expect(room.kept).toEqual([]);
  });
});
