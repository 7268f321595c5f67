import { readFileSync } from 'node:fs';
import { strToU8, unzipSync, zipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { writeOfEveryProtocol } from '../store/testing/everyProtocol.ts';
import { bundleOf } from './testing/bundles.ts';
import { type Files, lean, linesIn, packed, textIn, zipOf } from './testing/forging.ts';

const room = openFolder('bundle-hostile');
const path = room.path('bundle.zip');
const zip = () => new Uint8Array(readFileSync(path));

beforeAll(async () => {
  const store = room.path('store.db');
  writeOfEveryProtocol(store);
  await bundleOf(store, 'open questions', path);
});

test('a bomb is not unpacked', async () => {
  const bomb = zipOf({ 'manifest.json': new Uint8Array(64 * 2 ** 20) });
  expect(await verifyBundle(bomb)).toMatchObject({ result: 'unreadable', problem: expect.stringContaining('unpacks to more') });
});

test('another zip, a file too many and a missing one are named', async () => {
  expect(await verifyBundle(zipOf({ 'a.txt': strToU8('a') }))).toMatchObject({
    result: 'unreadable',
    problem: expect.stringContaining('no bundle'),
  });
  const files = unzipSync(zip());
  expect(await verifyBundle(zipSync(files))).toMatchObject({
    problem: expect.stringContaining('packed again by another program'),
  });
  // Most people would change a bundle this way, so the problem names the changed file, and the trial in it.
  const [, { trial = '', arm = '' } = {}] = linesIn(files, 'trials.jsonl').map((line) => JSON.parse(line));
  const changed = (name: string, from: string | RegExp, to: string) => strToU8(textIn(files, name).replace(from, to));
  const repacked = changed('trials.jsonl', /(?<=\n.*)"calls":/, '"calls":1');
  for (const level of [0, 6] as const)
    expect(await verifyBundle(zipSync({ ...files, 'trials.jsonl': repacked }, { level }))).toMatchObject({
      result: 'tampered',
      problem: expect.stringMatching(/^trials.jsonl: it is not the file .*its calls is not .* packed again by another program$/),
      uses: [{ trial, arm, what: 'its row of results' }],
    });
  const report = Object.keys(files).find((name) => name.startsWith('reports/')) ?? '';
  expect(await verifyBundle(zipSync({ ...files, [report]: changed(report, 'main', 'mein') }))).toMatchObject({
    uses: [{ trial: report.slice(8, 24), what: 'its report' }],
  });
  // What only another program can unpack was not changed for that.
  const encrypted = zipSync(files);
  const directory = new DataView(encrypted.buffer, encrypted.byteOffset).getUint32(encrypted.length - 6, true);
  encrypted[directory + 8] = 1;
  expect(await verifyBundle(encrypted)).toMatchObject({ result: 'unreadable' });
  // Every file at the bytes of the largest: each would be unpacked as often as there are files.
  const same = zipSync(
    Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}`, files['texts.jsonl'] ?? strToU8('')])),
  );
  const view = new DataView(same.buffer, same.byteOffset);
  let at = view.getUint32(same.length - 6, true);
  for (let entry = 0; entry < 50; entry++) {
    view.setUint32(at + 42, 0, true);
    view.setUint32(at + 20, same.length / 10, true);
    at += 46 + view.getUint16(at + 28, true);
  }
  expect(await verifyBundle(same)).toMatchObject({ result: 'unreadable' });
  const { 'events.jsonl': _events, ...without } = files;
  expect(await verifyBundle(packed(without))).toMatchObject({ result: 'tampered', problem: 'events.jsonl: it is missing' });
  const more = zipOf({ ...files, 'more.txt': strToU8('more') });
  expect(await verifyBundle(more)).toMatchObject({ problem: 'more.txt: the manifest does not name it' });
});

test('a manifest without its last newline is a fault, and the rest is checked all the same', async () => {
  const files = lean(unzipSync(zip()));
  const cut = (from: Files) => zipOf({ ...from, 'manifest.json': strToU8(textIn(from, 'manifest.json').trimEnd()) });
  const missing = 'manifest.json: the newline at its end is missing';
  expect(await verifyBundle(cut(files))).toMatchObject({
    result: 'tampered',
    problem: missing,
    meaning: expect.stringContaining('The record was checked to its end and holds'),
  });
  const undecided = textIn(files, 'trials.jsonl').replace('"outcome":"decided"', '"outcome":"undecided"');
  expect(await verifyBundle(cut({ ...files, 'trials.jsonl': strToU8(undecided) }))).toMatchObject({
    problem: expect.stringMatching(`^${missing}. The first fault of the record: .* its outcome is not`),
    counted: { words: expect.stringContaining('manifest.json, trials.jsonl') },
  });
});
