import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { CopyFrame, RecordFrame } from '../../../../shared/api/record.ts';
import { makeSampleStore, openFolder } from '../../audit/testing/sampleStore.ts';
import { verifyPath, withCopy } from '../../audit/testing/tampering.ts';
import { type VerifyProgress, verifyStore } from '../../audit/verify.ts';
import { bundleOf } from '../../bundle/testing/bundles.ts';
import { lean, linesIn, packed, unsigned, withLines } from '../../bundle/testing/forging.ts';
import { cosignedNote } from '../../checkpoint/testing/witness.ts';
import { openQueryPool } from '../../queries/pool.ts';
import { reading } from '../../testing/reading.ts';
import { type EngineRoom, failureOf, openEngineRoom } from '../testing/engineRoom.ts';
import { finished } from '../testing/runs.ts';

const folder = openFolder('record');
let sample: string;
let room: EngineRoom;
beforeAll(async () => {
  // An erasure of another test forgets the words of the faults in the cache that both would share.
  for (const place of ['XDG_CACHE_HOME', 'LOCALAPPDATA']) vi.stubEnv(place, join(folder.folder, 'cache'));
  sample = await makeSampleStore(folder.folder, { cases: 2 });
  room = openEngineRoom({ name: 'record' });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await room.close();
});

async function framesOf<Frame = RecordFrame>(opened: Promise<AsyncIterable<Frame>>): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of await opened) frames.push(frame);
  return frames;
}

async function tried(): Promise<void> {
  const { experiment } = await room.client.tries.start({
    protocol: 'standard',
    model: 'llama3.1:8b',
    backend: 'standin',
    question: 'Will he be re-arrested?',
    facts: 'He is 22 and has no job.',
    labels: ['NO', 'YES'],
  });
  await finished(room.client, experiment);
}

const checked = (client: EngineRoom['client']) => framesOf(client.record.check({}));

test('a store without trials has nothing to check, and says so without a path', async () => {
  const failure = await failureOf(checked(room.client));
  expect(failure.code).toMatch(/not-found|store-unreadable/);
  expect(failure.message).not.toContain(room.path(''));
});

test('the whole record is checked while a screen waits, as the command line does', async () => {
  await tried();
  const frames = await checked(room.client);
  const { signer: _signer, store: _path, ...expected } = verifyPath(room.path('store.db'));
  expect(expected).toMatchObject({ result: 'intact', trials: 1 });
  expect(frames.at(-1)).toEqual({ kind: 'done', check: { ...expected, store: 'store.db' } });
  expect(frames.slice(0, -1).every(({ kind }) => kind === 'progress')).toBe(true);
  expect(room.kept).toEqual([]);
});

test('the open record is compared with a root, and is not damaged because it has another one', async () => {
  const compared = async (head: string) => (await framesOf(room.client.record.check({ head }))).at(-1);
  const { root } = verifyPath(room.path('store.db'));
  expect(await compared(root ?? '')).toMatchObject({ check: { result: 'intact', head_matches: true } });
  expect(await compared('f'.repeat(64))).toMatchObject({ check: { result: 'tampered', head_matches: false } });
  expect(await room.client.record.known({})).toMatchObject({ last: { result: 'intact' }, faults: [] });
});

test('a checkpoint is made after the run, saved as a file, and shows the witness whose cosignature is attached', async () => {
  const before = await room.client.record.checkpoint({});
  // The trial and its experiment.
  expect(before).toMatchObject({ size: 2, checkpoint: { size: 2, cosigners: [], time_stamp: false } });
  expect(await room.client.record.sign({})).toEqual(before);
  const { file, fileName } = await room.client.record.saveCheckpoint({});
  const note = readFileSync(room.service.files.waiting(file)?.path ?? '', 'utf8');
  expect([fileName, note]).toEqual(['checkpoint-2.txt', before.checkpoint?.note]);
  const since = async (text: string) => {
    const given = room.upload('given.db', readFileSync(room.path('store.db')));
    return (await framesOf(room.client.record.checkFile({ upload: given, head: null, since: text }))).at(-1);
  };
  // As it is pasted.
  expect(await since(note.trimEnd())).toMatchObject({ check: { result: 'intact', since: { size: 2, extends: true } } });
  expect((await failureOf(since(note.slice(0, 20)))).message).toContain('not a signed note');
  // A bundle that nobody signed was not changed.
  const zip = await bundleOf(sample, 'nlsy97-demo', room.path('unsigned.zip'));
  const upload = room.upload('unsigned.zip', packed(unsigned(unzipSync(zip))));
  const last = (await framesOf(room.client.record.checkFile({ upload, head: null, since: note }))).at(-1);
  expect(last).toMatchObject({ check: { result: 'other-log', log: null, since: { extends: false } } });
  const { name, fingerprint, ...cosigned } = cosignedNote(note, 1_800_000_000);
  const refused = await failureOf(room.client.record.attach({ upload: room.upload('note.txt', note) }));
  expect(refused).toMatchObject({ code: 'bad-input', message: expect.stringContaining('no cosignature by another key') });
  const witnessed = room.upload('cosigned.txt', cosigned.note);
  const { checkpoint } = await room.client.record.attach({ upload: witnessed });
  expect(checkpoint?.cosigners).toEqual([{ name, fingerprint, at: '2027-01-15T08:00:00.000Z' }]);
  expect(verifyPath(room.path('store.db')).log).toMatchObject({ size: 2, cosigned: 2 });
});

