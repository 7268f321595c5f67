import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile } from './support/app.ts';
import { showTheme, themes } from './support/figures.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });
const folder = 'test-results/screens';
test.beforeAll(() => void mkdirSync(folder, { recursive: true }));

async function choose(page: Page, name: string, content: Buffer): Promise<void> {
  await enter(page, host());
  await goTo(page, host(), '/import');
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  await (await chosen).setFiles({ name, mimeType: 'text/csv', buffer: content });
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
  await expect(page.getByRole('button', { name: /Between the cells/ })).toContainText('semicolons');
  await page.getByRole('textbox', { name: 'Question' }).fill('Is it granted?');
  await expect(page.getByRole('complementary', { name: 'Preview' })).toContainText('München');
  // The button that all of this leads to is in view before anybody has scrolled.
  const add = page.getByRole('button', { name: 'Add data set' });
  await page.getByRole('heading', { name: 'The file' }).scrollIntoViewIfNeeded();
  await expect(add).toBeInViewport();
  for (const theme of themes) {
    await showTheme(page, theme);
    await page.screenshot({ path: join(folder, `import-older-${theme}.png`), animations: 'disabled' });
  }
  await page.getByRole('button', { name: /Between the cells/ }).click();
  await page.getByRole('option', { name: 'commas' }).click();
  await expect(page.getByText(/4 when it is split at semicolons/)).toBeVisible();
  await page.getByRole('button', { name: /Between the cells/ }).click();
  await page.getByRole('option', { name: 'semicolons' }).click();
  await page.getByRole('textbox', { name: 'Question' }).fill('Is it granted?');
  await add.click();
  await page.waitForURL(/#\/datasets\//);
  await expect(page.getByText('München').first()).toBeVisible();
});
