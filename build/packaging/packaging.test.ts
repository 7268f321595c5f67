import { fork, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extractAll, extractFile, getRawHeader, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { build } from 'electron-builder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { contract } from '../../src/shared/api/contract.ts';
import { fromEngineSchema, type Launch } from '../../src/shared/api/control.ts';
import { freshen } from '../fresh.ts';
import { program } from '../products.ts';
import { root } from '../repository.ts';
import { packaging } from './config.ts';

const folder = mkdtempSync(join(tmpdir(), 'assize-packaging-'));
const archive = join(folder, 'packages/linux-unpacked/resources/app.asar');
const built = join(root, 'out');
let listed: string[];

/** By this text `@electron/fuses` finds the fuses in an executable. */
const fuseSentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** The least that electron-builder takes for Electron: an executable of no program, with a fuse wire as Electron's own has it. */
function writeRuntimeStub(): string {
  const runtime = join(folder, 'runtime');
  mkdirSync(join(runtime, 'locales'), { recursive: true });
  mkdirSync(join(runtime, 'resources'));
  const wire = Buffer.concat([Buffer.from(fuseSentinel), Buffer.from([1, 9]), Buffer.from('101100011')]);
  writeFileSync(join(runtime, 'electron'), Buffer.concat([Buffer.alloc(64), wire, Buffer.alloc(64)]));
  chmodSync(join(runtime, 'electron'), 0o755);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'locales/en-US.pak'])
    writeFileSync(join(runtime, name), '');
  return runtime;
}

beforeAll(async () => {
  await freshen([program]);
  const output = join(folder, 'packages');
  await build({
    projectDir: root,
    config: {
      ...packaging(built),
      electronDist: writeRuntimeStub(),
      directories: { ...packaging(built).directories, output },
    },
    linux: ['dir'],
    x64: true,
    publish: 'never',
  });
  listed = listPackage(archive, { isPack: false }).map((path) => path.replaceAll('\\', '/').slice(1));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a setting that electron-builder does not know is refused before anything is packed', async () => {
  const config = { ...packaging(built), directories: { output: join(folder, 'refused') }, electronFuzes: {} };
  await expect(build({ projectDir: root, config, linux: ['dir'], publish: 'never' })).rejects.toThrow(
    "unknown property 'electronFuzes'",
  );
});

