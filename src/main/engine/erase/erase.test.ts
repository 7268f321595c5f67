import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EraseTarget } from '../../../shared/erasure.ts';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import { pythonMissing, startPythonVerifier } from '../audit/testing/pythonVerifier.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { verifyPath, withCopy } from '../audit/testing/tampering.ts';
import { bundleOf } from '../bundle/testing/bundles.ts';
import { eraseInStore, erasePreview, exportToStream, moderate, replay, show, stats, verify } from '../engine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { openQueryPool } from '../queries/pool.ts';
import { openSettings } from '../service/settings.ts';
import { besideStore } from '../store/location.ts';
import { openStore, openStoreReadOnly } from '../store/store.ts';
import { writeOfEveryProtocol } from '../store/testing/everyProtocol.ts';
import { withStore } from '../store/withStore.ts';

const room = openFolder('erase');
/** It lies where the erasures look for nothing. */
const pristine = openFolder('erase-from');
const path = room.path('store.db');
const caches = room.path('cache');
const logs = room.path('logs');
const options = { signal: new AbortController().signal, onProgress: () => undefined };
const missing = pythonMissing();
let python: ReturnType<typeof startPythonVerifier>;
/** What a replay finds before anything is erased. */
let whole: Awaited<ReturnType<typeof replay>> | undefined;

beforeAll(() => {
  vi.stubEnv('XDG_CACHE_HOME', caches);
  vi.stubEnv('ASSIZE_LOG_DIR', logs);
  python = startPythonVerifier();
  writeOfEveryProtocol(pristine.path('store.db'));
});

beforeEach(() => copyFileSync(pristine.path('store.db'), path));

afterAll(() => {
  vi.unstubAllEnvs();
  python.close();
});

const erase = async (target: EraseTarget, confirmed = true) => {
  const report = await (confirmed ? eraseInStore(path, target, {}) : erasePreview(path, target));
  if (report === null || report === 'finished') throw new Error('nothing was asked');
  return report;
};

/** Stored bytes and cases, by ref: what must not be found afterwards. */
function traces(store: string): Map<string, readonly Buffer[]> {
  const reader = openStoreReadOnly(store);
  const db = new Database(store, { readonly: true });
  const rows = db.prepare<[], { ref: Buffer; bytes: Buffer }>('SELECT ref, bytes FROM blobs').all();
  db.close();
  const found = new Map<string, readonly Buffer[]>();
  for (const { ref, bytes } of rows) {
    const name = ref.toString('base64url');
    found.set(
      name,
      [bytes, Buffer.from(reader.blobs.get(name) ?? '')].filter(({ length }) => length >= 24),
    );
  }
  reader.close();
  return found;
}

/** All of them, or in the short suite one in so many: to look for each in each file takes minutes. */
const sampled = <T>(all: readonly T[], every = 8): readonly T[] =>
  exhaustive ? all : all.filter((_each, index) => index % every === 0);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const goneRefs = (store: string) =>
  withStore(openStoreReadOnly(store), (reader) => new Map([...reader.erasures.rows()].map(({ ref, stays }) => [ref, stays])));

const caseOf = (experiment: string, index: number) =>
  withStore(openStoreReadOnly(path), (store) => {
    const row = store.trials.ofExperiment(experiment)[index];
    if (row === undefined) throw new Error('there is no such trial');
    return row.case_id;
  });

const targets: readonly (readonly [string, () => Promise<EraseTarget>])[] = [
  ['an experiment', () => Promise.resolve({ kind: 'experiment', experiment: 'several labels' })],
  ['a data set', () => Promise.resolve({ kind: 'data-set', experiment: 'binary' })],
  ['a case', async () => ({ kind: 'case', experiment: 'binary', case: await caseOf('binary', 0) })],
  [
    'the only case of a data set',
    async () => ({ kind: 'case', experiment: 'open questions', case: await caseOf('open questions', 0) }),
  ],
];

