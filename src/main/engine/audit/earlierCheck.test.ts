import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { VerifyReport } from '../../../shared/outputs.ts';
import { reading } from '../testing/reading.ts';
import { makeSampleStore, noFault, openFolder } from './testing/sampleStore.ts';
import { withCopy } from './testing/tampering.ts';
import { verifyStore } from './verify.ts';

type Db = Database.Database;

const room = openFolder('earlier-check');
const file = join(room.folder, 'read');
const whole = join(room.folder, 'whole');
let store: string;
let chains: string[];

const check = (path: string, resume = file, head?: string): VerifyReport =>
  reading(path, (opened) => verifyStore(opened, { resume, head }));
const checkChanged = (change: (db: Db) => void) => withCopy(store, change, (path) => check(path));
const linesOf = () => readFileSync(file, 'utf8').split('\n').slice(0, -1);
/** Trials whose end is not noted: their chains must be read. */
const forget = (isForgotten: (chain: string) => boolean) =>
  writeFileSync(
    file,
    `${linesOf()
      .filter((line) => !(line.startsWith('[') && isForgotten(String(JSON.parse(line)[0]))))
      .join('\n')}\n`,
  );
const lastTrial = () => chains.findLast((name) => /^[0-9a-f]{16}$/.test(name)) ?? '';
const changePayload = (db: Db, chain: string) =>
  db.prepare("UPDATE events SET payload = replace(payload, '{', '{ ') WHERE trial = ? AND seq = 1").run(chain);

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 2 });
  check(store, whole);
  chains = readFileSync(whole, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('['))
    .map((line) => String(JSON.parse(line)[0]));
});
beforeEach(() => {
  rmSync(file, { force: true });
  copyFileSync(whole, file);
});
test('the first check reads everything, is intact, and notes every chain for its owner only', () => {
  rmSync(file);
  const { result, earlier, root } = check(store);
  expect(result).toBe('intact');
  expect(earlier).toEqual({
    chains_read: chains.length,
    chains_not_read: 0,
    first: null,
    last: null,
    root: null,
    not_used: null,
  });
  expect(JSON.parse(linesOf().at(-1) ?? '')).toMatchObject({ root });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a part that is not read again is never called intact, and a change in it is not found', async () => {
  const again = check(store);
  expect(again).toMatchObject({ result: 'partly-read', trials: 0, events: 0, first_bad: null });
  expect(again.earlier).toMatchObject({ chains_read: 0, chains_not_read: chains.length, root: again.root, not_used: null });
  expect(again.earlier?.first).toBe(again.earlier?.last);
  expect(await checkChanged((db) => changePayload(db, lastTrial()))).toMatchObject({ result: 'partly-read' });
});

test('a check that was cut short continues with the chains that it did not note, and finds a change there', async () => {
  forget((chain) => chain === lastTrial());
  const text = readFileSync(file, 'utf8');
  // Killed in the middle of a line, before its end.
  writeFileSync(file, text.slice(0, text.lastIndexOf('{"ended"') + 20));
  const bad = await checkChanged((db) => changePayload(db, lastTrial()));
  expect(bad).toMatchObject({ result: 'tampered', first_bad: { trial: lastTrial(), seq: 1 } });
  const { result, earlier, trials } = check(store);
  expect({ result, trials }).toEqual({ result: 'partly-read', trials: 1 });
  expect(earlier).toMatchObject({ chains_read: 1, chains_not_read: chains.length - 1, root: null });
  // What this check read is noted in turn.
  expect(check(store).earlier).toMatchObject({ chains_read: 0, chains_not_read: chains.length });
});

test('a chain that grew is read whole; one that is shorter, changed at its end or gone is named', async () => {
  const shorter = await checkChanged((db) =>
    db
      .prepare('DELETE FROM events WHERE trial = ? AND seq = (SELECT max(seq) FROM events WHERE trial = ?)')
      .run(lastTrial(), lastTrial()),
  );
  expect(shorter).toMatchObject({ result: 'tampered', first_bad: { trial: lastTrial() } });
  const gone = await checkChanged((db) => {
    for (const table of ['events', 'trials', 'trajectories']) db.prepare(`DELETE FROM ${table} WHERE trial = ?`).run(lastTrial());
    db.exec('DELETE FROM leaves; DELETE FROM checkpoints');
  });
  expect(gone).toMatchObject({ result: 'tampered', first_bad: { trial: lastTrial(), kind: 'earlier' } });
  // As if an earlier check had read less of it, and as if it had read something else.
  const [name, events, head] = JSON.parse(linesOf().find((line) => line.includes(lastTrial())) ?? '') as [string, number, string];
  const before = reading(store, (opened) => opened.events.chain(name))[events - 2]?.hash.toString('hex');
  const noted = (line: unknown) =>
    writeFileSync(
      file,
      `${linesOf()
        .map((each) => (each.includes(lastTrial()) ? JSON.stringify(line) : each))
        .join('\n')}\n`,
    );
  noted([name, events - 1, before]);
  expect(check(store)).toMatchObject({ result: 'partly-read', earlier: { chains_read: 1 }, events });
  noted([name, events - 1, head]);
  expect(check(store).first_bad).toMatchObject({ trial: name, seq: events - 2, kind: 'earlier' });
});

test('texts, the log and the tables of cases are read each time', async () => {
  const text = await checkChanged((db) =>
    db.exec('UPDATE blobs SET bytes = zeroblob(9) WHERE rowid = (SELECT max(rowid) FROM blobs)'),
  );
  expect(text).toMatchObject({ result: 'tampered', first_bad: { kind: 'text' } });
  const log = await checkChanged((db) => db.exec('UPDATE leaves SET head = zeroblob(32) WHERE position = 0'));
  expect(log).toMatchObject({ result: 'tampered', first_bad: { kind: 'log' } });
});

