import { type BrowserContext, test as base, type Page } from '@playwright/test';
import { type RunningHost, startHost } from './host.ts';

interface OfWorker {
  readonly shared: RunningHost;
  /** A page of the shared host. */
  readonly kept: Page;
}

/** With a host that is started when a file first needs it, and serves all files of a worker: half of a file's time goes into one. */
export const test = base.extend<object, OfWorker>({
  shared: [
    async ({ browserName: _any }, use) => {
      const host = await startHost({ ASSIZE_STANDIN_PROFILE: 'instant' });
      await use(host);
      await host.stop();
    },
    { scope: 'worker' },
  ],
  kept: [
    async ({ browser, shared }, use) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await enter(page, shared);
      await use(page);
      await context.close();
    },
    { scope: 'worker' },
  ],
});

/** For tests that only look: each continues, from the first screen, in the page of the one before. */
export const onKeptPage = test.extend({
  page: async ({ kept, shared }, use) => {
    await kept.setViewportSize({ width: 1280, height: 720 });
    await kept.emulateMedia({ colorScheme: 'light' });
    await goTo(kept, shared, '/');
    // A message about what the test before did would lie over what this one looks at.
    if (await kept.getByRole('region', { name: 'What was done' }).isVisible()) await kept.reload();
    await use(kept);
  },
});

/** The host of the worker, for files that change nothing but what they made, and count nothing but that. */
export function sharedHost(): () => RunningHost {
  let running: RunningHost | undefined;
  test.beforeAll(({ shared }) => {
    running = shared;
  });
  return () => started(running);
}

function started(running: RunningHost | undefined): RunningHost {
  if (running === undefined) throw new Error('the host is not started yet');
  return running;
}

/**
 * One host for all tests of a file that changes what others see: started before the first, ended after the last.
 * @param extra environment variables, such as the demo model's profile
 */
export function hostOfFile(extra: Readonly<Record<string, string>> = {}): () => RunningHost {
  let running: RunningHost | undefined;
  test.beforeAll(async () => {
    running = await startHost(extra);
  });
  test.afterAll(() => running?.stop());
  return () => started(running);
}

/** Takes what has to be ended after each test of a file, also after one that fails; the last is ended first. */
export function endings(): (end: () => Promise<unknown>) => void {
  const open: (() => Promise<unknown>)[] = [];
  test.afterEach(async () => {
    for (const end of open.splice(0).toReversed()) await end();
  });
  return (end) => void open.push(end);
}

/** Opens the program's page and waits until it is ready. */
export async function enter(page: Page, host: RunningHost): Promise<void> {
  await page.goto(host.url);
  await page.getByRole('navigation', { name: 'Places' }).waitFor();
}

/** Goes to a screen of the page that is open, by its address behind the `#`. */
export async function goTo(page: Page, host: RunningHost, route: string): Promise<void> {
  await page.goto(`${host.origin}/#${route}`);
}

/** Opens one more page of a context at a screen. */
export async function openScreen(context: BrowserContext, host: RunningHost, route: string): Promise<Page> {
  const page = await context.newPage();
  await enter(page, host);
  await goTo(page, host, route);
  return page;
}
