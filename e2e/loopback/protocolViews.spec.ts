import { expect } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { onKeptPage, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { expectOnlyTexts, expectToFit, heldTrials, inOneLine, savedReport } from './support/heldTrials.ts';
import { addInferences, hostileInferences } from './support/inferences.ts';
import { unfoldAll } from './support/inspection.ts';

needsChromium();

/** What holds for the views of all protocols, whose blocks one component draws: one after the other. */

const cast = { '*': { model: 'llama3.1:8b' } };
const arms = [
  { name: 'courtroom', protocol: 'courtroom', cast, params: { judges: 5, ambiguity: 5, argumentWords: 20 } },
  { name: 'at a time', protocol: 'courtroom', cast, params: { deliberation: 'parallel', shots: 0 } },
  { name: 'vote', protocol: 'vote', cast: { ...cast, retriever: { model: 'nomic-embed-text' } }, params: { shots: 1 } },
  { name: 'single', protocol: 'single', cast, params: { shots: 2 } },
  { name: 'debate-feedback', protocol: 'debate-feedback', cast, params: { assistant: 'model' } },
  { name: 'four', protocol: 'debate-feedback', cast, params: { debaters: 4, rounds: 1, words: 20, memory: 'transcript' } },
  { name: 'evince', protocol: 'evince', cast, params: { modulation: 'metric', gate: 0.6, retrieveAbove: 0.1, maxRounds: 3 } },
  { name: 'mixture', protocol: 'evince', cast, params: { modulation: 'mixture' } },
];
/** What axe cannot tell: words of a chart, drawn over no fill in the colour of quiet text, which is checked everywhere else. */
const chartText = /^color-contrast\?: <text /;
const isHostile = (id: string) => id.startsWith('h');
const { hold, open } = heldTrials(sharedHost(), arms);

test.beforeAll(async () => {
  await hold('Plain', async (engine) => (await addInferences(engine)).id, 1);
  await hold('Hostile', async (engine) => (await addInferences(engine, hostileInferences(60))).id, 4, isHostile);
});

for (const { name } of arms)
  onKeptPage(
    `${name}: texts stay texts, the view has no fault and fits 360 pixels, and the report says the same`,
    { tag: '@exhaustive' },
    async ({ page }) => {
      await open(page, `Hostile ${name}`);
      await expectOnlyTexts(page, name);
      // So tall that no line of it lies at the edge of what is scrolled.
      await page.setViewportSize({ width: 1280, height: 6000 });
      await open(page, `Plain ${name}`);
      const said = await page.getByRole('tabpanel').locator('p[dir=auto]:not(.clamp-2)').allInnerTexts();
      const reader = await savedReport(page);
      // Also what is folded there.
      const shown = inOneLine((await reader.locator('body').textContent()) ?? '');
      await reader.close();
      for (const part of said) if (!part.includes('\n')) expect.soft(shown).toContain(inOneLine(part));
      await unfoldAll(page);
      await expectNoFaults(page, name, [chartText]);
      await page.setViewportSize({ width: 360, height: 720 });
      await expectToFit(page, name);
    },
  );
