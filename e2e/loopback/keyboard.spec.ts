import { expect, type Locator, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile, test } from './support/app.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });
const mostSteps = 60;

/** Presses Tab until an element has the focus, and sees that the focus is shown. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor();
  for (let left = mostSteps; left > 0; left--) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((element) => element === document.activeElement)) {
      const { outline, shadow } = await wanted.evaluate((element) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
        return { outline: outlineStyle !== 'none' && outlineWidth !== '0px', shadow: boxShadow !== 'none' };
      });
      expect(outline || shadow, 'the focus is shown').toBe(true);
      return;
    }
  }
  throw new Error(`${mostSteps} steps do not lead to ${wanted}`);
}

test('only by keyboard: from the list of data sets to a trial, into a call and back', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/datasets');
  await tabTo(page, page.getByRole('button', { name: /^Put 5 cases on trial/ }).first());
  await page.keyboard.press('Enter');
  await expect(page.getByText('5 of 5 trials done').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await tabTo(page, page.getByRole('table', { name: 'Trials', exact: true }).getByRole('link').first());
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: /^Case / })).toBeFocused();

  const calls = page.getByRole('button', { name: /^13 calls/ });
  await tabTo(page, calls);
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Calls of this trial' });
  await expect(panel.getByRole('heading', { name: '13 calls' })).toBeFocused();
  await tabTo(page, panel.getByRole('listitem').first().getByRole('button'));
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('region', { name: 'Answer, as it came' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(calls).toBeFocused();

  await page.keyboard.press('j');
  await expect(page.getByRole('feed').getByRole('article').nth(1)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Plans and notes', exact: true })).toHaveAttribute('aria-keyshortcuts', 'p');
  await page.keyboard.press('p');
  await expect(page.getByRole('button', { name: /^Sealed plan/ }).first()).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('g');
  await page.keyboard.press('e');
  await expect(page.getByRole('heading', { level: 1, name: 'Experiments' })).toBeFocused();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeFocused();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page.getByRole('heading', { level: 1, name: 'Data sets' })).toBeFocused();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Go to or run' });
  await expect(palette.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('notices');
  const place = palette.getByRole('group', { name: 'Commands and places' }).getByRole('menuitem');
  await expect(place).toHaveCount(1);
  await expect(place).toHaveAttribute('data-focused');
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: /Notices/ })).toBeFocused();
});

test('F6 leads to the message that says what was done, and closing it leads back', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/try');
  const fill = page.getByRole('button', { name: 'Fill in an example' });
  await fill.press('Enter');
  await fill.press('Enter');
  await page.getByText('Replaced your text with the example.').waitFor();
  await page.keyboard.press('F6');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(fill).toBeFocused();
});

test('a trial is played by keyboard: nothing of what follows is shown, and the address keeps the place', {
  tag: '@exhaustive',
}, async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/datasets');
  await page
    .getByRole('button', { name: /^Put 5 cases on trial/ })
    .first()
    .click();
  await expect(page.getByText('5 of 5 trials done').first()).toBeVisible();
  await page.getByRole('table', { name: 'Trials', exact: true }).getByRole('link').first().click();
  const rows = page.getByRole('feed').getByRole('article');
  const all = Number(await rows.first().getAttribute('aria-setsize'));
  await page.getByRole('button', { name: /^\d+ calls/ }).click();
  const panel = page.getByRole('complementary', { name: 'Calls of this trial' });
  await panel.getByRole('listitem').last().getByRole('button').click();
  await expect(panel.getByText('"prediction"').first()).toBeVisible();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(panel).toHaveCount(0);
  const slider = page.getByRole('slider', { name: 'Place in the trial' });
  await expect(slider).toBeFocused();
  await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
  await slider.press('Home');
  await expect(rows).toHaveCount(1);
  await expect(page.getByText(/^Verdict/)).toHaveCount(0);
  await expect(page.getByText('Same case, other arms')).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/\/play\/3$/);
  await expect(slider).toBeFocused();
  await expect(rows.last()).toHaveAttribute('aria-posinset', '3');
  await expect(rows.last()).toBeInViewport();
  await page.reload();
  await expect(rows.last()).toHaveAttribute('aria-posinset', '3');
  await slider.press('End');
  await expect(rows.last()).toHaveAttribute('aria-setsize', String(all));
  await expect(page.getByRole('heading', { name: 'Ruling', exact: true })).toBeVisible();
  await page.keyboard.press('Home');
  await expect(rows).toHaveCount(1);
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/\/play\/[2-9]$/);
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(slider).toHaveCount(0);
  await expect(page.getByText(/^Verdict/).first()).toBeVisible();
  // The focus goes back to where the play-back was started.
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeFocused();
  await page.keyboard.press('j');
  const row = page.getByRole('feed').locator('article:focus');
  const started = await row.getAttribute('aria-label');
  await page.keyboard.press('b');
  await expect(slider).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(row).toHaveAttribute('aria-label', started ?? '');
});

test('Ctrl and Enter start a case from a radio button too, and the commands of a trial are found by name', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/try');
  await page.getByRole('button', { name: 'Fill in an example' }).click();
  await page.getByRole('radio').first().focus();
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/#\/trials\/[0-9a-f]{16}$/);
  await expect(page.getByRole('button', { name: 'Try again…' })).toBeVisible();
  for (const [command, dialog] of [
    ['Compare with…', 'Compare with'],
    ['Try again…', 'Would another court have said the same?'],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox').fill(command.slice(0, -1));
    await page.getByRole('menuitem', { name: command }).click();
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
});
