import { expect } from '@playwright/test';
import { openStore } from '../../src/main/engine/store/store.ts';
import type { ReviewReport } from '../../src/shared/reviews.ts';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { settled } from './support/places.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = sharedHost();
const experiment = 'Reviewed by people';
const route = `/experiments/${encodeURIComponent(experiment)}/review`;

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  await makeExperiment(engine.api, { name: experiment, sample: { n: 4 }, arms: [courtArm, soloArm] });
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
  const status = page.getByText(/^Reviewed: \d of 4 cases with a verdict so far/);
  await expect(status).toHaveText('Reviewed: 0 of 4 cases with a verdict so far');
  await page.getByRole('heading', { level: 1 }).click();
  sent.length = 0;
  await page.keyboard.press('1');
  await expect(status).toHaveText(/^Reviewed: 1 of 4 cases with a verdict so far. Case .*: the court found /);
  const reason = page.getByRole('textbox', { name: /^Reason/ });
  await reason.fill('The list came late.');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('u');
  await expect(status).toHaveText(/^Reviewed: 2 of 4/);
  // Of cases that are still to be judged nothing of the verdict is in what the page received.
  const nextCases = sent.filter((text) => text.includes('"facts"'));
  expect(nextCases.length).toBeGreaterThan(0);
  for (const text of nextCases) expect(text).not.toContain('"prediction"');
  await page.keyboard.press('z');
  await expect(status).toHaveText(/^Reviewed: 1 of 4 cases with a verdict so far$/);
  await expect(reason).toHaveValue('The list came late.');
  await expect(page.locator('h2 + p', { hasText: 'so your answer does not count as blind' })).toBeVisible();
  await expect(page.getByText(/^the court found /)).toBeVisible();
  const newest = page.getByRole('region', { name: 'Your newest reviews' });
  await expect(newest.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Show the results' }).click();
  await expect(page.getByText(/^1 review of one case, by .*: too few to say/)).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('1');
  await expect(page.getByRole('table', { name: 'Reviewers' })).toBeVisible();
  await expect(page.getByRole('row', { name: /^labels that the reviewer contradicts/ })).toContainText('of 2');
  await expect(
    page.getByText(/^(The|Estimated) share of contradicted labels .* Reviewed: \d of \d cases whose label/),
  ).toBeVisible();
  // All of it in view, with the short names of keys, which axe takes for no words.
  await page.setViewportSize({ width: 1800, height: 3000 });
  await expectNoFaults(page, 'review', [/^color-contrast\?: <kbd>.*too short/]);
});

test('before a second reviewer answers, no frame has a verdict, although the first one judged the same cases', async ({
  page,
}) => {
  const sent: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => sent.push(payload.toString())));
  await enter(page, host());
  await goTo(page, host(), route);
  await page.getByRole('textbox', { name: 'Your name' }).fill('B. Blind');
  await expect(page.getByRole('heading', { name: /^Case / })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show the results' })).toBeVisible();
  await settled(page);
  expect(sent.filter((text) => /"(prediction|truth)":"/.test(text))).toEqual([]);
  // With the first letter of a label and not of another arm: the keys are the case's once an arm is chosen.
  await page.getByRole('button', { name: /Arm$/ }).click();
  await page.getByRole('option', { name: soloArm.name }).click();
  await expect(page.getByRole('heading', { name: /^Case / })).toBeFocused();
  await page.keyboard.press('1');
  await expect(page.getByText(/^Reviewed: 1 of 4 cases with a verdict so far/)).toBeVisible();
  expect(sent.filter((text) => /"prediction":"/.test(text))).toHaveLength(1);
});

test('a verdict that was seen is not forgotten by ticking blind again', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), route);
  await page.getByRole('textbox', { name: 'Your name' }).fill('C. Curious');
  const blind = page.getByText('blind', { exact: true });
  await blind.click();
  await expect(page.getByText(/^the court found /)).toBeVisible();
  await blind.click();
  await expect(page.getByText('so your answer does not count as blind')).toBeVisible();
  await page.getByRole('button', { name: /^Unsure/ }).click();
  await expect(page.getByText(/^Reviewed: 1 of 4 cases with a verdict so far/)).toBeVisible();
  await page.getByRole('button', { name: /^Unsure/ }).click();
  await expect(page.getByText(/^Reviewed: 2 of 4 cases with a verdict so far/)).toBeVisible();
  const report = JSON.parse(await host().assize(['reviews', experiment, '--json', '--store', host().store])) as ReviewReport;
  const own = report.reviews.filter(({ reviewer }) => reviewer === 'C. Curious');
  expect(own.map((review) => review.blind)).toEqual([false, true]);
});