test('an event that no index lists is found by the check of the file, also where its chain was not read', async () => {
  const hidden = await checkChanged((db) => {
    const sql = db.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE name = 'events'").pluck().get() ?? '';
    db.unsafeMode(true);
    db.pragma('writable_schema = ON');
    // The same rows under a name that has no index.
    const twin = sql.replace('TABLE events', 'TABLE twin').replace(/,\s*UNIQUE \(trial, seq\)/, '');
    db.prepare("INSERT INTO sqlite_schema SELECT type, 'twin', 'twin', rootpage, ? FROM sqlite_schema WHERE name = 'events'").run(
      twin,
    );
    db.pragma('writable_schema = RESET');
    db.prepare('INSERT INTO twin SELECT * FROM twin WHERE trial = ? AND seq = 1').run(lastTrial());
    db.pragma('writable_schema = ON');
    db.exec("DELETE FROM sqlite_schema WHERE name = 'twin'");
    db.pragma('writable_schema = RESET');
  });
  expect(hidden).toMatchObject({ result: 'tampered', earlier: { chains_read: 0 }, first_bad: { kind: 'file' } });
});

test('a chain with a fault is not noted', async () => {
  rmSync(file);
  expect(await checkChanged((db) => changePayload(db, lastTrial()))).toMatchObject({ result: 'tampered' });
  expect(linesOf().some((line) => line.includes(lastTrial()))).toBe(false);
});

test('a root or head is compared only with what was read', async () => {
  const other = '0'.repeat(64);
  expect(check(store, file, other)).toMatchObject({ result: 'partly-read', head_matches: null, first_bad: null });
  const { root } = check(store);
  expect(check(store, file, root ?? '')).toMatchObject({ result: 'partly-read', head_matches: null });
  const lost = await withCopy(
    store,
    (db) => db.exec('UPDATE blobs SET bytes = zeroblob(9) WHERE rowid = (SELECT max(rowid) FROM blobs)'),
    (path) => check(path, file, root ?? ''),
  );
  expect(lost).toMatchObject({ result: 'tampered', head_matches: null, first_bad: { kind: 'text' } });
  rmSync(file);
  expect(check(store, file, other)).toMatchObject({ head_matches: false, first_bad: { kind: 'head' } });
});

test('another store of the same experiment is recognised as another, with or without a log', async () => {
  const folder = room.path('another');
  mkdirSync(folder);
  const [another, readThere] = [await makeSampleStore(folder, { cases: 2, fault: noFault }), join(folder, 'read')];
  check(another, readThere);
  const shared = chains.filter((chain) => readFileSync(readThere, 'utf8').includes(`\n["${chain}"`));
  expect(shared).toHaveLength(chains.length);
  const unused = { result: 'intact', earlier: { not_used: expect.stringMatching(/another store/), chains_not_read: 0 } };
  expect(check(another)).toMatchObject(unused);
  const old = join(folder, 'old.db');
  writeFileSync(old, gunzipSync(readFileSync(join(import.meta.dirname, '../store/fixtures/format-2.db.gz'))));
  expect(check(old)).toMatchObject(unused);
  rmSync(file);
  check(old);
  expect(check(old)).toMatchObject({ result: 'partly-read', earlier: { chains_read: 0 } });
});

test('what was read is also written when the check cannot continue', () => {
  rmSync(file);
  const full = new Error('this is as far as it goes');
  const integrity = () => {
    throw full;
  };
  expect(() => reading(store, (opened) => verifyStore({ ...opened, integrity }, { resume: file }))).toThrow(full);
  expect(check(store).earlier).toMatchObject({ chains_read: 0, root: null });
});

const header = (changes: object) => writeFileSync(file, `${JSON.stringify({ ...JSON.parse(linesOf()[0] ?? ''), ...changes })}\n`);

test.each([
  ['damaged', () => appendFileSync(file, 'what is this\n'), /line \d+ is damaged/],
  [
    'damaged in its bytes',
    () => appendFileSync(file, Buffer.concat([Buffer.from('["'), Buffer.of(0xff), Buffer.from(`",3,"${'0'.repeat(64)}"]\n`)])),
    /not text/,
  ],
  ['damaged at its begin', () => header({ store: '' }), /first line is damaged/],
  ['of another version', () => header({ program: '0.0.1' }), /version 0.0.1/],
  ['of an older format', () => header({ format: 1, store: undefined }), /has format 1/],
])('a file that is %s is not used, and left as it is', (_name, change, why) => {
  change();
  const bytes = readFileSync(file);
  const { result, earlier } = check(store);
  expect(result).toBe('intact');
  expect(earlier).toMatchObject({ chains_read: chains.length, chains_not_read: 0, not_used: expect.stringMatching(why) });
  expect(readFileSync(file)).toEqual(bytes);
});

test('a file that no check wrote, such as the store itself, and a link are refused', () => {
  writeFileSync(file, 'my notes\n');
  expect(() => check(store)).toThrow(/was not written by assize verify/);
  expect(readFileSync(file, 'utf8')).toBe('my notes\n');
  expect(() => check(store, store)).toThrow(/was not written by assize verify/);
  truncateSync(file);
  expect(() => check(store)).toThrow(/was not written/);
  rmSync(file);
  symlinkSync(whole, file);
  expect(() => check(store)).toThrow(/ELOOP/);
});
