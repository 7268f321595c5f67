import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { root } from './repository.ts';

/** Where Electron's runtime is looked for; all as this process has it unless set otherwise. */
export interface Surroundings {
  /** Folder of the `electron` package, which brings no runtime. */
  readonly folder: string;
  /** Version that the runtime must have. */
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

const here: Surroundings = {
  folder: resolve(root, 'node_modules/electron'),
  version: manifest.devDependencies.electron,
  environment: process.env,
  platform: process.platform,
};

/** File of the runtime within its folder, as Electron's own installer notes it in path.txt. */
const executableOf: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/**
 * Electron's executable, or why there is none in a sentence. Requiring `electron` would show it too, but fetches
 * the runtime over the network first.
 */
export function findElectron(surroundings: Partial<Surroundings> = {}): { executable: string } | { missing: string } {
  const { folder, version, environment, platform } = { ...here, ...surroundings };
  const { ELECTRON_EXEC_PATH: file, ELECTRON_OVERRIDE_DIST_PATH: override } = environment;
  if (file !== undefined && file !== '') {
    return existsSync(file) ? { executable: file } : { missing: 'ELECTRON_EXEC_PATH names a file that does not exist.' };
  }
  const name = executableOf[platform] ?? 'electron';
  if (override !== undefined && override !== '') {
    const executable = join(override, name);
    return existsSync(executable) ? { executable } : { missing: `ELECTRON_OVERRIDE_DIST_PATH names a folder without ${name}.` };
  }
  const fetched = read(join(folder, 'dist/version'))?.replace(/^v/, '');
  if (fetched === undefined || read(join(folder, 'path.txt')) !== name) {
    return { missing: "Electron's runtime has not been fetched: run npx --no install-electron where GitHub can be reached." };
  }
  if (fetched !== version) {
    return { missing: `Electron's runtime is ${fetched}, not ${version}: run npx --no install-electron.` };
  }
  const executable = join(folder, 'dist', name);
  return existsSync(executable)
    ? { executable }
    : { missing: "Electron's runtime lacks its executable: run npx --no install-electron." };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
