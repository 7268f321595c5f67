import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { uploadHandleSchema } from '../../../shared/api/dataFiles.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import type { FileHandles } from './files.ts';
import { openFileHandles } from './files.ts';

const room = openFolder('files');
afterAll(() => room.remove());

let files: FileHandles;
beforeEach(() => {
  files = openFileHandles();
});
afterEach(() => files.close());

const known = (name: string, temporary: boolean) => {
  writeFileSync(room.path(name), 'abc');
  return { path: room.path(name), fileName: name, bytes: 3, temporary };
};

test('an upload is known by its handle alone, until it is released', async () => {
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

test('an export is taken once, by a handle that cannot be guessed, from a folder that is the user alone', () => {
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
