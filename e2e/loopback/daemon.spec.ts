import { expect, type Page } from '@playwright/test';
import { type FakeBehaviour, type FakeOllama, fakeOllama } from '../../src/main/engine/models/daemon/testing/fakeOllama.ts';
import { needsChromium } from '../support/chromium.ts';
import { endings, enter, goTo, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { startHost } from './support/host.ts';

needsChromium();

const onEnd = endings();

const ollama = (page: Page) => page.getByRole('region', { name: 'Ollama', exact: true });

/** The models screen of a host that finds this program, with nothing at the address of its settings. */
async function openWith(page: Page, behaviour: FakeBehaviour = {}): Promise<FakeOllama> {
  const fake = fakeOllama(behaviour);
  onEnd(async () => fake.remove());
  // The host bears the fake's mark too: only once it has ended must nothing be left.
  onEnd(() => fake.gone());
  const host = await startHost({ ASSIZE_STANDIN_PROFILE: 'instant', ASSIZE_OLLAMA: fake.program, ...fake.env });
  onEnd(() => host.stop());
  await page.setViewportSize({ width: 1280, height: 900 });
  await enter(page, host);
  await goTo(page, host, '/models');
  return fake;
}

test('our own is started, shows what it wrote, is stopped and restarted with its settings, and comes back after a death', {
  tag: '@exhaustive',
}, async ({ page }) => {
  const fake = await openWith(page, { child: true });
  const card = ollama(page);
  await expect(card.getByText('Running, started by Assize')).toBeVisible();
  await expect(card.getByText('off, as the server itself says')).toBeVisible();
  await card.getByRole('button', { name: /^What it wrote/ }).click();
  await expect(card.getByText(/Listening on 127\.0\.0\.1:\d+/)).toBeVisible();
  await expectNoFaults(page, 'our own Ollama');

  await card.getByRole('button', { name: 'Stop Ollama' }).click();
  await expect(card.getByText('Not running', { exact: true })).toBeVisible();
  await expect(fetch(`http://${fake.lives().at(-1)?.env.OLLAMA_HOST}/`)).rejects.toThrow();
  await card.getByRole('button', { name: 'Start Ollama' }).click();
  await expect(card.getByText('Running, started by Assize')).toBeVisible();

  expect(fake.lives().at(-1)?.env.OLLAMA_NUM_PARALLEL).toBe('1');
  await card.getByRole('button', { name: /^How Assize starts it/ }).click();
  const slots = card.getByRole('textbox', { name: 'Slots' });
  await slots.fill('4');
  await slots.press('Enter');
  await expect(page.getByText('The number of slots was saved.')).toBeVisible();
  await expectNoFaults(page, 'settings of our own Ollama');
  await card.getByRole('button', { name: 'Restart now' }).click();
  await expect.poll(() => fake.lives().at(-1)?.env.OLLAMA_NUM_PARALLEL).toBe('4');
  await expect(card.getByText('Running, started by Assize')).toBeVisible();

  await card.getByRole('checkbox', { name: 'Reproducible' }).press('Space');
  await expect(slots).toBeDisabled();
  await card.getByRole('button', { name: 'Restart now' }).click();
  await expect.poll(() => fake.lives().at(-1)?.env.LLAMA_ARG_CACHE_RAM).toBe('0');
  expect(fake.lives().at(-1)?.env.OLLAMA_NUM_PARALLEL).toBe('1');
  await expect(card.getByText('Running, started by Assize')).toBeVisible();

  const before = fake.lives().at(-1)?.pid ?? 0;
  process.kill(before, 'SIGKILL');
  await expect(async () => expect(fake.lives().at(-1)?.pid).not.toBe(before)).toPass();
  const after = fake.lives().at(-1)?.pid;
  await expect(card.getByText(`process ${after}`, { exact: false })).toBeVisible();
  await expect(card.getByText('Running, started by Assize')).toBeVisible();
});

test('one that does not stay up says why, without a path, and is not tried for ever', { tag: '@exhaustive' }, async ({
  page,
}) => {
  const fake = await openWith(page, { earlyDeaths: 1000 });
  const card = ollama(page);
  await expect(card.getByText('It keeps stopping')).toBeVisible();
  await expect(card.getByRole('status')).toContainText('mkdir models: permission denied');
  expect(await page.locator('main').innerText()).not.toContain(fake.folder);
  await expect(card.getByRole('button', { name: 'Start Ollama' })).toBeVisible();
});
