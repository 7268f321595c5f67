// How much memory the process of the page takes, apart from its heap: PSS of Chromium's renderer after each of the screens that hold
// most, one after the other in one page, as a person comes through them. Linux only, which reports PSS.
// node bench/rendererMemory.ts [CASES] (four systems; 25,000 cases by default), after npm run build.
import { readFileSync } from 'node:fs';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { connectToEngine } from '../e2e/loopback/support/engineApi.ts';
import { startHost } from '../e2e/loopback/support/host.ts';
import { courtArm, runToItsEnd } from '../e2e/loopback/support/record.ts';
import { findChromium } from '../e2e/support/chromium.ts';
import { startDemoServer } from '../src/main/engine/models/demo/demoServer.ts';
import { pageOptions } from '../src/main/shell/webPreferences.ts';
import { importLarge, systems } from './support/importedTable.ts';
import { atMost, print, rounded } from './support/lines.ts';
import { makeLongTrial } from './support/longTrial.ts';

const cases = Number(process.argv[2] ?? 25_000);
const target = 300;
const walked = 50;
// At a speed at which one can read: fifty trials that end at once are never fifty on the wall.
const paced = await startDemoServer({ profile: { base: 'workstation', machine: { slots: 50 } } });
const host = await startHost({ ASSIZE_STANDIN_PROFILE: 'instant' }, paced.url);
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [
    ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-features=SpareRendererForSitePerProcess'],
    `--js-flags=${pageOptions}`,
  ],
});
const processes = await browser.newBrowserCDPSession();

/** MB of the memory that the page's process has, each shared page of it divided by those who share it. */
async function rendererMemory(): Promise<number> {
  const { processInfo } = await processes.send('SystemInfo.getProcessInfo');
  const sizes = processInfo.flatMap(({ type, id }) => {
    if (type !== 'renderer') return [];
    const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8')) ?? [];
    return [Number(kilobytes) / 1000];
  });
  if (sizes.length !== 1) throw new Error(`the browser has ${sizes.length} renderers, and one page`);
  return sizes[0] ?? 0;
}

let most = 0;

async function measured(session: CDPSession, what: string): Promise<void> {
  const before = await rendererMemory();
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const after = await rendererMemory();
  most = Math.max(most, before);
  print({ what, MB: rounded(before, 0), afterCollectionMB: rounded(after, 0), heapMB: rounded(usedSize / 1e6, 0) });
}

// An XPath, since a search by text would fill the page's heap with copies of all its texts.
const begun = ['Reading', 'Counting', 'Looking', 'Computing', 'Drawing'].map((word) => `starts-with(., '${word}')`).join(' or ');
const busy = `xpath=//*[not(*)][substring(., string-length(.)) = '…'][${begun}]`;

/** Waits until the screen says of nothing that it is being read or computed, as long as that takes. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  while ((await page.locator(busy).count()) > 0) await page.waitForTimeout(200);
}

async function walk(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Trials', exact: true }).getByRole('link').first().click();
  for (let trial = 0; trial < walked; trial++) {
    await settled(page);
    const before = page.url();
    await page.getByRole('button', { name: /^Next trial/ }).click();
    await page.waitForURL((url) => url.href !== before);
  }
  await settled(page);
}

try {
  print({ chromium: browser.version(), process: '--type=renderer' });
  await importLarge(host, cases);
  const { api, close } = await connectToEngine(host);
  const { long, utterances } = await makeLongTrial(host, api);
  const sample = { n: 24 };
  const small = { entry: 'deposits', backend: 'standin' as const, sample, arms: [courtArm] };
  await runToItsEnd(api, { ...small, name: 'walked', replicates: 3 });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(600_000);
  const session = await page.context().newCDPSession(page);
  const go = async (route: string) => {
    await page.goto(`${host.origin}/#${route}`);
    await settled(page);
  };
  await page.goto(host.url);
  await settled(page);
  await measured(session, 'first screen');
  await go(`/trials/${long}`);
  await page.getByRole('tab', { name: 'Transcript' }).click();
  for (let step = 0; step < utterances; step++) await page.keyboard.press('PageDown');
  await measured(session, `a trial of ${utterances} utterances, read to its end`);
  await go('/experiments/large/trials');
  const frame = page.getByRole('table', { name: 'Trials', exact: true }).locator('..');
  for (let part = 1; part <= 20; part++) {
    await frame.evaluate((element, share) => element.scrollTo(0, element.scrollHeight * share), part / 20);
    await page.getByText('Reading…', { exact: true }).first().waitFor({ state: 'detached' });
  }
  await measured(session, `the list of ${systems * cases} trials, scrolled through in 20 steps`);
  await go('/experiments/large/figures');
  await page.locator('[data-figure] svg, [data-figure] canvas').first().waitFor();
  await measured(session, 'the figures of these');
  await go('/experiments/walked/figures');
  await page.locator('[data-figure] svg, [data-figure] canvas').first().waitFor();
  for (let step = 0; step < 60; step++) await page.mouse.wheel(0, 900);
  await settled(page);
  await measured(session, 'the figures of 72 trials in court, scrolled through');
  await go('/experiments/walked/trials');
  await walk(page);
  await measured(session, `${walked} trials, walked one after the other`);
  await api.settings.change({ concurrency: 50 });
  await go('/live');
  await api.experiments.start({ ...small, name: 'fifty', replicates: 25, backend: 'ollama' });
  await page.getByRole('list', { name: 'Running trials' }).getByRole('listitem').nth(40).waitFor();
  await measured(session, 'the wall while 50 trials run');
  print({ what: 'most', MB: rounded(most, 0), ...atMost(most, target) });
  close();
} finally {
  await browser.close();
  await host.stop();
  await paced.close();
}
