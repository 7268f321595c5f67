import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'vite';
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

/** The desktop program, whose page the loopback host serves too. */
export const program: Product = {
  name: 'the program',
  // What is built last.
  output: 'out/renderer/index.html',
  sources: ['src/', 'electron.vite.config.ts', 'package.json', 'package-lock.json'],
  build: async () => buildProgram(join(root, 'out')),
};

/** The command line in `out/headless`: it starts in a third of the time that it takes from its sources. */
export const commandLine: Product = {
  name: 'the command line',
  output: 'out/headless/main.js',
  sources: ['src/', 'bin/', 'build/headless.vite.config.ts', 'electron.vite.config.ts', 'package.json', 'package-lock.json'],
  build: () => build({ configFile: join(root, 'build/headless.vite.config.ts'), logLevel: 'warn' }),
};
