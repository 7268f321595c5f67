import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import Database from 'better-sqlite3';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { showTheme, themes } from './support/figures.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });
const folder = 'test-results/screens';

test('the list of experiments marks the one whose record was changed, and no other', async ({ page }) => {
  const engine = await connectToEngine(host());
  for (const name of ['Changed', 'Untouched'])
    await makeExperiment(engine.api, { name, sample: { n: 1 }, arms: [courtArm, soloArm] });
  engine.close();
  const db = new Database(host().store);
  db.exec("UPDATE trials SET outcome = 'undecided' WHERE experiment = 'Changed' AND arm = 'court'");
  db.close();
  await page.setViewportSize({ width: 1440, height: 1000 });
  await enter(page, host());
  await goTo(page, host(), '/experiments');
  const row = (name: string) => page.getByRole('list', { name: 'Experiments' }).getByRole('listitem').filter({ hasText: name });
  await expect(row('Changed').getByText('record damaged')).toBeVisible();
  await expect(row('Untouched')).toBeVisible();
  await expect(row('Untouched').getByText('record damaged')).toBeHidden();
  for (const theme of themes) {
    await showTheme(page, theme);
    await page.screenshot({ path: join(folder, `experiments-damaged-${theme}.png`), animations: 'disabled' });
  }
});
