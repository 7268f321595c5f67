import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { genesisHash, rootHash, toHex } from '../../../core/record/hash.ts';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import type { StoredEvent } from '../store/events.ts';
import { reading, readingTables } from '../testing/reading.ts';
import { secondVerifier } from './testing/pythonVerifier.ts';
import { makeSampleStore, openFolder } from './testing/sampleStore.ts';
import { flipped, verifyChanged, verifyPath, withCopy } from './testing/tampering.ts';

type Db = Database.Database;

const room = openFolder('verify');
const python = secondVerifier();
let store: string;
let root: string;
let rows: StoredEvent[];
let trials: { trial: string; arm: string; status: string; attempts: number }[];

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 2 });
  root = verifyPath(store).root ?? '';
  rows = reading(store, ({ events }) => [...events.all()]);
  trials = reading(store, (opened) => opened.trials.all()).toSorted((one, other) => (one.trial < other.trial ? -1 : 1));
});

/** Verifies a changed copy with both verifiers; the second one has to agree on the verdict and on the place. */
function verdict(change: (db: Db) => void) {
  return withCopy(store, change, async (path) => {
    const report = verifyPath(path);
    const place = { trial: report.first_bad?.trial ?? null, seq: report.first_bad?.seq ?? null };
    await python.agrees(path, report);
    return { result: report.result, ...place, kind: report.first_bad?.kind ?? null, problem: report.first_bad?.problem ?? null };
  });
}

const chainOf = (trial: string) => rows.filter((row) => row.trial === trial);
const ofArm = (arm: string) => trials.filter((trial) => trial.arm === arm).map(({ trial }) => trial);
const text = (bytes: Buffer) => bytes.toString('latin1');
/** Writes bytes into a TEXT column as they are. */
const asText = 'CAST(? AS TEXT)';

test('a store as it was written is intact, with one root for both verifiers', async () => {
  const report = verifyPath(store);
  expect(report).toMatchObject({ result: 'intact', trials: 4, signer: 'unknown', head_matches: null, first_bad: null });
  expect(report.events).toBe(rows.length);
  expect(report.root).toMatch(/^[0-9a-f]{64}$/);
  await python.agrees(store, report);
});

describe('--head', () => {
  test('the root and every head of a chain match, in any case of letters', () => {
    expect(verifyPath(store, root)).toMatchObject({ result: 'intact', head_matches: true, head_of: null });
    expect(verifyPath(store, root.toUpperCase())).toMatchObject({ result: 'intact', head_matches: true });
    for (const { trial, arm } of trials.slice(0, 3)) {
      const head = chainOf(trial).at(-1)?.hash.toString('hex');
      expect(verifyPath(store, head)).toMatchObject({ result: 'intact', head_of: { chain: trial, arm } });
    }
  });

  test('a root from before events were added is named as one, with how many came since', async () => {
    const order = reading(store, ({ events }) => [...events.newestFirst()].reverse());
    const hashes = new Map(rows.map(({ trial, seq, hash }) => [`${trial} ${seq}`, hash.toString('hex')]));
    for (const added of [1, 7, order.length - 1]) {
      const before = order.slice(0, -added).map(({ trial, seq }) => [trial, hashes.get(`${trial} ${seq}`) ?? ''] as const);
      const earlier = rootHash([...new Map(before)].map(([chain, head]) => ({ chain, head })));
      const { result, first_bad: bad } = verifyPath(store, earlier);
      expect(result).toBe('tampered');
      expect(bad?.meaning).toContain(added === 1 ? 'newest event was added' : `newest ${added} events were added`);
    }
    expect(verifyPath(store, '0'.repeat(64)).first_bad?.meaning).toBeUndefined();
  });

  test('another hash is a mismatch: a hash in mid-chain, a genesis, nothing', () => {
    const wrong = [rows[0]?.hash.toString('hex') ?? '', toHex(genesisHash(trials[0]?.trial ?? '')), '', root.slice(1)];
    for (const head of wrong) {
      expect(verifyPath(store, head)).toMatchObject({ result: 'tampered', head_matches: false, first_bad: { kind: 'head' } });
    }
  });
});

