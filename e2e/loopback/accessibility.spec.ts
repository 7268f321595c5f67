import { mkdirSync, writeFileSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { csvOf } from './support/corpora.ts';
import { enter, goTo, hostOfFile } from './support/desk.ts';
import { connectToEngine } from './support/engineApi.ts';
import { showTheme, themes } from './support/figures.ts';
import { unfoldAll } from './support/inspection.ts';
import { placesOf, settled, visit } from './support/places.ts';
import { makeExperiment } from './support/record.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe cannot tell by itself and a person has looked at: screen, rule, and why it is in order. */
const reviewed: readonly { screen: string; rule: string; reason: string }[] = [];

const incomplete: { screen: string; theme: string; rule: string; targets: string[] }[] = [];
let made: { experiment: string; trial: string };

test.afterAll(() => {
  mkdirSync('test-results', { recursive: true });
  writeFileSync('test-results/axe-incomplete.json', `${JSON.stringify(incomplete, null, 2)}\n`);
});

/** Checks what the page shows now against all rules, in both themes. */
async function check(page: Page, screen: string): Promise<void> {
  for (const theme of themes) {
    await showTheme(page, theme);
    const found = await new AxeBuilder({ page }).withTags(rules).analyze();
    const violations = found.violations.map(({ id, nodes }) => ({
      rule: id,
      targets: nodes.map(({ html }) => html.slice(0, 200)),
    }));
    expect.soft(violations, `${screen}, ${theme}`).toEqual([]);
    const open = found.incomplete.map(({ id, nodes }) => ({
      screen,
      theme,
      rule: id,
      targets: nodes.map(({ html, any }) => `${html.slice(0, 200)} | ${any.map(({ message }) => message).join('; ')}`),
    }));
    incomplete.push(...open);
    const unknown = open.filter(({ rule }) => !reviewed.some((known) => known.screen === screen && known.rule === rule));
    expect.soft(unknown, `${screen}, ${theme}: undecided`).toEqual([]);
  }
}

test.describe('an empty record', () => {
  for (const place of placesOf({ experiment: 'none', trial: '0123456789abcdef' })) {
    test(`${place.name} has no fault`, async ({ page }) => {
      await enter(page, host());
      await visit(page, host(), place);
      await check(page, `${place.name}, empty`);
    });
  }
});

test.describe('a filled record', () => {
  test.beforeAll(async () => {
    const engine = await connectToEngine(host());
    made = await makeExperiment(engine.api);
    engine.close();
  });

  for (const name of ['docket', 'entry', 'try', 'new-experiment', 'experiments', 'experiment', 'trial', 'settings']) {
    test(`${name} has no fault, with all folds open`, async ({ page }) => {
      await enter(page, host());
      const place = placesOf(made).find((each) => each.name === name);
      if (place === undefined) throw new Error(`there is no place ${name}`);
      await visit(page, host(), place);
      await unfoldAll(page);
      await check(page, `${name}, filled`);
    });
  }

  test('import has no fault, from the file to the fault in it', async ({ page }) => {
    await enter(page, host());
    await goTo(page, host(), '/import');
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    const csv = csvOf([
      ['id', 'city', 'outcome'],
      ['1', 'York', 'yes'],
      ['2', 'Hull', 'no'],
      ['3', 'Leeds', 'no'],
    ]);
    await (await chosen).setFiles({ name: 'cities.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByRole('textbox', { name: 'Name on the docket' }).fill('');
    await expect(page.getByText('A name has 1 to 200 characters.')).toBeVisible();
    await check(page, 'import, with a fault');
    await page.getByRole('textbox', { name: 'Name on the docket' }).fill('Cities');
    await page.getByRole('textbox', { name: 'Question' }).fill('Is it so?');
    await expect(page.getByRole('heading', { name: 'Case 1' })).toBeVisible();
    await check(page, 'import, filled');
    await page.getByRole('button', { name: /Positive label/ }).click();
    await expect(page.getByRole('listbox')).toBeVisible();
    await check(page, 'import, with an open list');
  });

  test('menus, dialogs and errors have no fault', async ({ page }) => {
    await enter(page, host());
    await goTo(page, host(), '/docket');
    await settled(page);
    await page.getByRole('button', { name: /outside/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await check(page, 'connections, open');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    await check(page, 'list of keys, open');
    await page.keyboard.press('Escape');
    await visit(page, host(), { name: 'experiment', route: `/experiments/${encodeURIComponent(made.experiment)}` });
    await page.getByRole('button', { name: 'Export' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
    await check(page, 'export menu, open');
    await page.keyboard.press('Escape');
    await visit(page, host(), { name: 'try', route: '/try' });
    await page.getByRole('button', { name: 'Try it with the stand-in' }).click();
    await expect(page.getByRole('textbox', { name: 'Facts' })).toHaveAttribute('aria-invalid', 'true');
    await check(page, 'try, with faults');
    await visit(page, host(), { name: 'settings', route: '/settings' });
    await page.getByRole('textbox', { name: 'Address' }).fill('no address');
    await expect(page.getByText(/An address looks like/)).toBeVisible();
    await check(page, 'settings, with a fault');
  });

  test('a page that lost the program has no fault', async ({ page }) => {
    await page.goto(`${host().origin}/#token=${'A'.repeat(43)}`);
    await expect(page.getByText(/no longer valid/)).toBeVisible();
    await check(page, 'without a connection');
  });

  for (const place of ['docket', 'entry', 'import', 'try', 'new-experiment', 'experiments', 'experiment', 'trial', 'settings']) {
    test(`${place} fits a width of 360 pixels, as at 200 % on a small window`, async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 720 });
      await enter(page, host());
      const { route } = placesOf(made).find(({ name }) => name === place) ?? { route: '/nowhere' };
      await visit(page, host(), { name: place, route });
      const widths = await page.evaluate(() => ({
        page: document.documentElement.scrollWidth,
        view: document.documentElement.clientWidth,
      }));
      expect(widths.page).toBeLessThanOrEqual(widths.view);
    });
  }
});
