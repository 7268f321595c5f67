import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { csvOf } from './support/corpora.ts';
import { settled } from './support/places.ts';
import { watch } from './support/watch.ts';

needsChromium();

const host = sharedHost();
const name = 'three systems';
const cases = 12;

/** The label of case 0 is one that all systems contradict; each is wrong and sure in four other cases. */
test.beforeAll(async () => {
  const { folder, store, assize } = host();
  const rows = ['a', 'b', 'c'].flatMap((system, place) =>
    Array.from({ length: cases }, (_none, index) => {
      const wrong = index === 0 || index % 3 === place;
      const [truth, other] = index === 1 ? ['NO', 'YES'] : ['YES', 'NO'];
      return [`c${index}`, truth, system, wrong ? other : truth, index % 2 === 0 ? '0.95' : '0.6'];
    }),
  );
  const file = join(folder, 'systems.csv');
  writeFileSync(file, csvOf([['id', 'truth', 'system', 'prediction', 'confidence'], ...rows]));
  const columns = ['--case', 'id', '--truth', 'truth', '--system', 'system', '--prediction', 'prediction'];
  const into = ['--experiment', name, '--arm', 'x', '--store', store, '--confidence', 'confidence'];
  await assize(['import-predictions', file, ...into, ...columns]);
});

const queue = (page: Page, title: string) => page.getByRole('button', { name: title });
const table = (page: Page) => page.getByRole('table', { name: 'Trials', exact: true });

async function open(page: Page): Promise<void> {
  await enter(page, host());
  await goTo(page, host(), `/experiments/${encodeURIComponent(name)}/trials`);
  await settled(page);
}

test('a queue is one press, in the address; next walks it, and the way back leads to it', async ({ page, context }) => {
  const seen = await watch(context, host().origin);
  await open(page);
  const sure = queue(page, 'Wrong and sure');
  const count = Number((await sure.textContent())?.replace(/\D/g, ''));
  expect(count).toBe(8);
  await expect(queue(page, 'Wrong each time, label in doubt 3 trials of 1 case')).toBeVisible();
  await sure.focus();
  await page.keyboard.press('Space');
  await expect(sure).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('stated confidence of at least 80%')).toBeVisible();
  await expect(table(page)).toHaveAttribute('aria-rowcount', `${count + 1}`);
  await page.reload();
  await expect(table(page)).toHaveAttribute('aria-rowcount', `${count + 1}`);

  await table(page).getByRole('link').first().click();
  await expect(page.getByText(`1 of ${count} in “Wrong and sure”`)).toBeVisible();
  await page.keyboard.press('n');
  await expect(page.getByText(`2 of ${count} in “Wrong and sure”`)).toBeVisible();
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link').last().click();
  await expect(queue(page, 'Wrong and sure')).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(table(page)).toHaveAttribute('aria-rowcount', `${3 * cases + 1}`);
  expect(seen.errors).toEqual([]);
});

test('one row a case has the answer of each arm, filtered by what arms answered; next walks the column', async ({
  page,
  context,
}) => {
  const seen = await watch(context, host().origin);
  await open(page);
  await page.getByRole('button', { name: 'One row a case, with facts and answers' }).click();
  const rows = page.getByRole('table', { name: 'Cases', exact: true });
  await expect(rows).toHaveAttribute('aria-rowcount', `${cases + 1}`);
  const choose = async (label: RegExp, answer: string) => {
    await page.getByRole('button', { name: label }).click();
    await page.getByRole('option', { name: answer, exact: true }).click();
  };
  await rows.getByRole('link').first().focus();
  await page.keyboard.press('End');
  await expect(rows.getByRole('row').last().getByRole('link').first()).toBeFocused();
  await choose(/a$/, 'NO');
  await choose(/c$/, 'NO');
  await expect(rows).toHaveAttribute('aria-rowcount', '3');
  await rows.getByRole('link', { name: 'NO' }).first().click();
  await expect(page.getByText('1 of 2 in the column')).toBeVisible();
  await page.getByText('1 of 2 in the column').click();
  await choose(/The arms$/, 'disagree');
  await expect(rows).toHaveAttribute('aria-rowcount', '2');
  await page.reload();
  await expect(rows.getByRole('row').nth(1)).toContainText(/^c1NO/);
  await choose(/b$/, 'NO');
  await expect(page.getByText('No case fits. Clear the filter to see all.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(rows).toHaveAttribute('aria-rowcount', `${cases + 1}`);
  expect(seen.errors).toEqual([]);
});

test('a view keeps its filters under a name; it is renamed and removed, and each of that can be undone', {
  tag: '@exhaustive',
}, async ({ page }) => {
  await open(page);
  await queue(page, 'Wrong each time, label in doubt').click();
  await page.getByRole('button', { name: 'Save this view…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Labels to check');
  await page.keyboard.press('Enter');
  const view = (title: string) => page.getByRole('link', { name: title, exact: true });
  await expect(view('Labels to check')).toHaveAttribute('aria-current', 'true');

  await goTo(page, host(), `/experiments/${encodeURIComponent(name)}/trials`);
  await page.reload();
  await view('Labels to check').click();
  await expect(queue(page, 'Wrong each time, label in doubt')).toHaveAttribute('aria-pressed', 'true');
  await expect(table(page)).toHaveAttribute('aria-rowcount', '4');

  const more = (title: string) => page.getByRole('button', { name: `More about the view ${title}` });
  await more('Labels to check').click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Check these');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(view('Check these')).toBeVisible();
  await more('Check these').click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(view('Check these')).toHaveCount(0);
  await page.getByRole('alertdialog').filter({ hasText: 'removed' }).getByRole('button', { name: 'Undo' }).click();
  await expect(view('Check these')).toBeVisible();
});
