import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { sentences, verifyBundle } from '../../../resources/bundle/verify.mjs';
import { adoptedWords } from '../../shared/proved.ts';
import { makeSampleStore, noFault, openFolder } from './audit/testing/sampleStore.ts';
import { bundleOf } from './bundle/testing/bundles.ts';
import { type Files, packed } from './bundle/testing/forging.ts';
import { unpackBundle, verifyFile } from './bundle/unpackBundle.ts';
import { adopt, type CopyWatch, merge } from './newStores.ts';

const room = openFolder('adopt');
const watch: CopyWatch = { signal: new AbortController().signal, onProgress: () => undefined };
const experiment = 'nlsy97-demo';
let store: string;
let mine: string;
let own: Files;

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 1, fault: noFault });
  mine = room.path('mine.db');
  await adopt(store, mine, watch);
  own = unzipSync(await bundleOf(store, experiment, room.path('own.zip')));
});

const noteOf = async (path: string) => (await verifyFile(path, {})).adopted;

test.each([false, true])(
  'a bundle of a copy says where the record came from, as its own verifier does; redacted: %s',
  async (redacted) => {
    const bundle = room.path(`copy-${redacted}.zip`);
    await bundleOf(mine, experiment, bundle, redacted);
    const note = await noteOf(mine);
    expect(note?.file).toBe('sample.db');
    expect(await noteOf(bundle)).toEqual(note);
    if (note === undefined) throw new Error('no note');
    const said = sentences(await verifyBundle(new Uint8Array(readFileSync(bundle)))).join(' ');
    expect(said).toContain(adoptedWords(note, (at) => at));
    if (redacted) return;
    const reports = Object.entries(unzipSync(readFileSync(bundle))).filter(([name]) => /^reports\/\w+\.html$/.test(name));
    expect(reports.length).toBeGreaterThan(0);
    for (const [, page] of reports) expect(strFromU8(page)).toMatch(/Copied from<.*sample\.db/);
    const { remove, store: unpacked } = await unpackBundle(bundle);
    await adopt(unpacked, room.path('again.db'), watch);
    remove();
    expect(await noteOf(room.path('again.db'))).toMatchObject({ file: 'copy-false.zip', earlier: [note] });
  },
);

test.each([null, 'given.zip', {}, { file: 'a.db', signers: 3 }, { others: 7 }])(
  'a note of another shape is no fault of the bundle, and is not shown: %j',
  async (adopted) => {
    const bundle = room.path('odd.zip');
    writeFileSync(bundle, packed(own, { adopted }));
    const { result, adopted: found } = await verifyFile(bundle, {});
    expect([result, found]).toEqual(['intact', undefined]);
    expect(sentences(await verifyBundle(new Uint8Array(readFileSync(bundle)))).join(' ')).not.toContain('Copied from');
  },
);

test('a joined record notes each store, with its experiments, and keeps the notes of all', async () => {
  const [yours, both] = [room.path('yours.db'), room.path('both.db')];
  await adopt(mine, yours, watch);
  await merge([mine, yours, store], both, watch);
  const [first, second] = [await noteOf(mine), await noteOf(yours)];
  expect(first).toMatchObject({ file: 'sample.db', experiments: [experiment] });
  const { root } = await verifyFile(store, {});
  const joined = { root, experiments: [experiment], joined: true };
  const { earlier = [], ...newest } = second ?? { earlier: [] };
  expect(await noteOf(both)).toMatchObject({
    ...{ ...joined, file: 'mine.db', earlier: [first] },
    others: [
      { ...joined, file: 'yours.db', earlier: [newest, ...earlier] },
      { ...joined, file: 'sample.db' },
    ],
  });
});

test('bundles and reports have the note of their experiment only', async () => {
  mkdirSync(room.path('here'));
  const change = { name: 'made-here' };
  const here = await makeSampleStore(room.path('here'), { cases: 1, fault: noFault, change });
  const joined = room.path('joined.db');
  await merge([here, store], joined, watch);
  for (const name of [change.name, experiment]) {
    const files = unzipSync(await bundleOf(joined, name, room.path(`${name}.zip`)));
    const words = Object.entries(files).flatMap(([path, bytes]) => (path.endsWith('.html') ? strFromU8(bytes) : []));
    expect(words.some((text) => text.includes('Joined from'))).toBe(true);
    const { others, ...note } = (await noteOf(room.path(`${name}.zip`))) ?? {};
    expect([note, others]).toEqual([expect.objectContaining({ experiments: [name], joined: true }), undefined]);
  }
});
