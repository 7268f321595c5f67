/** Electron as the entry imports it. It is handed in everywhere else, so that all else runs without it in tests. */
export type ElectronModule = typeof import('electron');
