import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';

needsChromium();

const host = sharedHost();

const fixture = (name: string) => readFileSync(join('src/main/engine/datasets/fixtures', name));

async function choose(page: Page, name: string, content: Buffer, route = '/import'): Promise<void> {
  await enter(page, host());
  await goTo(page, host(), route);
  // A file that cannot be read offers another one a second time, with the reason.
  const button = page.getByRole('button', { name: /^Choose (a|another) file/ }).first();
  // The screen before has a button of this name too, which a press can meet while the screens change.
  await expect(async () => {
    const chosen = page.waitForEvent('filechooser', { timeout: 5000 });
    await button.click();
    await (await chosen).setFiles({ name, mimeType: 'text/csv', buffer: content });
  }).toPass();
}

test('a table of an older Windows program is read with semicolons and in its encoding, which is shown and can be changed', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const rows = Array.from(
    { length: 12 },
    (_none, index) => `${index};M\xfcnchen;3,${index} \x80;${index % 2 === 0 ? 'ja' : 'nein'}`,
  );
  await choose(page, 'claims.csv', Buffer.from(['Nr;Ort;Betrag;label', ...rows].join('\r\n'), 'latin1'));
  await expect(page.getByText('The file is not in UTF-8')).toBeVisible();
  await expect(page.getByRole('button', { name: /Column separator/ })).toContainText('semicolons');
  await page.getByRole('textbox', { name: 'Question' }).fill('Is it granted?');
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('München');
  // The button that all of this leads to is in view before anybody has scrolled.
  const add = page.getByRole('button', { name: 'Add data set' });
  await page.getByRole('heading', { name: 'The file' }).scrollIntoViewIfNeeded();
  await expect(add).toBeInViewport();
  await page.getByRole('button', { name: /Column separator/ }).click();
  await page.getByRole('option', { name: 'commas' }).click();
  await expect(page.getByText(/4 when it is split at semicolons/)).toBeVisible();
  await page.getByRole('button', { name: /Column separator/ }).click();
  await page.getByRole('option', { name: 'semicolons' }).click();
  await page.getByRole('textbox', { name: 'Question' }).fill('Is it granted?');
  await page.getByRole('radio', { name: 'ja', exact: true }).press('Space');
  await add.click();
  await page.waitForURL(/#\/datasets\//);
  await expect(page.getByText('München').first()).toBeVisible();
});

test('an import that lacks something says so in view, with the focus and in plain words', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const rows = Array.from({ length: 40 }, (_none, index) => {
    const label = index % 4 === 0 ? 'paid' : 'defaulted';
    return `${index},${20 + (index % 7)},${label === 'paid' ? 'closed' : 'open'},Anna,${label}`;
  });
  await choose(page, 'loans.csv', Buffer.from(['id,age,account,first_name,outcome', ...rows].join('\n')));
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await expect(preview.getByText('8 cases for test, 32 cases for training')).toBeVisible();
  await expect(preview.getByText(/olumn "account" alone gives away the label/)).toBeVisible();
  await expect(preview.getByText(/"first_name" looks personal \(names\)/)).toBeVisible();
  await expect(preview.getByText(/cases repeat an earlier one.*: .* repeats /)).toBeVisible();
  const question = page.getByRole('textbox', { name: 'Which question does the court decide?' });
  const add = page.getByRole('button', { name: 'Add data set' });
  await add.click();
  await expect(question).toBeFocused();
  await expect(question).toBeInViewport();
  await expect(page.getByText('Write the question that the court decides in every case.').first()).toBeVisible();
  await question.fill('Will the borrower default?');
  await add.click();
  const sides = page.getByRole('radiogroup', { name: 'Which answer does the prosecution argue for?' });
  await expect(sides.getByRole('radio').first()).toBeFocused();
  await expect(sides.getByRole('radio', { checked: true })).toHaveCount(0);
  await sides.getByRole('radio', { name: 'defaulted' }).press('Space');
  await page.setViewportSize({ width: 900, height: 700 });
  await add.click();
  await page.waitForURL(/#\/datasets\//);
});

