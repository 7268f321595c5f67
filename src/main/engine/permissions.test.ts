import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { settingsSchema } from '../../shared/api/engine.ts';
import { openPermissions } from './permissions.ts';
import { keptFolder } from './testing/kept.ts';

test('what programs allow at the same time for their own stores is all stored', async () => {
  const folder = keptFolder();
  const env = { ...process.env, XDG_CONFIG_HOME: folder };
  const module = JSON.stringify(join(import.meta.dirname, 'permissions.ts'));
  const script = `import { openPermissions } from ${module};
    for (let count = 0; count < 20; count++) openPermissions(process.argv[1] + count).allow(['host' + count]);`;
  onTestFinished(() => void vi.unstubAllEnvs());
  const programs = ['a', 'b', 'c'].map((name) => {
    const words = ['--input-type=module-typescript', '-e', script, join(folder, name)];
    return once(spawn(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'inherit'] }), 'exit');
  });
  expect(await Promise.all(programs)).toEqual(programs.map(() => [0, null]));
  vi.stubEnv('XDG_CONFIG_HOME', folder);
  for (const name of ['a', 'b', 'c'])
    for (let count = 0; count < 20; count++)
      expect(openPermissions(join(folder, name) + count).hosts()).toEqual([`host${count}`]);
  const store = openPermissions(join(folder, 'a0'));
  const settings = settingsSchema.parse({ ollamaUrl: 'http://127.0.0.1:9' });
  expect(store.withoutUnknown(settings).ollamaUrl).not.toBe(settings.ollamaUrl);
  store.trust(settings);
  expect(store.withoutUnknown(settings)).toBe(settings);
  expect(store.hosts()).toEqual(['host0']);
});
