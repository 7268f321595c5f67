import type { WebPreferences } from 'electron';

/** Everything that the page's process may be, said out loud also where it is Electron's default. */
export function webPreferences(preload: string, packaged: boolean): Readonly<WebPreferences> {
  return Object.freeze({
    preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    plugins: false,
    spellcheck: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    autoplayPolicy: 'document-user-activation-required',
    devTools: !packaged,
  });
}

/** V8 options of the page: by default it takes 64 MiB of young objects and lets old ones grow several times before it looks. */
export const pageOptions = '--max-semi-space-size=8 --heap-growing-percent=50';
