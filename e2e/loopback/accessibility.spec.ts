import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { csvOf } from './support/corpora.ts';
import { connectToEngine } from './support/engineApi.ts';
import { unfoldAll } from './support/inspection.ts';
import { placesOf, settled, visit } from './support/places.ts';
import { makeExperiment } from './support/record.ts';
import { watch } from './support/watch.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });

/** What axe cannot decide, or what is advice and not the standard, and a person has looked at: why each is in order. */
const reviewed: readonly { screen: RegExp; fault: RegExp; reason: string }[] = [
  {
    screen: /open$/,
    fault: /^bypass\?: <html/,
    reason: 'while a list or menu is open, the page behind it is hidden from assistive technology, its landmarks too',
  },
  {
    screen: /^(?:experiment|figures|compare)/,
    fault: /^color-contrast\?: (?:<text|.*partially obscured)/,
    reason: 'words of the chart, drawn over no fill in the colour of quiet text, whose contrast is checked everywhere else',
  },
  {
    screen: /^(?:experiment|settings)/,
    fault: /^heading-order\??: <h2/,
    reason: 'a heading of level 2 after others of level 2; axe cannot tell while what precedes it is redrawn',
  },
  {
    screen: /^trial/,
    fault:
      /^color-contrast\?: <(?:(?:p|span) class="[^"]*" dir="auto"|bdi|b class="_field_|span class="_what_|button class="_mark_).*overlapped/,
    reason: 'a row that the line with the ends of the scale covers while it is scrolled past',
  },
  {
    screen: /^beside/,
    fault: /^color-contrast\?: <(?:bdi|span class="quiet").*partially obscured/,
    reason: 'names of speeches that are out of sight until one scrolls to them; text and quiet text on the page as elsewhere',
  },
  {
    screen: /^beside/,
    fault: /^color-contrast\?: <span>.*partially overlaps/,
    reason: 'words between marked ones that continue in the next line, whose lines lie over each other by a pixel',
  },
  {
    screen: /^start/,
    fault: /^color-contrast\?: .*(?:Continue with|href="#\/experiments).*partially obscured/,
    reason:
      'the last line of the screen, which is out of sight until one scrolls to it; quiet text and links on the page as elsewhere',
  },
  {
    screen: /^datasets/,
    fault: /^color-contrast\?: .*Your own cases go here too\..*partially obscured/,
    reason: 'the words below the list, which are out of sight until one scrolls to them; quiet text on the page as elsewhere',
  },
  {
    screen: /^connections, open/,
    fault: /^aria-prohibited-attr\?: .*data-trigger="DialogTrigger"/,
    reason: 'the frame of the popover; the dialog within has its own role and name',
  },
  {
    screen: /^connections, open/,
    fault: /^region\??: .*display: contents/,
    reason: 'the popover is outside the landmarks, as a dialog does that is open over the page',
  },
  {
    screen: /^connections, open/,
    fault: /^color-contrast\?: .*partially overlaps/,
    reason: 'the popover covers the page with its own colour; its words are dark on light and light on dark as in panels',
  },
];

let made: Awaited<ReturnType<typeof makeExperiment>>;

/** Checks what the page shows now in both themes. */
const check = (page: Page, screen: string): Promise<void> =>
  expectNoFaults(
    page,
    screen,
    reviewed.flatMap((known) => (known.screen.test(screen) ? [known.fault] : [])),
  );

/** Screens on which a record is seen; the others are the same with one, and are checked then. */
const ofRecord = /^(?:start|import|experiments?|figures|import-predictions|review|live|trial|trial-play|not-found)$/;

test('an empty record has no fault on any screen', { tag: '@exhaustive' }, async ({ page }) => {
  await enter(page, host());
  for (const place of placesOf({ experiment: 'none', trial: '0123456789abcdef' }).filter(({ name }) => ofRecord.test(name))) {
    await test.step(place.name, async () => {
      await visit(page, host(), place);
      await check(page, `${place.name}, empty`);
    });
  }
});

test.describe('a filled record', () => {
  test.beforeAll(async () => {
    using engine = await connectToEngine(host());
    made = await makeExperiment(engine.api);
  });

  test('security 12, 17 and 26: no screen has a fault, breaks a policy, asks anything elsewhere or sends a path', async ({
    page,
    context,
  }) => {
    const seen = await watch(context, host().origin);
    await enter(page, host());
    for (const place of placesOf(made)) {
      await test.step(place.name, async () => {
        await visit(page, host(), place);
        await unfoldAll(page);
        // These have their own tests.
        if (!['import', 'not-found'].includes(place.name)) await check(page, `${place.name}, filled`);
      });
    }
    const { violations, errors, foreign, dialogs, popups } = seen;
    expect({ violations, errors, foreign, dialogs, popups }).toEqual({
      violations: [],
      errors: [],
      foreign: [],
      dialogs: [],
      popups: [],
    });
    expect(seen.requested.some((url) => url.endsWith('/engine'))).toBe(true);
    const sent = seen.sent.join('\n');
    expect(sent).toContain('dataFiles');
    for (const path of [host().folder, process.cwd(), '/tmp/', 'trials.db', 'file:']) expect(sent).not.toContain(path);
  });

  test('import has no fault, from the file to the fault in it', { tag: '@exhaustive' }, async ({ page }) => {
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
    await page.getByRole('button', { name: /Column with the label/ }).click();
    await expect(page.getByRole('listbox')).toBeVisible();
    await check(page, 'import, list open');
  });

  test('import of predictions has no fault, from the file to the imported trial', { tag: '@exhaustive' }, async ({ page }) => {
    await enter(page, host());
    await goTo(page, host(), `/experiments/${encodeURIComponent(made.experiment)}/import-predictions`);
    using engine = await connectToEngine(host());
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
    await page.getByRole('textbox', { name: 'Who or what decided' }).fill('');
    await expect(page.getByText('A name has 1 to 200 characters.').first()).toBeVisible();
    await check(page, 'import of predictions, with a fault');
    await page.getByRole('textbox', { name: 'Who or what decided' }).fill('panel');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'On the record' })).toBeVisible();
    await check(page, 'import of predictions, done');
    const imported = await engine.api.experiments.trials({ experiment: made.experiment, arm: 'panel' });
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

  test('a page that lost the program has no fault', { tag: '@exhaustive' }, async ({ page }) => {
    await page.goto(`${host().origin}/#token=${'A'.repeat(43)}`);
    await expect(page.getByText(/no longer valid/).first()).toBeVisible();
    await check(page, 'without a connection');
  });
});
