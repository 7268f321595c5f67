import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile, test } from './support/app.ts';
import { themes } from './support/axe.ts';
import { csvOf } from './support/corpora.ts';
import { connectToEngine } from './support/engineApi.ts';
import { placesOf, settled, visit } from './support/places.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });
const folder = 'test-results/screens';
let made: { experiment: string; trial: string };

test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const engine = await connectToEngine(host());
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
  engine.close();
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
  await expect(page.getByRole('heading', { name: /^Case B-/ })).toBeVisible();
}

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
