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

/**
 * V8's options for the page's process: by default it fills some 64 MiB with young objects, and lets the old ones grow several times
 * over, before it looks which are still in use.
 */
export const pageOptions = '--max-semi-space-size=8 --heap-growing-percent=50';