describe.each(targets)('security 37: after an erasure of %s', (_name, targetOf) => {
  test('no byte of it is left in any file, and the record says so and holds', async ({ skip }) => {
    if (missing !== null) skip(missing);
    const target = await targetOf();
    await stats(path, target.kind === 'listed' ? '' : target.experiment, { resamples: 50, cache: caches }, options);
    const before = traces(path);
    whole ??= await replay(path, undefined, () => undefined);
    const report = await erase(target);
    expect(report).toMatchObject({ erased: true });
    expect(report.texts).toBeGreaterThan(10);
    const gone = await goneRefs(path);
    expect(gone.size).toBe(report.texts);
    // Prompts have some of the same words, such as rules, and so has what was said over other data sets.
    const left = [...traces(path).values()].flat();
    const lost = sampled([...before].flatMap(([ref, bytes]) => (gone.get(ref) === null ? bytes : []))).filter(
      (bytes) => !left.some((other) => other.includes(bytes)),
    );
    expect(lost.length).toBeGreaterThan(5);
    for (const file of filesBelow(room.folder)) {
      const content = readFileSync(file);
      const shown = lost.filter((bytes) => content.includes(bytes)).map((bytes) => bytes.toString('utf8'));
      expect(shown, file).toEqual([]);
    }
    const verified = verifyPath(path);
    expect(verified).toMatchObject({ result: 'intact', erasures: [{ texts: report.texts }], erasure_unfinished: false });
    expect(await python.verify(path)).toMatchObject({ result: 'intact', root: verified.root });
    const after = await replay(path, undefined, () => undefined);
    expect(after).toMatchObject({ different: 0, identical: whole.identical - after.erased });
    // The trials that share texts, as precedents or vectors, are not replayed any more either.
    expect(after.erased).toBeGreaterThanOrEqual(report.trials - after.unfinished);
  });
});

test('what would be erased is said while another program writes, as it is erased afterwards, and is not erased yet', async () => {
  const [row] = await withStore(openStoreReadOnly(path), (store) => store.trials.all());
  const { experiment = '', case_id: kase = '' } = row ?? {};
  const targets: EraseTarget[] = [
    { kind: 'case', experiment, case: kase },
    { kind: 'experiment', experiment },
    { kind: 'data-set', experiment },
  ];
  for (const target of targets) {
    copyFileSync(pristine.path('store.db'), path);
    await eraseInStore(path, null, {});
    const before = verifyPath(path);
    const shown = await withStore(openStore(path, { create: false }), () => erase(target, false));
    expect(verifyPath(path)).toEqual(before);
    const { erased, ...done } = await erase(target);
    expect(erased).toBe(true);
    expect(shown).toEqual({ ...done, erased: false });
  }
});

test('an erased trial says so when it is read, and its figures are as before', async () => {
  const figures = async () => {
    const { arms } = await stats(path, 'binary', { resamples: 0, cache: null }, options);
    return arms.map(({ arm, accuracy_decided, n }) => [arm, accuracy_decided, n]);
  };
  const before = await figures();
  const kase = await caseOf('binary', 0);
  await erase({ kind: 'data-set', experiment: 'binary' });
  expect(await figures()).toEqual(before);
  const trial = await withStore(openStoreReadOnly(path), (store) => store.trials.ofExperiment('binary')[0]?.trial ?? '');
  const pieces: string[] = [];
  await exportToStream(path, 'binary', { format: 'html', trial }, (piece) => void pieces.push(piece));
  expect(pieces.join('')).toContain('erased');
  expect((await show(path, 'binary', trial)).erased).toMatchObject({ scope: 'data-set' });
  const lines: string[] = [];
  await exportToStream(path, 'binary', { format: 'trials-jsonl' }, (piece) => void lines.push(piece));
  expect(lines.join('')).toContain(JSON.stringify(kase));
});

