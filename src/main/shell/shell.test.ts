import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { bridgeChannels } from '../../shared/api/bridge.ts';
import { launchSchema } from '../../shared/api/control.ts';
import { badInput } from '../../shared/errors.ts';
import { refuseStart } from './dialogs.ts';
import { startShell } from './shell.ts';
import { type FakeElectron, fakeContents, fakeElectron } from './testing/fakeElectron.ts';
import { engineOf, folder, inOwnPlaces, page, places, sentTo, started } from './testing/startedShell.ts';
import { webPreferences } from './webPreferences.ts';

inOwnPlaces();

describe('the start', () => {
  it('puts every guard in place before Electron is ready, and the window after', async () => {
    const fake = await started();
    const order = fake.calls.map(({ name }) => name);
    expect(order.slice(0, order.indexOf('app.whenReady') + 1)).toEqual([
      'app.setPath',
      'app.requestSingleInstanceLock',
      'app.enableSandbox',
      'app.commandLine.appendSwitch',
      'protocol.registerSchemesAsPrivileged',
      'app.whenReady',
    ]);
    for (const event of ['session-created', 'web-contents-created', 'window-all-closed']) {
      expect(fake.app.listenerCount(event), event).toBe(1);
    }
    expect(order.indexOf('protocol.handle')).toBeLessThan(order.indexOf('new BrowserWindow'));
    expect([...fake.policies.keys()]).toContain('setPermissionRequestHandler');
    expect(fake.named('window.loadURL')[0]?.words).toEqual(['app://assize/index.html']);
  });

  it('security 02: opens its window with exactly these preferences', async () => {
    const fake = await started();
    const [options] = fake.named('new BrowserWindow')[0]?.words ?? [];
    expect(options).toMatchObject({ show: false, backgroundColor: '#16171a', title: 'Assize' });
    expect(options).toHaveProperty('webPreferences', webPreferences(places.preload, true));
    expect(fake.named('window.show')).toHaveLength(0);
    fake.window.emit('ready-to-show');
    expect(fake.named('window.show')).toHaveLength(1);
  });

  it('serves the screens under its scheme', async () => {
    const fake = await started();
    expect(fake.named('protocol.handle')[0]?.words).toEqual(['app']);
    expect((await fake.protocolHandler(new Request('app://assize/index.html'))).status).toBe(200);
    expect((await fake.protocolHandler(new Request('app://evil/index.html'))).status).toBe(404);
  });

  it('launches the engine with its store', async () => {
    vi.stubEnv('NODE_OPTIONS', '--inspect');
    const fake = await started();
    vi.unstubAllEnvs();
    expect(fake.named('utilityProcess.fork')[0]?.words).toEqual([
      places.engine,
      { serviceName: 'Assize engine', stdio: 'inherit', env: expect.not.objectContaining({ NODE_OPTIONS: '--inspect' }) },
    ]);
    expect(launchSchema.parse(engineOf(fake).launch)).toEqual({
      store: places.store,
      resources: places.resources,
      incarnation: 1,
      session: expect.stringMatching(/^[0-9a-f-]{36}$/),
      awaitPage: true,
    });
  });

  it('yields to a program that runs already', () => {
    const fake = fakeElectron({ lock: false });
    const ready = vi.fn();
    startShell(fake.electron, places, ready);
    expect(ready).toHaveBeenCalledOnce();
    expect(fake.calls.map(({ name }) => name)).toEqual(['app.setPath', 'app.requestSingleInstanceLock', 'app.quit']);
  });

  it('says that it has started when a page has reached the engine, and not before', async () => {
    const ready = vi.fn();
    const fake = await started(fakeElectron(), ready);
    engineOf(fake).emit('message', { kind: 'ready' });
    fake.send(bridgeChannels.connect, page(fake));
    expect(ready).not.toHaveBeenCalled();
    engineOf(fake).emit('message', { kind: 'heard' });
    expect(ready).toHaveBeenCalledOnce();
  });

  const words = ['--remote-debugging-port=0', '--remote-debugging-pipe', '-inspect', '--INSPECT-brk=1', '/js-flags=--expose-gc'];
  it.each(words)('security 03: the packed program refuses %s before anything is in place', (word) => {
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['/assize', '--lang=de', word]);
    const [packed, unpacked] = [fakeElectron(), fakeElectron({ packaged: false })];
    expect(() => startShell(packed.electron, places, vi.fn())).toThrow(`the switch ${word.split('=')[0]} opens the program`);
    expect(packed.calls).toEqual([]);
    expect(() => startShell(unpacked.electron, places, vi.fn())).not.toThrow();
    vi.restoreAllMocks();
  });

  it('says why it cannot start, and ends', () => {
    const fake = fakeElectron();
    refuseStart(fake.electron, badInput('UNC and device paths are not accepted'));
    expect(fake.calls).toEqual([
      { name: 'dialog.showErrorBox', words: ['Assize cannot start', 'UNC and device paths are not accepted'] },
      { name: 'app.exit', words: [2] },
    ]);
  });

  it('shows its window when it is started again', async () => {
    const fake = await started();
    fake.app.emit('second-instance');
    expect(fake.named('window.restore')).toHaveLength(1);
    expect(fake.named('window.focus')).toHaveLength(1);
  });

  it('guards every further session and contents', async () => {
    const fake = await started();
    const contents = fakeContents();
    fake.app.emit('web-contents-created', {}, contents);
    const event = { preventDefault: vi.fn() };
    contents.emit('will-navigate', event);
    expect(event.preventDefault).toHaveBeenCalledOnce();
    const other = fakeElectron();
    fake.app.emit('session-created', other.electron.session.defaultSession);
    fake.app.emit('session-created', other.electron.session.defaultSession);
    expect(other.named('session.setSpellCheckerEnabled')).toHaveLength(1);
  });

  it('remembers where its window was, and nothing that was typed in it', async () => {
    const typed = join(places.profile, 'Session Storage');
    const fake = await started();
    fake.window.emit('close');
    mkdirSync(typed, { recursive: true });
    const again = await started();
    expect(existsSync(typed)).toBe(false);
    expect(again.named('new BrowserWindow')[0]?.words[0]).toMatchObject({ x: 5, y: 6, width: 1000, height: 700 });
  });

  it.each([
    ['broken', '{'],
    ['of another form', '{"bounds":{"x":0,"y":0,"width":1,"height":1},"maximized":false,"webPreferences":{}}'],
    ['on a display that is gone', '{"bounds":{"x":9000,"y":0,"width":1000,"height":800},"maximized":false}'],
    ['below every display', '{"bounds":{"x":0,"y":1060,"width":1000,"height":800},"maximized":false}'],
  ])('opens a new window where its saved state is %s', async (_name, text) => {
    mkdirSync(places.profile);
    writeFileSync(join(places.profile, 'window.json'), text);
    const fake = await started();
    const [options] = fake.named('new BrowserWindow')[0]?.words ?? [];
    expect(options).toMatchObject({ width: 1320, height: 880 });
    expect(options).not.toHaveProperty('x');
  });
});

