import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { DatasetCase } from '../../../shared/domain.ts';
import { tryCase } from '../engine.ts';
import { startDemoServer } from '../models/demo/demoServer.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { kept, keptFolder } from '../testing/kept.ts';
import { reading } from '../testing/reading.ts';
import { pythonMissing, startPythonVerifier } from './testing/pythonVerifier.ts';
import { makeSampleStore, openFolder, sampleData } from './testing/sampleStore.ts';
import { withCopy } from './testing/tampering.ts';

/** What a chain may hold of people's data: nothing that outlives their erasure. */

const room = openFolder('erasure');
let store: string;
let payloads: string[];
let cases: DatasetCase[];
let contents: string[];

function payloadsOf(path: string): string[] {
  return reading(path, ({ events }) => [...events.all()].map(({ payload }) => payload.toString('utf8')));
}

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 4 });
  payloads = payloadsOf(store);
  const reader = openStoreReadOnly(store);
  cases = reader.datasets.cases(1).map(({ ref }) => reader.datasets.read(ref));
  contents = reader.events.heads().flatMap(({ chain }) =>
    reader.events.chain(chain).flatMap(({ payload }) => {
      const { text, answer, thinking, opinion, notes, plan, failure } = JSON.parse(payload.toString('utf8')) as Record<
        string,
        unknown
      >;
      const message = typeof failure === 'object' && failure !== null ? (failure as { message: unknown }).message : null;
      const refs = [text, answer, thinking, opinion, notes, plan, message].filter((ref) => typeof ref === 'string');
      return refs.map((ref) => reader.blobs.get(ref) ?? '');
    }),
  );
  reader.close();
});

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [...(Array.isArray(value) ? [] : [key]), ...stringsIn(part)]);
}

test('no payload holds a value, a question or a speech in the clear', () => {
  const labels = new Set(['NO', 'YES']);
  const values = cases.flatMap(({ facts, groups }) => [...facts.map(({ value }) => value), ...Object.values(groups)]);
  const secrets = new Set([...values, ...contents].filter((value) => value.length >= 4 && !labels.has(value)));
  expect(secrets.size).toBeGreaterThan(100);
  const strings = new Set(payloads.flatMap((payload) => stringsIn(JSON.parse(payload))));
  for (const secret of secrets) expect(strings.has(secret), secret.slice(0, 60)).toBe(false);
  // A longer value would also show inside of another string.
  const clear = [...strings].join('\n');
  const long = [...secrets, ...readFileSync(sampleData, 'utf8').split('\n')].filter((value) => value.length >= 10);
  for (const value of long) expect(clear.includes(value), value.slice(0, 60)).toBe(false);
  expect(clear).not.toContain('re-arrested');
  const columns = cases[0]?.facts.map(({ name }) => name) ?? [];
  for (const column of columns.filter((name) => name.length >= 6)) expect(clear.includes(column), column).toBe(false);
});

test("a payload names a case only by its text's salted hash", () => {
  const ids = new Set(cases.map(({ id }) => id));
  const strings = payloads.flatMap((payload) => stringsIn(JSON.parse(payload)));
  expect(strings.filter((value) => ids.has(value))).toEqual([]);
  for (const payload of payloads) {
    const parsed = JSON.parse(payload) as Record<string, unknown>;
    if ('case' in parsed) expect(parsed.case).toMatch(/^[\w-]{43}$/);
  }
});

test('no hash of a case, an answer or the data file without salt is anywhere in the events', () => {
  const file = readFileSync(sampleData);
  const fileHash = createHash('sha256').update(file).digest('hex');
  const texts = [
    ...cases.map((kase) => JSON.stringify(kase)),
    ...cases.flatMap(({ id, facts }) => [id, JSON.stringify(facts), ...facts.map(({ value }) => value)]),
    ...file.toString('utf8').split('\n'),
    ...contents,
    file.toString('utf8'),
    fileHash,
  ];
  const clear = payloads.join('\n');
  for (const text of new Set(texts)) {
    const hash = createHash('sha256').update(text).digest();
    // The first characters are looked for: a short name of a text is one of its hash as well.
    for (const spelled of [hash.toString('hex').slice(0, 12), hash.toString('base64url').slice(0, 12)]) {
      expect(clear.includes(spelled), text.slice(0, 60)).toBe(false);
    }
  }
  expect(clear).not.toContain(fileHash.slice(0, 12));
});

test('equal cases in two stores have different names', async () => {
  const other = await makeSampleStore(keptFolder(), { cases: 1 });
  const refs = (path: string) =>
    reading(path, ({ datasets }) => ({
      refs: datasets.cases(1).map(({ ref }) => ref),
      salts: datasets.all().map(({ salt }) => salt.length),
    }));
  const [mine, theirs] = [refs(store), refs(other)];
  expect(mine.salts).toEqual([0, 32]);
  expect(mine.refs.filter((ref) => theirs.refs.includes(ref))).toEqual([]);
});

test('what a server says of a failed call is a text of the data set', () => {
  const failures = payloads.filter((payload) => payload.includes('"failure":{'));
  expect(failures.length).toBeGreaterThan(1);
  for (const payload of failures) {
    const { failure } = JSON.parse(payload) as { failure: { message: string } };
    expect(failure.message).toMatch(/^[\w-]{43}$/);
  }
});

test('a case that was typed in leaves nothing in the chain, and no hash in the name', async () => {
  const path = room.path('try.db');
  const standin = kept(await startDemoServer());
  const facts = 'A person of nineteen years was seen near the roof of the bakery.';
  const request = {
    protocol: 'standard',
    model: 'llama3.1:8b',
    question: 'Was it the baker?',
    facts,
    labels: ['NO', 'YES'],
    url: standin.url,
  };
  const options = { store: path, allowedHosts: [], signal: new AbortController().signal, onProgress: () => undefined };
  const [first, second] = [await tryCase(request, options), await tryCase(request, options)];
  expect(first.experiment.slice(-6)).not.toBe(second.experiment.slice(-6));
  const clear = payloadsOf(path).join('\n');
  for (const part of ['nineteen', 'bakery', 'baker?']) expect(clear).not.toContain(part);
});

test('after an erasure of texts and salt the chains can still be checked', async ({ skip }) => {
  const missing = pythonMissing();
  if (missing !== null) skip(missing);
  const python = kept(startPythonVerifier());
  const erased = await withCopy(
    store,
    (db) =>
      db.exec(
        "DELETE FROM blobs WHERE dataset = 1; DELETE FROM cases; UPDATE datasets SET salt = x'', manifest = NULL WHERE id = 1",
      ),
    async (path) => ({ all: await python.verify(path), chains: await python.chains(path) }),
  );
  expect(erased.chains.result).toBe('chains intact');
  expect(erased.all).toMatchObject({ result: 'tampered', first_bad: { kind: 'text' } });
});