test('saved searches with words of the facts that go are named', async () => {
  const store = openStoreReadOnly(path);
  const { id, ref } = store.datasets.cases(loadFrozen(store, 'binary').dataset.id)[0] ?? { id: '', ref: '' };
  const value = store.datasets.read(ref).facts[0]?.value ?? '';
  store.close();
  const view = (name: string, words: string) => ({ experiment: null, name, state: String(new URLSearchParams({ words })) });
  const target: EraseTarget = { kind: 'case', experiment: 'binary', case: id };
  expect((await erase(target, false)).stays.join()).not.toContain('Saved searches');
  openSettings(path).change({ views: [view('Its own', value.toUpperCase()), view('Another', 'no-such-word')] });
  const { stays } = await erase(target, false);
  expect(stays.at(-1)).toBe(
    'Saved searches keep their words. Words of the erased facts are in "Its own". You can remove them on the screen Search.',
  );
  rmSync(besideStore(path, '.settings.json'));
});

test('it is refused twice, for what is not there, and an experiment without texts cannot continue', async () => {
  const whole: EraseTarget = { kind: 'data-set', experiment: 'binary' };
  await expect(erase({ kind: 'experiment', experiment: 'none' })).rejects.toMatchObject({ code: 'not-found' });
  await expect(erase({ kind: 'case', experiment: 'binary', case: 'none' })).rejects.toMatchObject({ code: 'not-found' });
  await expect(erase({ kind: 'listed', entry: 'none' })).rejects.toMatchObject({ code: 'not-found' });
  await erase(whole);
  await expect(erase(whole)).rejects.toThrow('erased before');
  const answer = { trial: 'any', moderation: { action: 'remark', to: 'both', text: 'Speak up.' } } as const;
  await expect(moderate(path, 'binary', answer)).rejects.toThrow('cannot be run further');
});

test('an erasure that was cut short before files were clean is reported, and finished', async () => {
  await withStore(openStore(path, { create: false }), (store) => {
    const [dataset] = store.datasets.all().slice(1);
    if (dataset === undefined) throw new Error('there is no data set');
    const about = { scope: 'data-set', experiment: null, case: null, salt: false } as const;
    store.write(() =>
      store.erasures.erase({ dataset: { id: dataset.id, manifest: dataset.manifest ?? '' }, about, kept: [], stays: new Map() }),
    );
  });
  await withStore(openStoreReadOnly(path), (store) => expect(store.erasures.uncleaned()).toBe(true));
  expect(await eraseInStore(path, null, {})).toBe('finished');
  await withStore(openStoreReadOnly(path), (store) => expect(store.erasures.uncleaned()).toBe(false));
  expect(await eraseInStore(path, null, {})).toBeNull();
});

const forgeries: readonly (readonly [string, string])[] = [
  [
    'a label that stays is another one',
    `UPDATE erased SET stays = replace(stays, '"truth":"', '"truth":"X') WHERE stays LIKE '%"truth":"%'`,
  ],
  ['a row is missing', 'DELETE FROM erased WHERE stays IS NULL AND ref = (SELECT min(ref) FROM erased WHERE stays IS NULL)'],
  ['a text that is deleted is said to be erased', 'INSERT INTO erased SELECT ref, 0, NULL FROM blobs WHERE dataset > 0 LIMIT 1'],
  ['a text is erased by no erasure', 'INSERT INTO erased SELECT ref, 7, NULL FROM blobs WHERE dataset > 0 LIMIT 1'],
  ['the chain of erasures is gone', `DELETE FROM events WHERE kind = 'text-erase'`],
  ['the salt is there again', `UPDATE datasets SET salt = randomblob(32) WHERE salt = x'' AND id > 0`],
];

test('a forged erasure is found by both verifiers', async ({ skip }) => {
  if (missing !== null) skip(missing);
  await erase({ kind: 'data-set', experiment: 'binary' });
  for (const [name, sql] of forgeries) {
    const found = await withCopy(
      path,
      (db) => expect(db.prepare(sql).run().changes, name).toBeGreaterThan(0),
      async (copy) => [verifyPath(copy).result, (await python.verify(copy)).result],
    );
    expect(found, name).toEqual(['tampered', 'tampered']);
  }
});

