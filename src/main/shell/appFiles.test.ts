import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentPolicy } from '../../shared/api/contentPolicy.ts';
import { serveAppFiles } from './appFiles.ts';

let folder: string;
let screens: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assize-screens-'));
  screens = join(folder, 'screens');
  mkdirSync(join(screens, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'screens-of-others'));
  writeFileSync(join(screens, 'index.html'), '<!doctype html><title>Assize</title>');
  writeFileSync(join(screens, 'assets/a.js'), 'export {};');
  writeFileSync(join(screens, 'assets/notes.exe'), 'no kind of file of the screens');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'screens-of-others/secret.txt'), 'secret');
  symlinkSync(join(folder, 'secret.txt'), join(screens, 'link.txt'));
  symlinkSync(folder, join(screens, 'up'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const ask = (url: string, method = 'GET') => serveAppFiles(screens)({ method, url });

describe('security 09: app:// serves GET and its exact host only', () => {
  it('serves a listed file with its type and the policy', async () => {
    const page = await ask('app://assize/index.html?x=1#/trials');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<title>Assize');
    expect(Object.fromEntries(page.headers)).toEqual({
      'content-security-policy': contentPolicy([]),
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    const script = await ask('app://assize/assets/a.js');
    expect([script.headers.get('content-type'), await script.text()]).toEqual(['text/javascript; charset=utf-8', 'export {};']);
  });

  it('answers HEAD without a body', async () => {
    const answer = await ask('app://assize/index.html', 'HEAD');
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'get', 'PATCH'])('refuses %s', async (method) => {
    const answer = await ask('app://assize/index.html', method);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(answer.headers.get('content-security-policy')).toBe(contentPolicy([]));
  });

  it.each([
    'app://assize.evil/index.html',
    'app://evil/index.html',
    'app://ASSIZE/index.html',
    'app://assize:80/index.html',
    'app://user@assize/index.html',
    'app://assize@evil/index.html',
    'app:index.html',
    'app:///index.html',
    'https://assize/index.html',
    'file:///index.html',
    'not an address',
  ])('refuses the host of %s', async (url) => {
    expect((await ask(url)).status).toBe(404);
  });

  it.each([
    'app://assize/',
    'app://assize/../secret.txt',
    'app://assize/assets/../../secret.txt',
    'app://assize/assets/../index.html',
    'app://assize/%2e%2e/secret.txt',
    'app://assize/..%2fsecret.txt',
    'app://assize/..\\secret.txt',
    'app://assize/..%5csecret.txt',
    'app://assize/index%2ehtml',
    'app://assize/index.html%00',
    'app://assize/index.html\0',
    'app://assize//index.html',
    'app://assize/link.txt',
    'app://assize/up/secret.txt',
    'app://assize/../screens-of-others/secret.txt',
    'app://assize-of-others/secret.txt',
    'app://assize/assets',
    'app://assize/assets/notes.exe',
    'app://assize/toString',
    'app://assize/__proto__',
  ])('has no file at %j', async (url) => {
    const answer = await ask(url);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('secret');
  });

  it('refuses a file that became a link after the list was made', async () => {
    const serve = serveAppFiles(screens);
    rmSync(join(screens, 'assets/a.js'));
    symlinkSync(join(folder, 'secret.txt'), join(screens, 'assets/a.js'));
    expect((await serve({ method: 'GET', url: 'app://assize/assets/a.js' })).status).toBe(404);
    rmSync(join(screens, 'assets'), { recursive: true });
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'assets/a.js'), 'secret');
    symlinkSync(join(folder, 'assets'), join(screens, 'assets'));
    expect((await serve({ method: 'GET', url: 'app://assize/assets/a.js' })).status).toBe(404);
  });

  it('says no file is there when one was removed', async () => {
    const serve = serveAppFiles(screens);
    rmSync(join(screens, 'index.html'));
    expect((await serve({ method: 'GET', url: 'app://assize/index.html' })).status).toBe(404);
  });
});
