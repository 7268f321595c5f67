import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { ReviewReport } from '../../src/shared/reviews.ts';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { showTheme, themes } from './support/figures.ts';
import { settled } from './support/places.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });
const experiment = 'Reviewed by people';
const route = `/experiments/${encodeURIComponent(experiment)}/review`;

test.beforeAll(async () => {
  const engine = await connectToEngine(host());
  await makeExperiment(engine.api, { name: experiment, sample: { n: 4 }, arms: [courtArm, soloArm] });
  engine.close();
});

test('a reviewer judges blind by keyboard, takes one back, and only the answer brings the verdict', async ({ page }) => {
  const sent: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => sent.push(payload.toString())));
  await enter(page, host());
  await goTo(page, host(), route);
  await expect(page.getByText('Enter your name to begin')).toBeVisible();
  await page.getByRole('textbox', { name: 'Your name' }).fill('A. Reader');
  const heading = page.getByRole('heading', { name: /^Case / });
  await expect(heading).toBeVisible();
  const status = page.getByText(/^\d of 4 cases reviewed/);
  await expect(status).toHaveText('0 of 4 cases reviewed');
  await page.getByRole('heading', { level: 1 }).click();
  sent.length = 0;
  await page.keyboard.press('1');
  await expect(status).toHaveText(/^1 of 4 cases reviewed. Case .*: the court found /);
  await page.keyboard.press('u');
  await expect(status).toHaveText(/^2 of 4/);
  await page.keyboard.press('z');
  await expect(status).toHaveText(/^1 of 4 cases reviewed$/);
  const newest = page.getByRole('region', { name: 'Your newest reviews' });
  await expect(newest.getByRole('listitem')).toHaveCount(1);
  // Of cases that are still to be judged nothing of the verdict is in what the page received.
  const nextCases = sent.filter((text) => text.includes('"facts"'));
  expect(nextCases.length).toBeGreaterThan(0);
  for (const text of nextCases) expect(text).not.toContain('"prediction"');
  // All of it in view, with the short names of keys, which axe takes for no words.
  await page.setViewportSize({ width: 1800, height: 3000 });
  await expectNoFaults(page, 'review', [/^color-contrast: <kbd>.*too short/]);
  for (const theme of themes) {
    await showTheme(page, theme);
    for (const [width, height] of [
      [1280, 720],
      [420, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.screenshot({
        path: join('test-results/screens', `review-${theme}-${width}.png`),
        animations: 'disabled',
        fullPage: true,
      });
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  }
});

test('with the verdict in view an override needs a reason, and the record keeps all of it', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), route);
  await page.getByRole('textbox', { name: 'Your name' }).fill('B. Second');
  await page.getByText('blind', { exact: true }).click();
  const found = page.getByText(/^the court found /);
  const label = (await found.textContent())?.match(/found (\S+)/)?.[1]?.replace(/\W+$/, '') ?? '';
  const other = page.getByRole('group', { name: 'Your answer' }).getByRole('button').filter({ hasNotText: label }).first();
  await other.click();
  await expect(page.getByRole('alert')).toContainText('an override needs a reason');
  await page.getByRole('textbox', { name: /^Reason/ }).fill('The lease says otherwise.');
  await other.click();
  await expect(page.getByText(/^1 of 4 cases reviewed/)).toBeVisible();
  await settled(page);
  const report = JSON.parse(await host().assize(['reviews', experiment, '--json', '--store', host().store])) as ReviewReport;
  expect(report.reviews.at(-1)).toMatchObject({ reviewer: 'B. Second', blind: false, reason: 'The lease says otherwise.' });
  expect(report.reviewers.map(({ reviewer }) => reviewer)).toEqual(['A. Reader', 'B. Second']);
  await host().assize(['verify', host().store]);
});