describe('one changed value of an event names its chain and its place', () => {
  test('payload, kind, seq, prev_hash, hash and trial, for every kind of event of an experiment and of its trials', async () => {
    const mostTried = trials.toSorted((a, b) => b.attempts - a.attempts)[0]?.trial ?? '';
    const chosen = new Set([
      ofArm('cot')[0],
      ofArm('court')[0],
      mostTried,
      rows.find(({ trial }) => trial.startsWith('experiment/'))?.trial,
    ]);
    expect(chosen.size).toBeGreaterThanOrEqual(3);
    const chains = [...new Set(rows.map(({ trial }) => trial))];
    const tried = new Set<string>();
    for (const row of rows.filter(({ trial }) => chosen.has(trial))) {
      const { trial, seq } = row;
      const at = `${trial} ${seq}`;
      const change = (set: string, value: Buffer | number) => (db: Db) => {
        expect(db.prepare(`UPDATE events SET ${set} WHERE trial = ? AND seq = ?`).run(value, trial, seq).changes).toBe(1);
      };
      const here = { result: 'tampered', trial, seq };
      // Past the end of the chain: what is found instead of the missing event is named.
      const last = chainOf(trial).length - 1;
      const inItsPlace = seq === last ? last + 100 : seq + 1;
      // An event that now bears another chain's name is the first bad one where that name sorts before its own.
      const other = text(flipped(Buffer.from(trial), trial.length - 1));
      expect(chains).not.toContain(other);
      const gap = seq === last ? null : { trial, seq: seq + 1 };
      const stranger = { trial: other, seq };
      const first = gap === null || other < trial ? stranger : gap;
      const changes: readonly (readonly [string, Buffer | number, object])[] = [
        [`payload = ${asText}`, flipped(row.payload, (seq * 7) % row.payload.length), here],
        [`kind = ${asText}`, flipped(Buffer.from(row.kind), seq % row.kind.length), here],
        ['prev_hash = ?', flipped(row.prevHash, seq % 32), here],
        ['hash = ?', flipped(row.hash, seq % 32), here],
        ['seq = ?', last + 100, { ...here, seq: inItsPlace }],
        [`trial = ${asText}`, Buffer.from(other, 'latin1'), { result: 'tampered', ...first }],
      ];
      // Each value of each kind of event: the ends of a chain by all, those between by one after the other.
      const untried = changes.filter(([set]) => exhaustive || !tried.has(`${row.kind} ${set}`));
      for (const [set, value, expected] of untried.slice(0, exhaustive || seq === 0 || seq === last ? changes.length : 1)) {
        tried.add(`${row.kind} ${set}`);
        expect(await verdict(change(set, value)), `${at} ${set}`).toMatchObject(expected);
      }
    }
  });
});

