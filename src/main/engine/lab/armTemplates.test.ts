import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { findProtocol } from '../../../core/protocols/index.ts';
import { noSalt, refOf } from '../../../core/record/hash.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { replay, run } from '../engine.ts';
import { startStandin } from '../models/standin/standin.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { loadFrozen } from './frozen.ts';

/** What is on the record of stores that were written before a protocol had its later templates. */

const experiment = 'fixture ü';
const room = openFolder('arm-templates');
afterAll(() => room.remove());

function unpacked(format: 1 | 2): string {
  const packed = readFileSync(resolve(import.meta.dirname, `../store/fixtures/format-${format}.db.gz`));
  const path = room.path(`format-${format}.db`);
  writeFileSync(path, gunzipSync(packed));
  return path;
}

test.each([1, 2] as const)(
  'format %i: an arm of an early style is frozen with the very templates that it always had',
  (format) => {
    const store = openStoreReadOnly(unpacked(format));
    try {
      const arm = loadFrozen(store, experiment).arms.find(({ protocol }) => protocol === 'standard');
      const now = findProtocol('standard')?.armTemplates({ style: 'cot-nshot', shots: 2 }, false) ?? {};
      expect(arm?.templates).toEqual(
        Object.fromEntries(Object.entries(now).map(([name, template]) => [name, refOf(noSalt, template)])),
      );
    } finally {
      store.close();
    }
  },
);

test('an experiment with such arms is gone on with: its arms keep their templates, and all of it replays', async () => {
  const store = unpacked(2);
  const reader = openStoreReadOnly(store);
  const { definition, arms } = loadFrozen(reader, experiment);
  reader.close();
  const cases = ['id,age,place,guilty', '1,20,Köln,0', '2,31,"Paris, France",1', '3,44,Oslo,0', '4,58,東京,1', ''].join('\n');
  writeFileSync(room.path('cases.csv'), cases);
  const file = room.path('experiment.json');
  writeFileSync(file, JSON.stringify({ ...definition, replicates: 3 }));
  const standin = await startStandin({ profile: 'instant' });
  try {
    const report = await run(file, {
      store,
      url: standin.url,
      allowedHosts: [],
      concurrency: 1,
      maxTrials: null,
      retry: [],
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    expect(report).toMatchObject({ experiment, complete: true });
    expect(report.finished_now).toBeGreaterThan(0);
  } finally {
    await standin.close();
  }
  const after = openStoreReadOnly(store);
  expect(loadFrozen(after, experiment).arms.filter(({ name }) => arms.some((arm) => arm.name === name))).toEqual(arms);
  after.close();
  expect(verifyPath(store)).toMatchObject({ result: 'intact' });
  expect(await replay(store, undefined, () => undefined)).toMatchObject({ different: 0, not_replayable: 0 });
});