test('a Parquet file and a sheet of a workbook become data sets', { tag: '@exhaustive' }, async ({ page }) => {
  await choose(page, 'types.parquet', fixture('types.zstd.parquet'));
  await expect(page.getByText('Parquet, 3 rows, 12 columns')).toBeVisible();
  await choose(page, 'sheets.xlsx', fixture('sheets.xlsx'));
  await expect(page.getByText('Excel workbook, 3 rows, 9 columns')).toBeVisible();
  await expect(page.getByRole('button', { name: /Sheet/ })).toContainText('Cases');
  await page.getByRole('button', { name: /Sheet/ }).click();
  await page.getByRole('option', { name: 'Notes' }).click();
  await expect(page.getByText(/^The file has a header and no rows/)).toBeVisible();
  await page.reload();
  await choose(page, 'sheets.xlsx', fixture('sheets.xlsx'));
  await page.getByRole('textbox', { name: 'Question' }).fill('Is it so?');
  await page.getByRole('radio', { name: 'YES', exact: true }).press('Space');
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await expect(preview).toContainText(/Line 2: the formula in this cell was never calculated/);
  await page.getByRole('checkbox', { name: 'sum is a fact' }).press('Space');
  await expect(preview).toContainText('2014-05-31');
  await page.getByRole('button', { name: 'Add data set' }).click();
  await page.waitForURL(/#\/datasets\//);
  await expect(page.getByText('Excel workbook').first()).toBeVisible();
});

test('columns get readable names from their own, which trials show too and a later change reaches', {
  tag: '@exhaustive',
}, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const rows = Array.from({ length: 20 }, (_none, index) => `${index},${index % 5},${9000 + index},${index % 2 ? 'yes' : 'no'}`);
  await choose(page, 'arrests.csv', Buffer.from(['id,number_of_arrests_by_2002,inc,label', ...rows].join('\n')));
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await expect(preview.getByText('Number of arrests by 2002', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /Names and units/ }).click();
  await page.getByRole('textbox', { name: 'Name of inc', exact: true }).fill('Number of arrests by 2002');
  await expect(page.getByText(/would be shown as .*, which is the name of another column/).first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Name of inc', exact: true }).fill('Yearly income');
  await page.getByRole('textbox', { name: 'Unit of inc', exact: true }).fill('USD');
  await expect(preview.getByText('Yearly income (USD)')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('textbox', { name: 'Question' }).fill('Will they be arrested?');
  await page.getByRole('radio', { name: 'yes', exact: true }).press('Space');
  await page.getByRole('button', { name: 'Add data set' }).click();
  await page.waitForURL(/#\/datasets\//);
  await page.getByRole('button', { name: /^Put . cases on trial/ }).click();
  await page.waitForURL(/#\/experiments\//);
  await page
    .getByRole('link', { name: /^Trials/ })
    .first()
    .click();
  await page.getByRole('row').getByRole('link').first().click();
  await page.waitForURL(/#\/trials\//);
  const trial = page.url();
  await expect(page.getByRole('term').filter({ hasText: 'Yearly income (USD)' })).toHaveAttribute('title', 'models read: inc');
  await goTo(page, host(), '/datasets');
  await page.getByRole('link', { name: 'arrests' }).first().click();
  await page.getByRole('button', { name: 'Names and units of columns…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name of inc', exact: true }).fill('Income per year');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await page.goto(trial);
  await expect(page.getByRole('term').filter({ hasText: 'Income per year (USD)' })).toBeVisible();
});

test('the data sets say what to press for a new experiment, whose form leads to the field of a fault', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/experiments');
  await page.getByRole('link', { name: 'New experiment' }).click();
  await expect(
    page.getByText('Choose the cases for the new experiment: press “Design an experiment” at a data set.'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Design an experiment' }).first().click();
  const arm = page.getByRole('article', { name: /^Arm / });
  const field = arm.getByRole('combobox', { name: 'Name for the demo model' });
  await field.fill('x'.repeat(300));
  await field.press('Tab');
  await arm.getByRole('button', { expanded: true }).first().click();
  await expect(field).toHaveCount(0);
  await arm.getByRole('button', { name: 'Go to the field' }).click();
  await expect(field).toBeFocused();
});

test('labels that somebody decided are no truth, from the import to the report of a trial', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const rows = Array.from({ length: 20 }, (_none, index) => `${index},${900 + index},${index % 3 ? 'REFUSED' : 'GRANTED'}`);
  await choose(page, 'refunds.csv', Buffer.from(['id,amount,label', ...rows].join('\n')));
  await page.getByRole('textbox', { name: 'Question' }).fill('Must the bank refund the payment?');
  await page.getByRole('radio', { name: 'GRANTED', exact: true }).press('Space');
  await page.getByRole('radio', { name: /^What somebody decided/ }).press('Space');
  const add = page.getByRole('button', { name: 'Add data set' });
  await add.click();
  await expect(page.getByText('Write who decided.').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'By whom?' }).fill('the bank');
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('Decision of the bank: ');
  await add.click();
  await page.waitForURL(/#\/datasets\//);
  await page.getByRole('button', { name: /^Put . cases on trial/ }).click();
  await page.waitForURL(/#\/experiments\//);
  await expect(page.getByText('Accuracy here counts agreement with the decisions of the bank')).toBeVisible();
  await page
    .getByRole('link', { name: /^Trials/ })
    .first()
    .click();
  // Until then rows still come in above the others.
  await expect(page.getByText('All 4 finished trials')).toBeVisible();
  const differing = page.getByRole('row').filter({ hasText: /differs from the bank: (REFUSED|GRANTED)/ });
  await differing.first().getByRole('link').first().click();
  await page.waitForURL(/#\/trials\//);
  const main = page.getByRole('main');
  await expect(main.getByText(/differs from the bank/).first()).toBeVisible();
  await expect(main).not.toContainText(/· (wrong|correct)|truth/i);
  await page.getByRole('button', { name: 'Trial report' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'HTML' }).click();
  const report = readFileSync(await (await download).path(), 'utf8').replace(/<[^>]*>/g, '');
  expect(report).toContain('How often such decisions agree with the bank');
  expect(report).toContain('Whether that decision is right is not known.');
  expect(report.replace(/Appendix: the prompts in full.*/s, '')).not.toMatch(/\btruth\b|right answer/i);
});
