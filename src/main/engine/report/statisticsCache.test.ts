import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { withCopy } from '../audit/testing/tampering.ts';
import { eraseInStore } from '../erase/erase.ts';
import { reading } from '../testing/reading.ts';
import { eventsOf } from './readTrials.ts';
import type { StatisticsOptions } from './statistics.ts';
import { statistics } from './statistics.ts';
import { experimentRoot, statisticsFolder } from './statisticsCache.ts';

const room = openFolder('statistics-cache');
const name = 'nlsy97-demo';
let path: string;
let count = 0;

beforeAll(async () => {
  path = await makeSampleStore(room.folder, { cases: 6 });
});
const newFolder = () => join(room.folder, `cache-${count++}`);

/** The report, and whether it was computed: only then is there progress. */
function ask(folder: string | null, options: Omit<StatisticsOptions, 'cache'> = {}, store = path) {
  const reported: string[] = [];
  const report = reading(store, (open) =>
    statistics(open, name, { resamples: 50, ...options, cache: folder }, ({ what }) => reported.push(what)),
  );
  return { report, isComputed: reported.length > 0, reported };
}

const onlyFile = (folder: string): string => {
  const files = readdirSync(folder);
  expect(files).toHaveLength(1);
  return join(folder, files[0] ?? '');
};

const raise = (): never => {
  throw new Error('the sample has no such trial');
};

