import { expect, type Page } from '@playwright/test';
import { predictionText } from '../../src/shared/predictionText.ts';
import type { TrialLine } from '../../src/shared/trialLine.ts';
import { needsChromium } from '../support/chromium.ts';
import { enter, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { visit } from './support/places.ts';
import { runToItsEnd } from './support/record.ts';

needsChromium();

/** Cases of several labels, on every screen that shows a verdict, a truth or a belief. */

const host = sharedHost();
let experiment = '';
let lines: readonly TrialLine[] = [];
const cast = { '*': { model: 'llama3.1:8b' } };

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  const arms = [
    { name: 'in three calls', protocol: 'standard', params: { style: 'reflexion' }, cast },
    { name: 'at once', protocol: 'standard', params: { style: 'system1' }, cast },
  ];
  ({ experiment, lines } = await runToItsEnd(engine.api, { entry: 'notices', backend: 'standin', arms, name: 'Several labels' }));
});

/** No label is next to another without a sign, and nothing is missing. */
async function expectTold(page: Page): Promise<void> {
  const text = await page.locator('main').innerText();
  expect(text).not.toMatch(/undefined|NaN|\[object|null/);
  expect(text).not.toMatch(/heating,? ?damp|damp,? ?noise|noise,? ?electricity|electricity,? ?locks/);
}

test('the trial shows set, truth and each label by itself, on the rail and in the ruling', async ({ page }) => {
  const several = lines.find(({ arm, prediction }) => arm === 'in three calls' && (prediction?.length ?? 0) > 1);
  if (several === undefined) throw new Error('no verdict has several labels');
  await enter(page, host());
  await visit(page, host(), { name: 'trial', route: `/trials/${several.trial}` });
  await expect(page.getByText(predictionText(several.prediction) ?? '', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('each label judged by itself').first()).toBeVisible();
  await expect(page.getByText('labels that apply').first()).toBeVisible();
  const [first = ''] = several.prediction ?? [];
  await expect(page.getByText(`${Math.round((several.belief?.[first] ?? 0) * 100)}% `).first()).toBeVisible();
  const text = await page.locator('main').innerText();
  expect(text).not.toMatch(/undefined|NaN|\[object|no confidence stated/);
  await expectNoFaults(page, 'a trial on several labels');
});

test('the list of trials, the list of data sets and the statistics show sets as sets', { tag: '@exhaustive' }, async ({
  page,
}) => {
  await enter(page, host());
  await visit(page, host(), { name: 'experiment', route: `/experiments/${encodeURIComponent(experiment)}` });
  const truth = page.getByText(/truth (none of them|\w+( \+ \w+)*)/).filter({ visible: true });
  await expect(truth.first()).toBeVisible();
  await expectTold(page);
  await visit(page, host(), { name: 'entry', route: '/datasets/notices' });
  await expect(page.getByText('damp + electricity').first()).toBeVisible();
  await expect(page.getByText('none of them').first()).toBeVisible();
});
