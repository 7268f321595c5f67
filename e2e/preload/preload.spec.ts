import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { bridgeChannels, bridgeKeys, portChannel, portMessage } from '../../src/shared/api/bridge.ts';
import { contentPolicy } from '../../src/shared/api/contentPolicy.ts';
import { needsChromium } from '../support/chromium.ts';

needsChromium();

const root = join(import.meta.dirname, '../..');
let preload: string;
let server: Server;
let address: string;

test.beforeAll(async () => {
  preload = readFileSync(join(root, 'out/preload/index.cjs'), 'utf8');
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': contentPolicy([]) });
    response.end('<!doctype html><title>A page</title>');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

test.afterAll(() => new Promise<void>((closed) => server.close(() => closed())));

/** What a test keeps in the page. */
interface Kept {
  exposed: Record<string, Record<string, (...words: unknown[]) => unknown>>;
  invoked: unknown[][];
  sent: unknown[][];
  posted: { message: unknown; target: string }[];
  listeners: Record<string, (event: { ports: MessagePort[] }) => void>;
  answer: unknown;
}

/**
 * Runs the built file as Electron runs a sandboxed preload script: as the body of a function with `require`.
 * Origin and `postMessage` represent those of a page under app://, which plain Chromium does not know.
 */
async function runPreload(page: Page, origin: string): Promise<void> {
  await page.goto(address);
  await page.evaluate((asOrigin) => {
    const kept: Kept = { exposed: {}, invoked: [], sent: [], posted: [], listeners: {}, answer: { value: null } };
    Object.assign(globalThis, { kept });
    const electron = {
      contextBridge: {
        exposeInMainWorld(name: string, api: Kept['exposed'][string]) {
          kept.exposed[name] = api;
        },
      },
      ipcRenderer: {
        invoke(...words: unknown[]) {
          kept.invoked.push(words);
          return Promise.resolve(kept.answer);
        },
        send: (...words: unknown[]) => void kept.sent.push(words),
        on(channel: string, listener: Kept['listeners'][string]) {
          kept.listeners[channel] = listener;
        },
      },
      webUtils: { getPathForFile: (file: File) => `/dropped/${file.name}` },
    };
    const ownWindow = {
      postMessage(message: unknown, target: string, ports: MessagePort[]) {
        kept.posted.push({ message, target });
        window.postMessage(message, target === asOrigin ? window.location.origin : target, ports);
      },
    };
    const require = (name: string) => {
      if (name !== 'electron') throw new Error(`${name} cannot be required in a sandboxed preload script`);
      return electron;
    };
    // The page's policy forbids to make code of text; Playwright's own channel, through which this comes, does not.
    (globalThis as unknown as { preloadArguments: unknown[] }).preloadArguments = [require, ownWindow, { origin: asOrigin }];
  }, origin);
  await page.evaluate(`(function (require, window, location) { ${preload}\n }).apply(null, preloadArguments)`);
}

const keptOf = <Result>(page: Page, read: (kept: Kept) => Result): Promise<Result> =>
  page.evaluate(`(${read.toString()})(globalThis.kept)`) as Promise<Result>;

test('security 04: the bridge has exactly the keys of the contract, and no generic invoke', async ({ page }) => {
  await runPreload(page, 'app://assize');
  const exposed = await keptOf(page, ({ exposed }) => Object.entries(exposed).map(([name, api]) => [name, Object.keys(api)]));
  expect(exposed).toEqual([['assize', [...bridgeKeys]]]);
});

test('security 04: each key speaks on its own channel, with plain words', async ({ page }) => {
  await runPreload(page, 'app://assize');
  const invoked = await page.evaluate(async () => {
    const { exposed, invoked, sent } = (globalThis as unknown as { kept: Kept }).kept;
    const bridge = exposed.assize as Record<string, (...words: unknown[]) => unknown>;
    await bridge.chooseFile?.('assize:connect', 'more');
    await bridge.takeFile?.(new File(['x'], 'cases.csv'));
    await bridge.saveExport?.({ toString: () => 'handle' }, 'x.csv', 'more');
    await bridge.openLink?.('https://arxiv.org/', 'more');
    await bridge.notify?.('Done', { toString: () => 'All of it.' }, 'more');
    bridge.connect?.('more');
    return { invoked, sent };
  });
  expect(invoked).toEqual({
    invoked: [
      [bridgeChannels.chooseFile],
      [bridgeChannels.takeFile, '/dropped/cases.csv'],
      [bridgeChannels.saveExport, 'handle', 'x.csv'],
      [bridgeChannels.openLink, 'https://arxiv.org/'],
      [bridgeChannels.notify, 'Done', 'All of it.'],
    ],
    sent: [[bridgeChannels.connect]],
  });
});

test('a refusal of the shell comes as an error with its sentence', async ({ page }) => {
  await runPreload(page, 'app://assize');
  const message = await page.evaluate(async () => {
    const { kept } = globalThis as unknown as { kept: Kept };
    kept.answer = { problem: 'This is no file that can be read.' };
    return Promise.resolve(kept.exposed.assize?.chooseFile?.()).then(String, (error: Error) => error.message);
  });
  expect(message).toBe('This is no file that can be read.');
});

test('the page gets the port of the engine, from itself and for its own origin', async ({ page }) => {
  await runPreload(page, 'app://assize');
  const came = await page.evaluate(
    async ([channel, word]) => {
      const { kept } = globalThis as unknown as { kept: Kept };
      const { port1, port2 } = new MessageChannel();
      const arrived = new Promise<{ ports: number; fromItself: boolean; answer: unknown }>((resolve) => {
        addEventListener('message', ({ data, source, ports }) => {
          if (data !== word || ports[0] === undefined) return;
          ports[0].onmessage = (answer) => resolve({ ports: ports.length, fromItself: source === window, answer: answer.data });
          ports[0].postMessage('asked by the page');
        });
      });
      port1.onmessage = ({ data }) => port1.postMessage(`${data}, answered by the engine`);
      kept.listeners[channel]?.({ ports: [port2] });
      return { ...(await arrived), channels: Object.keys(kept.listeners), posted: kept.posted };
    },
    [portChannel, portMessage] as const,
  );
  expect(came).toEqual({
    ports: 1,
    fromItself: true,
    answer: 'asked by the page, answered by the engine',
    channels: [portChannel],
    posted: [{ message: portMessage, target: 'app://assize' }],
  });
});

for (const origin of ['https://evil.example', 'app://assize.evil', 'null', 'file://', 'app://Assize']) {
  test(`a page of ${origin} gets neither bridge nor port`, async ({ page }) => {
    await runPreload(page, origin);
    expect(await keptOf(page, ({ exposed, listeners }) => [Object.keys(exposed), Object.keys(listeners)])).toEqual([[], []]);
  });
}

test('security 01: the built file is one, requires only Electron, and leaves nothing in the page', async ({ page }) => {
  expect([...preload.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name)).toEqual(['electron']);
  expect(preload).not.toMatch(/\beval\b|new Function|import\(/);
  await runPreload(page, 'app://assize');
  expect(await page.evaluate(() => ['assize', 'require', 'process', 'electron'].filter((name) => name in globalThis))).toEqual(
    [],
  );
});
