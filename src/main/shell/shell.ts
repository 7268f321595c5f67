import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserWindow, Session } from 'electron';
import { superviseEngine } from '../engine/service/supervisor.ts';
import { serveAppFiles } from './appFiles.ts';
import { answerBridge, messagesOfPages } from './bridgeHost.ts';
import { connectionManager } from './connections.ts';
import { refuseDebugging } from './debugging.ts';
import { serveFromBundler } from './development.ts';
import { fileDialogs, notices } from './dialogs.ts';
import type { ElectronModule } from './electronModule.ts';
import { forkEngine } from './engineProcess.ts';
import { fileManager } from './files.ts';
import { openLink } from './links.ts';
import { menuTemplate } from './menu.ts';
import { guardNavigation } from './navigation.ts';
import { notifier } from './notifications.ts';
import { quitInOrder } from './quitting.ts';
import { recoverFromCrashes } from './rendererCrash.ts';
import { appScheme } from './scheme.ts';
import { applySessionPolicy } from './sessionPolicy.ts';
import { pageOptions } from './webPreferences.ts';
import { openWindow } from './window.ts';

export interface Places {
  readonly preload: string;
  /** Bundle of the engine process. */
  readonly engine: string;
  readonly screens: string;
  /** Folder of the bundled samples, outside of any archive. */
  readonly resources: string;
  readonly icon: string;
  readonly store: string;
  /** Folder in which Chromium and the window remember things; a second start with the same one yields to the first. */
  readonly profile: string;
  /** Server of the bundler that serves the screens in place of their folder; null but while they are developed. */
  readonly development: URL | null;
}

/**
 * Starts the program. What guards it is in place before Electron is ready, and so before any page is.
 * @param tellStarted says that page and engine have met, or that another program shows its window: once, and before the store
 *   is opened
 * Throws bad input where a packed program is started for debugging.
 */
export function startShell(electron: ElectronModule, given: Places, tellStarted: () => void): void {
  const { app, protocol } = electron;
  if (app.isPackaged) refuseDebugging();
  // A user of the package has no bundler, and no say over where its page comes from.
  const places = app.isPackaged ? { ...given, development: null } : given;
  mkdirSync(places.profile, { recursive: true, mode: 0o700 });
  app.setPath('userData', places.profile);
  if (!app.requestSingleInstanceLock()) {
    tellStarted();
    app.quit();
    return;
  }
  // What was typed in an earlier window can be what was erased since.
  rmSync(join(places.profile, 'Session Storage'), { recursive: true, force: true });
  app.enableSandbox();
  app.commandLine.appendSwitch('js-flags', pageOptions);
  protocol.registerSchemesAsPrivileged([appScheme]);
  const guarded = new WeakSet<Session>();
  const guardSession = (session: Session) => {
    if (guarded.has(session)) return;
    guarded.add(session);
    applySessionPolicy(session, app.isPackaged, places.development);
  };
  app.on('session-created', guardSession);
  app.on('web-contents-created', (_event, contents) => guardNavigation(contents));
  app.on('window-all-closed', () => app.quit());
  void app.whenReady().then(() => {
    guardSession(electron.session.defaultSession);
    open(electron, places, tellStarted);
  });
}

function open(electron: ElectronModule, places: Places, tellStarted: () => void): void {
  const { app, dialog, Menu, MessageChannelMain, nativeTheme, protocol, screen, shell, utilityProcess } = electron;
  const { preload, icon, screens, resources, store, profile, development } = places;
  protocol.handle(appScheme.scheme, development === null ? serveAppFiles(screens) : serveFromBundler(development));
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, app.isPackaged)));

  const supervisor = superviseEngine({
    spawn: (incarnation, session) =>
      forkEngine(utilityProcess.fork, places.engine, { store, resources, incarnation, session, awaitPage: incarnation === 1 }),
  });
  const window: BrowserWindow = openWindow((options) => new electron.BrowserWindow(options), {
    preload,
    icon,
    stateFile: join(profile, 'window.json'),
    packaged: app.isPackaged,
    dark: nativeTheme.shouldUseDarkColors,
    displays: screen.getAllDisplays().map(({ workArea }) => workArea),
  });
  const toFront = () => {
    if (window.isDestroyed()) return;
    if (window.isMinimized()) window.restore();
    window.focus();
  };
  const ownContents = () => (window.isDestroyed() ? null : window.webContents);
  const tell = notices({ dialog }, () => window);

  const connections = connectionManager(
    supervisor.send,
    () => new MessageChannelMain(),
    (channel, message, ports) => ownContents()?.postMessage(channel, message, ports),
  );
  const files = fileManager(
    supervisor,
    fileDialogs({ app, dialog }, () => window),
  );
  answerBridge(
    messagesOfPages(electron),
    ownContents,
    {
      ...files,
      connect: connections.connect,
      openLink: (url) => openLink(url, (allowed) => shell.openExternal(allowed)),
      notify: notifier(electron, toFront),
    },
    (error) => process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
  );

  supervisor.onMessage(({ kind }) => {
    if (kind === 'heard') tellStarted();
  });
  supervisor.onState(async (state, { reason }) => {
    if (state === 'ready') connections.engineReady();
    else connections.engineGone();
    if (window.isDestroyed()) return;
    if (state === 'given-up') {
      if (await tell.askEngineAgain(reason ?? '')) supervisor.start();
      else app.quit();
    }
    if (state === 'refused') {
      await tell.engineRefused(reason ?? '');
      app.quit();
    }
  });
  recoverFromCrashes(window.webContents, { ...tell, quit: () => app.quit() }, () => performance.now());
  quitInOrder(app, supervisor.stop);
  app.on('second-instance', toFront);
  supervisor.start();
}
