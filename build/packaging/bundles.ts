import { join } from 'node:path';
import { build } from 'vite';
import { electronBundles, license } from '../electron.vite.config.ts';
import { root } from '../repository.ts';

/** Builds what runs under Electron, but for the screens, into `electron` below a folder. */
export async function buildElectron(folder: string): Promise<void> {
  for (const mode of electronBundles) {
    const configFile = join(root, 'build/electron.vite.config.ts');
    await build({ configFile, mode, logLevel: 'warn', build: { outDir: join(folder, 'electron', mode) } });
  }
}

/** Builds everything that is packed, with the licences of what is bundled, into `electron` and `renderer` below a folder. */
export async function buildAll(folder: string): Promise<void> {
  await buildElectron(folder);
  const configFile = join(root, 'build/renderer.vite.config.ts');
  await build({ configFile, logLevel: 'warn', build: { outDir: join(folder, 'renderer'), license } });
}
