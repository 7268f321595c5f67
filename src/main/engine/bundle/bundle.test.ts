import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { withCopy } from '../audit/testing/tampering.ts';
import { exportBundle, exportToStream, replay, verify, withRecord } from '../engine.ts';
import { openStoreReadOnly } from '../store/store.ts';

type Files = Record<string, Uint8Array>;

const resources = resolve(import.meta.dirname, '../../../../resources');
const room = openFolder('bundle');
const store = room.path('every-protocol.db');
const experiments = ['binary', 'several labels', 'open questions'];
const full = (experiment: string) => room.path(`${experiment}.zip`);
const redacted = room.path('redacted.zip');

const write = (experiment: string, out: string, isRedacted = false) =>
  exportBundle(
    store,
    { experiment, out, force: false, redacted: isRedacted, resources },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );

beforeAll(async () => {
  const packed = readFileSync(join(import.meta.dirname, '../store/fixtures/every-protocol.db.br'));
  writeFileSync(store, brotliDecompressSync(packed));
  for (const experiment of experiments) await write(experiment, full(experiment));
  await write('binary', redacted, true);
});

afterAll(() => room.remove());

const filesOf = (path: string): Files => unzipSync(readFileSync(path));

/** A bundle with other files and a manifest that is right about them, as a forger makes it. */
function packed(files: Files, manifest = strFromU8(files['manifest.json'] ?? new Uint8Array(0))): Uint8Array {
  const { 'manifest.json': _old, ...rest } = files;
  const listed = Object.entries(rest).map(([path, content]) => ({
    path,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  return zipSync({ ...rest, 'manifest.json': strToU8(`${JSON.stringify({ ...JSON.parse(manifest), files: listed })}\n`) });
}

describe.each(experiments)('a bundle of "%s"', (experiment) => {
  test('is intact by both verifiers, replays, and exports what its store does', async () => {
    const path = full(experiment);
    expect(await verifyBundle(readFileSync(path))).toMatchObject({ result: 'intact', leftOut: 0, experiment });
    expect(await verify(path, {})).toMatchObject({ result: 'intact', store: path, first_bad: null });
    const pieces = async (from: string) => {
      const found: string[] = [];
      await exportToStream(from, experiment, { format: 'events-jsonl' }, (piece) => found.push(piece));
      return found.join('');
    };
    const unpacked = await withRecord(path, async (inner) => {
      expect(await replay(inner, undefined, () => undefined)).toMatchObject({ different: 0, not_replayable: 0 });
      return { events: await pieces(inner), inner };
    });
    expect(unpacked.events).toBe(await pieces(store));
    expect(existsSync(unpacked.inner)).toBe(false);
  });

  test('is the same to the byte when it is written again', async () => {
    const again = room.path(`${experiment} again.zip`);
    await write(experiment, again);
    expect(readFileSync(again).equals(readFileSync(full(experiment)))).toBe(true);
    await expect(write(experiment, again)).rejects.toMatchObject({ code: 'output-exists' });
    await exportBundle(
      store,
      { experiment, out: again, force: true, redacted: false, resources },
      { signal: new AbortController().signal, onProgress: () => undefined },
    );
    expect(statSync(again).mode & 0o777).toBe(0o600);
  });
});

test('a redacted bundle verifies, and has no text of a case, no salt and nothing that replays', async () => {
  expect(await verifyBundle(readFileSync(redacted))).toMatchObject({ result: 'intact', redacted: true });
  expect(await verify(redacted, {})).toMatchObject({ result: 'intact', first_bad: null });
  expect(await verify(redacted, { head: '0'.repeat(64) })).toMatchObject({ result: 'tampered', head_matches: false });
  await expect(withRecord(redacted, () => Promise.resolve())).rejects.toMatchObject({ code: 'bad-input' });
  const said = Object.values(filesOf(redacted))
    .map((content) => strFromU8(content))
    .join('\n');
  const reader = openStoreReadOnly(store);
  const { id, salt } = reader.datasets.get(reader.experiments.get('binary')?.dataset ?? 0);
  const texts = [...reader.blobs.all()].map(({ dataset, bytes }) => ({ dataset, text: bytes?.toString('utf8') ?? '' }));
  reader.close();
  // Words of a template that no slot changed are the program's own.
  const templates = texts
    .filter(({ dataset }) => dataset === 0)
    .map(({ text }) => text)
    .join('\n');
  const own = texts.flatMap(({ dataset, text }) =>
    dataset === id && text.length > 40 && !templates.includes(text) ? [text] : [],
  );
  expect(own.length).toBeGreaterThan(100);
  expect(own.filter((text) => said.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
  expect(said).not.toContain(salt.toString('hex'));
});

test('of a record that fails its check no bundle is written', async () => {
  await withCopy(
    store,
    (db) => void db.exec("UPDATE trials SET belief = '{}' WHERE belief IS NOT NULL"),
    async (path) => {
      const request = { experiment: 'several labels', out: room.path('damaged.zip'), force: false, redacted: true, resources };
      const watch = { signal: new AbortController().signal, onProgress: () => undefined };
      await expect(exportBundle(path, request, watch)).rejects.toMatchObject({
        code: 'bad-input',
        message: expect.stringContaining('damaged'),
      });
      expect(existsSync(request.out)).toBe(false);
    },
  );
});

/** Lines of a file that are changed one at a time, with what the change does to the line. */
const lineChanges: Record<string, (line: string) => string> = {
  'a key twice': (line) => line.replace('{', `{"${Object.keys(JSON.parse(line) as object)[0]}":0,`),
  'a key too many': (line) => line.replace(/\}$/, ',"more":1}'),
  'another digit': (line) => line.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
  'a space': (line) => line.replace(':', ': '),
  gone: () => '',
  twice: (line) => `${line}\n${line}`,
};

test('one change of a line, under a manifest that is right about it, is found', async () => {
  const files = filesOf(full('several labels'));
  const unseen: string[] = [];
  for (const name of ['events.jsonl', 'texts.jsonl', 'trials.jsonl', 'salts.json', 'statistics.json']) {
    const lines = strFromU8(files[name] ?? new Uint8Array(0))
      .trimEnd()
      .split('\n');
    for (const [about, change] of Object.entries(lineChanges)) {
      // Times, tokens and seeds of a line, and what was estimated from answers, are not derived again.
      if (['trials.jsonl', 'statistics.json'].includes(name) && ['a key too many', 'another digit'].includes(about)) continue;
      for (const place of [0, lines.length >> 1, lines.length - 1].filter((at, index, all) => all.indexOf(at) === index)) {
        const changed = lines.map((line, index) => (index === place ? change(line) : line)).filter((line) => line !== '');
        const { result } = await verifyBundle(packed({ ...files, [name]: strToU8(`${changed.join('\n')}\n`) }));
        if (result === 'intact') unseen.push(`${name}, line ${place + 1}: ${about}`);
      }
    }
  }
  expect(unseen).toEqual([]);
}, 180_000);

test.each([
  ['an outcome', 'trials.jsonl', /"outcome":"decided"/, '"outcome":"undecided"', /its outcome or prediction/],
  ['a truth', 'trials.jsonl', /"truth":"YES"/, '"truth":"NO"', /its case or truth/],
  [
    'an accuracy',
    'statistics.json',
    /"accuracy_decided":\{"value":[\d.]+,"count":\d+/,
    '"accuracy_decided":{"value":1,"count":99',
    /its accuracy/,
  ],
  ['a root', 'manifest.json', /"root":"[0-9a-f]{4}/, '"root":"0000', /its root/],
])('%s that is not what the chains amount to is found', async (_what, name, from, to, problem) => {
  const files = filesOf(full('binary'));
  const text = strFromU8(files[name] ?? new Uint8Array(0));
  expect(from.test(text)).toBe(true);
  const found = await verifyBundle(packed({ ...files, [name]: strToU8(text.replace(from, to)) }));
  expect(found).toMatchObject({ result: 'tampered', problem: expect.stringMatching(problem) });
});

describe('hostile files', () => {
  const zip = () => new Uint8Array(readFileSync(full('open questions')));

  test('cut anywhere, or with a byte changed, it is never intact', async () => {
    const [whole, step] = [zip(), Math.ceil(zip().length / 60)];
    for (let at = 0; at < whole.length; at += step) {
      expect(await verifyBundle(whole.subarray(0, at))).toMatchObject({ result: 'unreadable' });
      const changed = whole.slice();
      changed[at] = (changed[at] ?? 0) ^ 0x41;
      const { result } = await verifyBundle(changed);
      // Times and attributes of the directory of a zip say nothing about the files.
      if (result === 'intact') expect(filesOf(full('open questions'))).toEqual(unzipSync(changed));
    }
  });

  test('a bomb is not unpacked', async () => {
    const bomb = zipSync({ 'manifest.json': new Uint8Array(64 * 2 ** 20) });
    expect(await verifyBundle(bomb)).toMatchObject({ result: 'unreadable', problem: expect.stringContaining('unpacks to more') });
  });

  test('another zip, a file too many and a missing one are named', async () => {
    expect(await verifyBundle(zipSync({ 'a.txt': strToU8('a') }))).toMatchObject({ result: 'unreadable' });
    const files = filesOf(full('open questions'));
    const { 'events.jsonl': _events, ...without } = files;
    expect(await verifyBundle(packed(without))).toMatchObject({ result: 'tampered', problem: 'events.jsonl: it is missing' });
    const more = zipSync({ ...files, 'more.txt': strToU8('more') });
    expect(await verifyBundle(more)).toMatchObject({ problem: 'more.txt: the manifest does not name it' });
  });
});
