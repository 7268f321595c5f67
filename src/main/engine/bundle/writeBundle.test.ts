import { afterAll, expect, test } from 'vitest';
import type { AssizeError, InputPlace } from '../../../shared/errors.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { withCopy } from '../audit/testing/tampering.ts';
import { statistics } from '../report/statistics.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { writeOfEveryProtocol } from '../store/testing/everyProtocol.ts';
import { resources } from './testing/bundles.ts';
import { writeBundle } from './writeBundle.ts';

const room = openFolder('write-bundle');
afterAll(() => room.remove());

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
