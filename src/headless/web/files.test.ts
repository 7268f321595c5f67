import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uploadSchema } from '../../shared/api/dataFiles.ts';
import { until } from '../testing.ts';
import { ask, type Client, connect, startTestHost, type TestHost, waitForState } from './testing.ts';
import { attachment } from './webHost.ts';

let host: TestHost;
let client: Client;
let uploadFolder: string;

const uploadFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('assize-uploads-'));
const machine = process.env.TMPDIR;
// Hosts of other tests have upload folders too.
const own = mkdtempSync(join(tmpdir(), 'assize-files-'));

beforeAll(async () => {
  process.env.TMPDIR = own;
  host = await startTestHost({ uploads: { bytes: 1000, stallMs: 200 } });
  const [made = ''] = uploadFolders();
  uploadFolder = join(tmpdir(), made);
  client = await connect(host.port, { token: host.token });
  await client.next();
});

afterAll(async () => {
  await host.end();
  expect(host.errors).toEqual([]);
  expect(() => statSync(uploadFolder)).toThrow('ENOENT');
  rmSync(own, { recursive: true });
  if (machine === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = machine;
});

const rightHeadersOf = ({ port, token }: TestHost, name: string) => ({
  origin: `http://127.0.0.1:${port}`,
  authorization: `Bearer ${token}`,
  'x-file-name': name,
});
const rightHeaders = (name: string) => rightHeadersOf(host, name);

const send = (body: string, headers: Record<string, string> = rightHeaders('cases.csv')) =>
  ask(host.port, '/uploads', { method: 'POST', headers, body });

const messageOf = (body: string) => JSON.parse(body).message as string;

describe('uploads', () => {
  test('a file is stored only for its owner, announced to the engine, and known to the page by a handle', async () => {
    const answer = await send('id\n1\n', rightHeaders(encodeURIComponent('fälle (1).csv')));
    expect(answer.status).toBe(200);
    const upload = uploadSchema.parse(JSON.parse(answer.body));
    expect(upload).toEqual({ upload: upload.upload, fileName: 'fälle (1).csv', bytes: 5 });
    const announced = JSON.parse(String(await client.next()));
    expect(announced).toEqual({ kind: 'upload', ...upload, path: join(uploadFolder, upload.upload), temporary: true });
    expect(readFileSync(announced.path, 'utf8')).toBe('id\n1\n');
    expect(statSync(announced.path).mode & 0o777).toBe(0o600);
    expect(statSync(uploadFolder).mode & 0o777).toBe(0o700);
    expect(answer.body).not.toContain(uploadFolder);
  });

  test('security 20: without the right token nothing is taken', async () => {
    const before = readdirSync(uploadFolder);
    for (const authorization of ['', 'Bearer ', `Bearer ${host.token}x`, `Basic ${host.token}`, host.token]) {
      expect((await send('x', { ...rightHeaders('a.csv'), authorization })).status).toBe(401);
    }
    const { authorization: _none, ...without } = rightHeaders('a.csv');
    expect((await send('x', without)).status).toBe(401);
    expect(readdirSync(uploadFolder)).toEqual(before);
  });

  test.for(['', '%', '%ff', 'a%2Fb.csv', '..%5Cb.csv', 'a%00.csv', 'a%0Ab.csv', 'a'.repeat(256)])(
    'security 26: the name %j is refused',
    async (name) => {
      const before = readdirSync(uploadFolder);
      const answer = await send('x', rightHeaders(name));
      expect(answer.status).toBe(400);
      expect(messageOf(answer.body)).toBe('The file needs a name of at most 255 characters, without slashes.');
      expect(readdirSync(uploadFolder)).toEqual(before);
    },
  );

  test('a file at the limit is taken, one above it is not and leaves nothing, with or without its length', async () => {
    const before = readdirSync(uploadFolder);
    expect((await send('x'.repeat(1000))).status).toBe(200);
    expect(JSON.parse(String(await client.next()))).toMatchObject({ kind: 'upload', bytes: 1000 });
    const tooLarge = await send('x'.repeat(1001));
    expect(tooLarge.status).toBe(413);
    expect(messageOf(tooLarge.body)).toBe('The file is larger than 1000 bytes, the most that can be sent.');
    expect((await send('x'.repeat(1001), { ...rightHeaders('a.csv'), 'transfer-encoding': 'chunked' })).status).toBe(413);
    expect(readdirSync(uploadFolder)).toHaveLength(before.length + 1);
  });

  test.for([
    ['the sender goes away', true],
    ['the sender goes silent', false],
  ] as const)('a half-sent file leaves nothing when %s', async ([, leaves]) => {
    const before = readdirSync(uploadFolder).length;
    const sender = request({
      host: '127.0.0.1',
      port: host.port,
      path: '/uploads',
      method: 'POST',
      headers: { ...rightHeaders('a.csv'), 'content-length': '900' },
      agent: false,
    });
    const broken = new Promise<void>((resolve) => sender.on('error', () => resolve()));
    sender.write('half');
    await until(() => readdirSync(uploadFolder).length === before + 1);
    if (leaves) sender.destroy();
    await broken;
    await until(() => readdirSync(uploadFolder).length === before);
    client.send('nothing was announced');
    expect(await client.next()).toBe('nothing was announced');
  });

  test('while the engine is down, the page gets an error and nothing is stored', async () => {
    const own = await startTestHost({}, 'not-started.db');
    const files = () => uploadFolders().flatMap((name) => readdirSync(join(tmpdir(), name)));
    const before = files();
    const answer = await ask(own.port, '/uploads', { method: 'POST', headers: rightHeadersOf(own, 'a.csv'), body: 'lost' });
    expect(answer.status).toBe(503);
    expect(messageOf(answer.body)).toBe('The engine is starting again. Send the file once more in a moment.');
    expect(files()).toEqual(before);
    await own.end();
  });

  test('an engine that restarts learns of the files that are still there', async () => {
    const own = await startTestHost();
    const page = await connect(own.port, { token: own.token });
    await page.next();
    const announced: string[] = [];
    for (const name of ['kept.csv', 'used.csv']) {
      await ask(own.port, '/uploads', { method: 'POST', headers: rightHeadersOf(own, name), body: 'x' });
      announced.push(String(await page.next()));
    }
    const [kept, used] = announced.map((text) => JSON.parse(text));
    // The engine removes a file when it is done with it.
    rmSync(used.path);
    const messages: unknown[] = [];
    const { send: sendToEngine } = own.supervisor;
    own.supervisor.send = (message, transfer) => {
      messages.push(message);
      return sendToEngine(message, transfer);
    };
    const back = waitForState(own.supervisor, 'restarting').then(() => waitForState(own.supervisor, 'ready'));
    page.send('die');
    await back;
    await page.closed;
    expect(messages.filter((message) => (message as { kind: string }).kind === 'upload')).toEqual([kept]);
    await own.end();
  });
});

describe('downloads', () => {
  const handle = (name: string) => `${name}${'0'.repeat(32 - name.length)}`;
  const make = async (name: string, fileName: string, text: string) => {
    client.send(`export ${handle(name)} ${encodeURIComponent(fileName)} ${text}`);
    expect(await client.next()).toBe('exported');
    return `/files/${handle(name)}`;
  };

  test('an export is served once, only as a file, and is gone afterwards', async () => {
    const path = await make('one', 'trials “1”.csv', 'a,b');
    const answer = await ask(host.port, path, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(answer).toMatchObject({ status: 200, body: 'a,b' });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '3',
      'content-disposition': `attachment; filename="trials _1_.csv"; filename*=UTF-8''trials%20%E2%80%9C1%E2%80%9D.csv`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    await until(() => !readdirSync(host.folder).some((name) => name.startsWith('export-')));
    const again = await ask(host.port, path);
    expect(again.status).toBe(404);
    expect(again.body).toBe('This file does not exist, or was already downloaded. Export again.\n');
  });

  test('security 20: other sites can neither fetch it nor use it up', async () => {
    const path = await make('two', 'b.csv', 'b');
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { host: 'evil.test' }, { origin: 'http://evil.test' }]) {
      expect((await ask(host.port, path, { headers })).status).toBe(403);
    }
    expect((await ask(host.port, path, { method: 'HEAD' })).status).toBe(404);
    expect(await ask(host.port, path)).toMatchObject({ status: 200, body: 'b' });
  });

  test.for([
    '/files/',
    '/files/short',
    '/files/../files',
    `/files/${handle('x')}?y`,
    `/files/${'a'.repeat(65)}`,
    '/files/%2e%2e',
  ])('%s is not there', async (path) => {
    expect((await ask(host.port, path)).status).toBe(404);
  });

  test('while the engine is down, the page is asked to wait', async () => {
    const own = await startTestHost({}, 'not-started.db');
    try {
      expect((await ask(own.port, `/files/${handle('x')}`)).status).toBe(503);
    } finally {
      await own.end();
    }
  });

  test('a file that the engine has lost is an error that is shown without its place', async () => {
    const own = await startTestHost();
    const page = await connect(own.port, { token: own.token });
    await page.next();
    page.send(`export ${handle('x')} a.csv a`);
    await page.next();
    rmSync(join(own.folder, `export-${handle('x')}`));
    const answer = await ask(own.port, `/files/${handle('x')}`);
    expect(answer.status).toBe(500);
    expect(answer.body).toBe('Something went wrong; the program’s terminal shows what.\n');
    expect(own.errors).toMatchObject([{ code: 'ENOENT' }]);
    await own.end();
  });

  test.for([
    ['plain.csv', `attachment; filename="plain.csv"; filename*=UTF-8''plain.csv`],
    ['a"b\\c;d.csv', `attachment; filename="a_b_c_d.csv"; filename*=UTF-8''a%22b%5Cc%3Bd.csv`],
    ['a\r\nX: y', `attachment; filename="a__X_ y"; filename*=UTF-8''a%0D%0AX%3A%20y`],
    ["it's (1)*.csv", `attachment; filename="it_s _1__.csv"; filename*=UTF-8''it%27s%20%281%29%2A.csv`],
    ['\ud800.csv', `attachment; filename="_.csv"; filename*=UTF-8''%EF%BF%BD.csv`],
  ] as const)('the name %j is sent in words that break no header', ([name, header]) => {
    expect(attachment(name)).toBe(header);
  });
});
