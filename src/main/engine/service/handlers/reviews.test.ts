import { mkdirSync, renameSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeSampleStore, noFault } from '../../audit/testing/sampleStore.ts';
import { reviewRows } from '../../reviews/reviewReport.ts';
import { type EngineRoom, openEngineRoom } from '../testing/engineRoom.ts';

const experiment = 'nlsy97-demo';
let room: EngineRoom;
beforeAll(async () => {
  room = openEngineRoom({ name: 'reviews' });
  mkdirSync(room.path('made'));
  renameSync(await makeSampleStore(room.path('made'), { cases: 2, fault: noFault }), room.path('store.db'));
});
afterAll(() => room.close());

test('a reviewer who saw a verdict gives no blind answer on it, also from a new tab; others do', async () => {
  const next = (reviewer: string, blind: boolean) =>
    room.client.reviews.next({ experiment, reviewer, arm: 'court', order: 'doubtful', blind, asked: null });
  const { task } = await next('Ann', false);
  if (task === null) throw new Error('there is nothing to review');
  expect(task.verdict).not.toBeNull();
  for (const reviewer of ['Ann', 'Ben']) {
    await next(reviewer, true);
    const answer = { judgement: 'unsure', label: null, reason: null, blind: true, seconds: 1, replaces: null } as const;
    await room.client.reviews.give({ experiment, trial: task.trial, reviewer, ...answer });
  }
  const rows = await room.onRecord((store) => reviewRows(store, experiment));
  expect(rows.map(({ reviewer, blind }) => [reviewer, blind])).toEqual([
    ['Ann', false],
    ['Ben', true],
  ]);
});
