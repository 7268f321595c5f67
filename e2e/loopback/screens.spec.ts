import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile, test } from './support/app.ts';
import { themes } from './support/axe.ts';
import { csvOf } from './support/corpora.ts';
import { connectToEngine } from './support/engineApi.ts';
import { placesOf, settled, still, visit } from './support/places.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });
const folder = 'test-results/screens';
let made: Awaited<ReturnType<typeof makeExperiment>>;

test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  using engine = await connectToEngine(host());
  made = await makeExperiment(engine.api, {
    name: 'Deposits in court and alone',
    sample: { n: 24 },
    arms: [courtArm, soloArm, { ...soloArm, name: 'single answer, system 1', params: { style: 'system1' } }],
  });
  await engine.api.tries.start({
    protocol: 'agentic-sim',
    model: 'llama3.1:8b',
    backend: 'standin',
    question: 'Does the tenant get the deposit back?',
    facts: 'The flat was left clean.',
    labels: ['NO', 'YES'],
  });
});

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const picture = await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  expect(picture.length).toBeGreaterThan(10_000);
}

async function chooseFile(page: Page): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const rows = Array.from({ length: 40 }, (_none, index) => [
    `B-${index + 1}`,
    ['York', 'Hull', 'Leeds'][index % 3] ?? '',
    `${20 + index}`,
    index % 3 === 0 ? 'granted' : 'refused',
  ]);
  const buffer = Buffer.from(csvOf([['case id', 'court', 'age of the claim', 'outcome'], ...rows]));
  await (await chosen).setFiles({ name: 'claims.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('textbox', { name: 'Question' }).fill('Is the claim granted?');
  // The preview follows what is typed.
  await expect(page.getByRole('button', { name: 'Add data set' })).toBeEnabled();
}

/** What the clock decides; a longer one would move what follows it. */
const sameTimes = (page: Page) =>
  page.locator('time').evaluateAll((times) => {
    for (const time of times) time.textContent = '1.2 s';
  });

/** Screens that say something else on another machine, and those that are taken later. */
const left = ['models', 'settings', 'not-found', 'import', 'import-new', 'live', 'compare', 'beside', 'search'];

/** Major version of Chromium that drew the pictures. */
const drawnBy = '156';

test.describe('pictures', () => {
  // Half the size shows where things are and in which colours, and hides how a machine draws letters.
  test.use({ deviceScaleFactor: 0.5, viewport: { width: 1440, height: 900 } });

  test('twenty key screens look as in e2e/pictures', async ({ page, browser }) => {
    const [version] = browser.version().split('.');
    // biome-ignore lint/suspicious/noSkippedTests: another version draws letters in another way
    test.skip(version !== drawnBy, `The pictures are of Chromium ${drawnBy} and this is ${version}: see docs/decisions/0058.`);
    let taken = 0;
    const looksAsBefore = async (name: string, bring: () => Promise<void>) => {
      await page.emulateMedia({ colorScheme: themes[taken++ % 2] ?? 'light' });
      await bring();
      await still(page);
      await page.evaluate(() => document.fonts.ready);
      await sameTimes(page);
      await expect.soft(page).toHaveScreenshot(`${name}.png`, { threshold: 0.02, maxDiffPixelRatio: 0.01, scale: 'device' });
    };
    const route = `/experiments/${encodeURIComponent(made.experiment)}`;
    const trial = `/trials/${made.trial}`;
    await enter(page, host());
    const places = placesOf(made);
    for (const place of [
      ...places.filter(({ name }) => !left.includes(name)),
      ...places.filter(({ name }) => name === 'compare'),
      { name: 'trials', route: `${route}/trials` },
      ...places.filter(({ name }) => name === 'beside'),
    ])
      await looksAsBefore(place.name, async () => {
        await visit(page, host(), place);
        // What is known of the record comes after the rest of the first screen.
        if (place.name === 'start') await expect(page.getByText('Open record:')).toBeVisible();
      });
    await looksAsBefore('search', async () => {
      await visit(page, host(), { name: 'search', route: '/search' });
      await page.getByRole('textbox', { name: /Words/ }).fill('joint inspection');
      await expect(page.getByRole('listitem').first().locator('mark').first()).toBeVisible();
    });
    await looksAsBefore('import-filled', async () => {
      await goTo(page, host(), '/import');
      await chooseFile(page);
    });
    await page.setViewportSize({ width: 900, height: 700 });
    await looksAsBefore('trial-900', () => visit(page, host(), { name: 'trial', route: trial }));
    expect(taken).toBe(20);
  });
});

for (const theme of themes) {
  test(`every screen, ${theme}`, { tag: '@picture' }, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    await enter(page, host());
    for (const place of placesOf(made)) {
      await visit(page, host(), place);
      await take(page, `${place.name}-${theme}`);
    }
    await goTo(page, host(), '/import');
    await chooseFile(page);
    await take(page, `import-filled-${theme}`);
    await page.setViewportSize({ width: 420, height: 900 });
    for (const place of placesOf(made).filter(({ name }) => ['trial', 'datasets', 'experiment', 'models'].includes(name))) {
      await visit(page, host(), place);
      await settled(page);
      await take(page, `${place.name}-narrow-${theme}`);
    }
  });
}
