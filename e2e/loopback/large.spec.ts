import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile, test } from './support/app.ts';
import { csvOf } from './support/corpora.ts';
import { startDemoProcess } from './support/demoModels.ts';
import { connectToEngine } from './support/engineApi.ts';
import { settled } from './support/places.ts';
import { makeExperiment } from './support/record.ts';
import { watch } from './support/watch.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });
const name = 'three thousand';
const trials = 3000;
/** Rows that may be in the page: those in view, and some to either side. */
const mostRows = 80;

test.beforeAll(async () => {
  const { folder, store, assize } = host();
  const rows = Array.from({ length: trials }, (_none, index) => [
    `c${index}`,
    `Case ${index} of many.`,
    index % 3 === 0 ? 'YES' : 'NO',
  ]);
  writeFileSync(join(folder, 'many.csv'), csvOf([['id', 'text', 'label'], ...rows]));
  const file = join(folder, 'many.json');
  const experiment = {
    version: 1,
    name,
    dataset: { path: 'many.csv', kind: 'text', id: 'id', label: { column: 'label' }, positive: 'YES', question: 'Is it so?' },
    arms: [{ name: 'solo', protocol: 'standard', cast: { '*': { model: 'llama3.1:8b' } } }],
  };
  writeFileSync(file, JSON.stringify(experiment));
  const standin = await startDemoProcess();
  try {
    await assize(['run', file, '--store', store, '--ollama', standin.url, '--concurrency', '16']);
  } finally {
    await standin.stop();
  }
});

test('three thousand trials scroll with few rows in the page', { tag: '@exhaustive' }, async ({ page, context }) => {
  const seen = await watch(context, host().origin);
  await enter(page, host());
  await goTo(page, host(), '/experiments');
  await page.getByRole('link', { name }).click();
  await settled(page);
  const table = page.getByRole('table', { name: 'Trials', exact: true });
  await expect(table).toHaveAttribute('aria-rowcount', `${trials + 1}`);
  const rows = table.getByRole('row');
  expect(await rows.count()).toBeLessThan(mostRows);

  const last = table.locator(`[aria-rowindex="${trials + 1}"]`);
  await table.getByRole('link').first().focus();
  await page.keyboard.press('End');
  await expect(last.getByRole('link')).toBeFocused();
  expect(await rows.count()).toBeLessThan(mostRows);
  await page.keyboard.press('Home');
  await expect(table.locator('[aria-rowindex="2"]').getByRole('link')).toBeFocused();

  await page.getByRole('textbox', { name: 'Case', exact: true }).fill('c2999');
  await expect(page.getByText('1 trial fit')).toBeVisible();
  await expect(rows).toHaveCount(2);
  expect(seen.errors).toEqual([]);
});

test('security 25: the code of charts comes with the first screen that draws one', { tag: '@exhaustive' }, async ({
  page,
  context,
}) => {
  const seen = await watch(context, host().origin);
  const bytes: Record<string, number> = {};
  page.on('response', async (response) => {
    if (response.url().endsWith('.js')) bytes[response.url()] = (await response.body()).length;
  });
  await enter(page, host());
  await goTo(page, host(), '/datasets');
  await settled(page);
  await goTo(page, host(), '/settings');
  await settled(page);
  const before = seen.requested.filter((url) => url.endsWith('.js'));
  await goTo(page, host(), `/experiments/${encodeURIComponent(name)}`);
  await settled(page);
  expect(seen.requested.every((url) => !/chart|figure/i.test(url))).toBe(true);
  await goTo(page, host(), `/experiments/${encodeURIComponent(name)}/figures`);
  await expect(page.locator('[data-figure] svg, [data-figure] canvas').first()).toBeVisible();
  const after = () => seen.requested.filter((url) => url.endsWith('.js') && !before.includes(url));
  // ECharts with what these charts need is by far the largest part of the page.
  await expect.poll(() => Math.max(...after().map((url) => bytes[url] ?? 0))).toBeGreaterThan(200_000);
  // A figure's own code comes when it is scrolled near.
  const figures = readdirSync('src/renderer/charts/figures').map((file) => file.replace(/\.ts$/, ''));
  expect(after().some((url) => figures.some((figure) => url.includes(`/${figure}-`)))).toBe(true);
});

test('only the visible part of a transcript is in the page', { tag: '@exhaustive' }, async ({ page }) => {
  using engine = await connectToEngine(host());
  const { trial } = await makeExperiment(engine.api, { sample: { n: 1 } });
  await page.setViewportSize({ width: 1280, height: 360 });
  await enter(page, host());
  await goTo(page, host(), `/trials/${trial}`);
  const rows = page.getByRole('feed').getByRole('article');
  await expect(rows.first()).toHaveAttribute('aria-setsize', '7');
  expect(await rows.count()).toBeLessThan(7);
  const ruling = page.getByRole('article', { name: /^Judge/ });
  await expect(ruling).toHaveCount(0);
  for (let step = 1; step < 7; step++) await page.keyboard.press('j');
  await expect(ruling).toBeFocused();
  await expect(page.getByRole('article', { name: 'Prosecution, opening' })).toHaveCount(0);
});
