import { expect, type Page } from '@playwright/test';
import { startDemoServer } from '../../src/main/engine/models/demo/demoServer.ts';
import { needsChromium } from '../support/chromium.ts';
import { endings, enter, goTo, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { type RunningHost, startHost } from './support/host.ts';
import { settled } from './support/places.ts';

needsChromium();

const onEnd = endings();

/** A port on which nothing listens now, and on which something may later. */
async function freePort(): Promise<number> {
  const server = await startDemoServer();
  await server.close();
  return server.port;
}

async function hostAt(port: number, extra: Readonly<Record<string, string>> = {}): Promise<RunningHost> {
  const host = await startHost({ ASSIZE_STANDIN_PROFILE: 'instant', ...extra }, `http://127.0.0.1:${port}`);
  onEnd(() => host.stop());
  return host;
}

const install = (page: Page) => page.getByRole('region', { name: 'To ask a model, install Ollama' });

test('without Ollama: what to install, and an Ollama that was started meanwhile is found', async ({ page }) => {
  const port = await freePort();
  const host = await hostAt(port);
  await page.setViewportSize({ width: 1280, height: 900 });
  await enter(page, host);
  await expect(page.getByText('No model is connected.')).toBeVisible();
  await goTo(page, host, '/datasets');
  const notice = page.getByText('No model was found, so the DEMO MODEL plays the trials.');
  await expect(notice).toBeVisible();
  await page.getByRole('link', { name: 'Set up Ollama' }).click();
  await expect(install(page)).toBeVisible();
  await expect(install(page).getByText('curl -fsSL https://ollama.com/install.sh | sh')).toBeVisible();
  await expect(
    install(page).getByRole('button', { name: 'Copy: Ollama’s own script, which sets up a service, Linux' }),
  ).toBeVisible();
  await install(page)
    .getByRole('button', { name: /^Other systems/ })
    .click();
  await expect(install(page).getByText('brew install ollama')).toBeVisible();
  await settled(page);
  await expectNoFaults(page, 'first run');
  await page.setViewportSize({ width: 1280, height: 900 });

  await install(page).getByRole('button', { name: 'Try again' }).click();
  await expect(install(page).getByText(new RegExp(`^Looked at .*127\\.0\\.0\\.1:${port}`))).toBeVisible();

  const server = await startDemoServer({ port, models: ['llama3.1:8b'], anyModel: false });
  onEnd(() => server.close());
  // The screen looks now and then by itself, and may have found it meanwhile.
  const again = install(page).getByRole('button', { name: 'Try again' });
  if (await again.isVisible()) await again.click({ timeout: 2_000 }).catch(() => undefined);
  const ollama = page.getByRole('region', { name: 'Ollama', exact: true });
  await expect(ollama.getByText('Running', { exact: true })).toBeVisible();
  await expect(ollama.getByText('It was already running, so this program does not stop it.')).toBeVisible();
  await expect(ollama.getByRole('button', { name: 'Stop Ollama' })).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'Models on disk' }).getByText('llama3.1:8b')).toBeVisible();
});

test('the notice of the list of data sets can be dismissed and shown again; a user who continues with the demo model is led to the samples and sees it no more', {
  tag: '@exhaustive',
}, async ({ page }) => {
  const host = await hostAt(await freePort());
  await enter(page, host);
  await goTo(page, host, '/datasets');
  const notice = page.getByText('No model was found, so the DEMO MODEL plays the trials.');
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
  await expect(notice).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(notice).toBeVisible();

  await goTo(page, host, '/models');
  await install(page).getByRole('button', { name: 'Continue with the demo model' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Data sets' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Put 5 cases on trial with the demo model/ }).first()).toBeVisible();
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: /^Put 5 cases on trial with the demo model/ }).first()).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('a first trial starts by a press that is in view and is watched at once, with three hints until they are dismissed', async ({
  page,
}) => {
  const host = await hostAt(await freePort());
  await page.setViewportSize({ width: 1024, height: 640 });
  await enter(page, host);
  const start = page.getByRole('button', { name: 'Start the first trial' });
  await expect(start).toBeInViewport({ ratio: 1 });
  await start.click();
  await expect(page.getByRole('heading', { level: 1, name: /^Case / })).toBeVisible();
  const hints = page.getByRole('status').filter({ hasText: 'Who speaks:' });
  await expect(hints.getByRole('listitem')).toHaveCount(3);
  await hints.getByRole('button', { name: 'Dismiss' }).click();
  await expect(hints).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Ruling', exact: true })).toBeVisible();
  // At one speech the demo model's judge visibly changes sides: the seed is chosen so.
  await expect(page.getByText('+24', { exact: true }).first()).toBeAttached();
  await expect(page.getByText(/crossed 50%/).first()).toBeAttached();
});
