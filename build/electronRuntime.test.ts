import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findElectron } from './electronRuntime.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assize-runtime-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (path: string, text = '') => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const find = (environment: Record<string, string> = {}, platform: NodeJS.Platform = 'linux') =>
  findElectron({ folder, version: '45.4.1', environment, platform });

it('finds the runtime that was fetched into the package', () => {
  put('path.txt', 'electron');
  put('dist/version', 'v45.4.1\n');
  put('dist/electron');
  expect(find()).toEqual({ executable: join(folder, 'dist/electron') });
});

it('finds it under the name of each system', () => {
  put('path.txt', 'Electron.app/Contents/MacOS/Electron');
  put('dist/version', '45.4.1');
  put('dist/Electron.app/Contents/MacOS/Electron');
  expect(find({}, 'darwin')).toEqual({ executable: join(folder, 'dist/Electron.app/Contents/MacOS/Electron') });
  expect(find({}, 'win32')).toEqual({ missing: expect.stringContaining('has not been fetched') });
});

it.each<[string, Record<string, string>, string]>([
  ['nothing was fetched', {}, 'has not been fetched'],
  ['the fetch broke off', { 'dist/version': '45.4.1', 'dist/electron': '' }, 'has not been fetched'],
  ['an older one is there', { 'path.txt': 'electron', 'dist/version': '44.0.0', 'dist/electron': '' }, 'is 44.0.0, not 45.4.1'],
  ['its executable is gone', { 'path.txt': 'electron', 'dist/version': '45.4.1' }, 'lacks its executable'],
])('says so where %s', (_name, files, says) => {
  for (const [path, text] of Object.entries(files)) put(path, text);
  expect(find()).toEqual({ missing: expect.stringContaining(says) });
});

it('takes the executable or the folder that the user names', () => {
  put('own/electron');
  const executable = join(folder, 'own/electron');
  expect(find({ ELECTRON_EXEC_PATH: executable })).toEqual({ executable });
  expect(find({ ELECTRON_OVERRIDE_DIST_PATH: dirname(executable) })).toEqual({ executable });
  expect(find({ ELECTRON_EXEC_PATH: join(folder, 'none') })).toEqual({ missing: expect.stringContaining('ELECTRON_EXEC_PATH') });
  expect(find({ ELECTRON_OVERRIDE_DIST_PATH: folder })).toEqual({ missing: expect.stringContaining('without electron') });
});
