import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, hostOfFile } from './support/desk.ts';
import { connectToEngine } from './support/engineApi.ts';
import { showTheme, themes } from './support/figures.ts';
import { addInferences } from './support/inferences.ts';
import { unfoldAll } from './support/inspection.ts';
import { visit } from './support/places.ts';
import { runToItsEnd } from './support/record.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });
const folder = 'test-results/screens';
const cast = { '*': { model: 'llama3.1:8b' } };
const arms = [
  { name: 'in turn', protocol: 'courtroom', cast, params: { judges: 5, ambiguity: 5, argumentWords: 20 } },
  { name: 'at a time', protocol: 'courtroom', cast, params: { deliberation: 'parallel', shots: 0 } },
  { name: 'vote', protocol: 'vote', cast, params: { shots: 1 } },
  { name: 'single', protocol: 'single', cast, params: { shots: 2 } },
];
const trials = new Map<string, string>();

test.beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const engine = await connectToEngine(host());
  const { id } = await addInferences(engine);
  const { lines } = await runToItsEnd(engine.api, {
    name: 'Courtroom and baselines',
    entry: id,
    sample: { n: 3 },
    backend: 'standin',
    arms,
  });
  for (const { arm, trial, outcome } of lines) if (outcome === 'decided' && !trials.has(arm)) trials.set(arm, trial);
  engine.close();
});

const open = async (page: Page, arm: string) => {
  const trial = trials.get(arm);
  if (trial === undefined) throw new Error(`arm ${arm} has no decided trial`);
  await visit(page, host(), { name: arm, route: `/trials/${trial}` });
  await expect(page.getByRole('tablist')).toBeVisible();
};

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

for (const theme of themes) {
  test(`pictures of the views, ${theme}`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 2000 });
    await showTheme(page, theme);
    await enter(page, host());
    for (const { name } of arms) {
      await open(page, name);
      if (name === 'single') await unfoldAll(page);
      await take(page, `courtroom-${name.replaceAll(' ', '-')}-${theme}`);
    }
  });
}
