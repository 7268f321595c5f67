import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { logFile } from './errorLog.ts';

test.each([
  ['linux', {}, '/home/u/.local/state/assize/assize.log'],
  ['linux', { XDG_STATE_HOME: '/state' }, '/state/assize/assize.log'],
  ['linux', { XDG_STATE_HOME: 'state' }, '/home/u/.local/state/assize/assize.log'],
  ['linux', { ASSIZE_LOG_DIR: '/logs' }, '/logs/assize.log'],
  ['darwin', {}, '/home/u/Library/Logs/Assize/assize.log'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/Assize/Logs/assize.log'],
  ['win32', {}, '/home/u/AppData/Local/Assize/Logs/assize.log'],
] as const)('on %s with %j the log is %s', (platform, env, expected) => {
  expect(logFile(env, platform, '/home/u')).toBe(expected);
});

test('it is the file that the command line writes its errors to', () => {
  const home = mkdtempSync(join(tmpdir(), 'assize-log-'));
  const program = resolve(import.meta.dirname, '../../../../bin/assize.js');
  const env = { PATH: process.env.PATH, HOME: home };
  // Standard output that cannot be written is an error that no command expects.
  const { status } = spawnSync('sh', ['-c', '"$0" "$1" help > /dev/full', process.execPath, program], { env });
  expect(status).toBe(70);
  expect(existsSync(logFile(env, process.platform, home))).toBe(true);
  rmSync(home, { recursive: true, force: true });
});
