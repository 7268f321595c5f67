import { expect } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = sharedHost();

test('words are found in everything that was said, and lead to their place in the trial', async ({ page }) => {
  using engine = await connectToEngine(host());
  await makeExperiment(engine.api, { name: 'Said', sample: { n: 6 }, arms: [courtArm, soloArm] });
  await enter(page, host());
  await page.getByRole('link', { name: 'Search' }).click();
  await expect(page.getByText('Search everything that was said')).toBeVisible();
  const field = page.getByRole('textbox', { name: /Words/ });
  await expect(field).toBeFocused();
  await field.fill('landlord "weigh"');
  await expect(page.getByRole('heading', { name: 'Nothing found' }).or(page.getByText('the newest first'))).toBeVisible();
  await field.fill('landlord');
  await expect(page.getByText(/^\d+ places?, the newest first/)).toBeVisible();
  await expect(page.getByRole('listitem').first().locator('mark').first()).toHaveText(/landlord/i);
  await expectNoFaults(page, 'search');
  await page.setViewportSize({ width: 700, height: 800 });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('listitem').getByRole('link').first().click();
  await expect(page.getByRole('searchbox', { name: 'Find in the transcript' })).toHaveValue(/landlord/i);
  await expect(page.locator('[data-here]').first()).toBeInViewport();
  await page.keyboard.press('n');
  await expect(page.getByText('2 of 50 newest search hits')).toBeVisible();
  await page.getByRole('link', { name: 'newest search hits' }).click();
  await expect(field).toHaveValue('landlord');
  await expect(page.getByText(/^\d+ places?, the newest first/)).toBeVisible();
  await goTo(page, host(), '/experiments');
  await expect(page.getByRole('heading', { name: 'Experiments', level: 1 })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await expect(field).toBeFocused();

  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Go to or run' });
  await palette.getByRole('searchbox').fill('belief');
  const word = palette.getByRole('group', { name: 'Words' }).getByRole('menuitem').first();
  await expect(word).toContainText('The probability of each label that a role holds at one moment.');
  await palette.getByRole('searchbox').fill('equalized odds');
  await word.click();
  const glossary = page.getByRole('dialog', { name: 'Glossary' });
  await expect(glossary.locator(':focus')).toContainText('equalised odds');
  await expectNoFaults(page, 'glossary');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await palette.getByRole('searchbox').fill('landlord');
  const said = palette.getByRole('group', { name: 'Said in trials' }).getByRole('menuitem');
  await expect(said).toHaveCount(6);
  // The arrow keys scroll the list from the field; axe leaves out marks that have no room, and no other words next to them,
  // and cannot see behind what the edge of the list covers.
  const known = [
    /^scrollable-region-focusable: <div [^>]*role="menu"/,
    /^label-content-name-mismatch: <div [^>]*data-key="(?:said|experiment) /,
    /^color-contrast\?: <span [^>]*slot="label".*partially obscured/,
  ];
  await expectNoFaults(page, 'palette', known);
  await said.last().click();
  await expect(field).toHaveValue('landlord');
  const hits = page.getByRole('main').getByRole('listitem');
  await expect(hits).toHaveCount(50);
  await page.getByRole('button', { name: 'Show more' }).press('Enter');
  await expect(hits.nth(50).getByRole('link')).toBeFocused();
  await page.reload();
  await expect(field).toHaveValue('landlord');
});

test('a search that is left while the next screen is still being fetched ends, and is there at once on going back', async ({
  page,
}) => {
  await enter(page, host());
  await page.route(/TrialScreen-[^/]*\.js$/, () => undefined);
  await goTo(page, host(), '/search');
  const field = page.getByRole('textbox', { name: /Words/ });
  await field.fill('landlord');
  const answer = page.getByRole('heading', { name: 'Nothing found' }).or(page.getByText('the newest first'));
  await expect(answer).toBeVisible();
  await field.fill('tenant');
  const left = new URL('#/trials/any', page.url()).href;
  await page.evaluate((address) => location.assign(address), left);
  await expect(field).toHaveCount(0);
  // Longer than words have to rest before they are put in the address.
  await page.waitForTimeout(600);
  expect(page.url()).toBe(left);
  await page.goBack();
  await expect(field).toHaveValue('landlord');
  await expect(answer).toBeVisible();
});

test('a search whose engine ends is answered by the next one', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/search');
  const engine = host().enginePid();
  process.kill(engine, 'SIGSTOP');
  await page.getByRole('textbox', { name: /Words/ }).fill('landlord');
  await expect(page.getByText('Searching…')).toBeVisible();
  process.kill(engine, 'SIGKILL');
  await expect(page.getByRole('heading', { name: 'Nothing found' }).or(page.getByText('the newest first'))).toBeVisible();
});

test('a search is kept under a name and opens from it; it is renamed and removed, which can be undone', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/search');
  const field = page.getByRole('textbox', { name: /Words/ });
  const save = page.getByRole('button', { name: 'Save this view…' });
  await expect(save).toHaveCount(0);
  await field.fill('"the landlord" lease');
  await page.getByRole('button', { name: /All experiments/ }).click();
  await page.getByRole('option', { name: 'Said' }).click();
  await save.click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Leases');
  await page.keyboard.press('Enter');
  const view = (name: string) => page.getByRole('link', { name, exact: true });
  await expect(view('Leases')).toHaveAttribute('aria-current', 'true');
  await goTo(page, host(), '/search');
  await page.reload();
  await view('Leases').click();
  await expect(field).toHaveValue('"the landlord" lease');
  await expect(page.getByRole('button', { name: /Said/ })).toBeVisible();
  await page.getByRole('button', { name: 'More about the view Leases' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Old leases');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'More about the view Old leases' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(view('Old leases')).toHaveCount(0);
  await page.getByRole('alertdialog').filter({ hasText: 'removed' }).getByRole('button', { name: 'Undo' }).click();
  await expect(view('Old leases')).toBeVisible();
});
