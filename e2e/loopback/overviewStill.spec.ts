import { expect } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = sharedHost();

test('what is below the finding on the overview waits for it, so that it does not move', async ({ page }) => {
  using engine = await connectToEngine(host());
  await makeExperiment(engine.api, { name: 'Still', sample: { n: 6 }, arms: [soloArm, courtArm] });
  await engine.api.experiments.stats({ experiment: 'Still' });
  // The page waits a second at most, and a busy machine may take longer.
  await page.addInitScript(() => {
    const wait = window.setTimeout;
    window.setTimeout = ((action: () => void, ms?: number) => wait(action, ms === 1000 ? 60_000 : ms)) as typeof setTimeout;
  });
  await enter(page, host());
  await page.evaluate(() => {
    const has = (elements: string, words: RegExp) =>
      [...document.querySelectorAll(elements)].some(({ textContent }) => words.test(textContent));
    new MutationObserver(() => {
      if (has('h2, h3', /^Trials/) && !has('button', /How this was found/)) document.body.dataset.early = 'yes';
    }).observe(document.body, { subtree: true, childList: true });
  });
  await goTo(page, host(), '/experiments/Still');
  await expect(page.getByText('How this was found').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Trials/ })).toBeVisible();
  await expect(page.locator('body')).not.toHaveAttribute('data-early');
});
