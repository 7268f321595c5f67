import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { contentPolicy } from '../../src/shared/api/contentPolicy.ts';
import { needsChromium } from '../support/chromium.ts';
import { enter, sharedHost, test } from './support/app.ts';
import { settled } from './support/places.ts';
import { watch } from './support/watch.ts';

needsChromium();

const host = sharedHost();

test('security 11: the page comes under exactly the content policy, and closed to frames and features', async ({ request }) => {
  const { origin } = host();
  const headers = (await request.get(origin)).headers();
  expect(headers['content-security-policy']).toBe(contentPolicy([origin.replace('http', 'ws')]));
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(headers['content-security-policy']).not.toContain('unsafe');
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
});

test('security 01 and 04: the page sees nothing of Node and no bridge', async ({ page }) => {
  await enter(page, host());
  const seen = await page.evaluate(() =>
    ['require', 'process', 'module', 'global', 'Buffer', 'electron', 'assize'].filter((name) => name in globalThis),
  );
  expect(seen).toEqual([]);
});

/** What injected content would do; each leaves `window.ran` where it runs. */
const injections: Readonly<Record<string, (away: string) => unknown>> = {
  'an inline script': () => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
  },
  'a script of another host': (away) => {
    const script = document.createElement('script');
    script.src = `${away}/x.js`;
    document.body.append(script);
  },
  'a script of a data address': () => {
    const script = document.createElement('script');
    script.src = 'data:text/javascript,window.ran=true';
    document.body.append(script);
  },
  'an inline handler': () => {
    const button = document.createElement('button');
    button.setAttribute('onclick', 'window.ran = true');
    document.body.append(button);
    button.click();
  },
  'a javascript: link': () => {
    const link = document.createElement('a');
    link.href = 'javascript:void (window.ran = true)';
    document.body.append(link);
    link.click();
  },
  'an inline style': () => {
    const style = document.createElement('style');
    style.textContent = 'body { background: red }';
    document.head.append(style);
  },
  'a style sheet of another host': (away) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = `${away}/x.css`;
    document.head.append(link);
  },
  'an image of another host': (away) => {
    new Image().src = `${away}/x.png`;
  },
  'a font of another host': (away) => new FontFace('Away', `url(${away}/x.woff2)`).load().catch(() => undefined),
  'a request to another host': (away) => fetch(away).catch(() => undefined),
  'a WebSocket to another host': (away) => {
    new WebSocket(away.replace('http', 'ws'));
  },
  'a beacon to another host': (away) => {
    navigator.sendBeacon(away, 'x');
  },
  'an event stream of another host': (away) => {
    new EventSource(away);
  },
  'a frame of another host': (away) => {
    const frame = document.createElement('iframe');
    frame.src = away;
    document.body.append(frame);
  },
  'a frame of the page itself': () => {
    const frame = document.createElement('iframe');
    frame.src = '/';
    document.body.append(frame);
  },
  'an object': (away) => {
    const object = document.createElement('object');
    object.data = `${away}/x.swf`;
    document.body.append(object);
  },
  'a form': (away) => {
    const form = document.createElement('form');
    form.action = away;
    document.body.append(form);
    form.submit();
  },
  'a worker of a blob': () => {
    new Worker(URL.createObjectURL(new Blob(['postMessage(1)'], { type: 'text/javascript' })));
  },
  'a base address': (away) => {
    const base = document.createElement('base');
    base.href = away;
    document.head.append(base);
  },
};

test('security 12: nothing that is injected runs, or asks for anything elsewhere', async ({ page, context }) => {
  const elsewhere: string[] = [];
  const server = createServer((request, response) => {
    elsewhere.push(String(request.url));
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const away = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const seen = await watch(context, host().origin);
  await enter(page, host());
  for (const [name, inject] of Object.entries(injections)) {
    await test.step(name, async () => {
      const before = seen.violations.length;
      await page.evaluate(inject, away);
      await expect.poll(() => seen.violations.length, `${name} violates the policy`).toBeGreaterThan(before);
      expect(await page.evaluate(() => 'ran' in window)).toBe(false);
      expect(page.url().startsWith(host().origin)).toBe(true);
    });
  }
  // All earlier requests come before this.
  await page.evaluate(() => fetch('/').then((response) => response.text()));
  expect(elsewhere).toEqual([]);
  expect(page.frames()).toHaveLength(3);
  expect(seen.popups).toEqual([]);
  server.closeAllConnections();
  server.close();
});

test('security 12: text is not made into code', async ({ page, context }) => {
  const seen = await watch(context, host().origin);
  await enter(page, host());
  const outcomes = await page.evaluate(
    () =>
      // What the browser's own tools evaluate may evaluate more; what a timer calls later may not.
      new Promise<Record<string, string>>((resolve) =>
        setTimeout(() => {
          const attempt = (action: () => unknown) => {
            try {
              return String(action());
            } catch (error) {
              return error instanceof Error ? error.name : 'thrown';
            }
          };
          (setTimeout as (code: string) => number)('window.ran = true');
          resolve({
            eval: attempt(() => Reflect.get(window, 'eval')('1 + 1')),
            function: attempt(() => new Function('return 2')()),
          });
        }),
      ),
  );
  expect(outcomes).toEqual({ eval: 'EvalError', function: 'EvalError' });
  await expect.poll(() => seen.violations.length).toBe(3);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
});

test('security 20: the token leaves the address at once, and a reload no longer needs it', async ({ page }) => {
  await enter(page, host());
  const token = new URL(host().url).hash.slice('#token='.length);
  expect(page.url()).not.toContain('token');
  await page.reload();
  await settled(page);
  expect(page.url()).not.toContain('token');
  expect(await page.content()).not.toContain(token);
  await expect(page.getByRole('link', { name: 'See data sets and samples' })).toBeVisible();
  await page.goBack();
  expect(page.url()).not.toContain(token);
});

test('security 20: a page without a token says what to do, and learns nothing', async ({ page }) => {
  await page.goto(`${host().origin}/#/datasets`);
  await expect(page.getByText('This address lacks its token. Open the link that the program printed')).toBeVisible();
  await expect(page.getByText('“assize web” print a new one')).toBeVisible();
  await expect(page.getByRole('link')).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveText(['Try again']);
  await page.keyboard.press('ControlOrMeta+K');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('security 20: a page with a wrong token says what to do, and learns nothing', async ({ page }) => {
  await page.goto(`${host().origin}/#token=${'A'.repeat(43)}`);
  await expect(page.getByText('This page’s address is no longer valid. Open the link that the program printed')).toBeVisible();
  await expect(page.getByRole('link')).toHaveCount(0);
});

test('a tab that is opened from another one borrows its token, which stays out of every address', { tag: '@exhaustive' }, async ({
  page,
  context,
}) => {
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  await enter(page, host());
  const token = new URL(host().url).hash.replace('#token=', '');
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Settings' }).click({ modifiers: ['ControlOrMeta'] });
  const second = await opened;
  await expect(second.getByRole('region', { name: 'Ollama' })).toBeVisible();
  await expect(second.getByText('This address lacks its token')).toBeHidden();
  expect(second.url()).toBe(`${host().origin}/#/settings`);
  expect(asked.filter((url) => url.includes(token) && url !== host().url)).toEqual([]);
  await second.reload();
  await expect(second.getByRole('region', { name: 'Ollama' })).toBeVisible();
});
