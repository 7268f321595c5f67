import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile, test } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { placesOf, visit } from './support/places.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });

/** How far the page can be scrolled sideways in a window of this size, once it has been drawn. Pixels. */
async function sideways(page: Page, width: number, height: number): Promise<number> {
  await page.setViewportSize({ width, height });
  return page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    return document.documentElement.scrollWidth - innerWidth;
  });
}

/** How far what floats is from what it belongs to. Pixels. */
async function distances(page: Page): Promise<{ left: number; below: number; letters: number }> {
  await goTo(page, host(), '/new/deposits');
  await page.locator('button[aria-haspopup="listbox"]').first().click();
  const list = page.getByRole('listbox');
  await expect(list).toBeVisible();
  const [trigger, popover] = [
    await page.locator('[aria-expanded="true"]').first().boundingBox(),
    await list.locator('..').boundingBox(),
  ];
  const letters = await list.getByRole('option').first().boundingBox();
  await page.keyboard.press('Escape');
  if (trigger === null || popover === null || letters === null) throw new Error('nothing floats');
  return {
    left: Math.abs(popover.x - trigger.x),
    below: Math.min(Math.abs(popover.y - trigger.y - trigger.height), Math.abs(trigger.y - popover.y - popover.height)),
    letters: letters.height,
  };
}

test('text grows to 150% with what floats in its place, and stays so', { tag: '@exhaustive' }, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await enter(page, host());
  const usual = await distances(page);
  await goTo(page, host(), '/settings');
  const field = page.getByRole('textbox', { name: 'Text size, %' });
  await field.fill('150');
  await field.press('Enter');
  await expect(page.getByText('Text size: 150%.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Text size, %' })).toHaveValue('150');
  const large = await distances(page);
  expect(large.left).toBeLessThan(usual.left + 8);
  expect(large.below).toBeLessThan(usual.below + 12);
  expect(large.letters / usual.letters).toBeCloseTo(1.5, 1);
  await goTo(page, host(), '/settings');
  await field.fill('100');
  await field.press('Enter');
  await expect(page.getByText('Text size: 100%.')).toBeVisible();
});

test('no screen scrolls sideways, be the window narrow, the zoom 400% or the text large', { tag: '@exhaustive' }, async ({
  page,
}) => {
  using engine = await connectToEngine(host());
  const made = await makeExperiment(engine.api, { name: 'Large print', sample: { n: 6 }, arms: [courtArm, soloArm] });
  await enter(page, host());
  const showText = (size: string) =>
    page.evaluate((value) => document.documentElement.style.setProperty('--text-size', value), size);
  for (const place of placesOf(made)) {
    await page.setViewportSize({ width: 320, height: 180 });
    await showText('1');
    await visit(page, host(), place);
    expect.soft(await sideways(page, 320, 180), `${place.name} at 400%`).toBeLessThanOrEqual(0);
    if (place.name.startsWith('trial')) {
      const transcript = await page.getByRole('region', { name: 'Transcript' }).boundingBox();
      expect.soft(transcript?.height, place.name).toBeGreaterThan(120);
    }
    expect.soft(await sideways(page, 360, 720), `${place.name} at 360`).toBeLessThanOrEqual(0);
    await showText('1.5');
    for (const width of [900, 1280])
      expect.soft(await sideways(page, width, 720), `${place.name} at ${width} in large text`).toBeLessThanOrEqual(0);
  }
});

test('the transcript of a trial has the room of the window, also a low one or at 400% zoom; the verdict and Find stay', {
  tag: '@exhaustive',
}, async ({ page }) => {
  using engine = await connectToEngine(host());
  const { trial } = await makeExperiment(engine.api, { name: 'Room to read', sample: { n: 2 }, arms: [courtArm] });
  await enter(page, host());
  const transcript = page.getByRole('region', { name: 'Transcript' });
  const seen = (element: HTMLElement | SVGElement) => {
    const { top, bottom } = element.getBoundingClientRect();
    return Math.min(bottom, element.closest('main')?.parentElement?.getBoundingClientRect().bottom ?? 0) - top;
  };
  const [scale, line] = [30, 26];
  for (const [width, height, room] of [
    [1280, 720, 560],
    [900, 700, 520],
    [640, 360, scale + 5 * line],
    [320, 256, scale + 3 * line],
  ] as const) {
    await page.setViewportSize({ width, height });
    await visit(page, host(), { name: 'trial', route: `/trials/${trial}` });
    expect.soft(await transcript.evaluate(seen), `${width} × ${height}`).toBeGreaterThanOrEqual(room);
    await transcript.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    await expect(page.getByText('Check the record')).not.toBeInViewport();
    await expect(page.getByRole('banner').getByText(/%/)).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Find', exact: true })).toBeInViewport();
  }
});

test('the system says how a run ended after the user agreed, and a press on the notice opens the experiment', {
  tag: '@exhaustive',
}, async ({ page }) => {
  await page.addInitScript(() => {
    const shown: Notification[] = [];
    class Substitute {
      static permission = 'default';
      static requestPermission = () => Promise.resolve(Substitute.permission);
      onclick: (() => void) | null = null;
      constructor(title: string, options: { body: string }) {
        Object.assign(this, { title, options });
        shown.push(this as unknown as Notification);
      }
      close() {}
    }
    Object.assign(globalThis, { Notification: Substitute, shown });
    document.hasFocus = () => false;
  });
  const allow = () => page.evaluate(() => void Object.assign(Notification, { permission: 'granted' }));
  await enter(page, host());
  await goTo(page, host(), '/settings');
  const choice = page.getByRole('checkbox', { name: 'Tell me when a run ends' });
  await choice.press('Space');
  await expect(page.getByText('The browser does not allow notices from this page.')).toBeVisible();
  await allow();
  await choice.press('Space');
  await expect(page.getByText('Notices are on.')).toBeVisible();
  await expect(choice).toBeChecked();
  await choice.scrollIntoViewIfNeeded();
  await goTo(page, host(), '/datasets');
  await allow();
  await page
    .getByRole('button', { name: /^Put 5 cases on trial/ })
    .first()
    .click();
  await page.waitForURL(/#\/experiments\//);
  const experiment = page.url();
  await expect(page.getByText('5 of 5 trials done').first()).toBeVisible();
  const shown = () =>
    page.evaluate(() =>
      (globalThis as unknown as { shown: { title: string; options: { body: string } }[] }).shown.map(({ title, options }) => [
        title,
        options.body,
      ]),
    );
  await expect.poll(shown).toEqual([[expect.stringMatching(/^“.*” is finished$/), expect.stringMatching(/^5 trials: 5 done/)]]);
  await page.getByRole('link', { name: 'Models' }).click();
  await page.evaluate(() => (globalThis as unknown as { shown: { onclick: () => void }[] }).shown[0]?.onclick());
  await expect(page).toHaveURL(experiment);
});
