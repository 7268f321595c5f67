import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { contentPolicy } from '../../shared/api/contentPolicy.ts';
import { developmentServer } from './development.ts';
import { startShell } from './shell.ts';
import { fakeElectron } from './testing/fakeElectron.ts';

let folder: string;
let bundler: Server;
let address: string;
let asked: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assize-development-'));
  mkdirSync(join(folder, 'screens'));
  writeFileSync(join(folder, 'screens/index.html'), 'packed');
  asked = [];
  bundler = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.accept}`);
    response.writeHead(200, { 'content-type': 'text/javascript', 'set-cookie': 'a=b' }).end('fresh');
  });
  await new Promise<void>((listening) => bundler.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(bundler.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await new Promise((closed) => bundler.close(closed));
  rmSync(folder, { recursive: true });
});

async function shellWith(packaged: boolean) {
  const fake = fakeElectron({ packaged });
  const [store, profile] = [join(folder, 'assize.db'), join(folder, 'window')];
  const parts = { preload: 'preload.cjs', engine: 'engine.js', resources: 'resources', icon: 'icon.png' };
  const places = { ...parts, store, profile, screens: join(folder, 'screens'), development: developmentServer(address) };
  startShell(fake.electron, places, () => undefined);
  await expect.poll(() => fake.engines).toHaveLength(1);
  const cancelled = (url: string) => {
    const callback = vi.fn();
    (fake.policies.get('onBeforeRequest') as (...words: unknown[]) => void)({ url }, callback);
    return callback.mock.calls;
  };
  const request = new Request('app://assize/index.html?t=1', { headers: { accept: 'text/html' } });
  return { answer: await fake.protocolHandler(request), cancelled };
}

test('while the screens are developed they come from the bundler, under the origin of the program', async () => {
  const { answer, cancelled } = await shellWith(false);
  expect(await answer.text()).toBe('fresh');
  expect(asked).toEqual(['GET /index.html?t=1 text/html']);
  expect(answer.headers.get('content-type')).toBe('text/javascript');
  expect(answer.headers.has('set-cookie')).toBe(false);
  expect(answer.headers.get('content-security-policy')).toContain(`connect-src 'self' ${address.replace('http', 'ws')}`);
  expect(cancelled(`${address.replace('http', 'ws')}/?token=x`)).toEqual([[{ cancel: false }]]);
  for (const other of [`${address}/`, 'ws://127.0.0.1:1/']) expect(cancelled(other)).toEqual([[{ cancel: true }]]);
});

test('a packaged program asks no bundler and keeps its policy, in any environment', async () => {
  const { answer, cancelled } = await shellWith(true);
  expect(await answer.text()).toBe('packed');
  expect(answer.headers.get('content-security-policy')).toBe(contentPolicy([]));
  expect(cancelled(`${address.replace('http', 'ws')}/`)).toEqual([[{ cancel: true }]]);
  expect(asked).toEqual([]);
});

test('only a bundler of this machine is taken', () => {
  expect(developmentServer(undefined)).toBe(null);
  for (const other of ['http://192.168.0.7:5173', 'https://127.0.0.1:5173', 'http://127.0.0.1.example:5173'])
    expect(() => developmentServer(other)).toThrow('the bundler must answer at http://127.0.0.1');
});
