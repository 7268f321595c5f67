import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keptFolder } from '../../testing/kept.ts';
import { findProgram, type Surroundings, surroundings } from './program.ts';

const machine = (given: Partial<Surroundings> & { has: readonly string[] }): Surroundings => ({
  platform: 'linux',
  env: {},
  home: '/home/user',
  executable: (path) => given.has.includes(path),
  ...given,
});

test('the configured program goes before the one on PATH, and that before the usual places', () => {
  const has = ['/srv/ollama', '/tools/ollama', '/usr/local/bin/ollama'];
  const PATH = '/nowhere:/tools:/usr/local/bin';
  expect(findProgram(machine({ has, env: { PATH, ASSIZE_OLLAMA: '/srv/ollama' } }))).toEqual({
    path: '/srv/ollama',
    how: 'configured',
  });
  expect(findProgram(machine({ has, env: { PATH } }))).toEqual({ path: '/tools/ollama', how: 'path' });
  expect(findProgram(machine({ has, env: { PATH: '/nowhere' } }))).toEqual({ path: '/usr/local/bin/ollama', how: 'usual-place' });
  expect(findProgram(machine({ has: [] }))).toBeNull();
});

test('no other program replaces a configured one that is missing', () => {
  const has = ['/usr/local/bin/ollama'];
  expect(findProgram(machine({ has, env: { ASSIZE_OLLAMA: '/srv/gone' } }))).toBeNull();
  expect(findProgram(machine({ has, env: { ASSIZE_OLLAMA: '' } }))).toBeNull();
});

test('relative folders of PATH, which mean another place in each folder, are skipped', () => {
  expect(findProgram(machine({ has: ['ollama', './ollama', 'bin/ollama'], env: { PATH: '.::bin' } }))).toBeNull();
});

test.each<[NodeJS.Platform, string, Record<string, string>, string]>([
  ['linux', '/home/user', {}, '/usr/bin/ollama'],
  ['linux', '/home/user', {}, '/opt/ollama/bin/ollama'],
  ['linux', '/home/user', {}, '/home/user/.local/bin/ollama'],
  ['darwin', '/Users/user', {}, '/Applications/Ollama.app/Contents/Resources/ollama'],
  ['darwin', '/Users/user', {}, '/opt/homebrew/bin/ollama'],
  [
    'win32',
    'C:\\Users\\user',
    { LOCALAPPDATA: 'C:\\Users\\user\\AppData\\Local' },
    'C:\\Users\\user\\AppData\\Local\\Programs\\Ollama\\ollama.exe',
  ],
  ['win32', 'C:\\Users\\user', {}, 'C:\\Users\\user\\AppData\\Local\\Programs\\Ollama\\ollama.exe'],
  ['win32', 'C:\\Users\\user', { ProgramFiles: 'C:\\Program Files' }, 'C:\\Program Files\\Ollama\\ollama.exe'],
])('on %s with the home %s it is found in its usual place', (platform, home, env, path) => {
  expect(findProgram(machine({ platform, home, env, has: [path] }))).toEqual({ path, how: 'usual-place' });
});

test('on Windows PATH may be spelled Path, and its folders are divided by semicolons', () => {
  const path = 'D:\\tools\\ollama.exe';
  expect(findProgram(machine({ platform: 'win32', env: { Path: 'C:\\Windows;D:\\tools' }, has: [path] }))).toEqual({
    path,
    how: 'path',
  });
});

test('on this machine a folder and a file that cannot be run are no program', () => {
  const folder = keptFolder();
  mkdirSync(join(folder, 'ollama'));
  writeFileSync(join(folder, 'text'), '');
  writeFileSync(join(folder, 'program'), '#!/bin/sh\n');
  chmodSync(join(folder, 'program'), 0o755);
  const { executable } = surroundings();
  expect(['ollama', 'text', 'program', 'gone'].filter((name) => executable(join(folder, name)))).toEqual(['program']);
});
