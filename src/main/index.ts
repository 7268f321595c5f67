import { dirname, join, resolve } from 'node:path';
import * as electron from 'electron';
import { resolveStorePath } from './engine/store/location.ts';
import { developmentServer } from './shell/development.ts';
import { refuseStart } from './shell/dialogs.ts';
import { startShell } from './shell/shell.ts';

declare global {
  interface ImportMeta {
    /** The bundler fills it in. */
    readonly env: { readonly DEV: boolean };
  }
}

const bundles = resolve(import.meta.dirname, '..');
const program = electron.app.getAppPath();
/** To `npm start`, which opens the browser where it hears nothing. */
const tellStarted = () => process.send?.('started');

try {
  const store = resolveStorePath(undefined);
  const places = {
    preload: join(bundles, 'preload/index.cjs'),
    engine: join(bundles, 'main/engine.js'),
    screens: join(program, 'out/renderer'),
    // The engine streams samples from plain files, which Electron's view into its archive does not offer everywhere.
    resources: join(program.replace(/app\.asar$/, 'app.asar.unpacked'), 'resources'),
    icon: join(program, 'build/icons/icon.png'),
    store,
    profile: join(dirname(store), 'window'),
    development: import.meta.env.DEV ? developmentServer(process.env.ELECTRON_RENDERER_URL) : null,
  };
  startShell(electron, places, tellStarted);
} catch (error) {
  tellStarted();
  refuseStart(electron, error);
}
