import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { secondVerifier } from '../main/engine/audit/testing/pythonVerifier.ts';
import { addLeaves } from '../main/engine/store/migrations/0004-log.ts';
import { reading } from '../main/engine/testing/reading.ts';
import {
  checkpointReportSchema,
  cosignReportSchema,
  keyReportSchema,
  logEntryWords,
  noSignatureWords,
  proofReportSchema,
} from '../shared/checkpoints.ts';
import { verifyReportSchema } from '../shared/outputs.ts';
import { openBench, openWorkbench } from './testing.ts';

const bench = await openBench();
const witness = openWorkbench();
afterAll(() => witness.remove());
const python = secondVerifier();

const { store, room, run, lines } = bench.project('anchored');
const at = (name: string) => join(room, name);
const good = async (words: readonly string[], on: Pick<typeof bench, 'assize'> = bench) => {
  const { code, output, errors } = await on.assize(words);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${errors}`);
  return output;
};
const verifyReport = async (path: string, ...words: string[]) => {
  const { code, output } = await bench.assize(['verify', path, '--json', ...words]);
  return { code, ...verifyReportSchema.parse(JSON.parse(output)) };
};
const refusal = async (words: readonly string[], on: Pick<typeof bench, 'assize'> = bench) => {
  const ended = await on.assize(words);
  expect(ended.code, ended.errors).toBe(2);
  return ended.errors;
};

/** The store changed behind the program's back, with what a forger does to hide it. */
const forged = (name: string, change: (db: Database.Database) => void) => {
  const path = at(name);
  copyFileSync(store, path);
  const db = new Database(path);
  change(db);
  db.close();
  return path;
};

await run('--max-trials', '1');
const [first, second, third, proof, request] = ['first', 'second', 'third', 'trial.tlog-proof', 'request'].map(at) as [
  string,
  string,
  string,
  string,
  string,
];
await good(['checkpoint', '--store', store, '--out', first]);
await run('--max-trials', '1');

test('security 36: a run ends with a checkpoint, and one on demand is the same note until something ends', async () => {
  const report = checkpointReportSchema.parse(JSON.parse(await good(['checkpoint', '--store', store, '--json'])));
  const { fingerprint, log_key } = keyReportSchema.parse(
    JSON.parse(await good(['checkpoint', '--key', '--store', store, '--json'])),
  );
  // Two trials and the chain of the experiment, of which the first checkpoint had one and one.
  expect(report).toMatchObject({ size: 3, cosigners: [], time_stamp: false, fingerprint, key: log_key });
  expect(readFileSync(first, 'utf8').split('\n')[1]).toBe('2');
  const mistaken = await bench.assize(['verify', store, '--head', fingerprint]);
  expect(mistaken).toMatchObject({ code: 1, output: expect.stringContaining('the signer’s key, not a root') });
  const logRoot = Buffer.from(report.root, 'base64').toString('hex');
  expect((await bench.assize(['verify', store, '--head', logRoot])).output).toContain(
    'a log root, as a checkpoint signs it. It covers the first 3 entries of the log',
  );
  expect(await refusal(['verify', store, '--head', report.root])).toContain('give the checkpoint with --since');
  expect(reading(store, ({ log }) => log.checkpoints()).map(({ size }) => size)).toEqual([2, 3]);
  const again = await bench.assize(['checkpoint', '--store', store]);
  expect(again).toMatchObject({ code: 0, output: report.note, errors: expect.stringMatching(/^Nothing was added since /m) });
  const key = join(bench.folder, 'home/.config/assize/signing-key.pem');
  expect(readFileSync(key, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  expect(statSync(key).mode & 0o777).toBe(0o600);
  // What is secret in PKCS#8: the last 32 bytes.
  expect(readFileSync(store).includes(Buffer.from(readFileSync(key, 'utf8').split('\n')[1] ?? '', 'base64').subarray(-32))).toBe(
    false,
  );
  await good(['checkpoint', '--store', store, '--out', second]);
  expect(statSync(second).mode & 0o444).toBe(0o444);
});

test('the store extends the earlier checkpoint, by its own key and by one that the reader has', async () => {
  expect(await verifyReport(store, '--since', first)).toMatchObject({
    code: 0,
    signer: 'unknown',
    since: { size: 2, extends: true, signature_checked: true },
    log: { size: 3, signed: 3, cosigned: 0 },
  });
  const keys = at('keys');
  writeFileSync(keys, await good(['checkpoint', '--key', '--store', store]));
  expect(await verifyReport(store, '--since', first, '--key', keys)).toMatchObject({ code: 0, signer: 'known' });
  const said = await good(['verify', store, '--since', second]);
  expect(said).toContain('DEMO MODEL: a program made up the answers of all trials.');
  expect(said).toContain(`Log: 3 entries ${logEntryWords}; entries 0 to 2 signed, without a witness.`);
  expect(said).toMatch(/^The newest checkpoint .*\nNothing in this record was .*\nThe log is exactly that of .* 3 entries\.$/m);
  expect(said).not.toMatch(/that are not signed|Somebody who rewrites/);
});

describe('security 36: history that was rewritten after the checkpoint is found', () => {
  /** Takes a trial out with all traces of it, and the log and its checkpoints with it. */
  const withoutOne = (db: Database.Database, rewrite: string) => {
    const trial = db.prepare("SELECT chain FROM leaves WHERE chain NOT LIKE '%/%' ORDER BY position LIMIT 1").pluck().get();
    for (const table of ['events', 'trials', 'trajectories']) db.prepare(`DELETE FROM ${table} WHERE trial = ?`).run(trial);
    db.exec(rewrite);
  };

  test('by the log, where only the trial was taken out', async () => {
    const path = forged('no-trial.db', (db) => withoutOne(db, ''));
    const report = await verifyReport(path);
    expect(report).toMatchObject({ code: 1, first_bad: { kind: 'log' } });
    await python.agrees(path, report);
    // What a check found is known from then on, and no attempt to sign takes it back.
    for (const _attempt of ['first', 'second']) {
      expect(await refusal(['checkpoint', '--store', path])).toMatch(/the record fails its check: .* Nothing was signed/);
    }
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    copyFileSync(store, path);
    expect(await refusal(['checkpoint', '--store', path])).toContain('Nothing was signed');
    expect(await verifyReport(path)).toMatchObject({ code: 0, result: 'intact' });
    await good(['checkpoint', '--store', path]);
  });

  test('by the checkpoint of the store, where the log was rewritten', async () => {
    const path = forged('no-leaf.db', (db) => withoutOne(db, `DELETE FROM leaves; ${addLeaves}`));
    const report = await verifyReport(path);
    expect(report).toMatchObject({ code: 1, first_bad: { kind: 'checkpoint' } });
    expect(report.first_bad?.problem).toContain('entries from 1 on were removed');
    await python.agrees(path, report);
    expect(await refusal(['checkpoint', '--store', path])).toMatch(/[Nn]othing was signed/);
  });

  test('only by the checkpoint in other hands, where the owner of the key signed again', async () => {
    const path = forged('signed-again.db', (db) => withoutOne(db, `DELETE FROM checkpoints; DELETE FROM leaves; ${addLeaves}`));
    await good(['checkpoint', '--store', path]);
    expect(await verifyReport(path)).toMatchObject({ code: 0, result: 'intact', log: { size: 2 } });
    const report = await verifyReport(path, '--since', first);
    expect(report).toMatchObject({ code: 1, result: 'tampered', since: { extends: false } });
    expect(report.first_bad?.problem).toMatch(/does not extend the checkpoint that was given: the first 2 entries/);
    expect((await verifyReport(path, '--since', second)).first_bad?.problem).toContain('it covers 3 entries and the log has 2');
  });

  test('not where the checkpoint is of another log, as of a copy, unless something in the copy was changed', async () => {
    const copy = bench.path('copy.db');
    await good(['adopt', store, '--into', copy]);
    const report = await verifyReport(copy, '--since', first);
    expect(report).toMatchObject({ code: 2, result: 'other-log', since: { extends: false }, first_bad: null });
    const { output } = await bench.assize(['verify', copy, '--since', first]);
    expect(output).toMatch(/^NOT COMPARED: .*another log.* --head ROOT\. Of a copy that was only added to since, it says so\./s);
    expect(output).not.toMatch(/TAMPERED|[Ee]xtends? the checkpoint|--against/);
    const db = new Database(copy);
    db.exec('UPDATE leaves SET head = zeroblob(32) WHERE position = 0');
    db.close();
    expect(await verifyReport(copy, '--since', first)).toMatchObject({ code: 1, result: 'tampered', first_bad: { kind: 'log' } });
  });

  test.each([
    ['an entry', 'UPDATE leaves SET head = zeroblob(32) WHERE position = 0', 'log'],
    ['an entry taken out', 'DELETE FROM leaves WHERE position = 1', 'log'],
    ['an entry put in twice', 'INSERT INTO leaves SELECT 3, chain, head, NULL FROM leaves WHERE position = 0', 'log'],
    ['a stored hash', 'UPDATE leaves SET hashes = zeroblob(length(hashes)) WHERE position = 1', 'log'],
    [
      'the root in a note',
      "UPDATE checkpoints SET note = replace(note, substr(note, instr(note, char(10)) + 3, 5), 'AAAAA')",
      'checkpoint',
    ],
    [
      'a signature',
      "UPDATE checkpoints SET note = substr(note, 1, length(note) - 12) || 'AAAAAAAAAA=' || char(10)",
      'checkpoint',
    ],
    ['the name of the log that was taken out', 'DELETE FROM log', 'log'],
    ['a table of the log that was taken out', 'DROP TABLE checkpoints', 'schema'],
    ['the name of the log', "UPDATE log SET origin = 'assize.invalid/log/other'", 'checkpoint'],
    ['the size of a checkpoint', 'UPDATE checkpoints SET size = 1', 'checkpoint'],
    ['the key of a checkpoint', 'UPDATE checkpoints SET key = zeroblob(32)', 'checkpoint'],
  ])('%s that was changed is found by both verifiers', async (_what, sql, kind) => {
    const path = forged('changed.db', (db) => void db.exec(sql));
    const report = await verifyReport(path);
    expect(report).toMatchObject({ code: 1, first_bad: { kind } });
    expect((await python.verify(path))?.result ?? 'tampered').toBe('tampered');
  });
});

test('security 36: a witness signs, its cosignature is attached, and then signs only what extends it', async () => {
  const [cosigned, keys] = [at('cosigned'), at('witness-keys')];
  await good(['cosign', second, '--out', cosigned], witness);
  const attached = checkpointReportSchema.parse(
    JSON.parse(await good(['checkpoint', '--store', store, '--attach', cosigned, '--json'])),
  );
  expect(attached.note).toBe(readFileSync(cosigned, 'utf8'));
  expect(attached.cosigners).toHaveLength(1);
  expect(await verifyReport(store)).toMatchObject({ code: 0, log: { signed: 3, cosigned: 3 } });
  expect((await python.verify(store))?.result ?? 'intact').toBe('intact');
  expect(await refusal(['checkpoint', '--store', store, '--attach', cosigned, '--json'])).toContain(
    'no cosignature by another key',
  );

  await run();
  await good(['checkpoint', '--store', store, '--out', third]);
  expect(await good(['verify', store])).toContain(
    `Log: 4 entries ${logEntryWords}; entries 0 to 2 signed and cosigned by a witness, entry 3 signed, without a witness.`,
  );
  expect(await refusal(['cosign', third, '--json'], witness)).toContain('ask its owner for the proof');
  await good(['checkpoint', '--store', store, '--since', second, '--out', request]);
  expect(readFileSync(request, 'utf8')).toMatch(/^old 3\n(?:.{43}=\n)+\nassize\.invalid/);
  expect(await refusal(['cosign', third, '--since', first, '--proof', request, '--json'], witness)).toContain(
    'the proof has to begin there',
  );
  const report = cosignReportSchema.parse(JSON.parse(await good(['cosign', third, '--proof', request, '--json'], witness)));
  expect(report).toMatchObject({ size: 4, extends: 3, signature_checked: false });
  expect(await refusal(['cosign', second, '--json'], witness)).toContain('it goes back in time');
  writeFileSync(cosigned, report.note);
  await good(['checkpoint', '--store', store, '--attach', cosigned]);
  writeFileSync(keys, `${report.witness_key}\n`);
  // A user who trusts only the witness knows no signer, and all entries to be anchored.
  expect(await verifyReport(store, '--key', keys)).toMatchObject({ code: 0, signer: 'unknown', log: { signed: 0, cosigned: 4 } });
  expect(await good(['verify', store])).toMatch(new RegExp(`Cosigned at .*: ${report.fingerprint}`));
});

test('security 36: a witness signs no other history of the same length, and none where its memory is damaged', async () => {
  const swapped = `DELETE FROM checkpoints; UPDATE leaves SET hashes = NULL;
    UPDATE leaves SET position = -1 WHERE position = 0; UPDATE leaves SET position = 0 WHERE position = 1;
    UPDATE leaves SET position = 1 WHERE position = -1`;
  const path = forged('other-order.db', (db) => void db.exec(swapped));
  const other = at('other');
  await good(['checkpoint', '--store', path, '--out', other]);
  expect(await verifyReport(path)).toMatchObject({ code: 0, log: { size: 4, signed: 4 } });
  expect((await verifyReport(path, '--since', third)).first_bad?.problem).toContain('the first 4 entries');
  expect(await refusal(['cosign', other], witness)).toContain('another history of the same 4 entries');
  const memory = join(witness.folder, 'home/.config/assize/witnessed.json');
  const before = readFileSync(memory);
  writeFileSync(memory, '{');
  expect(await refusal(['cosign', third], witness)).toContain('is damaged; restore it from a copy');
  writeFileSync(memory, before);
  expect(await good(['cosign', third], witness)).toContain('assize.invalid/witness/');
});

test('the proof of one trial is checked without the others, and proves no other head', async () => {
  const [line] = await lines();
  const [trial, head] = [line?.trial ?? '', line?.head_hash ?? ''];
  await good(['checkpoint', '--store', store, '--trial', trial, '--out', proof]);
  const text = readFileSync(proof, 'utf8');
  expect(text).toMatch(/^c2sp\.org\/tlog-proof@v1\nextra \S+\nindex \d\n(?:.{43}=\n)+\nassize\.invalid/);
  const check = async (...words: string[]) => {
    const { code, output } = await witness.assize(['verify', '--json', ...words]);
    return { code, ...proofReportSchema.parse(JSON.parse(output)) };
  };
  expect(await check('--proof', proof, '--head', head)).toMatchObject({
    code: 0,
    trial,
    head_matches: true,
    size: 4,
    signature_checked: false,
    cosigners: [{ at: expect.any(String) }],
  });
  const keys = at('log-keys');
  writeFileSync(keys, `${(await good(['checkpoint', '--key', '--store', store])).split('Of this log: ')[1]}`);
  expect(await check('--proof', proof, '--key', keys)).toMatchObject({ code: 0, signature_checked: true, problem: null });
  expect(await good(['verify', '--proof', proof], witness)).toContain(`Trial ${trial} ended with the head ${head}`);

  const otherKeys = at('other-keys');
  writeFileSync(otherKeys, `${(await good(['checkpoint', '--key', '--store', store], witness)).split('Of this log: ')[1]}`);
  expect(await check('--proof', proof, '--key', otherKeys)).toMatchObject({
    code: 1,
    problem: expect.stringContaining('not signed'),
  });
  expect(await check('--proof', proof, '--head', '0'.repeat(64))).toMatchObject({ code: 1, head_matches: false });
  const forgedProof = at('forged.tlog-proof');
  for (const [from, to, problem] of [
    [/index \d/, text.includes('\nindex 3\n') ? 'index 2' : 'index 3', /do not lead/],
    [/(extra \S+\nindex \d\n)./, /\nindex \d\n\//.test(text) ? '$1A' : '$1/', /do not lead/],
    [/.{20}\n$/, `${'A'.repeat(18)}==\n`, /does not fit/],
  ] as const) {
    writeFileSync(forgedProof, text.replace(from, to));
    expect(await check('--proof', forgedProof)).toMatchObject({
      code: 1,
      result: 'tampered',
      problem: expect.stringMatching(problem),
    });
  }
  expect(await refusal(['verify', '--proof', first])).toContain('proof');
  expect(await refusal(['verify', store, '--proof', proof])).toContain('too many');
  expect(await refusal(['checkpoint', '--store', store, '--trial', 'ffffffffffffffff'])).toContain('has ended in this store');
});

test('a forged cosignature does not count', async () => {
  const own = at('own');
  const cosigned = readFileSync(at('cosigned'), 'utf8');
  writeFileSync(own, cosigned.replace(/.{20}\n$/, `${'A'.repeat(18)}==\n`));
  expect(await refusal(['checkpoint', '--store', store, '--attach', own])).toMatch(/does not fit|not base64/);
  writeFileSync(own, cosigned.replace('\n4\n', '\n5\n'));
  expect(await refusal(['checkpoint', '--store', store, '--attach', own])).toContain('no checkpoint of this store');
});

test('a time stamp is stored unchanged, and a note says that it is not checked', async () => {
  const [stamp, back] = [at('stamp.tsr'), at('back.tsr')];
  const bytes = Buffer.from('3082000aff00', 'hex');
  writeFileSync(stamp, bytes);
  await good(['checkpoint', '--store', store, '--attach', stamp]);
  await good(['checkpoint', '--store', store, '--time-stamp', '--out', back]);
  expect(readFileSync(back)).toEqual(bytes);
  expect(await good(['verify', store])).toContain('1 time stamp attached, which this program does not check');
});

test('a key that was given vouches for its own signature and for no other', async () => {
  const path = forged('two-signers.db', () => undefined);
  await good(['checkpoint', '--store', path], witness);
  const keys = at('one-of-two');
  writeFileSync(keys, await good(['checkpoint', '--key', '--store', path]));
  const [, ours] = /Fingerprint: (\w+)/.exec(readFileSync(keys, 'utf8')) ?? [];
  expect(await good(['verify', path])).toContain(`Signed by ${ours}, your own key on this machine.\n`);
  const said = await good(['verify', path, '--key', keys]);
  expect(said).toContain(`Signed by ${ours}, which you named with --key.\n`);
  expect(said).toMatch(
    /Signed by \w+, a key that this machine does not have, and which you have not named with --key\.\nAnyone can make such a key/,
  );
  expect(await good(['verify', path, '--key', ours ?? ''])).toBe(said);
  expect(await verifyReport(path, '--key', '0'.repeat(64))).toMatchObject({ code: 1, signer: 'unknown', log: { signed: 0 } });
  const unlogged = forged('no-log.db', (db) => void db.exec('DELETE FROM log'));
  expect((await bench.assize(['verify', unlogged, '--key', keys])).output).toContain(noSignatureWords);
});

test('a wrong request is refused before anything is written', async () => {
  for (const [words, said] of [
    [['checkpoint', '--store', at('none.db')], 'there is no such file'],
    [['checkpoint', '--store', store, '--key', '--trial', 'a'], 'do not go together'],
    [['checkpoint', '--store', store, '--since', at('experiment.json')], 'signed note'],
    [['checkpoint', '--store', store, '--out', first], 'use --force'],
    [['checkpoint', '--store', store, '--time-stamp'], '--out'],
    [['verify', store, '--key', first], 'first:1: this is not a key'],
    [['verify', store, '--since', at('keys')], 'signed note'],
    [['cosign', at('nothing')], 'nothing'],
  ] as const) {
    expect(await refusal([...words])).toContain(said);
  }
  expect(existsSync(at('none.db'))).toBe(false);
});

test('a run that was killed before its checkpoint loses nothing: the next one covers it', async () => {
  const path = forged(
    'killed.db',
    (db) => void db.exec('DELETE FROM checkpoints WHERE size = 4; UPDATE leaves SET hashes = NULL WHERE position = 3'),
  );
  expect(await verifyReport(path)).toMatchObject({ code: 0, log: { size: 4, signed: 3 } });
  expect(await good(['verify', path])).toContain('entry 3 not signed yet');
  expect((await good(['checkpoint', '--store', path])).split('\n').slice(0, 3)).toEqual(
    readFileSync(third, 'utf8').split('\n').slice(0, 3),
  );
});

test('security 36: a key that cannot be used ends no run, and is replaced by none', async () => {
  const project = bench.project('no-key');
  const key = join(bench.folder, 'home/.config/assize/signing-key.pem');
  const before = readFileSync(key);
  writeFileSync(key, 'no key');
  const { code, output } = await project.run();
  expect([code, JSON.parse(output).notes.join()]).toEqual([
    0,
    expect.stringContaining('no checkpoint was made: the signing key'),
  ]);
  expect(await refusal(['checkpoint', '--store', project.store])).toContain('no Ed25519 key in PKCS#8');
  expect(readFileSync(key, 'utf8')).toBe('no key');
  writeFileSync(key, before);
  rmSync(project.store);
});

test('verify --resume: intact and 0 where all was read, else partly read and 6, in words too; nothing else is resumed', async () => {
  const file = at('read');
  expect(await verifyReport(store, '--resume', file)).toMatchObject({
    code: 0,
    result: 'intact',
    earlier: { chains_not_read: 0 },
  });
  expect(await verifyReport(store, '--resume', file)).toMatchObject({ code: 6, result: 'partly-read', trials: 0 });
  const checked = await bench.assize(['verify', store, '--resume', file, '--since', first]);
  expect(checked).toMatchObject({ code: 6, output: expect.stringMatching(/^NOT READ WHOLE: /) });
  expect(checked.output).toMatch(/Not read again: \d chains\. .* the record root [0-9a-f]{64}\./);
  expect(checked.output).toMatch(/The log extends the earlier checkpoint of 2 .* added since, and it has \d/);
  expect(checked.output).not.toMatch(/intact/i);
  const headed = await bench.assize(['verify', store, '--resume', file, '--head', '0'.repeat(64)]);
  expect(headed).toMatchObject({ code: 6, output: expect.stringMatching(/not compared, because \d chains were not read/) });
  const forgedText = forged('read-text', (db) => db.exec('UPDATE blobs SET bytes = zeroblob(9) WHERE rowid = 1'));
  const bad = await bench.assize(['verify', forgedText, '--resume', file, '--head', '0'.repeat(64)]);
  expect(bad).toMatchObject({ code: 1, output: expect.stringMatching(/not compared, because \d chains were not read/) });
  expect(headed.output + bad.output).not.toMatch(/NOT THE RECORD|were recorded|every hash/i);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/,"[0-9a-f]{64}"/, ',"?"'));
  const unused = await bench.assize(['verify', store, '--resume', file]);
  expect(unused).toMatchObject({ code: 0, output: expect.stringMatching(/not used: its line \d is damaged/) });
  expect(await refusal(['verify', '--proof', proof, '--resume', file])).toContain('leave out --resume');
  expect(await refusal(['verify', store, '--resume', store])).toContain('was not written by assize verify');
});
