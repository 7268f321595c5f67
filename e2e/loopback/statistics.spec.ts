import { expect } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, onKeptPage as test } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { settled } from './support/places.ts';
import { courtArm, makeExperiment, soloArm, until } from './support/record.ts';

needsChromium();

const host = sharedHost();
let route: string;

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  const { experiment } = await makeExperiment(engine.api, {
    name: 'Compared with baselines',
    entry: 'nlsy97',
    sample: { n: 12 },
  });
  route = `/experiments/${encodeURIComponent(experiment)}`;
});

test.beforeEach(async ({ page }) => {
  await goTo(page, host(), route);
  await settled(page);
});

test('the finding comes first, with its rule, and baselines stand among the arms', async ({ page }) => {
  const arms = page.getByRole('region', { name: 'Arms', exact: true });
  await expect(arms.getByRole('status').first()).toHaveText(/baseline/);
  await expect(arms.getByText('value with its 95% interval over 12 cases')).toBeVisible();
  await arms.getByRole('button', { name: 'How this was found' }).click();
  await expect(arms.getByText(/^An arm beats a baseline where/)).toBeVisible();
  await arms.getByRole('button', { name: 'Show how often each arm is right in each group' }).click();
  const inGroups = page.getByRole('table', { name: /in each group/ });
  await expect(inGroups.getByRole('row').nth(1)).toHaveText(/\d+ of \d+ \([\d.]+%\)/);
  const rows = arms.getByRole('row');
  await expect(rows.filter({ hasText: 'majority' })).toContainText('baseline');
  await expect(rows.filter({ hasText: 'majority' }).getByRole('img')).toHaveAccessibleName(/95% Wilson interval/);
});

test('a comparison leads by keyboard to the cases that differ, and from there to their trials', async ({ page }) => {
  const comparisons = page.getByRole('region', { name: 'Exploratory comparisons' });
  await expect(comparisons.getByRole('columnheader', { name: 'detectable from' })).toBeVisible();
  await expect(comparisons.getByRole('row').nth(1).getByRole('cell').last()).toHaveText(/^(?:none|[\d.]+ points?)$/);
  const pair = comparisons.getByRole('button', { name: /show on which cases court and .* differ$/ }).first();
  await pair.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: /^Where court and / })).toBeVisible();
  await dialog.getByRole('link', { name: 'court' }).first().click();
  await expect(page).toHaveURL(/#\/trials\/[0-9a-f]{16}$/);
});

test('further measures are folded away until they are asked for', { tag: '@exhaustive' }, async ({ page }) => {
  const further = page.getByRole('region', { name: 'Further measures' });
  await expect(further.getByRole('table')).toHaveCount(0);
  await further.getByRole('button', { name: /^What deliberation did/ }).click();
  await expect(further.getByRole('row', { name: /^Corrections, of all/ })).toBeVisible();
  await further.getByRole('button', { name: /^Calibration: how sure, and how rightly/ }).click();
  await expect(further.getByRole('row', { name: /^Expected calibration error \(0 is best\) / })).toContainText('no interval: ');
});

test('at another prevalence one answer to everybody is worth what the prevalence says', async ({ page }) => {
  const further = page.getByRole('region', { name: 'Further measures' });
  await further.getByRole('button', { name: /^At another prevalence/ }).click();
  await further.getByRole('textbox', { name: /^Percentage of cases that / }).fill('10');
  const table = further.getByRole('table', { name: 'At this prevalence, of decided trials' });
  await expect(table.getByText('majority (baseline)', { exact: true })).toBeVisible();
  await expect(further.getByText(/would be right in 90% of cases, answering \S+ to everybody in 10%\.$/)).toBeVisible();
  await expect(further.getByText(/^majority \(baseline\) answers \S+ to everybody\.$/)).toBeVisible();
});

