import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { protocols } from '../../../core/protocols/index.ts';
import { exportToStream, replay } from '../engine.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { writeEveryProtocol } from '../store/testing/everyProtocol.ts';
import { openFolder } from './testing/sampleStore.ts';
import { verifyPath } from './testing/tampering.ts';

/**
 * A store of every protocol with most of its variants, recorded once with the demo model, refused answers among them. What it
 * exports must stay the same to the byte.
 */
const exported = {
  binary: {
    'trials-csv': 'd9fba8088070253a0870989c33853e080c90b7e045ebc467e867222e52611676',
    'trials-jsonl': '7c9c946a675282601d479bd519b3463cbcb6425a275bb4ed5c52fd057d5bd6da',
    'events-jsonl': '44cd76a59eed2d6075dd7cfeeb310f759f9c1c44faffc773d3c29396de1eb785',
  },
  'several labels': {
    'trials-csv': 'a963f7a125b97333053d69fee9414e6f1890d614e63f55f535880c2c21c5509a',
    'trials-jsonl': '475b00c57ae37a7875895c96cba7b31c5e2432f389cf8a2f3f13525d376700ec',
    'events-jsonl': '3034b08bf3bedd9491a0197832df86080ac1cdf6e76ffedfa2ebc68a6673b963',
  },
  'open questions': {
    'trials-csv': 'f67f60a2e68f4879057ead301dc051bc2509fc8ad4bf66e5bfaa552301949db1',
    'trials-jsonl': '726cc39b6d00d9275667d3643efbcdf75bde3c73d788f939ad7da9a809db43dd',
    'events-jsonl': 'f963b5c18d43eb1854cdb2190f090690d20412351e284aedd50b0878bf828dc8',
  },
} as const;
const formats = ['trials-csv', 'trials-jsonl', 'events-jsonl'] as const;

const room = openFolder('every-protocol');
const path = room.path('every-protocol.db');

beforeAll(() => {
  writeEveryProtocol(path);
});

afterAll(() => room.remove());

test('it has a trial of every protocol that can be run', () => {
  const store = openStoreReadOnly(path);
  const tried = new Set(store.trials.all().map(({ protocol }) => protocol));
  store.close();
  expect([...tried].toSorted()).toEqual(protocols.map(({ id }) => id).toSorted());
});

test('it verifies, and every verdict is derived again', async () => {
  expect(verifyPath(path)).toMatchObject({ result: 'intact', first_bad: null });
  expect(await replay(path, undefined, () => undefined)).toMatchObject({ identical: 44, different: 0, not_replayable: 0 });
});

test.each(Object.entries(exported))('the exports of "%s" are the same to the byte', async (experiment, sums) => {
  for (const format of formats) {
    const sum = createHash('sha256');
    await exportToStream(path, experiment, { format }, (piece) => void sum.update(piece));
    expect(sum.digest('hex'), format).toBe(sums[format]);
  }
});
