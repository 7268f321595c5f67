import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { settingsSchema } from '../../../shared/api/engine.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { openFolder } from '../audit/testing/sampleStore.ts';
import { openStore } from '../store/store.ts';
import { openSettings } from './settings.ts';

const room = openFolder('settings');

let number = 0;
let store = '';
let file = '';
beforeEach(() => {
  number += 1;
  mkdirSync(room.path(String(number)));
  store = room.path(`${number}/court.db`);
  file = room.path(`${number}/court.settings.json`);
});

const defaults = settingsSchema.parse({});

test('without a file all has its default, and reading makes none', () => {
  expect(openSettings(store).read()).toEqual(defaults);
  expect(defaults).toEqual({
    theme: 'system',
    textSize: 100,
    notices: false,
    continueRuns: false,
    standinOnly: false,
    ollamaUrl: 'http://127.0.0.1:11434',
    allowedHosts: [],
    concurrency: 0,
    servers: [],
    daemon: { startOwn: true, parallel: 1, maxLoaded: null, contextLength: null, reproducible: false },
    experiments: [],
    views: [],
  });
  expect(readdirSync(room.path(String(number)))).toEqual([]);
});

test('an older file without a daemon works, with the defaults for it', () => {
  writeFileSync(file, JSON.stringify({ theme: 'dark', concurrency: 4 }));
  expect(openSettings(store).read()).toEqual({ ...defaults, theme: 'dark', concurrency: 4 });
});

test('how the daemon is started is set as a whole, and refused where it does not fit', () => {
  const settings = openSettings(store);
  const daemon = { ...defaults.daemon, parallel: 4, startOwn: false };
  expect(settings.change({ daemon })).toEqual({ ...defaults, daemon });
  expect(openSettings(store).read().daemon).toEqual(daemon);
  expect(() => settings.change({ daemon: { ...daemon, parallel: 0 } })).toThrow(expect.objectContaining({ code: 'bad-input' }));
});

test('a change is stored next to the store, for its owner only, and leaves the rest as it was', () => {
  const settings = openSettings(store);
  settings.change({ theme: 'dark', concurrency: undefined });
  expect(settings.change({ concurrency: 4 })).toEqual({ ...defaults, theme: 'dark', concurrency: 4 });
  expect(openSettings(store).read()).toEqual({ ...defaults, theme: 'dark', concurrency: 4 });
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(room.path(String(number)))).toEqual(['court.settings.json']);
});

test('what another program with the same store sets is seen', () => {
  const [one, other] = [openSettings(store), openSettings(store)];
  one.change({ theme: 'dark' });
  expect(other.read().theme).toBe('dark');
  other.change({ theme: 'light' });
  expect(one.read().theme).toBe('light');
});

test('a folder that is not there yet is made', () => {
  openSettings(room.path(`${number}/new/deep/court.db`)).change({ theme: 'dark' });
  expect(existsSync(room.path(`${number}/new/deep/court.settings.json`))).toBe(true);
});

describe('a file that cannot be used is kept aside', () => {
  test.each([
    ['broken JSON', '{"theme": "dark"'],
    ['a value that does not fit', '{"concurrency": 1000}'],
    ['something else', '[]'],
    ['an address with a password', '{"ollamaUrl": "http://me:secret@127.0.0.1:11434"}'],
  ])('%s', (_what, content) => {
    writeFileSync(file, content);
    const settings = openSettings(store);
    expect(settings.read()).toEqual(defaults);
    expect(readFileSync(`${file}.invalid`, 'utf8')).toBe(content);
    expect(existsSync(file)).toBe(false);
    settings.change({ theme: 'dark' });
    expect(settings.read().theme).toBe('dark');
  });
});

test('keys of a newer program are skipped and stay in the file', () => {
  writeFileSync(file, '{"theme": "dark", "later": {"a": 1}, "allowedHosts": ["gpu.lan"]}');
  const settings = openSettings(store);
  expect(settings.read()).toEqual({ ...defaults, theme: 'dark' });
  settings.change({ theme: 'light' });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    ...defaults,
    theme: 'light',
    later: { a: 1 },
    allowedHosts: undefined,
  });
});