describe('what ships', () => {
  it('holds every part of the program', () => {
    expect(listed).toEqual(
      expect.arrayContaining([
        'package.json',
        'LICENSE',
        'out/main/index.js',
        'out/main/engine.js',
        'out/main/query-worker.js',
        'out/main/retrieval-worker.js',
        'out/preload/index.cjs',
        'out/renderer/index.html',
        'out/main/licences.txt',
        'out/renderer/licences.txt',
        'resources/samples/nlsy97/nlsy97-60.csv',
        'build/icons/icon.png',
        'node_modules/better-sqlite3/lib/index.js',
        'node_modules/piscina/dist/worker.js',
      ]),
    );
    const manifest = JSON.parse(extractFile(archive, 'package.json').toString()) as Record<string, unknown>;
    expect(manifest).toMatchObject({ main: 'out/main/index.js', type: 'module', productName: 'Assize' });
    expect(listed).toContain(manifest.main);
  });

  it('holds nothing else', () => {
    const strangers = listed.filter(
      (path) =>
        /\.test\.|\.spec\.|\/testing\/|\.tsx?$|\.map$|(^|\/)(e2e|bench|docs|src)\//.test(path) ||
        !/^(package\.json|LICENSE|build(\/icons(\/icon\.png)?)?|out(\/|$)|resources(\/|$)|node_modules(\/|$))/.test(path),
    );
    expect(strangers).toEqual([]);
    expect([...new Set(listed.flatMap((path) => /^node_modules\/([^/]+)$/.exec(path)?.[1] ?? []))]).toEqual([
      'better-sqlite3',
      'piscina',
    ]);
    expect([...new Set(listed.flatMap((path) => /^out\/([^/]+(?:\/[^/.]+)?)$/.exec(path)?.[1] ?? []))].sort()).toEqual([
      'main',
      'preload',
      'renderer',
      'renderer/assets',
    ]);
    expect(listed.filter((path) => path.startsWith('out/preload/'))).toEqual([
      'out/preload/index.cjs',
      'out/preload/licences.txt',
    ]);
  });

  it('keeps as plain files the one binary of this system, and the samples', () => {
    const plain = (path: string) => statSync(join(`${archive}.unpacked`, path)).isFile();
    expect(listed.filter((path) => path.endsWith('.node'))).toEqual(['node_modules/better-sqlite3/prebuilds/linux-x64.node']);
    expect(plain('node_modules/better-sqlite3/prebuilds/linux-x64.node')).toBe(true);
    expect(plain('resources/samples/nlsy97/nlsy97-60.csv')).toBe(true);
    expect(() => plain('out/main/index.js')).toThrow('ENOENT');
  });

  it('is of a sensible size', () => {
    // Bytes: 13.0 million, of which the engine and its worker are 7.7. A development package taken along would be noticed.
    expect(statSync(archive).size).toBeLessThan(13_500_000);
  });

  it('carries a hash of every packed file', () => {
    const withoutHash: string[] = [];
    const walk = (node: { files?: Record<string, object>; integrity?: object }, path: string): void => {
      if (node.files === undefined) {
        if (node.integrity === undefined) withoutHash.push(path);
      } else for (const [name, child] of Object.entries(node.files)) walk(child, `${path}/${name}`);
    };
    walk(getRawHeader(archive).header as { files: Record<string, object> }, '');
    expect(withoutHash).toEqual([]);
  });
});

it('security 21: the fuses are set, and read back', async () => {
  const { version: _version, ...wire } = await getCurrentFuseWire(join(folder, 'packages/linux-unpacked/assize'));
  const { ENABLE, DISABLE } = FuseState;
  expect(wire).toMatchObject({
    [FuseV1Options.RunAsNode]: DISABLE,
    [FuseV1Options.EnableCookieEncryption]: ENABLE,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: DISABLE,
    [FuseV1Options.EnableNodeCliInspectArguments]: DISABLE,
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: ENABLE,
    [FuseV1Options.OnlyLoadAppFromAsar]: ENABLE,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: DISABLE,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: DISABLE,
  });
});

/** Electron as far as the shell's start needs it, for a process of Node: prints what the shell asked for, and ends. */
const electronStub = (program: string) => `
  import { EventEmitter } from 'node:events';
  import { registerHooks } from 'node:module';
  globalThis.asked = {};
  const nothing = () => undefined;
  const session = Object.assign(new EventEmitter(), { webRequest: { onBeforeRequest: nothing } }, Object.fromEntries(
    ['PermissionRequest', 'PermissionCheck', 'DevicePermission', 'DisplayMediaRequest', 'BluetoothPairing', 'USBProtectedClasses']
      .map((name) => ['set' + name + 'Handler', nothing])), { setSpellCheckerEnabled: nothing });
  class Window extends EventEmitter {
    webContents = Object.assign(new EventEmitter(), { postMessage: nothing });
    constructor({ webPreferences, icon }) { super(); Object.assign(asked, { preload: webPreferences.preload, icon }); }
    loadURL(url) { asked.url = url; return Promise.resolve(); }
    isDestroyed() { return false; }
  }
  globalThis.electronParts = {
    app: Object.assign(new EventEmitter(), { isPackaged: true, getAppPath: () => ${JSON.stringify(program)}, setPath: nothing,
      requestSingleInstanceLock: () => true, enableSandbox: nothing, commandLine: { appendSwitch: nothing }, whenReady: () => Promise.resolve(), quit: nothing }),
    protocol: { registerSchemesAsPrivileged: nothing, handle: (scheme, handler) => { globalThis.handler = handler; } },
    session: { defaultSession: session }, dialog: {}, nativeTheme: {}, shell: {}, BrowserWindow: Window, MessageChannelMain: class {},
    Menu: { buildFromTemplate: nothing, setApplicationMenu: nothing }, screen: { getAllDisplays: () => [] },
    ipcMain: { handle: nothing, on: nothing },
    utilityProcess: { fork(engine, [launch]) {
      Object.assign(asked, { engine, ...JSON.parse(launch) });
      globalThis.handler({ method: 'GET', url: asked.url }).then(({ status }) => {
        process.stdout.write(JSON.stringify({ ...asked, status }), () => process.exit(0));
      });
      return new EventEmitter();
    } },
  };
  const source = Object.keys(electronParts).map((name) => 'export const ' + name + ' = electronParts.' + name + ';').join('');
  registerHooks({ resolve: (specifier, context, next) => specifier === 'electron'
    ? { url: 'data:text/javascript,' + encodeURIComponent(source), shortCircuit: true } : next(specifier, context) });
`;

