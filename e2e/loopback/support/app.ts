import { type BrowserContext, type Page, test } from '@playwright/test';
import { type RunningHost, startHost } from './host.ts';

/**
 * One host for all tests of a file: started before the first, ended after the last.
 * @param extra environment variables, such as the demo model's profile
 */
export function hostOfFile(extra: Readonly<Record<string, string>> = {}): () => RunningHost {
  let running: RunningHost | undefined;
  test.beforeAll(async () => {
    running = await startHost(extra);
  });
  test.afterAll(() => running?.stop());
  return () => {
    if (running === undefined) throw new Error('the host is not started yet');
    return running;
  };
}

/** Takes what has to be ended after each test of a file, also after one that fails; the last is ended first. */
export function endings(): (end: () => Promise<unknown>) => void {
  const open: (() => Promise<unknown>)[] = [];
  test.afterEach(async () => {
    for (const end of open.splice(0).toReversed()) await end();
  });
  return (end) => void open.push(end);
}

/** Opens the program's page and waits until it stands. */
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
