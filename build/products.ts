import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Product } from './fresh.ts';
import { root } from './repository.ts';

/**
 * Builds the desktop program, of which the page is a part, into `main`, `preload` and `renderer` below a folder. In a process of
 * its own, as electron-vite changes the environment of its process. Throws where the build fails.
 */
export function buildProgram(folder: string): void {
  const words = [
    join(root, 'node_modules/electron-vite/bin/electron-vite.js'),
    'build',
    '--outDir',
    folder,
    '--logLevel',
    'warn',
  ];
  const { status, error } = spawnSync(process.execPath, words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw error ?? new Error(`electron-vite ends with ${status}`);
}

export const program: Product = {
  name: 'the program',
  // What is built last.
  output: 'out/renderer/index.html',
  sources: ['src/', 'electron.vite.config.ts', 'package.json', 'package-lock.json'],
  build: async () => buildProgram(join(root, 'out')),
};
