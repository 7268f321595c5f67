import type { SpawnOptions } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { type GuardSystem, startGuard } from './daemonProcess.ts';

interface Started {
  readonly program: string;
  readonly words: readonly string[];
  readonly options: SpawnOptions;
  written(): string;
  ended(): boolean;
}

/** A system that notes what is started there and starts nothing. */
function fakeSystem(platform: NodeJS.Platform, env: Record<string, string>) {
  const started: Started[] = [];
  const system: GuardSystem = {
    platform,
    env,
    spawn(program, words, options) {
      const stdin = new PassThrough();
      const read: string[] = [];
      stdin.on('data', (chunk) => read.push(String(chunk)));
      started.push({ program, words, options, written: () => read.join(''), ended: () => stdin.writableEnded });
      return { stdin, on: () => Object.create(null), unref: () => undefined };
    },
  };
  return { system, started };
}

test('on Windows a separate hidden interpreter waits for the end of a pipe, and ends the daemon with what it started', () => {
  const { system, started } = fakeSystem('win32', { SystemRoot: 'D:\\Windows', PATH: 'C:\\evil', API_KEY: 'secret' });
  const guard = startGuard(system);
  expect(started).toEqual([]);
  guard.watch(4321);
  const [shell] = started;
  expect(started).toHaveLength(1);
  expect(shell?.program).toBe('D:\\Windows\\System32\\cmd.exe');
  expect(shell?.words).toEqual([
    '/d',
    '/s',
    '/c',
    '"set /p word= & if not defined word "D:\\Windows\\System32\\taskkill.exe" /pid 4321 /t /f >nul 2>&1"',
  ]);
  expect(shell?.options).toEqual({
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
    windowsVerbatimArguments: true,
    cwd: 'D:\\Windows\\System32',
    env: { SystemRoot: 'D:\\Windows' },
  });
  expect([shell?.written(), shell?.ended()]).toEqual(['', false]);
  guard.dismiss();
  expect([shell?.written(), shell?.ended()]).toEqual(['done\r\n', true]);
});

test('on Windows a daemon that never began needs no guard', () => {
  const { system, started } = fakeSystem('win32', {});
  startGuard(system).dismiss();
  expect(started).toEqual([]);
});
