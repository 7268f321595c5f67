import { expect } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { openTopics } from './support/figures.ts';
import { settled } from './support/places.ts';
import { makeExperiment } from './support/record.ts';

needsChromium();

const host = sharedHost();
let route: string;

test.beforeAll(async () => {
  const engine = await connectToEngine(host());
  const { experiment } = await makeExperiment(engine.api, { name: 'On paper' });
  route = `/experiments/${encodeURIComponent(experiment)}/figures`;
  engine.close();
});

test('a screen is printed as long as it is, not as far as the window reaches', { tag: '@exhaustive' }, async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), route);
  await openTopics(page);
  await expect(page.locator('[data-figure="accuracy-by-arm"] [role="group"] svg')).toBeVisible();
  await settled(page);
  const content = await page.getByRole('main').evaluate(({ scrollHeight }) => scrollHeight);
  const { height: window } = page.viewportSize() ?? { height: 0 };
  expect(content).toBeGreaterThan(window);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation', { name: 'Places' })).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(window);
  // Letters and margins are those of the browser; a window's worth would be a page or two.
  const pages = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g) ?? [];
  expect(pages.length).toBeGreaterThan(2);
});
