import { dirname, join, resolve } from 'node:path';
import * as electron from 'electron';
import { resolveStorePath } from './engine/store/location.ts';
import { refuseStart } from './shell/dialogs.ts';
import { startShell } from './shell/shell.ts';

const bundles = resolve(import.meta.dirname, '..');
const program = electron.app.getAppPath();

try {
  const store = resolveStorePath(undefined);
  startShell(electron, {
    preload: join(bundles, 'preload/index.cjs'),
    engine: join(bundles, 'engine/main.js'),
    screens: join(program, 'out/renderer'),
    // The engine streams samples from plain files, which Electron's view into its archive does not offer everywhere.
    resources: join(program.replace(/app\.asar$/, 'app.asar.unpacked'), 'resources'),
    icon: join(program, 'build/icons/icon.png'),
    store,
    profile: join(dirname(store), 'window'),
  });
} catch (error) {
  refuseStart(electron, error);
}
