import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile } from './support/app.ts';
import { findFaults, standards } from './support/axe.ts';
import { csvOf } from './support/corpora.ts';
import { connectToEngine } from './support/engineApi.ts';
import { showTheme, themes } from './support/figures.ts';
import { unfoldAll } from './support/inspection.ts';
import { placesOf, settled, visit } from './support/places.ts';
import { makeExperiment } from './support/record.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });

interface Finding {
  readonly screen: string;
  readonly theme: string;
  readonly rule: string;
  /** The element, and what axe says of it. */
  readonly element: string;
}

/**
 * What axe cannot decide, or what is advice and not the standard, and a person has looked at: why each is in order.
 * A fault against the standard has no exception.
 */
const reviewed: readonly { rule: string; screen: RegExp; element: RegExp; reason: string }[] = [
  {
    rule: 'bypass',
    screen: /open$/,
    element: /^<html/,
    reason: 'while a list or menu is open, the page behind it is hidden from assistive technology, its landmarks too',
  },
  {
    rule: 'color-contrast',
    screen: /^(?:experiment|figures)/,
    element: /^<text|partially obscured/,
    reason:
      'words of the chart, drawn over no fill in the colour of quiet text, whose contrast is checked wherever else it stands',
  },
  {
    rule: 'heading-order',
    screen: /^experiment/,
    element: /^<h2/,
    reason: 'a heading of level 2 after others of level 2; axe cannot tell while the chart before it is drawn anew',
  },
  {
    rule: 'color-contrast',
    screen: /^trial/,
    element: /^<(?:p class="[^"]*" dir="auto"|bdi|b class="_field_|span class="_what_|button class="_mark_).*overlapped/,
    reason: 'a row that the line with the ends of the scale covers while it is scrolled past',
  },
  {
    rule: 'color-contrast',
    screen: /^start/,
    element: /(?:Go on with|href="#\/experiments).*partially obscured/,
    reason:
      'the last line of the screen, which is out of sight until one scrolls to it; quiet text and links on the page as elsewhere',
  },
  {
    rule: 'color-contrast',
    screen: /^datasets/,
    element: /Your own cases go here too\..*partially obscured/,
    reason: 'the words below the list, which are out of sight until one scrolls to them; quiet text on the page as elsewhere',
  },
  {
    rule: 'aria-prohibited-attr',
    screen: /^connections, open/,
    element: /data-trigger="DialogTrigger"/,
    reason: 'the frame of the popover; the dialog within has a role and a name of its own',
  },
  {
    rule: 'region',
    screen: /^connections, open/,
    element: /display: contents/,
    reason: 'the popover stands outside the landmarks, as a dialog does that is open over the page',
  },
  {
    rule: 'color-contrast',
    screen: /^connections, open/,
    element: /partially overlaps/,
    reason: 'the popover covers the page with a colour of its own; its words are dark on light and light on dark as in panels',
  },
];

const undecided: Finding[] = [];
let made: { experiment: string; trial: string };

test.afterAll(() => {
  mkdirSync('test-results', { recursive: true });
  writeFileSync('test-results/axe-incomplete.json', `${JSON.stringify(undecided, null, 2)}\n`);
});

/** Checks what the page shows now against all rules, in both themes. */
async function check(page: Page, screen: string): Promise<void> {
  for (const theme of themes) {
    await showTheme(page, theme);
    const found = await findFaults(page, theme);
    const listed = (results: typeof found.violations): Finding[] =>
      results.flatMap(({ id: rule, nodes }) =>
        nodes.map(({ html, any }) => ({
          screen,
          theme,
          rule,
          element: `${html.slice(0, 300)} ${any.map(({ message }) => message).join('; ')}`,
        })),
      );
    const isOpen = ({ rule, element }: Finding) =>
      !reviewed.some((known) => known.rule === rule && known.screen.test(screen) && known.element.test(element));
    const incomplete = listed(found.incomplete);
    undecided.push(...incomplete);
    const isStandard = ({ tags }: (typeof found.violations)[number]) => tags.some((tag) => standards.includes(tag));
    expect.soft(listed(found.violations.filter(isStandard)), `${screen}, ${theme}: faults`).toEqual([]);
    const advice = found.violations.filter((violation) => !isStandard(violation));
    expect.soft(listed(advice).filter(isOpen), `${screen}, ${theme}: advice`).toEqual([]);
    expect.soft(incomplete.filter(isOpen), `${screen}, ${theme}: undecided`).toEqual([]);
  }
}

