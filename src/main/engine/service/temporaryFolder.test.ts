import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTemporaryFolder } from './temporaryFolder.ts';

const parent = mkdtempSync(join(tmpdir(), 'assize-test-'));
afterAll(() => rmSync(parent, { recursive: true }));

/** Id of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['--eval', '']).pid;

test('the folder is the user’s alone and bears the process', () => {
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