test('a record that is known to be damaged is not signed until a check finds it intact', async () => {
  const known = room.service.knownFaults;
  known.trial('trial', 'rain', '0123456789abcdef', 'event 3: a text is missing');
  const refused = await failureOf(room.client.record.sign({}));
  const reason = 'the record fails its check: event 3: a text is missing. Nothing was signed';
  expect(refused.message).toContain(reason);
  await tried();
  expect((await room.client.record.checkpoint({})).checkpoint?.size).toBe(2);
  expect(room.kept.splice(0)).toEqual([expect.stringContaining(reason)]);
  await checked(room.client);
  expect(await room.client.record.sign({})).toMatchObject({ size: 4 });
});

test('a check that meets a damaged page is remembered', async () => {
  const { client, path, close } = openEngineRoom({ name: 'record-damaged' });
  const sound = readFileSync(sample);
  writeFileSync(path('store.db'), sound.fill(0, sound.length - 16384));
  try {
    expect(await failureOf(checked(client))).toMatchObject({ message: expect.stringContaining('the store is damaged') });
    const { last, faults } = await client.record.known({});
    expect(last).toMatchObject({ result: 'tampered', changed_since: false });
    expect(faults).toEqual([expect.objectContaining({ by: 'check', problem: expect.stringContaining('the store is damaged') })]);
  } finally {
    await close();
  }
});

test('a store from someone else is checked, against the given root, and its upload is gone afterwards', async () => {
  const { client } = room;
  const check = async (path: string, head: string | null = null) => {
    const upload = room.upload('given', readFileSync(path));
    const frames = await framesOf(client.record.checkFile({ upload, head }));
    const other = room.upload('letter.txt', 'Dear court');
    expect(await failureOf(framesOf(client.record.checkFile({ upload: other, head: null })))).toMatchObject({
      code: 'store-unreadable',
    });
    expect((await failureOf(framesOf(client.record.checkFile({ upload, head })))).code).toBe('not-found');
    const last = frames.at(-1);
    return last?.kind === 'done' ? last.check : null;
  };
  const { root, trials } = verifyPath(sample);
  expect(await check(sample)).toMatchObject({ store: 'given', result: 'intact', trials, root, head_matches: null });
  expect(await check(sample, root)).toMatchObject({ result: 'intact', head_matches: true });
  expect(await check(sample, 'f'.repeat(64))).toMatchObject({ result: 'tampered', head_matches: false });
  await withCopy(
    sample,
    (db) => db.exec("UPDATE trials SET confidence = 0.99 WHERE outcome = 'decided'"),
    async (path) => expect(await check(path)).toMatchObject({ result: 'tampered', first_bad: { kind: 'trials' } }),
  );
});

