import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import { startPage } from './scheme.ts';
import { webPreferences } from './webPreferences.ts';
import { type Bounds, firstWindow, readWindowState, smallestWindow, writeWindowState } from './windowState.ts';

/** Colours of the page, so that the window does not flash before the page is there. */
export const pageColour = { light: '#fbfaf7', dark: '#16171a' } as const;

export interface WindowSurroundings {
  readonly preload: string;
  readonly icon: string;
  /** File that remembers the window's place. */
  readonly stateFile: string;
  readonly packaged: boolean;
  readonly dark: boolean;
  readonly displays: readonly Bounds[];
}

/** Opens the program's window: hidden until its page can be seen, where it was the last time. */
export function openWindow(
  create: (options: BrowserWindowConstructorOptions) => BrowserWindow,
  { preload, icon, stateFile, packaged, dark, displays }: WindowSurroundings,
): BrowserWindow {
  const remembered = readWindowState(stateFile, displays);
  const window = create({
    ...(remembered?.bounds ?? firstWindow),
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    show: false,
    title: 'Assize',
    icon,
    backgroundColor: dark ? pageColour.dark : pageColour.light,
    webPreferences: webPreferences(preload, packaged),
  });
  window.once('ready-to-show', () => {
    if (remembered?.maximized) window.maximize();
    window.show();
  });
  window.on('close', () => writeWindowState(stateFile, { bounds: window.getNormalBounds(), maximized: window.isMaximized() }));
  // A page that cannot be loaded has shown nothing yet: `render-process-gone` reports its process's end.
  window.loadURL(startPage).catch(() => window.isDestroyed() || window.show());
  return window;
}
