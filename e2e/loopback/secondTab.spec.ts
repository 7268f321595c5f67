import { expect, test } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, hostOfFile } from './support/app.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });

test('a tab that is opened from another one borrows its token, which stays out of every address', async ({ page, context }) => {
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  await enter(page, host());
  const token = new URL(host().url).hash.replace('#token=', '');
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Settings' }).click({ modifiers: ['ControlOrMeta'] });
  const second = await opened;
  await expect(second.getByRole('region', { name: 'Ollama' })).toBeVisible();
  await expect(second.getByText('This address lacks its token')).toBeHidden();
  expect(second.url()).toBe(`${host().origin}/#/settings`);
  expect(asked.filter((url) => url.includes(token) && url !== host().url)).toEqual([]);
  await second.reload();
  await expect(second.getByRole('region', { name: 'Ollama' })).toBeVisible();
});

test('a browser in which no other tab is open is told what to do', async ({ page }) => {
  await page.goto(`${host().origin}/#/settings`);
  await expect(page.getByText(/^This address lacks its token\. Open the link that the program printed/).first()).toBeVisible();
});