describe('events taken away, added and moved', () => {
  const remove = (trial: string, seq: number) => (db: Db) => {
    db.prepare('DELETE FROM events WHERE trial = ? AND seq = ?').run(trial, seq);
  };

  test('an event in the middle', async () => {
    const trial = ofArm('court')[1] ?? '';
    expect(await verdict(remove(trial, 5))).toMatchObject({
      result: 'tampered',
      trial,
      seq: 6,
      problem: 'event 5 of this chain is missing',
    });
    expect(await verdict(remove(trial, 0))).toMatchObject({ result: 'tampered', trial, seq: 1 });
  });

  test('the end of a done trial is missed by its row', async () => {
    const trial = ofArm('court')[1] ?? '';
    expect(await verdict(remove(trial, chainOf(trial).length - 1))).toMatchObject({ result: 'tampered', trial, kind: 'trials' });
  });

  test('all events of a trial, of all trials, of an experiment', async () => {
    const trial = ofArm('cot')[1] ?? '';
    expect(await verdict((db) => db.prepare('DELETE FROM events WHERE trial = ?').run(trial))).toMatchObject({
      result: 'tampered',
      trial,
      kind: 'trials',
      problem: `${trial}: the events of this trial are missing`,
    });
    const all = await verdict((db) => db.exec("DELETE FROM events WHERE trial NOT LIKE 'experiment/%'"));
    expect(all).toMatchObject({ result: 'tampered', kind: 'trials' });
    const experiment = await verifyChanged(store, (db) => db.exec("DELETE FROM events WHERE trial LIKE 'experiment/%'"));
    expect(experiment).toMatchObject({
      result: 'tampered',
      first_bad: { kind: 'experiments', problem: expect.stringContaining('nlsy97-demo') },
    });
  });

  test("two chains that were given each other's names", async () => {
    const [one = '', two = ''] = ofArm('cot');
    const swap = (db: Db) => {
      const rename = db.prepare('UPDATE events SET trial = ? WHERE trial = ?');
      rename.run('between', one);
      rename.run(one, two);
      rename.run(two, 'between');
    };
    expect(await verdict(swap)).toMatchObject({ result: 'tampered', trial: [one, two].toSorted()[0], seq: 0 });
  });

  test('an added event, at the end and in a new chain', async () => {
    const trial = ofArm('cot')[0] ?? '';
    const add = (name: string, seq: number) => (db: Db) => {
      db.prepare('INSERT INTO events SELECT ?, ?, kind, payload, prev_hash, hash FROM events WHERE trial = ? AND seq = 1').run(
        name,
        seq,
        trial,
      );
    };
    const end = chainOf(trial).length;
    expect(await verdict(add(trial, end))).toMatchObject({ result: 'tampered', trial, seq: end });
    expect(await verdict(add('0'.repeat(16), 0))).toMatchObject({ result: 'tampered', trial: '0'.repeat(16), seq: 0 });
  });
});

describe('texts', () => {
  const named = () => {
    const select = 'SELECT * FROM blobs ORDER BY rowid';
    return readingTables(store, (db) =>
      db.prepare<[], { ref: Buffer; dataset: number; encoding: number; bytes: Buffer }>(select).all(),
    );
  };

  test('a changed, replaced, emptied or re-labelled text is named', async () => {
    const all = named();
    const some = all.filter((_text, index) => index % 13 === 0);
    for (const [place, { ref, dataset, encoding, bytes }] of some.entries()) {
      const change = (set: string, value: Buffer | number) => (db: Db) => {
        db.prepare(`UPDATE blobs SET ${set} WHERE ref = ?`).run(value, ref);
      };
      const bad = { result: 'tampered', kind: 'text', problem: expect.stringContaining(ref.toString('base64url')) };
      const other = all.find((each) => !each.ref.equals(ref) && each.encoding === encoding);
      const changes: readonly (readonly [string, Buffer | number, object])[] = [
        ['bytes = ?', flipped(bytes, bytes.length >> 1), bad],
        ['bytes = ?', other?.bytes ?? Buffer.alloc(0), bad],
        ['bytes = ?', Buffer.alloc(0), bad],
        ['dataset = ?', dataset === 0 ? 1 : 0, bad],
        ['dataset = ?', 99, bad],
        ['encoding = ?', encoding === 0 ? 1 : 0, bad],
        ['ref = ?', flipped(ref, 31), { result: 'tampered', kind: 'text' }],
      ];
      // The first and the last text by every change, each of the others by one in turn.
      const isEnd = place === 0 || place === some.length - 1;
      for (const [set, value, expected] of changes.filter((_c, index) => exhaustive || isEnd || index === place % changes.length))
        expect(await verdict(change(set, value)), `${place} ${set}`).toMatchObject(expected);
      expect(await verdict(change('encoding = ?', 2))).toMatchObject(bad);
    }
  });

  test('any text that is gone is missed', async () => {
    for (const { ref } of named().filter((_text, index) => exhaustive || index % 11 === 0)) {
      const results = await withCopy(
        store,
        (db) => db.prepare('DELETE FROM blobs WHERE ref = ?').run(ref),
        async (path) => [verifyPath(path).result, (await python.verify(path))?.result ?? 'tampered'],
      );
      expect(results, ref.toString('base64url')).toEqual(['tampered', 'tampered']);
    }
  });

  test('an added text with a wrong name is found', async () => {
    const add = (db: Db) =>
      db.prepare('INSERT INTO blobs VALUES (?, 0, 0, ?)').run(Buffer.alloc(32, 7), Buffer.from('slipped in'));
    expect(await verdict(add)).toMatchObject({ result: 'tampered', kind: 'text' });
  });

  test('a replacement character and broken UTF-8 that decodes to one are two texts', async () => {
    const whole = Buffer.from('\ufffd');
    const broken = Buffer.from([0xf0, 0xbf, 0xbd]);
    expect(broken.toString('utf8')).toBe('\ufffd');
    const ref = createHash('sha256').update(whole).digest();
    const add = (bytes: Buffer) => (db: Db) => db.prepare('INSERT INTO blobs VALUES (?, 0, 0, ?)').run(ref, bytes);
    expect((await verdict(add(whole))).result).toBe('intact');
    expect(await verdict(add(broken))).toMatchObject({ result: 'tampered', kind: 'text' });
  });
});

