// What a person waits for in Chromium: the first screen, its code, the rows of a large experiment, a long trial, and frames while
// many trials run; for comparison an empty page of the same host. Times of the clock: run it on a quiet machine.
// node bench/screens.ts [CASES] (four systems; 25,000 cases by default), after npm run build.
import { gzipSync } from 'node:zlib';
import { type CDPSession, chromium, type Page } from '@playwright/test';
import { connectToEngine } from '../e2e/loopback/support/engineApi.ts';
import { startHost } from '../e2e/loopback/support/host.ts';
import { runToItsEnd } from '../e2e/loopback/support/record.ts';
import { findChromium } from '../e2e/support/chromium.ts';
import { importLarge, systems } from './support/importedTable.ts';
import { atMost, print, rounded } from './support/lines.ts';
import { makeLongTrial } from './support/longTrial.ts';

const cases = Number(process.argv[2] ?? 25_000);
const rounds = 9;
const model = { '*': { model: 'llama3.1:8b' } };
const host = await startHost({ ASSIZE_STANDIN_PROFILE: 'instant' });
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ['--no-sandbox', '--enable-precise-memory-info', '--js-flags=--expose-gc'],
});

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** A page without anything of an earlier one. */
async function freshPage(): Promise<{ page: Page; end: () => Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  return { page: await context.newPage(), end: () => context.close() };
}

/** Milliseconds from the change of the address until `selector`, which nothing in the page fits before, is painted: the page's clock. */
const untilShown = (page: Page, route: string, selector: string): Promise<number> =>
  page.evaluate<number>(`(async () => {
    if (document.querySelector(${JSON.stringify(selector)}) !== null) throw new Error('it is shown already');
    const startedAt = performance.now();
    location.hash = ${JSON.stringify(route)};
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    while (document.querySelector(${JSON.stringify(selector)}) === null) {
      if (performance.now() - startedAt > 60_000) throw new Error('it is not shown within a minute');
      await frame();
    }
    await frame();
    return performance.now() - startedAt;
  })()`);

/** Bytes of the heap after a collection. */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}

async function firstScreens(): Promise<void> {
  const [empty, first]: [number[], number[]] = [[], []];
  let zipped = 0;
  for (let round = 0; round < rounds; round++) {
    const { page, end } = await freshPage();
    const scripts: Promise<Buffer>[] = [];
    page.on('response', (response) => void (response.url().endsWith('.js') && scripts.push(response.body())));
    const startedAt = performance.now();
    await page.goto(`${host.origin}/favicon.ico`);
    empty.push(performance.now() - startedAt);
    await page.goto(host.url);
    await page.getByRole('heading', { level: 1 }).waitFor();
    first.push(await page.evaluate(() => performance.now()));
    zipped = (await Promise.all(scripts)).reduce((sum, script) => sum + gzipSync(script).length, 0);
    await end();
  }
  const ms = rounded(median(first), 0);
  print({ what: 'first screen', ms, addressWithoutPageMs: rounded(median(empty), 0), ...atMost(ms, 700) });
  print({ what: 'code of the first screen', gzipBytes: zipped, ...atMost(zipped, 300_000) });
}

/** @param shown how trials are shown in this page: the view of the protocol, if nobody chose the transcript */
async function navigated(
  name: string,
  route: string,
  selector: string,
  goalMs: number | null,
  shown: 'layout' | 'transcript' = 'layout',
): Promise<void> {
  const { page, end } = await freshPage();
  await page.goto(host.url);
  await page.evaluate((view) => sessionStorage.setItem('assize/trial/shown', JSON.stringify(view)), shown);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await page.goto(`${host.origin}/#/settings`);
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    times.push(await untilShown(page, route, selector));
  }
  const [cold = 0, ...warm] = times;
  const session = await page.context().newCDPSession(page);
  const heapMiB = rounded((await heapOf(session)) / 2 ** 20, 0);
  const ms = rounded(median(warm), 0);
  print({ what: name, ms, firstTimeMs: rounded(cold, 0), heapMiB, ...(goalMs === null ? {} : atMost(ms, goalMs)) });
  await end();
}

async function framesWhileRunning(): Promise<void> {
  const engine = await connectToEngine(host);
  const { page, end } = await freshPage();
  await page.goto(host.url);
  const draft = {
    name: 'fifty at once',
    entry: 'deposits',
    sample: { n: 24 },
    replicates: 25,
    backend: 'standin',
    arms: [{ name: 'court', protocol: 'agentic-sim', cast: model }],
  } as const;
  await engine.api.settings.change({ concurrency: 50 });
  const running = runToItsEnd(engine.api, draft as never);
  await page.goto(`${host.origin}/#/experiments/${encodeURIComponent(draft.name)}`);
  const frames = page.evaluate<number[]>(`(async () => {
    const times = [];
    let before = performance.now();
    while (times.length < 600) {
      const now = await new Promise((next) => requestAnimationFrame(next));
      times.push(now - before);
      before = now;
    }
    return times;
  })()`);
  const times = (await frames).slice(30).toSorted((a, b) => a - b);
  await running;
  const at = (share: number) => rounded(times[Math.floor(share * (times.length - 1))] ?? 0, 0);
  const seen = { frames: times.length, medianMs: at(0.5), of99Ms: at(0.99), longestMs: at(1) };
  print({ what: 'frames while 50 trials run', ...seen, ...atMost(at(1), 50) });
  engine.close();
  await end();
}

try {
  print({ chromium: browser.version() });
  await firstScreens();
  const engine = await connectToEngine(host);
  const { long, utterances } = await makeLongTrial(host, engine.api);
  engine.close();
  await navigated(`a debate of ${utterances} utterances`, `/trials/${long}`, 'main [role=tabpanel] h2', 150);
  await navigated('its transcript', `/trials/${long}`, 'main [role=feed] article', 150, 'transcript');
  await framesWhileRunning();
  await importLarge(host, cases);
  const rows = '[role=table][aria-rowcount] [aria-rowindex="2"], table[aria-rowcount] [aria-rowindex="2"]';
  await navigated(`first rows of ${systems * cases} trials`, '/experiments/large/trials', rows, 300);
  const queue = encodeURIComponent(JSON.stringify({ queue: 'wrong-and-sure' }));
  await navigated('first rows of one of its queues', `/experiments/large/trials/list=${queue}`, rows, null);
} finally {
  await browser.close();
  await host.stop();
}