test('before the planned end nothing says which verdicts are right, until somebody asks, and that is in the log', async ({
  page,
}) => {
  using engine = await connectToEngine(host());
  const compare: [string, string] = [courtArm.name, soloArm.name];
  const primary = { compare, measure: 'accuracy', test: 'difference', family: 1 } as const;
  const arms = [courtArm, soloArm];
  const { experiment } = await engine.api.experiments.start({
    ...{ name: 'Not at its end', entry: 'nlsy97', sample: { n: 36 }, replicates: 10 },
    ...{ backend: 'standin', arms, primary },
  });
  const summary = async () => (await engine.api.experiments.read({ experiment })).summary;
  await until('some trials ended', async () => (await summary()).done > 4);
  await engine.api.runs.stop({ experiment });
  const shown = `/experiments/${encodeURIComponent(experiment)}`;
  await goTo(page, host(), shown);
  await settled(page);
  const trials = page.getByRole('region', { name: 'Trials', exact: true });
  await expect(trials.getByText('Which verdicts are right is hidden as long as results are.')).toBeVisible();
  await expect(trials.getByRole('columnheader', { name: 'verdict' })).toBeVisible();
  await expect(trials.getByRole('columnheader', { name: 'right or wrong' })).toHaveCount(0);
  await expect(trials.getByText(/truth|Wrong and sure|✓|✗/)).toHaveCount(0);
  // Neither does the number of verdicts among trials of one label, or behind a mark of a figure.
  const all = await trials.getByRole('status').textContent();
  for (const asked of ['truth=yes', `behind=${encodeURIComponent('{"correct":false}')}`]) {
    await goTo(page, host(), `${shown}/trials/${asked}`);
    await settled(page);
    expect(await trials.getByRole('status').textContent()).toBe(all);
    await expect(page.getByRole('group', { name: 'truth', exact: true })).toHaveCount(0);
  }
  const [first] = (await engine.api.experiments.cases({ experiment })).rows;
  const one = encodeURIComponent(JSON.stringify({ rows: 'cases', search: first?.case }));
  await goTo(page, host(), `${shown}/trials/list=${one}`);
  await expect(page.getByText(/ fits? the filter/)).toBeVisible();
  await expect(page.getByText('Answers of all their trials')).toHaveCount(0);
  await page.getByRole('button', { name: 'Show results so far' }).click();
  await expect(page.getByText('Answers of all their trials')).toBeVisible();
  await goTo(page, host(), `${shown}/trials/behind=${encodeURIComponent('{"correct":false}')}`);
  await expect(trials.getByText('Trials of : wrong')).toBeVisible();
  await goTo(page, host(), shown);
  await expect(trials.getByRole('columnheader', { name: 'right or wrong' })).toBeVisible();
  await settled(page);
  await goTo(page, host(), '/experiments');
  await settled(page);
  await goTo(page, host(), shown);
  await page.getByRole('button', { name: 'History of the runs' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Results shown before the end' })).toBeVisible();
});

test('at 900 by 700 nothing of the overview, the comparisons and the trial list is wider than its box', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 700 });
  for (const part of ['', '/compare', '/trials']) {
    await goTo(page, host(), `${route}${part}`);
    await settled(page);
    const wider = () =>
      page
        .locator('main *')
        .evaluateAll((elements) =>
          elements
            .filter(
              (element) =>
                element.scrollWidth > element.clientWidth &&
                ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) &&
                element.clientWidth > 0,
            )
            .map((element) => element.getAttribute('aria-label') ?? element.className),
        );
    await expect.poll(wider).toEqual([]);
  }
});

test('figures that could not be read again are said to be older, with why, until they are read', async ({ page }) => {
  let isBroken = false;
  await page.routeWebSocket(/\/engine$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) =>
      server.send(
        isBroken && String(message).includes('/experiments/stats')
          ? String(message).replace('Compared with baselines', 'Gone')
          : message,
      ),
    );
  });
  await enter(page, host());
  await goTo(page, host(), route);
  await settled(page);
  await expect(page.getByRole('table', { name: 'Arms with their trials and measures' })).toContainText('%');
  isBroken = true;
  await goTo(page, host(), '/experiments');
  await settled(page);
  await goTo(page, host(), route);
  const notice = page.getByRole('alert').filter({ hasText: 'could not be updated' });
  await expect(notice).toContainText('Gone');
  await expect(notice).toContainText(/is from \d\d:\d\d:\d\d and/);
  isBroken = false;
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(notice).toHaveCount(0);
});
