// Takes pictures of every screen and keeps those of the trial view for the documentation.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.ts';

const kept = ['trial-light.png', 'trial-dark.png'];

const { status } = spawnSync('npx', ['playwright', 'test', '--grep', '@picture'], {
  cwd: root,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
if (status === 0) {
  const images = join(root, 'docs/images');
  mkdirSync(images, { recursive: true });
  for (const name of kept) copyFileSync(join(root, 'test-results/screens', name), join(images, name));
  console.log(`The pictures are in test-results/screens, and ${kept.join(' and ')} in docs/images.`);
}
process.exitCode = status ?? 1;
