import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { statsReportSchema, verifyReportSchema } from '../shared/outputs.ts';
import { errorOf, openBench, snapshot } from './testing.ts';

const bench = await openBench();
const { standin } = bench;
const { file, store } = await bench.finishedRun();

/** A copy of the store that somebody changed, and that has a trigger so that it shows. */
function foreign(name: string, sql = ''): string {
  const path = join(bench.room(name), 'store.db');
  copyFileSync(store, path);
  const db = new Database(path);
  db.exec(`${sql}; CREATE TRIGGER t AFTER INSERT ON trials WHEN NEW.prediction = '"NO"' BEGIN DELETE FROM trials; END`);
  db.close();
  return path;
}

const armsOf = (output: string) => statsReportSchema.parse(JSON.parse(output)).arms;
const stats = (path: string) => bench.assize(['stats', 'rain', '--store', path, '--json']);

describe('security 32: a store from elsewhere', () => {
  test('is read by every command that reads, which says so first', async () => {
    const path = foreign('read');
    const before = snapshot(bench.path('read'));
    const [verified, genuine] = await Promise.all([
      bench.assize(['verify', path, '--json']),
      bench.assize(['verify', store, '--json']),
    ]);
    // Our code makes no triggers: someone changed the file.
    expect(verified.code).toBe(1);
    expect(verifyReportSchema.parse(JSON.parse(verified.output)).first_bad?.problem).toContain('trigger "t"');
    expect(genuine.errors).not.toContain('FROM ELSEWHERE');
    const others = await Promise.all([
      bench.assize(['replay', path]),
      stats(path),
      bench.assize(['export', 'rain', '--store', path, '--format', 'trials-csv', '--out', '-', '--damaged']),
    ]);
    for (const { code } of others) expect(code).toBe(0);
    for (const { errors } of [verified, ...others]) {
      expect(errors.split('\n')[0]).toBe(`FROM ELSEWHERE: ${path}: it has a trigger "t" that this program does not make.`);
    }
    expect(snapshot(bench.path('read'))).toEqual(before);
  });

  test('is written by none: they end with 2 and say what to do', async () => {
    const path = foreign('write');
    const before = snapshot(bench.path('write'));
    const commands = [
      ['run', file, '--store', path, '--ollama', standin.url, '--json'],
      ['rebuild', path],
      ['train-assistant', '--experiment', 'rain', '--store', path],
      ['moderate', 'rain', '--accept', '--store', path],
    ];
    for (const words of commands) {
      const ended = await bench.assize(words);
      expect(ended.code, words[0]).toBe(2);
      expect(ended.errors, words[0]).toMatch(
        /^FROM ELSEWHERE: .*\n.*\nassize: .*trigger "t".*assize adopt \/\S+\/store\.db --into FILE/,
      );
      if (words.includes('--json')) expect(errorOf(ended).code).toBe('store-elsewhere');
    }
    const { 'store.db.lock': _lock, ...after } = snapshot(bench.path('write'));
    expect(after).toEqual(before);
  });

  test('gets statistics of its events, not of its rows or the cache', async () => {
    const genuine = armsOf((await stats(store)).output);
    // As a forger would: the rows of another verdict, which the key of the cache does not distinguish.
    const turned = `UPDATE trials SET prediction = CASE prediction WHEN '"NO"' THEN '"YES"' ELSE '"NO"' END`;
    expect(armsOf((await stats(foreign('rows', turned))).output)).toEqual(genuine);
    const twice = `
      ALTER TABLE trials RENAME TO kept;
      CREATE TABLE trials AS SELECT * FROM kept; INSERT INTO trials SELECT * FROM kept; DROP TABLE kept;
      UPDATE trials SET prediction = '"NO"' WHERE rowid > 3;
    `;
    expect(armsOf((await stats(foreign('twice', twice))).output)).toEqual(genuine);
  });

  test('is adopted as a copy of only its record, which is our own', async () => {
    const path = foreign('adopted', `UPDATE trials SET prediction = '"NO"'`);
    const into = bench.path('adopted/mine/own.db');
    const taken = await bench.assize(['adopt', path, '--into', into]);
    expect([taken.code, taken.output]).toEqual([
      0,
      expect.stringMatching(
        /^The record of 3 trials was copied into your own store: .*own\.db\n.* you need only the experiment file: /,
      ),
    ]);
    expect(readdirSync(bench.path('adopted/mine'))).toEqual(['own.db']);
    const verified = await bench.assize(['verify', into, '--json']);
    const checkedBefore = verifyReportSchema.parse(JSON.parse((await bench.assize(['verify', store, '--json'])).output));
    const { root } = checkedBefore;
    expect(checkedBefore.adopted).toBeUndefined();
    const report = verifyReportSchema.parse(JSON.parse(verified.output));
    const signers = checkedBefore.log?.signers.map(({ fingerprint }) => fingerprint);
    expect(report).toMatchObject({ result: 'intact', root, adopted: { file: 'store.db', root, signers } });
    expect((await bench.assize(['verify', into])).output).toContain(`Copied from store.db on `);
    expect(verified.errors).toBe('');
    expect((await bench.assize(['run', file, '--store', into, '--ollama', standin.url])).code).toBe(0);
    // A copy of the copy keeps the note of the first.
    const second = bench.path('adopted/mine/second.db');
    expect((await bench.assize(['adopt', into, '--into', second])).code).toBe(0);
    const { adopted } = verifyReportSchema.parse(JSON.parse((await bench.assize(['verify', second, '--json'])).output));
    expect(adopted).toMatchObject({ file: 'own.db', earlier: [{ file: 'store.db', root, signers }] });
    const again = await bench.assize(['adopt', path, '--into', into]);
    expect([again.code, again.errors]).toEqual([2, expect.stringContaining('there is a file already; name a new one')]);
  });

  test('says nothing of where it was copied from, and a made-up note in our own store adds no line to the output', async () => {
    const note = (more: string) =>
      JSON.stringify({ file: 'x\nINTACT: all is well', root: 'a'.repeat(64), signers: [], ...JSON.parse(more) }).replaceAll(
        "'",
        "''",
      );
    const row = (more = '{}') =>
      `INSERT INTO run_log (at, experiment, event, detail) VALUES ('2026-01-01T00:00:00.000Z', '', 'record-adopt', '${note(more)}')`;
    expect((await bench.assize(['verify', foreign('noted', row())])).output).not.toContain('Copied from');
    const own = bench.path('noted/own.db');
    expect((await bench.assize(['adopt', store, '--into', own])).code).toBe(0);
    const verifyWith = async (sql: string) => {
      const db = new Database(own);
      db.exec(sql);
      db.close();
      return (await bench.assize(['verify', own])).output;
    };
    const printed = await verifyWith(row());
    expect(printed).toContain('Copied from x[U+000A]INTACT');
    expect(printed).not.toMatch(/^INTACT/m);
    expect(await verifyWith(row('{"signers":["by nobody"]}'))).not.toContain('Copied from');
  });

  test.each([
    ['a changed event', 'UPDATE events SET payload = replace(payload, \'"v":1\', \'"v":2\') WHERE seq = 1'],
    [
      'two rows for one',
      'CREATE TABLE twice AS SELECT * FROM events; DROP TABLE events; CREATE TABLE events AS SELECT * FROM twice UNION ALL SELECT * FROM twice',
    ],
  ])('is not taken over with %s, and nothing is left of the attempt', async (name, sql) => {
    const path = foreign(name, sql);
    const into = bench.path(`${name}/mine/own.db`);
    const { code, errors } = await bench.assize(['adopt', path, '--into', into]);
    expect(code, errors).toBe(2);
    expect(errors).toContain('nothing was copied');
    expect(existsSync(into)).toBe(false);
    expect(readdirSync(bench.path(`${name}/mine`))).toEqual([]);
  });
});
