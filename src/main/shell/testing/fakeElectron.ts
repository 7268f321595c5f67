import { EventEmitter } from 'node:events';
import type { ElectronModule } from '../electronModule.ts';

/** A call that the program made: `object.method`, and its words. */
export interface Call {
  readonly name: string;
  readonly words: readonly unknown[];
}

/**
 * An object that has only the given parts. Reading any other throws, so that a test fails where the program
 * uses more of Electron than the test knows of.
 */
export function scripted<Real extends object>(name: string, parts: { [Key in keyof Real]?: unknown }): Real {
  return new Proxy(parts as Real, {
    get(target, key) {
      if (key in target) return Reflect.get(target, key);
      if (typeof key === 'symbol' || key === 'then') return undefined;
      throw new Error(`${name}.${key} is not scripted`);
    },
  });
}

export interface FakeContents extends EventEmitter {
  readonly mainFrame: FakeFrame;
  readonly posted: { channel: string; message: unknown; ports: unknown[] }[];
  readonly openHandlers: (() => { action: string })[];
  readonly reloads: number[];
}

export interface FakeFrame {
  origin: string;
  url: string;
  parent: object | null;
}

export function fakeContents(): FakeContents {
  const posted: FakeContents['posted'] = [];
  const openHandlers: FakeContents['openHandlers'] = [];
  const reloads: number[] = [];
  return Object.assign(new EventEmitter(), {
    mainFrame: { origin: 'app://assize', url: 'app://assize/index.html', parent: null },
    posted,
    openHandlers,
    reloads,
    postMessage: (channel: string, message: unknown, ports: unknown[]) => posted.push({ channel, message, ports }),
    setWindowOpenHandler: (handler: () => { action: string }) => openHandlers.push(handler),
    reload: () => reloads.push(reloads.length + 1),
  });
}

export interface FakeEngine extends EventEmitter {
  readonly modulePath: string;
  readonly launch: unknown;
  readonly sent: { message: unknown; ports: unknown[] }[];
}

export interface FakeElectron {
  readonly electron: ElectronModule;
  readonly calls: readonly Call[];
  named(name: string): readonly Call[];
  readonly app: EventEmitter;
  readonly contents: FakeContents;
  readonly window: EventEmitter;
  readonly engines: readonly FakeEngine[];
  /** Handlers of Electron's session, by the name of the method that took them. */
  readonly policies: ReadonlyMap<string, (...words: never[]) => unknown>;
  /** Lets a page's message arrive. */
  invoke(channel: string, event: object, ...words: unknown[]): Promise<unknown>;
  send(channel: string, event: object, ...words: unknown[]): void;
  readonly protocolHandler: (request: Request) => Promise<Response>;
  /** Answers of dialogs, in order, by the name of the method. */
  readonly answers: Record<'showOpenDialog' | 'showSaveDialog' | 'showMessageBox', unknown[]>;
}

