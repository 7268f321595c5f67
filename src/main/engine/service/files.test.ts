import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { uploadHandleSchema } from '../../../shared/api/dataFiles.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { openTemporaryFolder } from '../temporaryFolder.ts';
import { type FileHandles, openFileHandles } from './files.ts';
import { exportName, reportName } from './handlers/exports.ts';

const room = openFolder('files');

let files: FileHandles;
beforeEach(() => {
  files = openFileHandles();
});
afterEach(() => files.close());

const known = (name: string, temporary: boolean) => {
  writeFileSync(room.path(name), 'abc');
  return { path: room.path(name), fileName: name, bytes: 3, temporary };
};

test('an upload is known only by its handle, until it is released', async () => {
  files.announce('handle', known('data.csv', false));
  expect(files.upload('handle')).toMatchObject({ fileName: 'data.csv', bytes: 3 });
  expect(() => files.upload('other')).toThrow('choose it again');
  await files.release('handle');
  expect(() => files.upload('handle')).toThrow('choose it again');
  expect(existsSync(room.path('data.csv'))).toBe(true);
});

test('temporary uploads are removed when they are released, when there are too many, and at the end', async () => {
  for (const name of ['released', 'oldest', 'last']) files.announce(name, known(name, true));
  await files.release('released');
  expect(existsSync(room.path('released'))).toBe(false);
  for (let number = 0; number < 199; number += 1) files.announce(`more-${number}`, known('more', false));
  expect(() => files.upload('oldest')).toThrow();
  expect(files.upload('last').fileName).toBe('last');
  await files.close();
  expect(['oldest', 'last', 'more'].map((name) => existsSync(room.path(name)))).toEqual([false, false, true]);
});

test('an export is taken once, by a handle that cannot be guessed, from a folder that only the user can read', () => {
  const { file, path } = files.reserve('court.csv');
  const other = files.reserve('court.csv');
  expect(uploadHandleSchema.safeParse(file).success).toBe(true);
  expect(Buffer.from(file, 'base64url')).toHaveLength(32);
  expect(other.file).not.toBe(file);
  expect((statSync(dirname(path)).mode & 0o777).toString(8)).toBe('700');
  writeFileSync(path, 'four');
  expect(files.take(file)).toEqual({ path, fileName: 'court.csv', bytes: 4, temporary: true });
  expect([files.take(file), files.take(other.file), files.take('nowhere')]).toEqual([null, null, null]);
});

test('an upload cannot be taken, and an export cannot be read as an upload', () => {
  files.announce('handle', known('data.csv', false));
  expect(files.take('handle')).toBeNull();
  const { file, path } = files.reserve('court.csv');
  writeFileSync(path, 'four');
  expect(() => files.upload(file)).toThrow('choose it again');
});

test('nothing is left at the end', async () => {
  const { path } = files.reserve('court.csv');
  writeFileSync(path, 'four');
  await files.close();
  expect(existsSync(dirname(path))).toBe(false);
});

const parent = mkdtempSync(join(tmpdir(), 'assize-test-'));
afterAll(() => rmSync(parent, { recursive: true }));

