import { expect, test } from 'vitest';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { writeEveryProtocol } from '../store/testing/everyProtocol.ts';
import { openQueryPool } from './pool.ts';

const room = openFolder('query-pool');

test('a query that waits begins when another is cancelled, while the others still work', async () => {
  const [experiment, path] = ['binary', room.path('every.db')];
  writeEveryProtocol(path);
  const pool = openQueryPool(path);
  const cancelling = new AbortController();
  const started = Array.from({ length: 3 }, () => Promise.withResolvers<unknown>());
  // None of these ends by itself while the test runs.
  const endless = started.map(({ resolve }, index) =>
    pool.run('statistics', { experiment, resamples: 1e6, cache: null }, index === 0 ? cancelling.signal : undefined, resolve),
  );
  const ends = Promise.allSettled(endless);
  await Promise.all(started.map(({ promise }) => promise));
  const waiting = pool.run('trialPage', { experiment, order: 'case', offset: 0, limit: 1 });
  cancelling.abort();
  expect((await waiting).lines).toHaveLength(1);
  await pool.close();
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});