test('a changed bundle is compared with another copy, which is gone afterwards', async () => {
  const { client } = room;
  const bundle = join(folder.folder, 'compared.zip');
  const whole = await bundleOf(sample, 'nlsy97-demo', bundle);
  const files = lean(unzipSync(whole));
  const changed = packed(
    withLines(
      files,
      'texts.jsonl',
      linesIn(files, 'texts.jsonl')
        .toReversed()
        .map((line, at) => (at === 0 ? line.replace(/.(?="\}$)/, '~') : line)),
    ),
  );
  const upload = room.upload('changed.zip', changed);
  const frames = await framesOf(client.record.checkFile({ upload, head: null }));
  expect(frames.at(-1)).toMatchObject({ check: { kind: 'bundle', result: 'tampered' } });
  for (const [name, content] of [
    ['compared.zip', whole],
    ['store.db', readFileSync(sample)],
  ] as const) {
    const other = room.upload(name, content);
    const found = client.record.compareFiles({ upload, other });
    if (name === 'store.db') expect((await failureOf(found)).message).toContain('only bundles are compared');
    else expect(await found).toMatchObject({ other: name, other_result: 'intact', list: [{ checked: { fits: false } }] });
    expect((await failureOf(client.record.compareFiles({ upload, other }))).code).toBe('not-found');
  }
});

test('an intact file is read on the screens in place of the open record, which is not touched, until it is closed', async () => {
  const bundle = join(folder.folder, 'given.zip');
  await bundleOf(sample, 'nlsy97-demo', bundle);
  const own = await room.client.experiments.list({});
  for (const [given, from, unpacked] of [
    [bundle, 'it is unpacked from the bundle upload', 'upload'],
    [sample, 'it is a copy of upload', null],
  ] as const) {
    const upload = room.upload('upload', readFileSync(given), { temporary: true });
    const checked = (await framesOf(room.client.record.checkFile({ upload, head: null }))).at(-1);
    const { record } = await room.client.record.read({ upload });
    const tab = room.connect();
    await tab.record.enter({ record });
    const { kind, root } = checked?.kind === 'done' ? checked.check : {};
    expect((await framesOf(tab.record.check({ head: null }))).at(-1)).toMatchObject({ check: { kind, root } });
    expect(await tab.engine.status({})).toMatchObject({ elsewhere: from, store: 'upload' });
    expect(await tab.record.checkpoint({})).toMatchObject({ bundle: unpacked });
    expect(await tab.record.known({})).toMatchObject({ last: { result: 'intact', changed_since: false }, faults: [] });
    const [first] = (await tab.experiments.trials({ experiment: 'nlsy97-demo' })).lines;
    expect(await tab.trials.read({ trial: first?.trial ?? '' })).toMatchObject({ line: { experiment: 'nlsy97-demo' } });
    expect((await failureOf(tab.record.sign({}))).message).toContain('with the button at the top of the screen');
    expect(await tab.dataFiles.list({})).toEqual([]);
    expect(await room.client.dataFiles.list({})).not.toEqual([]);
    expect(await room.client.experiments.list({})).toEqual(own);
    const other = room.connect();
    await other.record.enter({ record });
    const { store, copy_of, copy } = await tab.record.place({});
    expect(copy_of).toBe('upload');
    expect(copy).toEqual({ folder: dirname(room.path('store.db')), name: 'upload.db' });
    // A further file is checked and read from within.
    const further = room.upload('further', readFileSync(given), { temporary: true });
    await framesOf(tab.record.checkFile({ upload: further, head: null }));
    const next = await tab.record.read({ upload: further });
    await tab.record.leave(next);
    await tab.record.leave({ record });
    expect(existsSync(dirname(store))).toBe(false);
    expect((await failureOf(tab.engine.status({}))).code).toBe('not-found');
    expect((await failureOf(other.record.sign({}))).code).toBe('not-found');
    expect((await failureOf(room.connect().record.enter({ record }))).code).toBe('not-found');
    expect(existsSync(dirname(store))).toBe(false);
    // What was read is not on the disk any longer either.
    expect((await failureOf(room.client.record.read({ upload }))).code).toBe('not-found');
  }
  room.kept.splice(0);
});

test('a copy of a given record is open at once, can be written to, is found again, and leaves nothing behind where it is cancelled', async () => {
  const upload = room.upload('theirs.db', readFileSync(sample), { temporary: true });
  const tab = room.connect();
  const given = await room.client.record.read({ upload });
  await tab.record.enter(given);
  const copied = (name: string) => framesOf<CopyFrame>(tab.record.copy({ name }));
  const files = () => readdirSync(room.path('')).filter((name) => name.includes('copy') || name.startsWith('mine'));
  for (const name of ['store', 'store.db']) expect((await failureOf(copied(name))).code).toBe('output-exists');
  for (const name of ['', '../mine', 'a/b', 'a\\b', '.hidden', 'c:x'])
    expect((await failureOf(copied(name))).code).toBe('bad-input');
  const cancelled = new AbortController();
  const watch = { signal: cancelled.signal, onProgress: () => cancelled.abort() };
  await expect(room.service.given.copy(sample, room.path('mine.db'), watch)).rejects.toMatchObject({ code: 'interrupted' });
  expect(files()).toEqual([]);
  const done = (await copied('mine')).at(-1);
  if (done?.kind !== 'done') throw new Error('no copy was made');
  expect(done.place).toEqual({ folder: dirname(room.path('store.db')), name: 'mine.db' });
  expect((await failureOf(copied('mine'))).code).toBe('output-exists');
  const mine = room.connect();
  await mine.record.enter({ record: done.record });
  expect(await mine.engine.status({})).toMatchObject({ elsewhere: null, store: 'mine.db' });
  const { adopted, copy } = await mine.record.place({});
  expect([adopted?.file, copy]).toEqual(['theirs.db', null]);
  expect(await mine.record.sign({})).toMatchObject({ bundle: null });
  expect((await failureOf(framesOf<CopyFrame>(mine.record.copy({ name: 'again' })))).code).toBe('bad-input');
  // It stays open for the other tabs, and is the same one where it is opened again.
  await mine.record.leave({ record: done.record });
  expect(await room.client.record.copies({})).toMatchObject([{ name: 'mine.db', of: { file: 'theirs.db' } }]);
  expect(await room.client.record.openCopy({ name: 'mine.db' })).toEqual({ record: done.record });
  expect((await failureOf(room.client.record.openCopy({ name: 'store.db' }))).code).toBe('not-found');
  await room.client.record.leave(given);
  room.kept.splice(0);
});

test('a file that is not intact when it is read, or lacks its texts, is not opened', async () => {
  const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`assize-given-${process.pid}-`));
  const redacted = join(folder.folder, 'redacted.zip');
  await bundleOf(sample, 'nlsy97-demo', redacted, true);
  const upload = room.upload('redacted.zip', readFileSync(redacted));
  expect((await failureOf(room.client.record.read({ upload }))).message).toContain('redacted');
  const changed = room.upload('changed.db', readFileSync(sample));
  await framesOf(room.client.record.checkFile({ upload: changed, head: null }));
  const db = new Database(room.path('uploads/changed.db'));
  db.exec("UPDATE trials SET confidence = 0.99 WHERE outcome = 'decided'");
  db.close();
  expect((await failureOf(room.client.record.read({ upload: changed }))).message).toContain('does not verify');
  expect(copies()).toEqual([]);
});

test('the copy of a given record whose program was killed is removed at the next start', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  const left = mkdtempSync(join(tmpdir(), `assize-given-${pid}-`));
  writeFileSync(join(left, 'given.db'), 'facts');
  await openEngineRoom({ name: 'next' }).close();
  expect(existsSync(left)).toBe(false);
});

test('a check reports how far it has come, stage by stage', () => {
  const heard: VerifyProgress[] = [];
  const onProgress = (progress: VerifyProgress) => heard.push(progress);
  const { events, texts } = reading(sample, (store) => verifyStore(store, { onProgress }));
  expect([...new Set(heard.map(({ stage }) => stage))]).toEqual(['texts', 'events']);
  const of = (stage: VerifyProgress['stage']) => heard.find((progress) => progress.stage === stage)?.of;
  expect([of('texts'), of('events')]).toEqual([texts, events]);
  for (const { done, of: all } of heard) expect(done).toBeLessThanOrEqual(all);
});

test('its progress crosses from the worker, and a cancelled check ends there', async () => {
  const pool = openQueryPool(sample);
  const heard: unknown[] = [];
  // A check of so few records can end before the first word of it arrives.
  for (let attempt = 0; attempt < 50 && heard.length === 0; attempt++) {
    await pool.run('recordCheck', null, undefined, (progress) => heard.push(progress));
  }
  expect(heard[0]).toEqual({
    share: expect.any(Number),
    what: expect.stringMatching(/^(events|texts|trials)$/),
    counted: { done: expect.any(Number), of: expect.any(Number) },
  });
  const controller = new AbortController();
  const check = pool.run('recordCheck', null, controller.signal, () => undefined);
  controller.abort();
  await expect(check).rejects.toMatchObject({ name: 'AbortError' });
  expect(await pool.run('recordCheck', null)).toMatchObject({ result: 'intact' });
  await pool.close();
});
