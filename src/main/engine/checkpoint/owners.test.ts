import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { secondVerifier } from '../audit/testing/pythonVerifier.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { verifyPath, withCopy } from '../audit/testing/tampering.ts';
import { bundleOf } from '../bundle/testing/bundles.ts';
import { openStore } from '../store/store.ts';
import { attachCosigned, makeCheckpoint } from './checkpoints.ts';
import { cosignedNote, someKey } from './testing/witness.ts';
import { fingerprintOf } from './userKey.ts';

const room = openFolder('owners');
const python = secondVerifier();
let path: string;

beforeAll(async () => {
  path = await makeSampleStore(room.folder, { cases: 1 });
});

test('security 36: a key that signed any checkpoint of the log is its owner’s, and anchors nothing elsewhere', async () => {
  const [earlier, later] = [someKey(), someKey()];
  const store = openStore(path, { create: false });
  makeCheckpoint(store, earlier);
  const { note } = makeCheckpoint(store, later);
  const own = cosignedNote(note, 1_700_000_000, earlier);
  expect(() => attachCosigned(store, own.note)).toThrow('no cosignature by another key');
  store.close();
  const attached = (line: string, look: (copy: string) => Promise<void>) =>
    withCopy(path, (db) => void db.prepare('UPDATE checkpoints SET cosignatures = ? WHERE note = ?').run(line, note), look);
  const cosigned = async (copy: string) => {
    const { result, log } = verifyPath(copy);
    const second = await python.verify(copy);
    expect([result, second?.result ?? 'intact']).toEqual(['intact', 'intact']);
    expect(second?.log?.cosigned ?? log?.cosigned).toBe(log?.cosigned);
    return log?.cosigned;
  };
  await attached(own.line, async (copy) => expect(await cosigned(copy)).toBe(0));
  await attached(cosignedNote(note, 1_700_000_000).line, async (copy) => expect(await cosigned(copy)).toBeGreaterThan(0));
});

test('a bundle of a log that two people signed one after the other is intact, and names the later one', async () => {
  const zip = room.path('two.zip');
  const [earlier, later] = [someKey(), someKey()];
  await withCopy(
    path,
    () => undefined,
    async (copy) => {
      const store = openStore(copy, { create: false });
      for (const key of [earlier, later]) makeCheckpoint(store, key);
      store.close();
      await bundleOf(copy, 'nlsy97-demo', zip);
    },
  );
  expect(await verifyBundle(readFileSync(zip))).toMatchObject({
    result: 'intact',
    log: { signer: fingerprintOf(later.publicKey) },
  });
});