describe('a report', () => {
  test('is computed once for one record and the same options', () => {
    const folder = newFolder();
    const first = ask(folder);
    const second = ask(folder);
    expect([first.isComputed, second.isComputed]).toEqual([true, false]);
    expect(second.report).toEqual(first.report);
    // To the letter: what `--json` prints can be compared by its bytes.
    expect(JSON.stringify(second.report)).toBe(JSON.stringify(first.report));
    expect(ask(null)).toMatchObject({ isComputed: true, report: first.report });
    for (const options of [{ resamples: 60 }, { seed: 1 }, { arms: ['court'] }])
      expect(ask(folder, options).isComputed).toBe(true);
    expect(readdirSync(folder)).toHaveLength(4);
  });

  test('is computed again where it is no longer what was written', () => {
    const folder = newFolder();
    const { report } = ask(folder);
    const file = onlyFile(folder);
    const text = readFileSync(file, 'utf8');
    // One that has the form of a report has not its seal.
    const forged = text.replace(String.raw`\"decided\":`, String.raw`\"decided\":9`);
    for (const spoiled of [forged, text.slice(0, 200), '', '{}']) {
      expect(spoiled).not.toBe(text);
      writeFileSync(file, spoiled);
      expect(ask(folder)).toMatchObject({ isComputed: true, report });
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });

  test('is computed again where a trial has another head', async () => {
    const folder = newFolder();
    ask(folder);
    const sql = "UPDATE trials SET head_hash = ? WHERE trial = (SELECT min(trial) FROM trials WHERE status = 'done')";
    await withCopy(
      path,
      (db) => void db.prepare(sql).run('0'.repeat(64)),
      (copy) => expect(ask(folder, {}, copy).isComputed).toBe(true),
    );
    await withCopy(
      path,
      () => undefined,
      (copy) => expect(ask(folder, {}, copy)).toMatchObject({ isComputed: false, report: { store: copy } }),
    );
  });

  test('of a copy in which a case was erased is another than that of the record, whichever is asked first', async () => {
    const folder = newFolder();
    ask(folder);
    await withCopy(
      path,
      () => undefined,
      async (copy) => {
        const id = reading(copy, (store) => store.trials.heads(name)[0]?.case_id ?? '');
        await eraseInStore(copy, { kind: 'case', experiment: name, case: id }, {});
        expect(ask(folder, {}, copy).isComputed).toBe(true);
        expect(ask(folder).isComputed).toBe(false);
      },
    );
  });

  test('of a damaged record is neither kept nor looked up: the record has the same heads', async () => {
    const folder = newFolder();
    const sql = `UPDATE trials SET prediction = '"YES"', outcome = 'decided'`;
    await withCopy(
      path,
      (db) => void db.exec(sql),
      (copy) => {
        expect(ask(folder, {}, copy).report.damage).toBeDefined();
        expect(ask(folder)).toMatchObject({ isComputed: true, report: ask(null).report });
        expect(ask(folder, {}, copy).isComputed).toBe(true);
      },
    );
  });

  test('of changed speeches names their trial and is not kept: their words are in its measures of language', async () => {
    const folder = newFolder();
    const sql = "UPDATE blobs SET encoding = 0, bytes = CAST('Perhaps, perhaps.' AS BLOB) WHERE ref = ?";
    const [trial, ref] = reading(path, (store) => {
      const { trial } = store.trials.heads(name).find(({ status, arm }) => status === 'done' && arm === 'court') ?? raise();
      const said = eventsOf(store, trial).find(({ kind }) => kind === 'utterance-make');
      return [trial, said?.kind === 'utterance-make' ? said.payload.text : raise()];
    });
    await withCopy(
      path,
      (db) => expect(db.prepare(sql).run(Buffer.from(ref, 'base64url')).changes).toBe(1),
      (copy) => {
        const { damage } = ask(folder, {}, copy).report;
        expect(damage).toMatchObject({ damaged: 1, first: [{ trial, kind: 'utterance-make' }] });
        expect(ask(folder)).toMatchObject({ isComputed: true, report: ask(null).report });
      },
    );
  });

  test('in haste is neither looked up nor kept, and draws nothing', () => {
    const folder = newFolder();
    const { report, reported } = ask(folder, { quick: true, resamples: undefined });
    expect(report.resampling.resamples).toBe(0);
    expect(report.baselines).toEqual([]);
    expect(reported.filter((what) => /baseline|trials/.test(what))).toEqual([]);
    expect(() => readdirSync(folder)).toThrow('ENOENT');
  });

  test('is given where nothing can be kept', () => {
    const file = join(room.folder, 'no-folder');
    writeFileSync(file, '');
    expect(ask(join(file, 'cache')).report.arms).toHaveLength(2);
  });

  test('says what the arms are called that it does not know', () => {
    expect(() => ask(null, { arms: ['court', 'nobody'] })).toThrow(/has no arm "nobody"; it has "cot", "court"/);
  });
});

test('at most 64 reports are kept: the one that was not asked for longest goes first', () => {
  const folder = newFolder();
  ask(folder);
  const oldest = onlyFile(folder);
  for (let index = 0; index < 64; index++) {
    const file = join(folder, `${String(index).padStart(2, '0')}.json`);
    writeFileSync(file, '{}');
    utimesSync(file, 1000 + index, 1000 + index);
  }
  // Asked for again, it is the newest.
  expect(ask(folder).isComputed).toBe(false);
  ask(folder, { seed: 3 });
  const left = readdirSync(folder);
  expect(left).toHaveLength(64);
  expect(left).not.toContain('00.json');
  expect(left.map((file) => join(folder, file))).toContain(oldest);
});

test('the root changes only with the experiment', () => {
  const rootOf = (of: string) => reading(path, (store) => experimentRoot(store, of));
  expect(rootOf(name)).toMatch(/^[0-9a-f]{64}$/);
  expect(rootOf(name)).toBe(rootOf(name));
  expect(rootOf('other')).not.toBe(rootOf(name));
});

test('every system has a place for what can be made again', () => {
  const home = '/home/me';
  expect(statisticsFolder({ platform: 'linux', env: {}, home })).toBe('/home/me/.cache/assize/statistics');
  expect(statisticsFolder({ platform: 'linux', env: { XDG_CACHE_HOME: '/fast' }, home })).toBe('/fast/assize/statistics');
  expect(statisticsFolder({ platform: 'linux', env: { XDG_CACHE_HOME: 'here' }, home })).toBe(
    '/home/me/.cache/assize/statistics',
  );
  expect(statisticsFolder({ platform: 'darwin', env: {}, home })).toBe('/home/me/Library/Caches/Assize/statistics');
  expect(statisticsFolder({ platform: 'win32', env: { LOCALAPPDATA: '/local' }, home })).toBe('/local/Assize/statistics');
});
