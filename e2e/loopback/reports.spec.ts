import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { placesOf, visit } from './support/places.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = sharedHost();
let made: { experiment: string; trial: string };

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  made = await makeExperiment(engine.api, { name: 'Deposits for a report', sample: { n: 8 }, arms: [courtArm, soloArm] });
});

const choose = async (page: Page, format: string) => {
  await page.getByRole('button', { name: /^(Trial|Experiment) report$/ }).click();
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

test('a trial and an experiment give reports as HTML and PDF', async ({ page }) => {
  await enter(page, host());
  for (const place of placesOf(made).filter(({ name }) => name === 'trial' || name === 'experiment')) {
    await visit(page, host(), place);
    expect(await saved(page, 'HTML')).toContain('</html>');
    await saved(page, 'PDF');
  }
  await choose(page, 'PDF');
  await page.getByRole('button', { name: 'Cancel the report' }).click();
  await expect(page.getByRole('button', { name: /^(Trial|Experiment) report$/ })).toBeVisible();
});

test('a report of some parts says which are left out', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), `/trials/${made.trial}`);
  await choose(page, 'Some parts only…');
  const dialog = page.getByRole('dialog', { name: 'What goes into the report' });
  await dialog.getByText('Private plans and notes').click();
  await dialog.getByText('The calls').click();
  await expectNoFaults(page, 'parts of a report');
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as HTML' }).click();
  const report = readFileSync(await (await download).path(), 'utf8');
  expect(report).toContain('Left out when it was saved: private plans and notes; the calls.');
});