it('the shell that ships finds its parts', () => {
  const shipped = join(folder, 'shell/app');
  extractAll(archive, shipped);
  const electron = join(folder, 'electronStub.mjs');
  writeFileSync(electron, electronStub(shipped));
  const entry = join(shipped, 'out/main/index.js');
  const store = join(folder, 'shell/store.db');
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', pathToFileURL(electron).href, entry], {
    encoding: 'utf8',
    // An address that a packed program does not even know of.
    env: { ...process.env, ASSIZE_STORE: store, ELECTRON_RENDERER_URL: 'http://127.0.0.1:1' },
  });
  expect(stderr).toBe('');
  expect(readFileSync(entry, 'utf8')).not.toContain('ELECTRON_RENDERER_URL');
  const asked = JSON.parse(stdout) as Record<string, unknown>;
  expect(asked).toMatchObject({ url: 'app://assize/index.html', status: 200, store, incarnation: 1 });
  for (const part of ['preload', 'engine', 'resources', 'icon']) {
    expect(String(asked[part]).startsWith(shipped), part).toBe(true);
    expect(existsSync(String(asked[part])), part).toBe(true);
  }
});

// It has the binary of one system.
it.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the engine that ships starts with what ships alone, answers, and ends in order',
  async () => {
    const shipped = join(folder, 'shipped');
    extractAll(archive, shipped);
    const [store, resources] = [join(folder, 'store/assize.db'), join(shipped, 'resources')];
    const launch: Launch = { store, resources, incarnation: 1, session: 'one' };
    const engine = fork(join(shipped, 'out/main/engine.js'), [JSON.stringify(launch)], {
      cwd: folder,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let log = '';
    engine.stderr?.on('data', (text) => {
      log += text;
    });
    const exit = new Promise<number | null>((resolve) => engine.once('exit', resolve));
    const received = new EventTarget();
    const ready = new Promise<void>((resolve, reject) => {
      engine.on('message', (raw) => {
        const message = fromEngineSchema.parse(raw);
        if (message.kind === 'ready') resolve();
        if (message.kind === 'data') received.dispatchEvent(new MessageEvent('message', { data: message.data }));
      });
      void exit.then((code) => reject(new Error(`the engine ended with ${code}: ${log}`)));
    });
    await ready;
    engine.send({ kind: 'connect', connection: 1 });
    const port = Object.assign(received, {
      postMessage: (data: unknown) => void engine.send({ kind: 'data', connection: 1, data } as object),
    });
    const api: ContractRouterClient<typeof contract> = createORPCClient(new RPCLink({ port }));
    // The samples are read from their files by a worker thread, and the store with its binary.
    const entries = await api.dataFiles.list({});
    expect(entries.map(({ bundled }) => bundled)).toContain(true);
    expect(await api.experiments.list({})).toEqual({ experiments: [], unreadable: [] });
    engine.send({ kind: 'stop' });
    expect(await exit).toBe(0);
  },
);
