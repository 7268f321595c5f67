import { spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshen } from '../../../build/fresh.ts';
import { program } from '../../../build/products.ts';
import { root } from '../../../build/repository.ts';
import { openWorkbench, until, type Workbench } from '../testing.ts';
import { openerOf } from './places.ts';
import { apiOf, ask, type Client, connect, tokenOf } from './testing.ts';

let bench: Workbench;

beforeAll(async () => {
  bench = openWorkbench();
  await freshen([program]);
});

afterAll(() => bench.remove());

type Web = ReturnType<typeof startWeb>;

function startWeb(words: readonly string[], env: Record<string, string> = {}, program = join(root, 'out/headless/assize.js')) {
  const home = bench.room('home');
  const child = spawn(process.execPath, [program, 'web', ...words], {
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, ASSIZE_LOG_DIR: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const texts = { output: '', errors: '' };
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    texts.errors += piece;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = new Promise<URL>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      texts.output += piece;
      if (texts.output.endsWith('\n')) resolve(new URL(texts.output.trim()));
    });
    void ended.then((code) => reject(new Error(`it ended with ${code}: ${texts.errors}`)));
  });
  url.catch(() => undefined);
  return {
    child,
    output: () => texts.output,
    errors: () => texts.errors,
    url,
    ended,
  };
}

const open = (url: URL): Promise<Client> => connect(Number(url.port), { token: tokenOf(url) });

/** A folder with a browser for the desktop that does what a line of shell says, and the surroundings that lead to it. */
function opener(text: string): string {
  const folder = mkdtempSync(join(bench.folder, 'opener-'));
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, 'xdg-open'), 0o700);
  return folder;
}
const surroundings = (folder: string) => ({ DISPLAY: ':99', PATH: `${folder}${delimiter}${process.env.PATH}` });

test('it prints its address and nothing else, opens nothing unasked, serves the page and the engine, and ends in order', async () => {
  const folder = opener(`touch "$(dirname "$0")/opened"`);
  const web = startWeb(['--no-open', '--store', bench.path('one.db')], surroundings(folder));
  const url = await web.url;
  expect(web.output()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[A-Za-z0-9_-]{43}\n$/);
  const page = await ask(Number(url.port), '/');
  expect(page.status).toBe(200);
  expect(page.body).toContain('<title>Assize</title>');
  expect(page.body).not.toMatch(/<script(?![^>]* src=)|<style|\son[a-z]+=/);
  for (const [, path] of page.body.matchAll(/(?:src|href)="\.(\/[^"]+)"/g)) {
    expect((await ask(Number(url.port), path ?? '')).status).toBe(200);
  }
  const client = await open(url);
  expect(await apiOf(client).engine.status({})).toMatchObject({ incarnation: 1, store: 'one.db', runs: [] });
  await until(() => web.errors().includes('Ctrl+C'));
  expect(web.errors()).toContain('nothing leaves it');
  expect(web.errors()).toContain(`ssh -L ${url.port}:127.0.0.1:${url.port}`);
  web.child.kill('SIGINT');
  expect(await web.ended).toBe(0);
  expect((await client.closed).code).toBe(1006);
  expect(existsSync(join(folder, 'opened'))).toBe(false);
  expect(web.output()).toMatch(/^[^\n]+\n$/);
});

test('when the engine is killed, the page connects again and finds its successor, which ends with the program', async () => {
  const web = startWeb(['--no-open', '--store', bench.path('killed.db')]);
  const url = await web.url;
  const client = await open(url);
  await apiOf(client).engine.status({});
  process.kill(enginePid(web), 'SIGKILL');
  expect((await client.closed).code).toBe(4503);
  expect(web.errors()).toContain('assize: The engine was ended by the system.');
  for (let incarnation = 1; incarnation === 1; ) {
    const again = await open(url);
    incarnation = await Promise.race([
      apiOf(again)
        .engine.status({})
        .then((status) => status.incarnation),
      again.closed.then(() => 1),
    ]);
    again.socket.close();
  }
  const pid = enginePid(web);
  web.child.kill('SIGKILL');
  await web.ended;
  await until(() => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '));
});

function enginePid({ child }: Web): number {
  return Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')[0]);
}

test('it opens the address in the browser of the desktop, and one that fails is no error', async () => {
  const folder = opener(`printf '%s\\n' "$#" "$1" > "$(dirname "$0")/opened"; exit 3`);
  const web = startWeb(['--store', bench.path('opened.db')], surroundings(folder));
  const url = await web.url;
  const opened = join(folder, 'opened');
  await until(() => existsSync(opened) && readFileSync(opened, 'utf8').endsWith(`\n${url.href}\n`));
  expect(readFileSync(opened, 'utf8')).toBe(`1\n${url.href}\n`);
  web.child.kill('SIGTERM');
  expect(await web.ended).toBe(0);
});

test.for([
  ['darwin', {}, ['open']],
  ['win32', {}, ['rundll32', 'url.dll,FileProtocolHandler']],
  ['linux', { DISPLAY: ':0' }, ['xdg-open']],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open']],
  ['linux', { DISPLAY: '' }, null],
] as const)('on %s with %j the address is opened by %j', ([platform, env, opener]) => {
  expect(openerOf({ platform, env })).toEqual(opener);
});

describe('what it refuses, with exit 2 and a sentence', () => {
  test.for([
    [['--port', '70000'], /--port: there is no port 70000; ports go up to 65535/],
    [['--port', 'x'], /--port: "x" is not a whole number/],
    [['--store', '//server/share/s.db'], /--store: UNC and device paths/],
    [['here'], /"here" is one word too many\. Usage: assize web/],
    [['--open'], /Unknown option '--open'/],
  ] as const)('%j', async ([words, message]) => {
    const { code, output, errors } = await bench.assize(['web', ...words]);
    expect([code, output]).toEqual([2, '']);
    expect(errors).toMatch(message);
    expect(errors).toMatch(/^assize: [^\n]+\n$/);
  });

  test('a port in use', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as { port: number };
    const { code, errors } = await bench.assize(`web --no-open --port ${port} --store ${bench.path('unused.db')}`);
    expect(code).toBe(2);
    expect(errors).toBe(`assize: --port: port ${port} is in use; take another one, or 0 for any that is free\n`);
    expect(existsSync(bench.path('unused.db'))).toBe(false);
    blocker.close();
  });

  test('a store that cannot be read', async () => {
    writeFileSync(bench.path('broken.db'), 'this is no database, and far from one');
    const { code, output, errors } = await bench.assize(`web --no-open --store ${bench.path('broken.db')}`);
    expect([code, output]).toEqual([2, '']);
    expect(errors).toMatch(/^assize: [^\n]+\n$/);
  });

  test('screens that are not built', async () => {
    const clone = mkdtempSync(join(tmpdir(), 'assize-clone-'));
    cpSync(join(root, 'out/headless'), join(clone, 'out/headless'), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    const web = startWeb(['--no-open'], {}, join(clone, 'out/headless/assize.js'));
    expect(await web.ended).toBe(2);
    expect(web.errors()).toBe('assize: the screens are not built yet; "npm run web" builds them and starts this\n');
    rmSync(clone, { recursive: true });
  });
});
