import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keptFolder } from '../testing/kept.ts';

vi.mock('node:os', async (load) => ({
  ...(await load<typeof import('node:os')>()),
  homedir() {
    throw new Error('uv_os_homedir returned ENOENT');
  },
}));

test('for a user without a home folder the engine starts, hides paths, and keeps its errors in the log', async () => {
  const folder = keptFolder();
  vi.stubEnv('ASSIZE_LOG_DIR', folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { withoutFolders } = await import('./failures.ts');
  expect(withoutFolders('cannot read /data/assize.db')).toBe('cannot read assize.db');
  const { keepError } = await import('./errorLog.ts');
  keepError(new Error('of a program without a home'));
  expect(readFileSync(join(folder, 'assize.log'), 'utf8')).toContain('of a program without a home');
});
