import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { protocols } from '../../../core/protocols/index.ts';
import { exportToStream, replay } from '../engine.ts';
import { writeEveryProtocol } from '../store/testing/everyProtocol.ts';
import { reading } from '../testing/reading.ts';
import { openFolder } from './testing/sampleStore.ts';
import { verifyPath } from './testing/tampering.ts';

/**
 * A store of every protocol with most of its variants, recorded once with the demo model, refused answers among them. What it
 * exports must stay the same to the byte.
 */
const exported = {
  binary: {
    'trials-csv': 'f9ecb9fd299092b85a63b6e49346bb47e153adb1d43cfca60c06775bd453b211',
    'trials-jsonl': '77d90b6ea8a950f787346ae912e7daa8cc4a055fed32ec7fcb956918fdb28b9a',
    'events-jsonl': '44cd76a59eed2d6075dd7cfeeb310f759f9c1c44faffc773d3c29396de1eb785',
  },
  'several labels': {
    'trials-csv': '6a7eb08f34bad147e9367defae184ff85ab1fef7a0b34f353850da29dab0e65b',
    'trials-jsonl': '4700aeef89dbe586b93900a9270f8e33d6c26d5e5026e9983e93d3f23280618f',
    'events-jsonl': '3034b08bf3bedd9491a0197832df86080ac1cdf6e76ffedfa2ebc68a6673b963',
  },
  'open questions': {
    'trials-csv': '82b4b9d09870550b91da39adbf7259465e870f0868a2f4368b65a35a5825f90c',
    'trials-jsonl': '03a80553eff9834455cd86fe85b280dfbdb8f42e0767ad7152fbfccfdcc43a36',
    'events-jsonl': 'f963b5c18d43eb1854cdb2190f090690d20412351e284aedd50b0878bf828dc8',
  },
} as const;
const formats = ['trials-csv', 'trials-jsonl', 'events-jsonl'] as const;

const room = openFolder('every-protocol');
const path = room.path('every-protocol.db');

beforeAll(() => {
  writeEveryProtocol(path);
});

test('it has a trial of every protocol that can be run', () => {
  const tried = new Set(reading(path, ({ trials }) => trials.all()).map(({ protocol }) => protocol));
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