test('an empty record has no fault on any screen', async ({ page }) => {
  await enter(page, host());
  for (const place of placesOf({ experiment: 'none', trial: '0123456789abcdef' })) {
    await test.step(place.name, async () => {
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

  test('no screen has a fault, with all folds open', async ({ page }) => {
    await enter(page, host());
    for (const place of placesOf(made).filter(({ name }) => !['import', 'not-found'].includes(name))) {
      await test.step(place.name, async () => {
        await visit(page, host(), place);
        await unfoldAll(page);
        await check(page, `${place.name}, filled`);
      });
    }
  });

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
    await page.getByRole('textbox', { name: 'Name of the data set' }).fill('');
    // At the field, and where the preview would be.
    await expect(page.getByText('A name has 1 to 200 characters.')).toHaveCount(2);
    await check(page, 'import, with a fault');
    await page.getByRole('textbox', { name: 'Name of the data set' }).fill('Cities');
    await page.getByRole('textbox', { name: 'Question' }).fill('Is it so?');
    await expect(page.getByRole('heading', { name: 'Case 1' })).toBeVisible();
    await check(page, 'import, filled');
    await page.getByRole('button', { name: 'Add data set' }).click();
    await expect(page.getByRole('alert').getByText('Choose the answer that the prosecution argues for.')).toBeVisible();
    await check(page, 'import, lacking a side');
    await page.getByRole('button', { name: /Column with the true label/ }).click();
    await expect(page.getByRole('listbox')).toBeVisible();
    await check(page, 'import, list open');
  });

  test('import of predictions has no fault, from the file to the imported trial', async ({ page }) => {
    await enter(page, host());
    await goTo(page, host(), `/experiments/${encodeURIComponent(made.experiment)}/import-predictions`);
    const engine = await connectToEngine(host());
    const { lines } = await engine.api.experiments.trials({ experiment: made.experiment, order: 'case' });
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    const csv = csvOf([
      ['id', 'prediction', 'confidence'],
      [lines[0]?.case ?? '', 'TENANT', '0.9'],
      [lines.at(-1)?.case ?? '', 'neither', '1'],
    ]);
    await (await chosen).setFiles({ name: 'panel.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await expect(page.getByRole('row', { name: /neither/ }).first()).toBeVisible();
    await check(page, 'import of predictions, filled');
    await page.getByRole('textbox', { name: 'Name of the arm' }).fill('');
    await expect(page.getByText('A name has 1 to 200 characters.').first()).toBeVisible();
    await check(page, 'import of predictions, with a fault');
    await page.getByRole('textbox', { name: 'Name of the arm' }).fill('panel');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'On the record' })).toBeVisible();
    await check(page, 'import of predictions, done');
    const imported = await engine.api.experiments.trials({ experiment: made.experiment, arm: 'panel' });
    engine.close();
    await visit(page, host(), { name: 'trial', route: `/trials/${imported.lines[0]?.trial}` });
    await check(page, 'imported trial');
  });

  test('menus, dialogs and errors have no fault', async ({ page }) => {
    await enter(page, host());
    await goTo(page, host(), '/datasets');
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
    await page.getByRole('button', { name: 'Try it with the demo model' }).click();
    await expect(page.getByRole('textbox', { name: 'Facts' })).toHaveAttribute('aria-invalid', 'true');
    await check(page, 'try, with faults');
    await visit(page, host(), { name: 'settings', route: '/settings' });
    await page.getByRole('textbox', { name: 'Address' }).fill('no address');
    await expect(page.getByText(/An address looks like/)).toBeVisible();
    await check(page, 'settings, with a fault');
  });

  test('a page that lost the program has no fault', async ({ page }) => {
    await page.goto(`${host().origin}/#token=${'A'.repeat(43)}`);
    await expect(page.getByText(/no longer valid/).first()).toBeVisible();
    // The screen itself comes a moment after the frame around it.
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await check(page, 'without a connection');
  });

  test('every screen fits a width of 360 pixels, as at 200 % on a small window', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 720 });
    await enter(page, host());
    for (const place of placesOf(made)) {
      await visit(page, host(), place);
      const widths = await page.evaluate(() => ({
        page: document.documentElement.scrollWidth,
        view: document.documentElement.clientWidth,
      }));
      expect.soft(widths.page, place.name).toBeLessThanOrEqual(widths.view);
    }
  });
});
