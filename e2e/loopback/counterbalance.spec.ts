import { expect } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { settled } from './support/places.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = sharedHost();
let route: string;
let trial: string;

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  const made = await makeExperiment(engine.api, {
    name: 'Counterbalanced',
    entry: 'nlsy97',
    sample: { n: 12 },
    replicates: 2,
    arms: [{ ...courtArm, params: { turns: 1 }, counterbalance: ['sides', 'order', 'labels'] }, soloArm],
  });
  trial = made.trial;
  route = `/experiments/${encodeURIComponent(made.experiment)}`;
});

/** Of other parts of the screen: texts in the chart, at the window's lower edge, and links of the list of trials, which are in their own cells. */
const elsewhere = [/dominant-baseline/, /entries, seed/, /^link-in-text-block\??: <a data-index=/];

test('flip rates stand apart, and lead by keyboard to pairs of trials', { tag: '@exhaustive' }, async ({ page }) => {
  await page.setViewportSize({ width: 1800, height: 1500 });
  await enter(page, host());
  await goTo(page, host(), route);
  await settled(page);
  const comparisons = page.getByRole('region', { name: 'Exploratory comparisons' });
  await expect(comparisons.getByRole('rowheader', { name: '~' })).toHaveCount(0);
  const arms = page.getByRole('region', { name: 'Arms', exact: true }).getByRole('rowheader');
  await expect(arms.nth(1)).toHaveText(/court, sides exchanged/);
  const section = page.getByRole('region', { name: 'Counterbalancing', exact: true });
  await expect(section.getByRole('rowheader')).toHaveText([
    'court, sides exchanged',
    'court, order exchanged',
    'court, labels listed the other way round',
  ]);
  await expectNoFaults(page, 'counterbalanced experiment', elsewhere);
  const pairs = section.getByRole('button', { name: /show where court decides otherwise/ }).first();
  await pairs.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('link', { name: /^exchanged: / }).first()).toBeVisible();
  await expectNoFaults(page, 'flipped pairs', elsewhere);
  await dialog
    .getByRole('link', { name: /^usual: / })
    .first()
    .click();
  await expect(page).toHaveURL(/#\/trials\/[0-9a-f]{16}$/);
  const opened = page.url();
  const again = page.getByText(/^This method tried this case 2 times: /);
  await again.getByRole('link', { name: /^replicate [12]$/ }).click();
  await expect(page).not.toHaveURL(opened);
  await expect(again).toBeVisible();
});

test('a trial leads to its twin and back', { tag: '@exhaustive' }, async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), `/trials/${trial}`);
  await page.getByRole('link', { name: 'sides exchanged', exact: true }).click();
  await expect(page).not.toHaveURL(new RegExp(`${trial}$`));
  await expect(page.getByText('sides exchanged · the')).toBeVisible();
  await expectNoFaults(page, 'trial with sides exchanged');
  await page.getByRole('link', { name: 'the unchanged trial' }).click();
  await expect(page).toHaveURL(new RegExp(`${trial}$`));
});

test('an arm is counterbalanced by a click, and the plan counts the further trials', { tag: '@exhaustive' }, async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/new/nlsy97');
  const arm = page.getByRole('article', { name: /^Arm / }).first();
  await arm.getByRole('radio', { name: /^AgenticSimLLM/ }).click({ force: true });
  await arm.getByRole('button', { name: /^Counterbalancing/ }).click();
  await arm.getByRole('checkbox', { name: /^Order exchanged/ }).click({ force: true });
  await expect(arm.getByRole('button', { name: /^Counterbalancing/ })).toHaveText(/order exchanged/);
  await expect(page.getByText(/is counterbalanced: \d+ further trials/)).toBeVisible();
  await arm.getByRole('radio', { name: /^StandardLLM/ }).click({ force: true });
  await expect(arm.getByRole('checkbox', { name: /^Order exchanged/ })).toHaveCount(0);
  await expectNoFaults(page, 'counterbalancing in the form');
});
