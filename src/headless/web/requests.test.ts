import { readFileSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, connect, startTestHost, type TestHost } from './testing.ts';

let host: TestHost;

beforeAll(async () => {
  host = await startTestHost();
});

afterAll(async () => {
  await host.end();
  expect(host.errors).toEqual([]);
});

const ours = () => ({ host: `127.0.0.1:${host.port}` });

describe('security 20: the loopback host answers only this machine', () => {
  test('it listens on 127.0.0.1 and on no other address', async () => {
    expect((await ask(host.port, '/')).status).toBe(200);
    const others = [
      '127.0.0.2',
      ...Object.values(networkInterfaces())
        .flatMap((each) => each ?? [])
        .filter(({ family, address }) => family === 'IPv4' && address !== '127.0.0.1')
        .map(({ address }) => address),
    ];
    for (const address of others) {
      const outcome = await new Promise<string>((resolve) => {
        const socket = connectTo({ host: address, port: host.port });
        socket.on('connect', () => {
          socket.destroy();
          resolve('connected');
        });
        socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'));
      });
      expect(outcome, address).not.toBe('connected');
    }
    if (process.platform === 'linux') {
      const hexPort = host.port.toString(16).toUpperCase().padStart(4, '0');
      const listening = ['tcp', 'tcp6'].flatMap((table) =>
        readFileSync(`/proc/net/${table}`, 'utf8')
          .split('\n')
          .map((line) => line.trim().split(/\s+/))
          .filter(([, local, , state]) => state === '0A' && local?.endsWith(`:${hexPort}`))
          .map(([, local]) => local),
      );
      expect(listening).toEqual([`0100007F:${hexPort}`]);
    }
  });

  test.for(['127.0.0.1', 'localhost', '[::1]', '127.0.0.1:1', 'localhost:8080', '[::1]:65535'])(
    'the name %s leads here, with any port',
    async (name) => {
      expect((await ask(host.port, '/', { headers: { host: name } })).status).toBe(200);
      const client = await connect(host.port, { token: host.token, headers: { host: name, origin: `http://${name}` } });
      client.send('hello');
      expect(await client.next()).toContain('connect');
      expect(await client.next()).toBe('hello');
      client.socket.close();
      await client.closed;
    },
  );

  test.for([
    'evil.test',
    '127.0.0.1.evil.test',
    '127.0.0.1.evil.test:80',
    'localhost.evil',
    '127.0.0.1@evil',
    'evil@127.0.0.1',
    'localhost:80@evil',
    '127.0.0.1:',
    '127.0.0.1:80:80',
    '127.0.0.2',
    '127.1',
    '2130706433',
    '0.0.0.0',
    '0x7f.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::1',
    '::1',
    'localhost.',
    'xlocalhost',
    'localhost, evil.test',
  ])('DNS rebinding: the name %j is refused, in a sentence', async (name) => {
    for (const path of ['/', '/assets/main-abc.js', '/nothing', '/files/x']) {
      const answer = await ask(host.port, path, { headers: { host: name } });
      expect(answer.status).toBe(403);
      expect(answer.body).toBe('This address is not on this machine. Open the link that the program printed.\n');
      expect(answer.headers['content-security-policy']).not.toContain('ws:');
    }
    await expect(connect(host.port, { headers: { host: name, origin: `http://${name}` } })).rejects.toThrow('refused with 403');
  });

  test('a request with two names is refused, and one with none', async () => {
    const send = (text: string) =>
      new Promise<string>((resolve, reject) => {
        const socket = connectTo({ host: '127.0.0.1', port: host.port }, () => socket.write(text));
        let received = '';
        socket.setEncoding('utf8');
        socket.on('data', (piece: string) => {
          received += piece;
        });
        socket.on('error', reject);
        socket.on('close', () => resolve(received));
      });
    const two = `GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.test\r\nConnection: close\r\n\r\n`;
    expect(await send(two)).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(await send('GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await send('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /);
    const absolute = 'GET http://evil.test/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(await send(absolute)).toMatch(/^HTTP\/1\.1 404 /);
  });

  test.for([
    'http://evil.test',
    'https://127.0.0.1:PORT',
    'http://localhost:PORT',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'http://127.0.0.1:PORT.evil.test',
    'http://127.0.0.1:PORT@evil.test',
    'http://127.0.0.1:PORT/',
    'null',
    '',
  ])('the origin %j is refused for WebSockets, uploads and everything else', async (pattern) => {
    const origin = pattern.replace('PORT', String(host.port));
    const headers = { ...ours(), origin };
    await expect(connect(host.port, { token: host.token, headers })).rejects.toThrow('refused with 403');
    const upload = await ask(host.port, '/uploads', {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${host.token}`, 'x-file-name': 'a.csv' },
      body: 'x',
    });
    expect(upload.status).toBe(403);
    expect((await ask(host.port, '/', { headers })).status).toBe(403);
  });

  test('without an origin there is neither a WebSocket nor an upload, but the page', async () => {
    const upload = await ask(host.port, '/uploads', { method: 'POST', headers: { authorization: `Bearer ${host.token}` } });
    expect(upload.status).toBe(403);
    const handshake = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const answer = await ask(host.port, '/engine', { headers: { ...handshake, 'sec-websocket-key': btoa('0123456789abcdef') } });
    expect(answer.status).toBe(403);
    expect(answer.body).toMatch(/^Only the page that this program serves /);
    expect((await ask(host.port, '/')).status).toBe(200);
  });

  test.for(['cross-site', 'same-site', 'evil'])('what another site leads here is refused: Sec-Fetch-Site %s', async (site) => {
    const headers = { 'sec-fetch-site': site };
    for (const path of ['/', '/files/x', '/assets/main-abc.js'])
      expect((await ask(host.port, path, { headers })).status).toBe(403);
    await expect(connect(host.port, { token: host.token, headers })).rejects.toThrow('refused with 403');
  });

  test('WebSockets at other paths are refused', async () => {
    for (const path of ['/', '/engine/', '/engine?x', '/ENGINE'])
      await expect(connect(host.port, { token: host.token, path })).rejects.toThrow('refused with 404');
  });
});

describe('the page', () => {
  test('security 11: exact headers, content policy among them', async () => {
    const { headers, body } = await ask(host.port, '/');
    expect(body).toContain('<title>Assize</title>');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; " +
        `connect-src 'self' ws://127.0.0.1:${host.port}; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    );
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    const features = String(headers['permissions-policy']).split(', ');
    expect(features).toEqual(expect.arrayContaining(['camera=()', 'microphone=()', 'geolocation=()', 'usb=()', 'serial=()']));
    expect(features.every((feature) => /^[a-z-]+=\(\)$/.test(feature))).toBe(true);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test('every answer has these headers, with any status', async () => {
    for (const [path, method] of [
      ['/assets/main-abc.js', 'GET'],
      ['/nothing', 'GET'],
      ['/files/none', 'GET'],
      ['/', 'PUT'],
    ] as const) {
      const { headers } = await ask(host.port, path, { method, headers: { ...ours(), origin: `http://127.0.0.1:${host.port}` } });
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('its files, by GET and HEAD', async () => {
    const script = await ask(host.port, '/assets/main-abc.js');
    expect(script).toMatchObject({ status: 200, body: 'export {};' });
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script.headers['cache-control']).toBe('private, max-age=31536000, immutable');
    const head = await ask(host.port, '/assets/main-abc.js', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: '' });
    expect(head.headers['content-length']).toBe('10');
    expect((await ask(host.port, '/index.html')).headers['cache-control']).toBe('no-store');
  });

  test.for(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is not for it', async (method) => {
    const answer = await ask(host.port, '/', { method, headers: { ...ours(), origin: `http://127.0.0.1:${host.port}` } });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('GET, HEAD');
  });

  test.for([
    '/../secret.js',
    '/assets/../../secret.js',
    '/%2e%2e/secret.js',
    '/..%2fsecret.js',
    '/%252e%252e/secret.js',
    '/..\\secret.js',
    '/assets/main-abc.js%00',
    '/%00',
    '/renderer-secret/secret.js',
    '/../renderer-secret/secret.js',
    '/link.js',
    '//assets/main-abc.js',
    '/assets',
    '/assets/',
    '/assets/MAIN-abc.js',
    '/%61ssets/main-abc.js',
    '/index.html/',
    '/__proto__',
    '/constructor',
  ])('%s is not there', async (path) => {
    const answer = await ask(host.port, path);
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('secret');
    expect(answer.body).not.toContain(host.folder);
  });
});
