import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { deflateSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { eventHash, genesisHash, noSalt, refOf, refOfBytes } from '../../../core/record/hash.ts';
import { bundleOf } from '../bundle/testing/bundles.ts';
import { packed } from '../bundle/testing/forging.ts';
import { toKey } from '../store/blobs.ts';
import { pythonMissing } from './testing/pythonVerifier.ts';
import { makeSampleStore, openFolder } from './testing/sampleStore.ts';

const root = resolve(import.meta.dirname, '../../../..');
const program = join(root, 'out/headless/assize.js');
const room = openFolder('hostile-size');
const bundle = room.path('whole.zip');
/** Bytes that do not compress: only together with them may others unpack to a large size. */
const rest = randomBytes(9e6);
let store: string;

interface StoredText {
  readonly seq: number;
  readonly kind: string;
  readonly payload: string;
}

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 1 });
  await bundleOf(store, 'nlsy97-demo', bundle);
});

/** Runs a verifier. Returns its exit code, its seconds on a processor, and the most memory that it had, in MB; 0 where the system does not report it. */
async function measured(
  command: string,
  ...words: string[]
): Promise<{ code: number | null; seconds: number; megabytes: number }> {
  const child = spawn(command, words, { stdio: 'ignore', cwd: room.folder });
  let [seconds, megabytes] = [0, 0];
  const look = () => {
    try {
      const [, user = 0, system = 0] =
        /^.*\) (?:\S+ ){11}(\d+) (\d+)/s.exec(readFileSync(`/proc/${child.pid}/stat`, 'utf8')) ?? [];
      seconds = (Number(user) + Number(system)) / 100;
      const most = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
      megabytes = Math.max(megabytes, Number(most ?? 0) / 1024);
    } catch {
      // It has ended, or this system has no such file.
    }
  };
  const timer = setInterval(look, 20);
  const code = await new Promise<number | null>((ended) => child.on('close', ended));
  clearInterval(timer);
  return { code, seconds, megabytes: Math.round(megabytes) };
}

const within = async (...words: Parameters<typeof measured>) => {
  const { code, seconds, megabytes } = await measured(...words);
  expect(code).toBeOneOf([1, 2]);
  expect(seconds).toBeLessThan(60);
  expect(megabytes).toBeLessThan(1024);
};

const list = (unit: string) => (bytes: number) => `[${unit.repeat(bytes / unit.length).slice(0, -1)}]`;

const hostile = [
  ['a list of lists', list('[],')],
  ['a list of numbers', list('1,')],
  ['brackets without an end', (bytes: number) => '['.repeat(bytes)],
] as const;
/** Bytes to unpack: as lists in memory they would take over 1 GB in either language. */
const size = 150e6;

test.each(hostile)(
  'a store of 10 MB whose setups unpack to %s takes no verifier over 1 GB or a minute',
  { tags: 'exhaustive' },
  async (_what, of) => {
    const text = of(size);
    const path = room.path('hostile.db');
    copyFileSync(store, path);
    const db = new Database(path);
    const { salt, id } = db.prepare('SELECT id, salt FROM datasets WHERE id <> 0').get() as { salt: Buffer; id: number };
    const ref = refOf(salt, text);
    const put = db.prepare('INSERT INTO blobs VALUES (?, ?, ?, ?)');
    put.run(toKey(ref), id, 1, deflateSync(Buffer.from(text)));
    put.run(toKey(refOfBytes(noSalt, rest)), 0, 0, rest);
    const chain = String(db.prepare("SELECT trial FROM trials WHERE status = 'done'").pluck().get());
    let link: Uint8Array = genesisHash(chain);
    const change = db.prepare('UPDATE events SET payload = ?, prev_hash = ?, hash = ? WHERE trial = ? AND seq = ?');
    for (const { seq, kind, payload } of db
      .prepare('SELECT * FROM events WHERE trial = ? ORDER BY seq')
      .all(chain) as StoredText[]) {
      const changed = kind === 'call-answer' ? JSON.stringify({ ...JSON.parse(payload), setup: ref }) : payload;
      const hash = eventHash(link, seq, kind, Buffer.from(changed));
      change.run(changed, Buffer.from(link), Buffer.from(hash), chain, seq);
      link = hash;
    }
    db.close();
    expect(statSync(path).size).toBeLessThan(11e6);
    await within(process.execPath, program, 'verify', path);
    if (pythonMissing() === null) await within('python3', join(root, 'docs/record-format/verify.py'), path);
  },
);

test.each(hostile)(
  'a bundle of 10 MB that unpacks to %s takes no verifier over 1 GB or a minute',
  { tags: 'exhaustive' },
  async (_what, of) => {
    const text = of(size);
    const path = room.path('hostile.zip');
    const files = unzipSync(readFileSync(bundle));
    const verifiers = { 'statistics.json': [join(root, 'resources/bundle/verify.mjs')], 'texts.jsonl': [program, 'verify'] };
    // The program asks the verifier of bundles first.
    for (const [name, words] of Object.entries(verifiers)) {
      writeFileSync(path, packed({ ...files, [name]: Buffer.from(`${text}\n`), rest }));
      expect(statSync(path).size).toBeLessThan(11e6);
      await within(process.execPath, ...words, path);
    }
  },
);