describe('projections', () => {
  const keys: Readonly<Record<string, string>> = { trials: 'trial', experiments: 'name', cases: 'position' };

  function other(value: unknown): unknown {
    if (value === null) return 1;
    if (typeof value === 'number') return value + 1;
    if (Buffer.isBuffer(value)) return flipped(value, 0);
    return `${String(value)}x`;
  }

  test.each(['trials', 'experiments', 'cases'])('every column of a row of %s is compared', async (table) => {
    const all = readingTables(store, (db) => db.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).all());
    const key = keys[table] ?? '';
    // The first and the last row in turn.
    for (const [place, column] of Object.keys(all[0] ?? {}).entries()) {
      for (const row of [all[0], all.at(-1)].filter((_row, index) => exhaustive || index === place % 2)) {
        const found = await verdict((copy) => {
          const changed = copy
            .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${key} = ?`)
            .run(other(row?.[column]), row?.[key]);
          expect(changed.changes, column).toBe(1);
        });
        expect(found, column).toMatchObject({ result: 'tampered', kind: table });
        if (table === 'trials' && column !== 'trial')
          expect(found, column).toMatchObject({ trial: row?.trial, problem: expect.stringContaining(column) });
      }
    }
  });

  test('a row that is gone, and one too many', async () => {
    const trial = ofArm('court')[0] ?? '';
    expect(await verdict((db) => db.prepare('DELETE FROM trials WHERE trial = ?').run(trial))).toMatchObject({
      result: 'tampered',
      kind: 'trials',
      trial,
    });
    for (const [table, columns] of [
      ['trials', 'trial'],
      ['experiments', 'name'],
      ['cases', 'id'],
    ] as const) {
      const gone = await verdict((db) => db.prepare(`DELETE FROM ${table}`).run());
      expect(gone, table).toMatchObject({ result: 'tampered', kind: table });
      const added = await verdict((db) => {
        db.exec(
          `CREATE TEMP TABLE extra AS SELECT * FROM ${table} LIMIT 1; UPDATE extra SET ${columns} = 'zzz'; INSERT INTO ${table} SELECT * FROM extra`,
        );
      });
      expect(added, table).toMatchObject({ result: 'tampered', kind: table });
    }
  });

  test('cases of a data set that does not exist', async () => {
    const report = await verifyChanged(store, (db) => {
      db.exec(
        'CREATE TEMP TABLE extra AS SELECT * FROM cases LIMIT 1; UPDATE extra SET dataset = 99; INSERT INTO cases SELECT * FROM extra',
      );
    });
    expect(report).toMatchObject({
      result: 'tampered',
      first_bad: { kind: 'cases', problem: expect.stringContaining('data set 99') },
    });
  });
});

describe('data sets', () => {
  test.each([
    ['salt', 'UPDATE datasets SET salt = zeroblob(32) WHERE id = 1'],
    ['salt of the common texts', "UPDATE datasets SET salt = x'00' WHERE id = 0"],
    ['manifest', 'UPDATE datasets SET manifest = NULL WHERE id = 1'],
    ['manifest that is another text', 'UPDATE datasets SET manifest = (SELECT ref FROM cases LIMIT 1) WHERE id = 1'],
    ['manifest of the common texts', 'UPDATE datasets SET manifest = (SELECT manifest FROM datasets WHERE id = 1) WHERE id = 0'],
    ['id', 'UPDATE datasets SET id = 7 WHERE id = 1'],
    ['a row too many', 'INSERT INTO datasets VALUES (7, zeroblob(32), NULL)'],
    ['a copied row', 'INSERT INTO datasets SELECT 7, salt, manifest FROM datasets WHERE id = 1'],
    ['a row that is gone', 'DELETE FROM datasets WHERE id = 1'],
  ])('%s', async (_name, sql) => {
    expect((await verdict((db) => db.exec(sql))).result).toBe('tampered');
  });
});

test('a changed byte in a table, or in an index that has a copy of it, does not go unseen', async () => {
  const trial = ofArm('cot')[0] ?? '';
  const file = readFileSync(store);
  const places: number[] = [];
  for (let at = file.indexOf(trial); at >= 0; at = file.indexOf(trial, at + 1)) places.push(at);
  let found = 0;
  for (const place of places) {
    const path = room.path('bytes.db');
    writeFileSync(path, flipped(file, place + trial.length - 1));
    const report = verifyPath(path);
    expect((await python.verify(path))?.result ?? report.result, `byte ${place}`).toBe(report.result);
    if (report.result === 'tampered') found += 1;
    else expect(report.root).toBe(root);
  }
  // Events, the row, the trajectory, the entry of the log, each with its index; other places are left over from rows that have moved, and are never read.
  expect(found).toBe(2 * chainOf(trial).length + 6);
});

describe('trajectories', () => {
  test('every trial that has ended has the one of its head', () => {
    const heads = (table: string) =>
      readingTables(store, (db) =>
        db.prepare(`SELECT trial, head_hash FROM ${table} WHERE head_hash IS NOT NULL ORDER BY trial`).all(),
      );
    expect(heads('trajectories')).toEqual(heads('trials'));
  });

  test.each([
    ['trajectory', `trajectory = replace(trajectory, '"speeches":[{', '"speeches":[{"x":1},{')`],
    ['head_hash', `head_hash = upper(head_hash)`],
  ])('one whose %s is not what the events amount to is found', async (column, set) => {
    let trial: unknown;
    const report = await verifyChanged(store, (db) => {
      trial = db.prepare("SELECT min(trial) FROM trials WHERE arm = 'court' AND outcome = 'decided'").pluck().get();
      db.prepare(`UPDATE trajectories SET ${set} WHERE trial = ?`).run(trial);
    });
    expect(report).toMatchObject({ result: 'tampered', first_bad: { kind: 'trajectories', seq: null, trial } });
    expect(report.first_bad?.problem).toContain(`the row is not what the events amount to (${column})`);
  });

  test('one of a trial that has no events is found', async () => {
    const report = await verifyChanged(store, (db) => {
      db.exec(`INSERT INTO trajectories SELECT 'ffffffffffffffff', head_hash, computation, '{}' FROM trajectories LIMIT 1`);
    });
    expect(report).toMatchObject({ result: 'tampered', first_bad: { kind: 'trajectories', trial: 'ffffffffffffffff' } });
  });

  test('none is needed, and one that another computation made is skipped: nothing reads it', async () => {
    for (const sql of ['DELETE FROM trajectories', `UPDATE trajectories SET computation = -1, trajectory = '{}'`]) {
      expect(await verifyChanged(store, (db) => void db.exec(sql)), sql).toMatchObject({ result: 'intact', root });
    }
  });
});
