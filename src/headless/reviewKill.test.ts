// Reviews that are given through the screens' own requests while the engine is killed now and then.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { randomSource } from '../core/cases/shuffle.ts';
import { secondVerifier } from '../main/engine/audit/testing/pythonVerifier.ts';
import { makeSampleStore, openFolder } from '../main/engine/audit/testing/sampleStore.ts';
import { verifyPath } from '../main/engine/audit/testing/tampering.ts';
import { readReviews } from '../main/engine/reviews/ledger.ts';
import { type EngineHost, startEngineHost } from '../main/engine/service/testing/engineHost.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { withStore } from '../main/engine/store/withStore.ts';
import type { ReviewPage } from '../shared/api/reviews.ts';

const wanted = 500;
/** Answers of which the last one meets a kill. */
const between = 20;
const experiment = 'nlsy97-demo';
const arm = 'alone';
const room = openFolder('review-kill');
const python = secondVerifier();

test(`${wanted} reviews with a kill at every ${between}th answer: none is lost, none is there twice, and the record is whole`, {
  tags: 'exhaustive',
  timeout: 900_000,
}, async () => {
  const cast = { '*': { model: 'llama3.1:8b' } };
  const arms = [{ name: arm, protocol: 'standard', cast }];
  const sample = await makeSampleStore(room.folder, { cases: 20, change: { arms }, fault: () => null });
  copyFileSync(sample, join(room.folder, 'store.db'));
  const seed = Date.now() % 2 ** 31;
  console.info(`seed of the moments: ${seed}`);
  const random = randomSource(seed, 'kill');
  const hosts: EngineHost[] = [];
  const start = async () => {
    const host = startEngineHost({ folder: room.folder });
    hosts.push(host);
    await host.ready();
    const dead = Promise.withResolvers<null>();
    host.supervisor.onState((state) => (state === 'ready' ? undefined : dead.resolve(null)));
    return { host, connection: host.connect(), dead };
  };
  let { host, connection, dead } = await start();
  const again = async () => {
    connection.close();
    await host.stop();
    ({ host, connection, dead } = await start());
  };
  /** What was reported as on the record, and what was found there after the answer had been lost. */
  const acknowledged = new Map<number, string>();
  const counts = { kills: 0, lost: 0, found: 0 };
  let [given, asked] = [0, 0];
  /** Milliseconds of the answer before: kills come before, while and after one is written. */
  let took = 20;
  for (let person = 0; given < wanted; person++) {
    const reviewer = `Reader ${person}`;
    const next = () => connection.client.reviews.next({ experiment, reviewer, arm, order: 'random', blind: true, asked: null });
    let page: ReviewPage = await next();
    while (page.task !== null && given < wanted) {
      const { task, labels } = page;
      expect(task.verdict).toBeNull();
      const label = labels[random.below(labels.length)] ?? '';
      const reason = `${reviewer}, answer ${given}`;
      const said = { judgement: 'label', label, reason, blind: true, seconds: 1, replaces: null } as const;
      const isKilled = ++asked % between === 0;
      const doomed = isKilled ? sleep(random.below(2 * took)).then(() => host.child().kill('SIGKILL')) : undefined;
      const began = performance.now();
      const giving = connection.client.reviews.give({ experiment, trial: task.trial, reviewer, ...said });
      const reply = await Promise.race([giving.catch(() => null), dead.promise]);
      if (reply !== null) took = Math.ceil(performance.now() - began);
      await doomed;
      if (isKilled) {
        counts.kills += 1;
        await again();
      }
      page = await next();
      // As a screen does after a lost connection: what is on the record now says whether the answer came there.
      const isThere = page.newest[0]?.reason === reason;
      if (reply !== null) {
        expect(isThere).toBe(true);
        acknowledged.set(reply.seq, reason);
      } else {
        counts.lost += 1;
        if (isThere) counts.found += 1;
      }
      if (isThere) given += 1;
    }
  }
  await Promise.all(hosts.map((each) => each.stop()));
  const store = join(room.folder, 'store.db');
  const { reviews } = await withStore(openStoreReadOnly(store), (open) => readReviews(open, experiment));
  expect(reviews).toHaveLength(wanted);
  expect(new Set(reviews.map(({ reason }) => reason)).size).toBe(wanted);
  for (const [seq, reason] of acknowledged) expect(reviews.find((each) => each.seq === seq)?.reason).toBe(reason);
  const report = verifyPath(store);
  expect(report).toMatchObject({ result: 'intact', first_bad: null });
  await python.agrees(store, report);
  console.info(
    `${reviews.length} reviews, ${counts.kills} kills; ${counts.lost} answers were lost, ${counts.found} of them on the record`,
  );
});
