import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { _electron, type Page } from '@playwright/test';
import { findElectron } from '../../../build/electronRuntime.ts';
import { freshen } from '../../../build/fresh.ts';
import { program } from '../../../build/products.ts';
import { root } from '../../../build/repository.ts';
import { portMessage } from '../../../src/shared/api/bridge.ts';
import type { contract } from '../../../src/shared/api/contract.ts';

export type Api = ContractRouterClient<typeof contract>;

/** Why Electron cannot run here, in a sentence; null where it can. */
export function whyNot(): string | null {
  const found = findElectron();
  if ('missing' in found) return found.missing;
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY ? 'There is no screen here: run under xvfb-run.' : null;
}

/** The built program under Electron, with its own store. */
export type Program = Readonly<Awaited<ReturnType<typeof startProgram>>>;

export async function startProgram() {
  const found = findElectron();
  if ('missing' in found) throw new Error(found.missing);
  await freshen([program]);
  const folder = mkdtempSync(join(tmpdir(), 'assize-electron-'));
  const store = join(folder, 'assize.db');
  const app = await _electron.launch({
    executablePath: found.executable,
    // Chromium refuses to run sandboxed as root, as containers do; elsewhere the sandbox is what is tested.
    args: [root, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...(process.env as Record<string, string>), ASSIZE_STORE: store },
  });
  return {
    app,
    page: await app.firstWindow(),
    folder,
    store,
    async end() {
      await app.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Shows a file of the program that is no page of it, so that the bridge is there and no screen uses it. The
 * shell's own loading is not a navigation of the page.
 */
export async function showBarePage({ app, page }: Program): Promise<void> {
  const style = readdirSync(join(root, 'out/renderer/assets')).find((name) => name.endsWith('.css'));
  if (style === undefined) throw new Error('the screens have no style sheet');
  const url = `app://assize/assets/${style}`;
  await app.evaluate(({ BrowserWindow }, address) => BrowserWindow.getAllWindows()[0]?.loadURL(address), url);
  await page.waitForURL(url);
}

interface BarePage {
  assize: { connect(): void };
  enginePort: MessagePort;
  fromEngine(data: unknown): void;
  engineClosed(): void;
}

/** Connects a bare page to the engine, and this process to the page. `lost` resolves when the engine is gone. */
export async function connect(page: Page, prefix: string): Promise<{ api: Api; lost: Promise<void> }> {
  const received = new EventTarget();
  let tellLost: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => {
    tellLost = resolve;
  });
  const names = { data: `${prefix}Data`, closed: `${prefix}Closed`, port: `${prefix}Port` };
  await page.exposeFunction(names.data, (data: unknown) => received.dispatchEvent(new MessageEvent('message', { data })));
  await page.exposeFunction(names.closed, () => tellLost());
  await page.evaluate(
    ([word, { data, closed, port }]) =>
      new Promise<void>((resolve) => {
        const scope = window as unknown as BarePage & Record<string, unknown>;
        const onMessage = (event: MessageEvent) => {
          const [arrived] = event.ports;
          if (event.data !== word || arrived === undefined) return;
          window.removeEventListener('message', onMessage);
          arrived.onmessage = (message) => (scope[data] as (value: unknown) => void)(message.data);
          arrived.addEventListener('close', () => (scope[closed] as () => void)());
          scope[port] = arrived;
          resolve();
        };
        window.addEventListener('message', onMessage);
        scope.assize.connect();
      }),
    [portMessage, names] as const,
  );
  const port = Object.assign(received, {
    postMessage: (data: unknown) =>
      void page.evaluate(([name, value]) => (window as unknown as Record<string, MessagePort>)[name]?.postMessage(value), [
        names.port,
        data,
      ] as const),
  });
  return { api: createORPCClient(new RPCLink({ port })), lost };
}
