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
    'trials-csv': '4ad7dada35b829aa198e6bc60bce24e084c88e869c23b71c5f47d8e5a6f3e551',
    'trials-jsonl': '46a3ff32c7ae79d42493d74b43353bd16e2177c8f055a8752e081869de485996',
    'events-jsonl': '44cd76a59eed2d6075dd7cfeeb310f759f9c1c44faffc773d3c29396de1eb785',
  },
  'several labels': {
    'trials-csv': 'ece90dd2964c2fa92c20924442c145b11d4a9ffe129ac794ca4fcea6fe520573',
    'trials-jsonl': 'f55158b5e455956aee3ec4d8850af8cddcf82928f8ea385b2753aaa9855f8dc9',
    'events-jsonl': '3034b08bf3bedd9491a0197832df86080ac1cdf6e76ffedfa2ebc68a6673b963',
  },
  'open questions': {
    'trials-csv': '1a03662ea0fd8b41df0a3b7e08147509d7db3136eb4f17d61b42485c1fcf6eb5',
    'trials-jsonl': '9e25d554fe1d9820bcc995fd64d44b8a0db576e7b0363369f75eb77c5527e7d0',
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
