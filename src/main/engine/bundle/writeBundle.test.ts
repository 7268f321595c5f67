import { readFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { AssizeError, InputPlace } from '../../../shared/errors.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { withCopy } from '../audit/testing/tampering.ts';
import { textOf } from '../report/html/testing/page.ts';
import { statistics } from '../report/statistics.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { writeOfEveryProtocol } from '../store/testing/everyProtocol.ts';
import { reading } from '../testing/reading.ts';
import { bundleOf, resources } from './testing/bundles.ts';
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
      const { place } = await writeBundle(opened, 'several labels', before, room.path('racing.zip'), options).then(
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
    expect(manifest).toMatchObject({
      files: expect.arrayContaining([expect.objectContaining({ path: 'report.html' })]),
    });
    if (redacted)
      expect(own.filter((text) => report.includes(text) && !templates.some((each) => each.includes(text)))).toEqual([]);
  }
});