test('failures are shown: no next case, and a refused answer that is taken back leaves the one before', {
  tag: '@exhaustive',
}, async ({ page }) => {
  let [isHeld, isBroken] = [false, false];
  const held: (string | Buffer)[] = [];
  let release: () => void = () => undefined;
  await page.routeWebSocket(/\/engine$/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) =>
      server.send(isBroken && String(message).includes('/reviews/next') ? String(message).replace(experiment, 'Gone') : message),
    );
    server.onMessage((message) => (isHeld ? void held.push(message) : socket.send(message)));
    release = () => {
      isHeld = false;
      for (const message of held.splice(0)) socket.send(message);
    };
  });
  await enter(page, host());
  await goTo(page, host(), route);
  await page.getByRole('textbox', { name: 'Your name' }).fill('D. Quick');
  await page.getByText('blind', { exact: true }).click();
  const answer = page.getByRole('group', { name: 'Your answer' });
  await expect(page.getByText(/^the court found /)).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByText(/^Reviewed: 1 of 4 cases with a verdict so far/)).toBeVisible();
  const found =
    (await page
      .locator('p', { hasText: /^the court found / })
      .locator('bdi')
      .textContent()) ?? '';
  const labels = await answer
    .getByRole('button')
    .filter({ has: page.locator('bdi') })
    .locator('bdi')
    .allTextContents();
  isHeld = true;
  await page.keyboard.press(String(labels.findIndex((label) => label !== found) + 1));
  await page.keyboard.press('z');
  release();
  await expect(page.getByRole('alert')).toContainText('an override needs a reason');
  await settled(page);
  await expect(page.getByText(/^Reviewed: 1 of 4 cases with a verdict so far/)).toBeVisible();

  const reason = page.getByRole('textbox', { name: /^Reason/ });
  await reason.fill('half a rea');
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByText(/^Reviewed: 0 of 4 cases with a verdict so far/)).toBeVisible();
  isBroken = true;
  await page.getByRole('button', { name: /^Unsure/ }).click();
  await expect(page.getByRole('alert')).toContainText('Gone');
  await expect(page.getByRole('button', { name: /^Unsure/ })).toBeDisabled();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText(/^Reviewed: 1 of 4 cases with a verdict so far/)).toBeVisible();
  await expect(reason).toHaveValue('half a rea');
});

test('with the verdict in view an override needs a reason, and the record keeps all of it', { tag: '@exhaustive' }, async ({
  page,
}) => {
  await enter(page, host());
  await goTo(page, host(), route);
  await page.getByRole('textbox', { name: 'Your name' }).fill('E. Open');
  await page.getByText('blind', { exact: true }).click();
  const found = page.getByText(/^the court found /);
  const label = (await found.textContent())?.match(/found (\S+)/)?.[1]?.replace(/\W+$/, '') ?? '';
  const other = page.getByRole('group', { name: 'Your answer' }).getByRole('button').filter({ hasNotText: label }).first();
  await other.click();
  await expect(page.getByRole('alert')).toContainText('an override needs a reason');
  await page.getByRole('textbox', { name: /^Reason/ }).fill('The lease says otherwise.');
  await other.click();
  await expect(page.getByText(/^Reviewed: 1 of 4 cases with a verdict so far/)).toBeVisible();
  await settled(page);
  const report = JSON.parse(await host().assize(['reviews', experiment, '--json', '--store', host().store])) as ReviewReport;
  expect(report.reviews.at(-1)).toMatchObject({ reviewer: 'E. Open', blind: false, reason: 'The lease says otherwise.' });
  expect(report.reviewers.map(({ reviewer }) => reviewer)).toContain('E. Open');
  await host().assize(['verify', host().store]);
});

test('while another program writes to the record, what would write is off, with the reason', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), `/experiments/${encodeURIComponent(experiment)}`);
  const review = page.getByRole('button', { name: 'Review…', exact: true });
  await expect(review).toBeEnabled();
  const reason = page.getByText('Another program is writing to this record.');
  const other = openStore(host().store, { create: false });
  try {
    await expect(reason).toBeVisible();
    for (const name of ['Review…', 'Import predictions…', 'Add cases or arms…']) {
      const button = page.getByRole('button', { name, exact: true });
      await expect(button).toBeDisabled();
      await expect(button).toHaveAccessibleDescription(/Another program is writing/);
    }
    await expectNoFaults(page, 'experiment that another program writes to');
    await goTo(page, host(), '/experiments');
    await expect(page.getByText('New experiment')).toHaveAttribute('aria-disabled', 'true');
    await expect(page.getByRole('link', { name: experiment })).toBeVisible();
  } finally {
    other.close();
  }
  await expect(reason).toBeHidden();
  await expect(page.getByRole('link', { name: 'New experiment' })).toHaveAttribute('href', /datasets/);
});
