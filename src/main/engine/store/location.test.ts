import { resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { defaultStorePath, resolveStorePath } from './location.ts';

const linux = { platform: 'linux' as const, env: {}, home: '/home/somebody' };

afterEach(() => vi.unstubAllEnvs());

test('the store lies in the user’s data, by the variable of the system where it is an absolute path', () => {
  expect(defaultStorePath(linux)).toBe('/home/somebody/.local/share/assize/assize.db');
  expect(defaultStorePath({ ...linux, env: { XDG_DATA_HOME: '/data' } })).toBe('/data/assize/assize.db');
  for (const named of ['', 'data', './data']) {
    expect(defaultStorePath({ ...linux, env: { XDG_DATA_HOME: named } }), named).toBe(defaultStorePath(linux));
  }
  expect(defaultStorePath({ ...linux, env: { ASSIZE_STORE: 'here.db', XDG_DATA_HOME: '/data' } })).toBe('here.db');
  expect(defaultStorePath({ ...linux, platform: 'darwin' })).toBe('/home/somebody/Library/Application Support/Assize/assize.db');
});

test.each([
  ['linux', 'XDG_DATA_HOME', '/data'],
  ['win32', 'APPDATA', '/data'],
] as const)('on %s a user without a home needs a place by name, or %s', (platform, variable, folder) => {
  const homeless = { platform, env: {}, home: null };
  const refused = (() => {
    try {
      return defaultStorePath(homeless);
    } catch (error) {
      return error;
    }
  })();
  expect(refused).toBeInstanceOf(AssizeError);
  expect(refused).toMatchObject({
    code: 'bad-input',
    place: { field: '--store' },
    message: expect.stringContaining('ASSIZE_STORE'),
  });
  expect(defaultStorePath({ ...homeless, env: { [variable]: folder } })).toContain('/data');
  expect(defaultStorePath({ ...homeless, env: { ASSIZE_STORE: '/x.db' } })).toBe('/x.db');
});

test.runIf(process.platform !== 'win32')('an empty HOME is none: nothing is put into the current folder', () => {
  vi.stubEnv('HOME', '');
  vi.stubEnv('XDG_DATA_HOME', '');
  vi.stubEnv('ASSIZE_STORE', '');
  expect(() => resolveStorePath(undefined)).toThrow('no home folder');
  expect(resolveStorePath('a.db')).toBe(resolve('a.db'));
});