/** Electron as the shell uses it: every call is recorded, dialogs answer as scripted, all else throws. */
export function fakeElectron({ packaged = true, lock = true, appPath = '/nowhere' } = {}): FakeElectron {
  const calls: Call[] = [];
  const record =
    (name: string, result: unknown = undefined) =>
    (...words: unknown[]) => {
      calls.push({ name, words });
      return result;
    };
  const app = new EventEmitter();
  const session = new EventEmitter();
  const contents = fakeContents();
  const policies: Map<string, (...words: never[]) => unknown> = new Map();
  const policy = (name: string) => (handler: (...words: never[]) => unknown) => void policies.set(name, handler);
  const policied = Object.assign(session, {
    ...Object.fromEntries(
      [
        'setPermissionRequestHandler',
        'setPermissionCheckHandler',
        'setDevicePermissionHandler',
        'setDisplayMediaRequestHandler',
        'setBluetoothPairingHandler',
        'setUSBProtectedClassesHandler',
      ].map((name) => [name, policy(name)]),
    ),
    setSpellCheckerEnabled: record('session.setSpellCheckerEnabled'),
    webRequest: { onBeforeRequest: policy('onBeforeRequest') },
  });
  const invokers: Map<string, (event: object, ...words: unknown[]) => Promise<unknown>> = new Map();
  const messages = new EventEmitter();
  const engines: FakeEngine[] = [];
  const answers: FakeElectron['answers'] = { showOpenDialog: [], showSaveDialog: [], showMessageBox: [] };
  const dialog =
    (name: keyof typeof answers) =>
    async (...words: unknown[]) => {
      calls.push({ name: `dialog.${name}`, words });
      const answer = answers[name].shift();
      if (answer === undefined) throw new Error(`dialog.${name} is not scripted`);
      return answer;
    };
  const window = new EventEmitter();
  const windowParts = Object.assign(window, {
    webContents: contents,
    isDestroyed: () => false,
    isMinimized: () => true,
    isMaximized: () => false,
    getNormalBounds: () => ({ x: 5, y: 6, width: 1000, height: 700 }),
    ...Object.fromEntries(['show', 'maximize', 'restore', 'focus'].map((name) => [name, record(`window.${name}`)])),
    loadURL: record('window.loadURL', Promise.resolve()),
  });
  let protocolHandler: FakeElectron['protocolHandler'] = () => Promise.reject(new Error('protocol.handle was not called'));
  let ports = 0;

  const electron = scripted<ElectronModule>('electron', {
    app: scripted<ElectronModule['app']>(
      'app',
      Object.assign(app, {
        isPackaged: packaged,
        setPath: record('app.setPath'),
        getPath: (name: string) => `/fake/${name}`,
        getAppPath: () => appPath,
        requestSingleInstanceLock: record('app.requestSingleInstanceLock', lock),
        enableSandbox: record('app.enableSandbox'),
        commandLine: { appendSwitch: record('app.commandLine.appendSwitch') },
        quit: record('app.quit'),
        exit: record('app.exit'),
        whenReady: record('app.whenReady', Promise.resolve()),
      }),
    ),
    protocol: scripted<ElectronModule['protocol']>('protocol', {
      registerSchemesAsPrivileged: record('protocol.registerSchemesAsPrivileged'),
      handle: (scheme: string, handler: FakeElectron['protocolHandler']) => {
        calls.push({ name: 'protocol.handle', words: [scheme] });
        protocolHandler = handler;
      },
    }),
    session: scripted<ElectronModule['session']>('session', { defaultSession: policied }),
    dialog: scripted<ElectronModule['dialog']>('dialog', {
      showOpenDialog: dialog('showOpenDialog'),
      showSaveDialog: dialog('showSaveDialog'),
      showMessageBox: dialog('showMessageBox'),
      showErrorBox: record('dialog.showErrorBox'),
    }),
    Menu: scripted<ElectronModule['Menu']>('Menu', {
      buildFromTemplate: (template: unknown) => template,
      setApplicationMenu: record('Menu.setApplicationMenu'),
    }),
    MessageChannelMain: class {
      readonly port1: string;
      readonly port2: string;

      constructor() {
        ports += 1;
        this.port1 = `engine end ${ports}`;
        this.port2 = `page end ${ports}`;
      }
    },
    nativeTheme: scripted<ElectronModule['nativeTheme']>('nativeTheme', { shouldUseDarkColors: true }),
    screen: scripted<ElectronModule['screen']>('screen', {
      getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
    }),
    shell: scripted<ElectronModule['shell']>('shell', { openExternal: record('shell.openExternal', Promise.resolve()) }),
    utilityProcess: scripted<ElectronModule['utilityProcess']>('utilityProcess', {
      fork: (modulePath: string, [launch]: string[], options: unknown) => {
        calls.push({ name: 'utilityProcess.fork', words: [modulePath, options] });
        const sent: FakeEngine['sent'] = [];
        const engine = Object.assign(new EventEmitter(), {
          modulePath,
          launch: JSON.parse(launch ?? 'null') as unknown,
          sent,
          postMessage: (message: unknown, transferred: unknown[]) => sent.push({ message, ports: transferred }),
          pid: undefined,
          kill: record('engine.kill', true),
        });
        engines.push(engine);
        return engine;
      },
    }),
    ipcMain: scripted<ElectronModule['ipcMain']>('ipcMain', {
      handle: (channel: string, listener: (event: object, ...words: unknown[]) => Promise<unknown>) =>
        void invokers.set(channel, listener),
      on: (channel: string, listener: (...words: unknown[]) => void) => messages.on(channel, listener),
    }),
    Notification: class extends EventEmitter {
      static readonly isSupported = () => true;

      constructor(words: unknown) {
        super();
        calls.push({ name: 'new Notification', words: [words, this] });
      }

      readonly show = record('notification.show');
    },
    BrowserWindow: class {
      constructor(options: unknown) {
        calls.push({ name: 'new BrowserWindow', words: [options] });
        // biome-ignore lint/correctness/noConstructorReturn: it takes the place of a class of Electron
        return windowParts;
      }
    },
  });

  return {
    electron,
    calls,
    named: (name) => calls.filter((call) => call.name === name),
    app,
    contents,
    window,
    engines,
    policies,
    answers,
    async invoke(channel, event, ...words) {
      const handler = invokers.get(channel);
      if (handler === undefined) throw new Error(`nothing handles ${channel}`);
      return handler(event, ...words);
    },
    send(channel, event, ...words) {
      if (!messages.emit(channel, event, ...words)) throw new Error(`nothing listens to ${channel}`);
    },
    get protocolHandler() {
      return protocolHandler;
    },
  };
}