/** Id of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['--eval', '']).pid;

test('only the user can read the folder, whose name has the process', () => {
  const folder = openTemporaryFolder('files', parent);
  expect(basename(folder)).toMatch(new RegExp(`^assize-files-${process.pid}-`));
  if (process.platform !== 'win32') expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('folders of processes that are gone are removed, those of others and of other kinds are left', () => {
  const names = [`assize-files-${deadPid()}-aaaaaa`, `assize-files-${process.pid}-bbbbbb`, `assize-uploads-${deadPid()}-cccccc`];
  for (const name of names) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, 'facts'), 'x');
  }
  openTemporaryFolder('files', parent);
  expect(names.map((name) => existsSync(join(parent, name)))).toEqual([false, true, true]);
});

test('what a thread or an exit leaves in the middle of work goes with the process', () => {
  const module = new URL('../temporaryFolder.ts', import.meta.url).href;
  const thread = `const { openTemporaryFolder } = await import(${JSON.stringify(module)}); openTemporaryFolder('store');`;
  const program = `
    import { Worker } from 'node:worker_threads';
    ${thread}
    const worker = new Worker(new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(thread)}`)}));
    worker.on('exit', () => process.exit(3));
  `;
  const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, TMPDIR: parent },
    encoding: 'utf8',
  });
  const ours = readdirSync(parent).filter((name) => name.includes(`-${ended.pid}-`));
  expect([ended.stderr, ended.status, ours]).toEqual(['', 3, []]);
});

describe('the name of an export', () => {
  test.each([
    ['NLSY97, court, 20 cases', null, 'csv', 'NLSY97, court, 20 cases.csv'],
    ['court', 'D07', 'html', 'court-D07.html'],
    ['Prüfung 東京', null, 'jsonl', 'Prüfung 東京.jsonl'],
    ['a/b\\c:d*e?f"g<h>i|j', null, 'csv', 'a-b-c-d-e-f-g-h-i-j.csv'],
    ['../../etc/passwd', null, 'csv', 'etc-passwd.csv'],
    ['..', '..', 'csv', 'experiment.csv'],
    ['', null, 'csv', 'experiment.csv'],
    ['.hidden', null, 'csv', 'hidden.csv'],
    ['-rf', null, 'csv', 'rf.csv'],
    ['ends. . .', null, 'csv', 'ends.csv'],
    ['line\nbreak\ttab\0nul\u007f', null, 'csv', 'line-break-tab-nul.csv'],
    ['txt.\u202excod', null, 'csv', 'txt.-xcod.csv'],
    ['\u2066\u200bhidden\u2069\ufeff', null, 'csv', 'hidden.csv'],
    ['lone \ud800 half', null, 'csv', 'lone \ufffd half.csv'],
    ['CON', null, 'csv', '_CON.csv'],
    ['nul.x', null, 'csv', '_nul.x.csv'],
    ['Com7', null, 'jsonl', '_Com7.jsonl'],
    ['LPT\u00b9', null, 'csv', '_LPT\u00b9.csv'],
    ['CONOUT$', null, 'csv', '_CONOUT$.csv'],
    ['com77', null, 'csv', 'com77.csv'],
    ['console', null, 'csv', 'console.csv'],
    ['con', 'D01', 'csv', 'con-D01.csv'],
  ])('of %j and case %j', (experiment, kase, extension, expected) => {
    expect(exportName(experiment, kase, extension)).toBe(expected);
  });

  test('of a report says first what it is of', () => {
    const trial = { case: 'D01', arm: 'court (sex exchanged)', numbered: null };
    expect(reportName('a/b', trial, 'html')).toBe('trial-report-D01-court (sex exchanged)-a-b.html');
    expect(reportName('a', { ...trial, numbered: 'replicate 2' }, 'html')).toBe(
      'trial-report-D01-court (sex exchanged)-replicate 2-a.html',
    );
    expect(reportName('a/b', null, 'pdf')).toBe('experiment-report-a-b.pdf');
    expect(reportName('try-1', { case: '1', arm: 'try', numbered: null }, 'html')).toBe('trial-report-try-1.html');
    const long = reportName('e'.repeat(300), { case: 'c'.repeat(300), arm: 'a'.repeat(300), numbered: null }, 'html');
    expect(long).toHaveLength('trial-report-'.length + 3 * 60 + '--.html'.length);
  });

  test('of 300 characters is cut between characters as a reader counts them', () => {
    expect(exportName('x'.repeat(300), 'y'.repeat(300), 'csv')).toBe(`${'x'.repeat(110)}-${'y'.repeat(60)}.csv`);
    const family = '👩‍👩‍👧';
    // 25 bytes with its joiners, which are invisible and go: three people of 4 bytes, two dashes.
    expect(exportName(family, null, 'csv')).toBe('👩-👩-👧.csv');
    const flag = '🇩🇪';
    expect(exportName(flag.repeat(300), null, 'csv')).toBe(`${flag.repeat(13)}.csv`);
  });

  test('is a name that every file system takes, for any input', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ unit: fc.constantFrom('/', '\\', '.', ' ', '-', ':', '\0', '\u202e', 'a', 'con', 'é', '👩'), maxLength: 300 }),
    );
    fc.assert(
      fc.property(text, fc.option(text), (experiment, kase) => {
        const name = exportName(experiment, kase, 'events.jsonl');
        expect(name).toMatch(/\.events\.jsonl$/);
        expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(name.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200);
        const stem = name.slice(0, -'.events.jsonl'.length);
        expect(stem).not.toMatch(/^[\s.-]|[\s.]$/u);
        expect(stem).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        expect(stem).not.toBe('');
      }),
    );
  });
});