test('a bundle made later has no trace of it, and is intact', async () => {
  const before = traces(path);
  await erase({ kind: 'case', experiment: 'several labels', case: await caseOf('several labels', 0) });
  const gone = await goneRefs(path);
  const out = room.path('later.zip');
  const files = Object.entries(unzipSync(await bundleOf(path, 'several labels', out)));
  expect(await verify(out, {})).toMatchObject({ result: 'intact', first_bad: null });
  // Prompts that stay have some of the same words.
  const left = [...traces(path).values()].flat();
  const lost = sampled(
    [...before].flatMap(([ref, [, text]]) => (gone.get(ref) === null && text !== undefined ? [text] : [])),
  ).filter((text) => !left.some((other) => other.includes(text)));
  expect(lost.length).toBeGreaterThan(5);
  for (const [name, bytes] of files) {
    const content = Buffer.from(bytes);
    const shown = lost.filter(
      (text) => content.includes(text) || content.includes(JSON.stringify(text.toString('utf8')).slice(1, -1)),
    );
    expect(shown.length, name).toBe(0);
  }
});

test.each([['that lost texts too', true], ...(exhaustive ? [['whose own texts are all there', false] as const] : [])] as const)(
  'a bundle of a data set %s says nothing of what was erased of another one',
  async (_name, isErasedToo) => {
    const other = await caseOf('open questions', 0);
    await erase({ kind: 'case', experiment: 'open questions', case: other });
    const stays = [...(await goneRefs(path)).values()].filter((text) => text?.includes(JSON.stringify(other)));
    expect(stays.length).toBeGreaterThan(0);
    if (isErasedToo) await erase({ kind: 'case', experiment: 'several labels', case: await caseOf('several labels', 0) });
    for (const redacted of [false, true]) {
      const out = room.path(`other-${isErasedToo}-${redacted}.zip`);
      const files = unzipSync(await bundleOf(path, 'several labels', out, redacted));
      expect(await verify(out, {})).toMatchObject({ result: 'intact', first_bad: null });
      const lines = strFromU8(files['erased.jsonl'] ?? new Uint8Array(0));
      expect(stays.filter((text) => lines.includes(JSON.stringify(text)))).toEqual([]);
      expect(lines !== '').toBe(isErasedToo);
    }
  },
);

test('every screen, report and export of an erased experiment is made, for each protocol', { tags: 'exhaustive' }, async () => {
  await erase({ kind: 'case', experiment: 'several labels', case: await caseOf('several labels', 0) });
  for (const experiment of ['binary', 'open questions']) await erase({ kind: 'experiment', experiment });
  const trials = await withStore(openStoreReadOnly(path), (store) => store.trials.all());
  const pool = openQueryPool(path);
  const text = async (format: 'html' | 'trials-csv' | 'events-jsonl', experiment: string, trial?: string) => {
    const pieces: string[] = [];
    await exportToStream(path, experiment, { format, trial }, (piece) => void pieces.push(piece));
    return pieces.join('');
  };
  try {
    const { experiments: summaries } = await pool.run('experimentList', null);
    expect(summaries.map(({ erased }) => erased?.scope).toSorted()).toEqual(['case', 'experiment', 'experiment']);
    for (const { name: experiment } of summaries) {
      await pool.run('experiment', { experiment });
      expect(await pool.run('damage', { experiment })).toMatchObject({ damaged: 0 });
      await pool.run('deliberation', { experiment });
      await pool.run('protocolFigures', { experiment });
      expect(await text('trials-csv', experiment)).toContain(experiment);
      expect(await text('events-jsonl', experiment)).toContain('trial-open');
      expect(await text('html', experiment)).toContain('erased');
    }
    for (const { trial, experiment } of sampled(trials, 3)) {
      const view = await pool.run('trial', { trial });
      if (view.erased === null) continue;
      expect(await pool.run('trialCheck', { trial }), trial).toMatchObject({ chain: 'intact' });
      for (const entry of view.entries) if (entry.kind === 'call') await pool.run('call', { trial, key: entry.key });
      expect(await show(path, experiment, trial), trial).toMatchObject({ experiment });
      expect(await text('html', experiment, trial), trial).toContain('erased');
    }
  } finally {
    await pool.close();
  }
});
