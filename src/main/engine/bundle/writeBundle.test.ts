import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { sentences, verifyBundle } from '../../../../resources/bundle/verify.mjs';
import type { AssizeError, InputPlace } from '../../../shared/errors.ts';
import { inventedWords } from '../../../shared/proved.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { withCopy } from '../audit/testing/tampering.ts';
import { textOf } from '../report/html/testing/page.ts';
import { statistics } from '../report/statistics.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { writeOfEveryProtocol } from '../store/testing/everyProtocol.ts';
import { reading } from '../testing/reading.ts';
import { bundleOf, resources } from './testing/bundles.ts';
import { packed } from './testing/forging.ts';
import { verifyFile } from './unpackBundle.ts';
import { writeBundle } from './writeBundle.ts';

const room = openFolder('write-bundle');

test('where the record was changed after its statistics were computed, no fault is noted and the advice is to try again', async () => {
  const store = room.path('every-protocol.db');
  writeOfEveryProtocol(store);
  await withCopy(
    store,
    (db) => void db.exec("UPDATE trials SET belief = '{}' WHERE belief IS NOT NULL"),
    async (path) => {
      const opened = openStoreReadOnly(path);
      const { damage: _damage, ...before } = statistics(opened, 'several labels', { cache: null }, () => undefined);
      const options = { redacted: true, resources };
      const { place } = await writeBundle(
        opened,
        'several labels',
        before,
        room.path('racing.zip'),
        options,
        () => undefined,
      ).then(
        () => ({ place: {} as InputPlace }),
        (error: unknown) => error as AssizeError,
      );
      opened.close();
      expect(place.remedy?.screen).toContain('if a run has just changed the record, try again');
      expect(place.damage ?? place.field).toBeUndefined();
    },
  );
});

test('the report of the experiment is among the files, and a redacted one has no text of a case', async () => {
  const store = room.path('reported.db');
  writeOfEveryProtocol(store);
  const blobs = reading(store, (opened) => [...opened.blobs.all()]);
  const texts = blobs.map(({ dataset, bytes }) => ({ dataset, text: bytes?.toString('utf8').trim() ?? '' }));
  const own = texts.flatMap(({ dataset, text }) => (dataset !== 0 && text.length > 40 ? [text] : []));
  const templates = texts.filter(({ dataset }) => dataset === 0).map(({ text }) => text);
  expect(own.length).toBeGreaterThan(100);
  for (const redacted of [false, true]) {
    const path = room.path(`reported-${redacted}.zip`);
    await bundleOf(store, 'several labels', path, redacted);
    const files = unzipSync(readFileSync(path));
    const report = textOf(strFromU8(files['report.html'] ?? new Uint8Array()));
    expect(report).toContain('Experiment several labels');
    const manifest = JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array()));
    expect(report).toContain(`Bundle root${manifest.root}`);
    const { dataset } = JSON.parse(strFromU8(files['experiment.json'] ?? new Uint8Array()));
    expect(strFromU8(files['README.txt'] ?? new Uint8Array())).toContain(`The data file, ${dataset.path}, is not in this bundle`);
    expect(manifest).toMatchObject({
      files: expect.arrayContaining([expect.objectContaining({ path: 'report.html' })]),
    });
    if (redacted)
      expect(own.filter((text) => report.includes(text) && !templates.some((each) => each.includes(text)))).toEqual([]);
  }
});

test('of trials that broke off, its own verifier says as the program does who answered', async () => {
  const [folder, zip] = [room.path('broken-off'), room.path('broken-off.zip')];
  mkdirSync(folder);
  const runtime = { waitMinutes: 0, retries: 0 };
  const broken = makeSampleStore(folder, { cases: 1, change: { runtime }, fault: (number) => (number < 2 ? null : 'reset') });
  await expect(broken).rejects.toMatchObject({ code: 'no-backend' });
  for (const redacted of [false, true]) {
    rmSync(zip, { force: true });
    const bytes = await bundleOf(join(folder, 'sample.db'), 'nlsy97-demo', zip, redacted);
    const found = await verifyFile(zip, {});
    expect(found).toMatchObject({ result: 'intact', trials: 1, standin: 0, not_ended: 1 });
    // Who answered is a text.
    expect(found.standin_not_ended).toBe(redacted ? undefined : 1);
    const files = unzipSync(bytes);
    const changed = packed({ ...files, 'README.txt': strToU8('changed') });
    for (const each of [bytes, changed]) expect(sentences(await verifyBundle(each), '')).toContain(inventedWords(found));
  }
});
