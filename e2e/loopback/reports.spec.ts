import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, hostOfFile } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { showTheme, themes } from './support/figures.ts';
import { placesOf, visit } from './support/places.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });
const folder = 'test-results/screens';
let made: { experiment: string; trial: string };

test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const engine = await connectToEngine(host());
  made = await makeExperiment(engine.api, { name: 'Deposits for a report', sample: { n: 8 }, arms: [courtArm, soloArm] });
  engine.close();
});

const choose = async (page: Page, format: string) => {
  await page.getByRole('button', { name: 'Report', exact: true }).click();
  await page.getByRole('menuitem', { name: format }).click();
};

/** The Chromium that runs this test need not be one that the host finds: then it is HTML, and that is said. */
async function saved(page: Page, format: string): Promise<string> {
  const download = page.waitForEvent('download');
  await choose(page, format);
  const file = await download;
  const content = readFileSync(await file.path(), 'latin1');
  const isPdf = file.suggestedFilename().endsWith('.pdf');
  expect(content.slice(0, 5)).toBe(isPdf ? '%PDF-' : '<!doc');
  const words = isPdf || format === 'HTML' ? 'It can be read and printed without this program' : 'It is HTML instead';
  await expect(page.getByText(words).first()).toBeVisible();
  return content;
}

for (const theme of themes) {
  test(`a trial and an experiment give reports as HTML and PDF, ${theme}`, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await enter(page, host());
    await showTheme(page, theme);
    for (const place of placesOf(made).filter(({ name }) => name === 'trial' || name === 'experiment')) {
      await visit(page, host(), place);
      await page.getByRole('button', { name: 'Report', exact: true }).click();
      await expect(page.getByRole('menuitem', { name: 'PDF' })).toBeVisible();
      await page.screenshot({ path: join(folder, `report-${place.name}-${theme}.png`), animations: 'disabled' });
      await page.keyboard.press('Escape');
      expect(await saved(page, 'HTML')).toContain('</html>');
      await saved(page, 'PDF');
    }
    await choose(page, 'PDF');
    await page.screenshot({ path: join(folder, `report-under-way-${theme}.png`), animations: 'disabled' });
    await page.getByRole('button', { name: 'Cancel the report' }).click();
    await expect(page.getByRole('button', { name: 'Report', exact: true })).toBeVisible();
  });
}
