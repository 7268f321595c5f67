import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { openTopics } from './support/figures.ts';
import { runToItsEnd } from './support/record.ts';

needsChromium();

const host = sharedHost();
const experiment = '100% %41 sure';
const route = `/experiments/${encodeURIComponent(experiment)}`;
const filter = (page: Page) => page.getByRole('region', { name: 'Filter' });

const rows = Array.from({ length: 24 }, (_none, index) => {
  const group = index % 3 === 0 ? 'constructor' : '__proto__';
  return `c${index},${index},${group},${index % 2},${index % 2 === 0 ? 'constructor' : 'toString'}`;
});

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  const { upload } = await engine.upload('names.csv', `id,weight,constructor,odd,label\n${rows.join('\n')}\n`);
  const entry = await engine.api.dataFiles.add({
    upload,
    name: 'Names that every object has',
    definition: {
      kind: 'tabular',
      id: 'id',
      label: { column: 'label' },
      groups: ['constructor', 'odd'],
      question: 'Which?',
    },
  });
  const cast = { '*': { model: 'llama3.1:8b' } };
  await runToItsEnd(engine.api, {
    name: experiment,
    entry: entry.id,
    sample: { n: 8 },
    backend: 'standin',
    arms: [
      { name: '__proto__', protocol: 'standard', cast },
      { name: 'constructor', protocol: 'agentic-sim', cast },
    ],
  });
});

test('an experiment with percent signs in its name is opened from the list, and its parts from there', {
  tag: '@exhaustive',
}, async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/experiments');
  await page.getByRole('link', { name: experiment }).first().click();
  await expect(filter(page).getByRole('status')).toHaveText('All 16 finished trials');
  await page.getByRole('link', { name: 'Figures', exact: true }).click();
  await expect(page.getByRole('heading', { name: experiment })).toBeVisible();
  await openTopics(page);
  await page.locator('#figure-accuracy-by-arm').scrollIntoViewIfNeeded();
  await expect(page.locator('[data-figure="accuracy-by-arm"] [role="group"] svg')).toBeVisible();
  await goTo(page, host(), '/experiments/%E0%A4%A/figures');
  await expect(page.getByRole('heading', { name: 'No screen has this address' })).toBeVisible();
});

test('arms and labels called like what every object has are drawn, and groups filtered by', { tag: '@exhaustive' }, async ({
  page,
}) => {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await enter(page, host());
  await goTo(page, host(), `${route}/figures`);
  await openTopics(page);
  for (const id of ['accuracy-by-arm', 'confusion', 'belief-timelines']) {
    await page.locator(`#figure-${id}`).scrollIntoViewIfNeeded();
    await expect(page.locator(`[data-figure="${id}"] [role="group"] svg`)).toBeVisible();
  }
  const inherited = await page.evaluate(() => {
    const names: string[] = [];
    for (const name in {}) names.push(name);
    return names;
  });
  expect(inherited).toEqual([]);
  await goTo(page, host(), `${route}/figures/group.odd=1&outcome=never`);
  await expect(filter(page).getByRole('status')).toHaveText(/^\d+ of 16 finished trials$/);
  await filter(page)
    .getByRole('button', { name: /^Filter/ })
    .click();
  await filter(page)
    .getByRole('group', { name: 'constructor', exact: true })
    .getByRole('button', { name: '__proto__', exact: true })
    .click();
  await expect(page).toHaveURL(/group\.constructor=__proto__/);
  await goTo(page, host(), `${route}/figures/arm=nobody`);
  await expect(page.getByText('No finished trial meets every condition of the filter.')).toBeVisible();
  expect(faults).toEqual([]);
});