describe('security 35: what may leave the machine', () => {
  test('is not what a file next to a store says, and is asked again, for each store', () => {
    writeFileSync(file, JSON.stringify({ allowedHosts: ['evil.example'], theme: 'dark' }));
    const settings = openSettings(store);
    expect(settings.read()).toEqual({ ...defaults, theme: 'dark' });
    expect(settings.change({ allowedHosts: ['gpu.lan'] }).allowedHosts).toEqual(['gpu.lan']);
    expect(openSettings(store).read()).toEqual({ ...defaults, theme: 'dark', allowedHosts: ['gpu.lan'] });
    settings.change({ concurrency: 2 });
    expect(readFileSync(file, 'utf8')).not.toMatch(/allowedHosts|gpu\.lan|evil/);
    expect(openSettings(room.path(`${number}/other.db`)).read().allowedHosts).toEqual([]);
    settings.change({ allowedHosts: [] });
    expect(settings.read().allowedHosts).toEqual([]);
  });

  test('nor are servers asked that came with the store, until the user agrees to these', () => {
    const server = { name: 'gpu', backend: { kind: 'openai', url: 'http://gpu.lan/v1' } };
    writeFileSync(file, JSON.stringify({ servers: [server] }));
    expect(openSettings(store).unknownServers()).toEqual(['http://gpu.lan/v1']);
    const text = JSON.stringify({ theme: 'dark', ollamaUrl: 'http://127.0.0.1:9', servers: [] });
    writeFileSync(file, text);
    expect(openSettings(store).read()).toEqual({ ...defaults, theme: 'dark' });
    expect(openSettings(store).unknownServers()).toEqual(['http://127.0.0.1:9']);
    openSettings(store).confirmServers();
    expect(openSettings(store).read().ollamaUrl).toBe('http://127.0.0.1:9');
    expect(openSettings(store).unknownServers()).toEqual([]);
    writeFileSync(file, text.replace(':9', ':8'));
    const settings = openSettings(store);
    expect(settings.read().ollamaUrl).toBe(defaults.ollamaUrl);
    settings.change({ concurrency: 2 });
    expect(settings.read()).toEqual({ ...defaults, theme: 'dark', concurrency: 2 });
    expect(settings.unknownServers()).toEqual([]);
    expect(readFileSync(`${file}.invalid`, 'utf8')).toContain(':8');
    settings.change({ ollamaUrl: 'http://127.0.0.1:7' });
    expect(openSettings(store).read().ollamaUrl).toBe('http://127.0.0.1:7');
    writeFileSync(file, JSON.stringify({ continueRuns: true }));
    expect(openSettings(store).read().continueRuns).toBe(false);
    openSettings(store).confirmServers();
    expect(openSettings(store).read().continueRuns).toBe(false);
    expect(openSettings(store).unknownContinue()).toBe(true);
    openSettings(store).change({ continueRuns: true });
    expect(openSettings(store).read().continueRuns).toBe(true);
    expect(openSettings(store).unknownContinue()).toBe(false);
    writeFileSync(file, JSON.stringify({ continueRuns: true, ollamaUrl: 'http://127.0.0.1:6' }));
    expect(openSettings(store).unknownServers()).toEqual(['http://127.0.0.1:6']);
  });

  test('and no setting next to a store from elsewhere counts, or is written there', () => {
    openStore(store, { create: true }).close();
    const db = new Database(store);
    db.exec('CREATE TABLE more (a)');
    db.close();
    const text = JSON.stringify({ theme: 'dark', ollamaUrl: 'http://evil.example:1', allowedHosts: ['evil.example'] });
    writeFileSync(file, text);
    const settings = openSettings(store);
    expect(settings.read()).toEqual(defaults);
    expect(settings.change({ theme: 'light' }).theme).toBe('light');
    expect(settings.read()).toEqual({ ...defaults, theme: 'light' });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});

test('a second file that cannot be used does not replace the first', () => {
  for (const content of ['first', 'second']) {
    writeFileSync(file, content);
    openSettings(store).read();
  }
  expect(readFileSync(`${file}.invalid`, 'utf8')).toBe('first');
  expect(readFileSync(`${file}.invalid-2`, 'utf8')).toBe('second');
});

describe('a change that does not fit is refused and changes nothing', () => {
  test.each([
    [{ concurrency: -1 }, 'concurrency'],
    [{ concurrency: 1.5 }, 'concurrency'],
    [{ ollamaUrl: 'ftp://127.0.0.1' }, 'ollamaUrl'],
    [{ ollamaUrl: 'javascript:alert(1)' }, 'ollamaUrl'],
    [{ ollamaUrl: 'http://me:secret@127.0.0.1' }, 'ollamaUrl'],
    [{ allowedHosts: ['a b'] }, 'allowedHosts'],
    [{ allowedHosts: Array.from({ length: 51 }, () => 'a') }, 'allowedHosts'],
  ])('%j', (change, field) => {
    const settings = openSettings(store);
    expect(() => settings.change(change)).toThrow(expect.objectContaining({ code: 'bad-input', place: { field } }));
    expect(existsSync(file)).toBe(false);
  });
});

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'the error where nothing can be written has no path',
  () => {
    chmodSync(room.path(String(number)), 0o500);
    const change = () => openSettings(store).change({ theme: 'dark' });
    expect(change).toThrow(AssizeError);
    expect(change).toThrow(/^the settings cannot be saved next to the store \(EACCES\); check/);
    chmodSync(room.path(String(number)), 0o700);
  },
);

test('a change that a folder in the way keeps from being saved allows nothing, and its error has no path', () => {
  mkdirSync(file);
  writeFileSync(`${file}.invalid`, 'in the way');
  const settings = openSettings(store);
  expect(settings.read()).toEqual(defaults);
  const refused = /^the settings cannot be saved next to the store \(E\w+\); check/;
  const change = { ollamaUrl: 'http://127.0.0.1:11599', allowedHosts: ['one.test'] };
  expect(() => settings.change(change)).toThrow(refused);
  expect(openSettings(store).read()).toEqual(defaults);
  // Hosts are in another file.
  settings.change({ allowedHosts: ['one.test'] });
  expect(openSettings(store).read()).toEqual({ ...defaults, allowedHosts: ['one.test'] });
  expect(readdirSync(room.path(String(number))).filter((name) => name.endsWith('.partial'))).toEqual([]);
});
