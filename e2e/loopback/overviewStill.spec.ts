import { expect } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = sharedHost();

interface Shift extends PerformanceEntry {
  readonly sources: readonly { readonly previousRect: DOMRect; readonly currentRect: DOMRect }[];
}

test('nothing on the overview moves when the finding comes', async ({ page }) => {
  using engine = await connectToEngine(host());
  await makeExperiment(engine.api, { name: 'Still', sample: { n: 6 }, arms: [soloArm, courtArm] });
  await engine.api.experiments.stats({ experiment: 'Still' });
  await enter(page, host());
  await page.evaluate(() => {
    document.body.dataset.moved = '';
    new PerformanceObserver((list) => {
      const sources = (list.getEntries() as Shift[]).flatMap((entry) => entry.sources);
      const moved = sources.map(({ previousRect, currentRect }) => currentRect.top - previousRect.top).filter((by) => by !== 0);
      document.body.dataset.moved += moved.map((by) => `${by} `).join('');
    }).observe({ type: 'layout-shift' });
  });
  await goTo(page, host(), '/experiments/Still');
  await expect(page.getByText('How this was found').first()).toBeVisible();
  await expect(page.getByText('Computing intervals')).toBeHidden();
  await expect(page.getByRole('heading', { name: /^Trials/ })).toBeVisible();
  await expect(page.locator('body')).toHaveAttribute('data-moved', '');
});
