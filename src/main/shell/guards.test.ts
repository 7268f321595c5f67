import type { EventEmitter } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { allowedLink, linkHosts, openLink } from './links.ts';
import { menuTemplate } from './menu.ts';
import { deniedNavigations, guardNavigation } from './navigation.ts';
import { appScheme, startPage } from './scheme.ts';
import { isOwnSender, type SenderFrame } from './sender.ts';
import { applySessionPolicy } from './sessionPolicy.ts';
import { fakeContents, fakeElectron } from './testing/fakeElectron.ts';
import { webPreferences } from './webPreferences.ts';

describe('security 02: every preference of the page is stated', () => {
  it.each([true, false])('packaged %s', (packaged) => {
    const preferences = webPreferences('/preload.cjs', packaged);
    expect(preferences).toEqual({
      preload: '/preload.cjs',
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
    expect(Object.isFrozen(preferences)).toBe(true);
  });
});

describe('security 06: only the main frame of the own window is heard', () => {
  const own = fakeContents();
  const page: SenderFrame = own.mainFrame;

  it('hears it', () => {
    expect(isOwnSender({ sender: own, senderFrame: page }, own)).toBe(true);
  });

  it('hears no one while there is no window', () => {
    expect(isOwnSender({ sender: own, senderFrame: page }, null)).toBe(false);
  });

  it.each<[string, Partial<SenderFrame> | null]>([
    ['no frame', null],
    ['a sub-frame', { parent: page }],
    ['about:blank', { origin: 'null', url: 'about:blank' }],
    ['about:blank that inherited the origin', { url: 'about:blank' }],
    ['a foreign page', { origin: 'https://evil.example', url: 'https://evil.example/' }],
    [
      'a foreign page with our address within',
      { origin: 'https://evil.example', url: 'https://evil.example/?next=app://assize/' },
    ],
    ['a lookalike host', { origin: 'app://assize.evil', url: 'app://assize.evil/index.html' }],
    ['a host that starts alike', { origin: 'app://assize-x', url: 'app://assize-x/index.html' }],
    ['another scheme', { origin: 'apps://assize', url: 'apps://assize/index.html' }],
    ['an own origin with a foreign address', { url: 'app://assize.evil/index.html' }],
    ['a foreign origin with an own address', { origin: 'app://evil' }],
  ])('refuses %s', (_name, frame) => {
    if (frame === null) {
      expect(isOwnSender({ sender: own, senderFrame: null }, own)).toBe(false);
      return;
    }
    // As the main frame of the window, so that nothing but the named difference can be what is refused.
    const hostile = { ...page, ...frame };
    const window = Object.assign(fakeContents(), { mainFrame: hostile });
    expect(isOwnSender({ sender: window, senderFrame: hostile }, window)).toBe(false);
  });

  it('refuses another window with the same page', () => {
    const other = fakeContents();
    expect(isOwnSender({ sender: other, senderFrame: other.mainFrame as SenderFrame }, own)).toBe(false);
    expect(isOwnSender({ sender: own, senderFrame: other.mainFrame as SenderFrame }, own)).toBe(false);
  });

  it('refuses a frame that is gone', () => {
    const gone = {
      parent: null,
      get origin(): string {
        throw new Error('Render frame was disposed');
      },
      url: page.url,
    };
    const window = Object.assign(fakeContents(), { mainFrame: gone });
    expect(isOwnSender({ sender: window, senderFrame: gone }, window)).toBe(false);
  });
});

describe('security 10: the scheme has the least privileges', () => {
  it('is exactly this', () => {
    expect(appScheme).toEqual({ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } });
    expect(startPage).toBe('app://assize/index.html');
  });
});

describe('security 14: permissions, devices, capture and downloads are denied', () => {
  const policiesOf = (packaged: boolean, development: URL | null = null) => {
    const fake = fakeElectron();
    const session = fake.electron.session.defaultSession;
    applySessionPolicy(session, packaged, development);
    const policy = (name: string) => fake.policies.get(name) as (...words: unknown[]) => unknown;
    return { fake, session: session as unknown as EventEmitter, policy };
  };

  it.each(['media', 'geolocation', 'notifications', 'clipboard-read', 'fileSystem', 'openExternal', 'unknown'])(
    'denies %s',
    (permission) => {
      const { policy } = policiesOf(true);
      const callback = vi.fn();
      policy('setPermissionRequestHandler')({}, permission, callback, { requestingUrl: startPage, isMainFrame: true });
      expect(callback.mock.calls).toEqual([[false]]);
      expect(policy('setPermissionCheckHandler')(null, permission, 'app://assize/', { isMainFrame: true })).toBe(false);
    },
  );

  it.each([
    [startPage, 'app://assize/', true, true],
    [startPage, 'app://assize', true, true],
    [startPage, 'app://assize/', false, false],
    ['app://assize.evil/', 'app://assize.evil/', true, false],
    ['https://evil.example/?app://assize/', 'https://evil.example/', true, false],
    ['', '', true, false],
  ])('copying text, asked by %s of %s in a main frame (%s), is granted: %s', (requestingUrl, origin, isMainFrame, granted) => {
    const { policy } = policiesOf(true);
    const callback = vi.fn();
    policy('setPermissionRequestHandler')({}, 'clipboard-sanitized-write', callback, { requestingUrl, isMainFrame });
    expect(callback.mock.calls).toEqual([[granted]]);
    expect(policy('setPermissionCheckHandler')(null, 'clipboard-sanitized-write', origin, { isMainFrame })).toBe(granted);
  });

  it('denies devices, capture and pairing', () => {
    const { policy } = policiesOf(true);
    expect(policy('setDevicePermissionHandler')({ deviceType: 'usb' })).toBe(false);
    const capture = vi.fn();
    policy('setDisplayMediaRequestHandler')({}, capture);
    expect(capture.mock.calls).toEqual([[null]]);
    const pairing = vi.fn();
    policy('setBluetoothPairingHandler')({}, pairing);
    expect(pairing.mock.calls).toEqual([[{ confirmed: false }]]);
    expect(policy('setUSBProtectedClassesHandler')({ protectedClasses: ['hid', 'audio'] })).toEqual(['hid', 'audio']);
  });

  it('switches the spelling checker off, which would fetch dictionaries', () => {
    expect(policiesOf(true).fake.named('session.setSpellCheckerEnabled')).toEqual([
      { name: 'session.setSpellCheckerEnabled', words: [false] },
    ]);
  });

  it('security 15: cancels every download', () => {
    const { session } = policiesOf(true);
    const event = { preventDefault: vi.fn() };
    expect(session.emit('will-download', event)).toBe(true);
    expect(event.preventDefault).toHaveBeenCalledOnce();
  });

  it.each([
    ['app://assize/index.html', true, false],
    ['data:image/png;base64,AAAA', true, false],
    ['devtools://devtools/bundled/inspector.html', true, true],
    ['devtools://devtools/bundled/inspector.html', false, false],
    ['app://assize.evil/', true, true],
    ['app://assize', true, true],
    ['https://example.org/', true, true],
    ['http://127.0.0.1:11434/api/tags', true, true],
    ['ws://127.0.0.1/', true, true],
    ['file:///etc/passwd', true, true],
    ['blob:app://assize/1', true, true],
    ['chrome-extension://x/', false, true],
  ])('security 17: request for %s, packaged %s, is cancelled: %s', (url, packaged, cancel) => {
    const callback = vi.fn();
    policiesOf(packaged).policy('onBeforeRequest')({ url }, callback);
    expect(callback.mock.calls).toEqual([[{ cancel }]]);
  });
});

describe('security 15: the page cannot become another one', () => {
  it('denies every navigation', () => {
    expect(deniedNavigations).toEqual(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview']);
    const contents = fakeContents();
    guardNavigation(contents as unknown as Parameters<typeof guardNavigation>[0]);
    for (const name of deniedNavigations) {
      for (const url of ['https://evil.example/', 'app://assize/other.html', 'about:blank']) {
        const event = { url, preventDefault: vi.fn() };
        expect(contents.emit(name, event)).toBe(true);
        expect(event.preventDefault, `${name} ${url}`).toHaveBeenCalledOnce();
      }
    }
  });

  it('denies every new window', () => {
    const contents = fakeContents();
    guardNavigation(contents as unknown as Parameters<typeof guardNavigation>[0]);
    expect(contents.openHandlers.map((handler) => handler())).toEqual([{ action: 'deny' }]);
  });
});

describe('security 16: links are parsed against the list of hosts', () => {
  it.each(linkHosts)('allows %s', async (host) => {
    const opened: string[] = [];
    const open = (url: string) => Promise.resolve(void opened.push(url));
    expect(await openLink(`https://${host}/abs/1?x=1#y`, open)).toBe(true);
    expect(opened).toEqual([`https://${host}/abs/1?x=1#y`]);
  });

  it.each([
    'https://evil/?next=app://',
    'https://evil.example/?next=https://arxiv.org/',
    'https://evil.example/#arxiv.org',
    'https://arxiv.org.evil.example/',
    'https://evilarxiv.org/',
    'https://arxiv.org@evil.example/',
    'https://user:secret@arxiv.org/',
    'https://arxiv.org:8443/',
    'https://sub.arxiv.org/',
    'https://arxiv.org./',
    'https://\u0430rxiv.org/',
    'http://arxiv.org/',
    'app://assize/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://arxiv.org/share',
    'ms-msdt:/id',
    '//arxiv.org/',
    'arxiv.org',
    '',
    ` https://arxiv.org/${'x'.repeat(2000)}`,
    null,
    { toString: () => 'https://arxiv.org/' },
  ])('refuses %j', async (link) => {
    const open = vi.fn();
    expect(await openLink(link, open)).toBe(false);
    expect(open).not.toHaveBeenCalled();
  });

  it('hands over the parsed form, not what was sent', () => {
    expect(allowedLink('HTTPS://ARXIV.ORG/a/../b\n')).toBe('https://arxiv.org/b');
    // A backslash is a slash to a browser: this leads to arxiv.org, despite its look.
    expect(allowedLink('https://arxiv.org\\@evil.example/')).toBe('https://arxiv.org/@evil.example/');
  });
});

describe('menu', () => {
  const rolesOf = (platform: NodeJS.Platform, packaged: boolean) => JSON.stringify(menuTemplate(platform, packaged));

  it.each<NodeJS.Platform>(['linux', 'win32', 'darwin'])(
    'on %s has no way into the insides of a packaged program',
    (platform) => {
      expect(rolesOf(platform, true)).not.toMatch(/reload|toggleDevTools|forceReload/i);
      expect(rolesOf(platform, false)).toMatch(/"reload".*"toggleDevTools"/);
      for (const role of ['copy', 'paste', 'zoomIn', 'close']) expect(rolesOf(platform, true)).toContain(`"${role}"`);
    },
  );
});
