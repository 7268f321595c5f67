import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keptFolder } from '../testing/kept.ts';
import { stayAwake } from './stayAwake.ts';

let folder: string;
beforeEach(() => {
  folder = keptFolder();
});
afterEach(() => void vi.unstubAllEnvs());

test.runIf(process.platform === 'linux')('the system is kept awake during a run, and no longer', async () => {
  const note = join(folder, 'note');
  // Does as systemd-inhibit does: runs the command behind the options.
  const program = `#!/bin/sh\necho "$@" > ${note}\nshift 3\n"$@"\necho over >> ${note}\n`;
  writeFileSync(join(folder, 'systemd-inhibit'), program, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  const end = stayAwake(0);
  await expect
    .poll(() => existsSync(note) && readFileSync(note, 'utf8'), { timeout: 20_000 })
    .toMatch(/^--what=sleep:idle .* cat\n$/);
  end();
  await expect.poll(() => readFileSync(note, 'utf8'), { timeout: 20_000 }).toMatch(/over\n$/);
});

test('a system without such a program changes nothing, and a run that ends before it is asked starts none', async () => {
  const note = join(folder, 'note');
  writeFileSync(join(folder, 'systemd-inhibit'), `#!/bin/sh\necho started > ${note}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  stayAwake(20)();
  const ends = [stayAwake(0, 'aix')];
  vi.stubEnv('PATH', folder);
  rmSync(join(folder, 'systemd-inhibit'));
  ends.push(stayAwake(0));
  await new Promise((resolve) => setTimeout(resolve, 60));
  for (const end of ends) end();
  expect(existsSync(note)).toBe(false);
});
