import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keptFolder } from '../testing/kept.ts';
import { stayAwake } from './stayAwake.ts';

let folder: string;
/** Of a machine that can sleep: where the tests run, most cannot. */
let statesFile: string;
beforeEach(() => {
  folder = keptFolder();
  statesFile = join(folder, 'state');
  writeFileSync(statesFile, 'freeze mem\n');
});
afterEach(() => void vi.unstubAllEnvs());

test.runIf(process.platform === 'linux')('the system is kept awake during a run, and no longer', async () => {
  const note = join(folder, 'note');
  // Does as systemd-inhibit does: runs the command behind the options.
  const program = `#!/bin/sh\necho "$@" > ${note}\nshift 3\n"$@"\necho over >> ${note}\n`;
  writeFileSync(join(folder, 'systemd-inhibit'), program, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  let isWanted = true;
  const end = stayAwake({ statesFile, waitMs: 0, lookMs: 5, isWanted: () => isWanted });
  await expect
    .poll(() => existsSync(note) && readFileSync(note, 'utf8'), { timeout: 20_000 })
    .toMatch(/^--what=sleep:idle .* cat\n$/);
  isWanted = false;
  await expect.poll(() => readFileSync(note, 'utf8'), { timeout: 20_000 }).toMatch(/over\n$/);
  isWanted = true;
  await expect.poll(() => readFileSync(note, 'utf8'), { timeout: 20_000 }).toMatch(/ cat\n$/);
  end();
  await expect.poll(() => readFileSync(note, 'utf8'), { timeout: 20_000 }).toMatch(/over\n$/);
});

test('a system without such a program, or that refuses, says so once, and a run that ends before it is asked starts none', async () => {
  const note = join(folder, 'note');
  writeFileSync(join(folder, 'systemd-inhibit'), `#!/bin/sh\necho started > ${note}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  const said: string[] = [];
  const onFailure = (sentence: string) => void said.push(sentence);
  stayAwake({ statesFile, waitMs: 20, lookMs: 5, onFailure })();
  const ends = [stayAwake({ waitMs: 0, lookMs: 5, platform: 'aix', onFailure })];
  vi.stubEnv('PATH', folder);
  rmSync(join(folder, 'systemd-inhibit'));
  if (process.platform === 'linux') {
    ends.push(stayAwake({ statesFile, waitMs: 0, lookMs: 5, onFailure }));
    await expect.poll(() => said, { timeout: 20_000 }).toHaveLength(2);
    writeFileSync(join(folder, 'systemd-inhibit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    ends.push(stayAwake({ statesFile, waitMs: 0, lookMs: 5, onFailure }));
    await expect.poll(() => said, { timeout: 20_000 }).toHaveLength(3);
  }
  await new Promise((resolve) => setTimeout(resolve, 60));
  for (const end of ends) end();
  expect(existsSync(note)).toBe(false);
  expect(said.map((sentence) => /done: (.*?)\. If it sleeps .* energy settings/.exec(sentence)?.[1])).toEqual([
    'nothing is known on this system that keeps it awake',
    ...(process.platform === 'linux'
      ? ['systemd-inhibit cannot be started', 'systemd-inhibit is not allowed to keep it awake']
      : []),
  ]);
});

test.runIf(process.platform === 'linux')('a machine that knows no sleep is asked nothing, and nothing is said', async () => {
  const note = join(folder, 'note');
  writeFileSync(join(folder, 'systemd-inhibit'), `#!/bin/sh\necho started > ${note}\nexit 1\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  writeFileSync(statesFile, '\n');
  const said: string[] = [];
  const onFailure = (sentence: string) => void said.push(sentence);
  const ends = [statesFile, join(folder, 'none')].map((file) => stayAwake({ statesFile: file, waitMs: 0, lookMs: 5, onFailure }));
  // Says something as soon as it looks: by then the others have looked too.
  ends.push(stayAwake({ waitMs: 0, lookMs: 5, platform: 'aix', onFailure }));
  await expect.poll(() => said, { timeout: 20_000 }).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const end of ends) end();
  expect(existsSync(note)).toBe(false);
  expect(said).toHaveLength(1);
});