describe('the bridge', () => {
  const hostile: [string, (fake: FakeElectron) => object][] = [
    ['null frame', ({ contents }) => ({ sender: contents, senderFrame: null })],
    ['sub-frame', ({ contents }) => ({ sender: contents, senderFrame: { ...contents.mainFrame, parent: contents.mainFrame } })],
    ['foreign window', ({ contents }) => ({ sender: {}, senderFrame: contents.mainFrame })],
  ];

  it.each(hostile)('security 06: nothing is done for a %s', async (_name, eventOf) => {
    const fake = await started();
    engineOf(fake).emit('message', { kind: 'ready' });
    const before = fake.calls.length;
    const words = {
      chooseFile: [],
      takeFile: [places.icon],
      saveExport: ['h'.repeat(32), 'x'],
      openLink: ['https://arxiv.org/'],
      notify: ['Done', 'All of it.'],
    };
    for (const [key, given] of Object.entries(words)) {
      const channel = bridgeChannels[key as keyof typeof words];
      expect(await fake.invoke(channel, eventOf(fake), ...given)).toEqual({ problem: 'The request was refused.' });
    }
    fake.send(bridgeChannels.connect, eventOf(fake));
    expect(fake.calls.slice(before)).toEqual([]);
    expect(sentTo(fake)).toEqual([]);
    expect(fake.contents.posted).toEqual([]);
  });

  it.each<[keyof typeof bridgeChannels, unknown[]]>([
    ['chooseFile', ['/etc/passwd']],
    ['takeFile', []],
    ['takeFile', [{ path: '/etc/passwd' }]],
    ['takeFile', ['x'.repeat(32_769)]],
    ['saveExport', ['h'.repeat(32)]],
    ['saveExport', ['../../etc/passwd', 'x.csv']],
    ['saveExport', ['h'.repeat(32), 'x'.repeat(256)]],
    ['saveExport', ['h'.repeat(32), 'x.csv', '/etc']],
    ['notify', ['Done']],
    ['notify', ['x'.repeat(501), '']],
    ['openLink', [['https://arxiv.org/']]],
    ['openLink', [`https://arxiv.org/${'x'.repeat(2000)}`]],
  ])('security 07: %s refuses %j', async (key, words) => {
    const fake = await started();
    const before = fake.calls.length;
    expect(await fake.invoke(bridgeChannels[key], page(fake), ...words)).toEqual({ problem: 'The request was refused.' });
    expect(fake.calls.slice(before)).toEqual([]);
  });

  it('takes a file from the dialog to the engine, and gives the page only its handle', async () => {
    const fake = await started();
    engineOf(fake).emit('message', { kind: 'ready' });
    const path = join(folder, 'cases.csv');
    writeFileSync(path, 'a,b\n');
    fake.answers.showOpenDialog.push({ canceled: false, filePaths: [path] }, { canceled: true, filePaths: [] });
    const answer = await fake.invoke(bridgeChannels.chooseFile, page(fake));
    const [upload] = sentTo(fake);
    expect(upload).toMatchObject({ kind: 'upload', path, fileName: 'cases.csv', bytes: 4, temporary: false });
    expect(answer).toEqual({ value: { upload: expect.any(String), fileName: 'cases.csv', bytes: 4 } });
    expect(await fake.invoke(bridgeChannels.chooseFile, page(fake))).toEqual({ value: null });
  });

  it('saves an export at the chosen place', async () => {
    const fake = await started();
    const engine = engineOf(fake);
    engine.emit('message', { kind: 'ready' });
    writeFileSync(join(folder, 'export'), 'trial\n');
    const place = join(folder, 'chosen.csv');
    fake.answers.showSaveDialog.push({ canceled: false, filePath: place });
    const saved = fake.invoke(bridgeChannels.saveExport, page(fake), 'h'.repeat(32), 'trials.csv');
    await expect.poll(() => sentTo(fake)).toMatchObject([{ kind: 'take', request: 1 }]);
    engine.emit('message', { kind: 'taken', request: 1, file: { path: join(folder, 'export'), fileName: 'trials.csv' } });
    expect(await saved).toEqual({ value: true });
    expect(readFileSync(place, 'utf8')).toBe('trial\n');
    expect(fake.named('dialog.showSaveDialog')[0]?.words[1]).toMatchObject({
      defaultPath: join('/fake/downloads', 'trials.csv'),
    });
  });

  it('security 08: shows the page nothing of an unexpected failure', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      const fake = await started();
      expect(await fake.invoke(bridgeChannels.chooseFile, page(fake))).toEqual({
        problem: 'The program failed at this; its log says why.',
      });
      expect(written.mock.calls.join()).toContain('dialog.showOpenDialog is not scripted');
    } finally {
      written.mockRestore();
    }
  });

  it('shows a notice of the system, and brings the window to the front when it is pressed', async () => {
    const fake = await started();
    const answers = ['click', 'close'].map(async (event) => {
      const answer = fake.invoke(bridgeChannels.notify, page(fake), 'Rain is finished', event);
      const [, notice] = fake.named('new Notification').at(-1)?.words ?? [];
      if (!(notice instanceof EventEmitter)) throw new Error('no notice was made');
      notice.emit(event);
      return answer;
    });
    expect(await Promise.all(answers)).toEqual([{ value: true }, { value: false }]);
    expect(fake.named('new Notification')[0]?.words[0]).toEqual({ title: 'Rain is finished', body: 'click' });
    expect(fake.named('notification.show')).toHaveLength(2);
    expect(fake.named('window.focus')).toHaveLength(1);
  });

  it('security 16: opens allowed links only', async () => {
    const fake = await started();
    expect(await fake.invoke(bridgeChannels.openLink, page(fake), 'https://arxiv.org/abs/1')).toEqual({ value: true });
    expect(await fake.invoke(bridgeChannels.openLink, page(fake), 'https://evil/?next=app://')).toEqual({ value: false });
    expect(fake.named('shell.openExternal').map(({ words }) => words)).toEqual([['https://arxiv.org/abs/1']]);
  });
});
