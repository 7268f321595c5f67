import { expect, type Page } from '@playwright/test';
import Database from 'better-sqlite3';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });

/** Erases what the open dialog shows, once it was confirmed. */
async function confirm(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Erase for good' });
  const erase = dialog.getByRole('button', { name: 'Erase', exact: true });
  await expect(dialog.getByText(/texts? of \d+ trials?/)).toBeVisible();
  await expect(erase).toBeDisabled();
  await dialog.getByText('I want to erase this for good').click();
  await erase.click();
  await expect(dialog).toBeHidden();
}

test('a case and then an experiment are erased from the screens, which say so', async ({ page }) => {
  using engine = await connectToEngine(host());
  const { experiment } = await makeExperiment(engine.api, { name: 'To forget', sample: { n: 3 }, arms: [courtArm, soloArm] });
  const { lines } = await engine.api.experiments.trials({ experiment, order: 'case', offset: 0, limit: 10 });
  const trial = lines.find(({ arm }) => arm === courtArm.name)?.trial ?? '';
  await enter(page, host());
  await goTo(page, host(), `/trials/${trial}`);
  await expect(page.getByText('Facts before the court')).toBeVisible();
  await page.getByRole('button', { name: 'Erase…' }).click();
  await expect(page.getByRole('dialog')).toContainText('What stays');
  await expectNoFaults(page, 'what would be erased');
  await confirm(page);
  await expect(page.getByText('Texts of this trial were erased')).toBeVisible();
  await expect(page.getByText('Review this trial')).toBeHidden();
  await expect(page.getByText('This text was erased from the store.').first()).toBeVisible();
  await expectNoFaults(page, 'an erased trial');
  await goTo(page, host(), `/experiments/${encodeURIComponent(experiment)}`);
  await expect(page.getByText('Texts of this experiment were erased')).toBeVisible();
  await page.getByRole('button', { name: 'Erase…' }).click();
  await confirm(page);
  await expect(page.getByText('what was said in the experiment')).toBeVisible();
  await goTo(page, host(), '/experiments');
  await expect(page.getByText('texts erased', { exact: true })).toBeVisible();
});

test('the list of experiments marks the one whose record was changed, and no other', { tag: '@exhaustive' }, async ({ page }) => {
  using engine = await connectToEngine(host());
  for (const name of ['Changed', 'Untouched'])
    await makeExperiment(engine.api, { name, sample: { n: 1 }, arms: [courtArm, soloArm] });
  const db = new Database(host().store);
  db.exec("UPDATE trials SET outcome = 'undecided' WHERE experiment = 'Changed' AND arm = 'court'");
  db.close();
  await enter(page, host());
  await goTo(page, host(), '/experiments');
  const row = (name: string) => page.getByRole('list', { name: 'Experiments' }).getByRole('listitem').filter({ hasText: name });
  await expect(row('Changed').getByText('record changed after it was written')).toBeVisible();
  await expect(row('Untouched')).toBeVisible();
  await expect(row('Untouched').getByText('record changed after it was written')).toBeHidden();
});
