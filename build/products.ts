import { join } from 'node:path';
import { build } from 'vite';
import type { Product } from './fresh.ts';
import { root } from './repository.ts';

const shared = ['src/shared/', 'src/core/', 'package.json', 'package-lock.json'];

const buildWith = (config: string) => () => build({ configFile: join(root, config), logLevel: 'warn' });

export const screens: Product = {
  name: 'the screens',
  output: 'out/renderer/index.html',
  sources: ['src/renderer/', 'build/renderer.vite.config.ts', ...shared],
  build: buildWith('build/renderer.vite.config.ts'),
};

export const electronApp: Product = {
  name: 'the Electron app',
  // The bundle that is built last.
  output: 'out/electron/preload/index.cjs',
  sources: ['src/main/', 'src/preload/', 'build/electron.ts', 'build/electron.vite.config.ts', ...shared],
  build: () => import('./electron.ts'),
};
