import { expect, test } from 'vitest';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { trialLines } from '../report/trialLines.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { answerable } from './contamination.ts';
import { loadFrozen } from './frozen.ts';

const room = openFolder('answerable');

test('an arm that can only give some of the labels can be right on the cases whose truth is one of these', async () => {
  const store = openStoreReadOnly(await makeSampleStore(room.folder, { cases: 12 }));
  const frozen = loadFrozen(store, 'nlsy97-demo');
  const [arm] = frozen.arms;
  const bound = arm && frozen.protocol(arm);
  if (arm === undefined || bound === undefined) throw new Error('the sample has an arm');
  expect(answerable(store, frozen, arm)).toBeUndefined();
  const [label = ''] = frozen.definition.dataset.labels ?? [];
  const truths = new Map([...trialLines(store, frozen)].map((line) => [line.case, line.truth]));
  const cases = [...truths.values()].filter((truth) => truth === label).length;
  expect(cases).toBeLessThan(truths.size);
  const narrowed = { ...frozen, protocol: () => ({ ...bound, contested: () => [label] }) };
  expect(answerable(store, narrowed, arm)).toEqual({ cases, of: truths.size });
  store.close();
});
