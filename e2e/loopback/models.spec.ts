import { expect, type Page } from '@playwright/test';
import { type DemoServer, startDemoServer } from '../../src/main/engine/models/demo/demoServer.ts';
import { needsChromium } from '../support/chromium.ts';
import { endings, enter, goTo, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { type RunningHost, startHost } from './support/host.ts';
import { hiddenCharacters, injected, unfoldAll } from './support/inspection.ts';
import { settled } from './support/places.ts';

needsChromium();

const onEnd = endings();

/** Fast enough to end within a test, and slow enough to be seen and cancelled: about three seconds for five gigabytes. */
const seenPulls = { base: 'workstation', machine: { pullRate: 1.6e9 } };

interface ModelsHost {
  readonly host: RunningHost;
  readonly server: DemoServer;
}

/** A separate host for a test, with a demo model where it looks for Ollama. */
async function modelsHost(options: Parameters<typeof startDemoServer>[0] = {}): Promise<ModelsHost> {
  const server = await startDemoServer(options);
  onEnd(() => server.close());
  const host = await startHost({ ASSIZE_STANDIN_PROFILE: 'instant' }, server.url);
  onEnd(() => host.stop());
  return { host, server };
}

async function openModels(page: Page, { host }: ModelsHost): Promise<void> {
  await enter(page, host);
  await goTo(page, host, '/models');
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible();
}

const region = (page: Page, name: string) => page.getByRole('region', { name });
const fetchOf = (page: Page, model: string) => page.getByRole('article', { name: `Fetch of ${model}` });
const rowOf = (page: Page, model: string) =>
  page
    .getByRole('table', { name: 'Models on disk' })
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `Delete ${model}`, exact: true }) });

async function fetchModel(page: Page, name: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Name of the model' });
  await field.fill(name);
  await field.press('Enter');
}

test('a model is fetched with its progress, cancelled, resumed, and is there', async ({ page }) => {
  const { host, server } = await modelsHost({ models: ['llama3.2:1b'], anyModel: false, profile: seenPulls });
  await openModels(page, { host, server });
  await expect(page.getByText('DEMO MODEL', { exact: true }).first()).toBeVisible();
  await expect(rowOf(page, 'llama3.2:1b')).toBeVisible();

  await fetchModel(page, 'two names');
  await expect(page.getByText('One model at a time: a name has no spaces.')).toBeVisible();
  await fetchModel(page, 'ollama pull llama3.1:8b');
  const fetched = fetchOf(page, 'llama3.1:8b');
  await expect(fetched.getByText(/^[\d.]+ [MG]B of [\d.]+ GB · .*left/)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Name of the model' })).toHaveValue('');
  await fetched.getByRole('button', { name: 'Cancel llama3.1:8b' }).click();
  await expect(fetched.getByText('cancelled; what was downloaded is kept')).toBeVisible();
  await expect.poll(() => server.pulls()).toBe(0);
  const kept = await fetched.getByRole('progressbar').getAttribute('aria-valuenow');
  expect(Number(kept)).toBeGreaterThan(0);
  await expect(rowOf(page, 'llama3.1:8b')).toHaveCount(0);

  await fetched.getByRole('button', { name: 'Continue with llama3.1:8b' }).click();
  await expect(fetched.getByText('fetched', { exact: true })).toBeVisible();
  await expect(rowOf(page, 'llama3.1:8b')).toBeVisible();
  await expect(page.getByText('llama3.1:8b is fetched.')).toBeAttached();
  await fetched.getByRole('button', { name: 'Dismiss llama3.1:8b' }).press('Enter');
  await expect(fetched).toHaveCount(0);
  await expect(page.getByText('No fetch.')).toBeFocused();
});

test('several are queued; one that does not exist fails, says why, and can be dismissed', { tag: '@exhaustive' }, async ({
  page,
}) => {
  const { host, server } = await modelsHost({ models: [], anyModel: false, profile: seenPulls });
  await openModels(page, { host, server });
  await expect(page.getByText('No model yet')).toBeVisible();
  await fetchModel(page, 'gemma2:9b');
  await fetchModel(page, 'missing:7b');
  await fetchModel(page, 'qwen2.5:7b');
  await expect(fetchOf(page, 'gemma2:9b').getByRole('progressbar')).toBeVisible();
  await expect(fetchOf(page, 'qwen2.5:7b').getByText('waiting')).toBeVisible();
  await fetchOf(page, 'qwen2.5:7b')
    .getByRole('button', { name: /^Cancel/ })
    .click();
  await fetchOf(page, 'gemma2:9b')
    .getByRole('button', { name: /^Cancel/ })
    .click();
  const missing = fetchOf(page, 'missing:7b');
  await expect(missing.getByText('failed', { exact: true })).toBeVisible();
  await expect(missing.getByRole('button', { name: 'Continue with missing:7b' })).toBeVisible();
  await missing.getByRole('button', { name: 'Dismiss missing:7b' }).click();
  await expect(missing).toHaveCount(0);
  await expect.poll(() => server.pulls()).toBe(0);
});

test('installed ones are sorted and searched; deleting one asks first and leaves the focus with the next', async ({ page }) => {
  const { host, server } = await modelsHost();
  await openModels(page, { host, server });
  const table = page.getByRole('table', { name: 'Models on disk' });
  const sizes = () =>
    table
      .getByRole('row')
      .getByRole('cell', { name: /^[\d.]+ [MG]B$/ })
      .allInnerTexts();
  const inBytes = (text: string) => Number.parseFloat(text) * (text.endsWith('GB') ? 1000 : 1);
  await table.getByRole('button', { name: 'Size' }).click();
  await expect(table.getByRole('columnheader', { name: 'Size' })).toHaveAttribute('aria-sort', 'descending');
  const descending = (await sizes()).map(inBytes);
  expect(descending.length).toBeGreaterThan(10);
  expect(descending).toEqual(descending.toSorted((one, other) => other - one));

  await page.getByRole('searchbox', { name: 'Search the models' }).fill('QWEN2.5:7b tools');
  await expect(table.getByRole('row')).toHaveCount(2);
  await page.getByRole('searchbox', { name: 'Search the models' }).fill('nothing like it');
  await expect(page.getByText('No model has all of these words.')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search the models' }).fill('');

  await table.getByRole('button', { name: 'Name' }).click();
  const names = (
    await table
      .getByRole('button', { name: /^Delete / })
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''))
  ).map((label) => label.replace('Delete ', ''));
  const [first = '', second = ''] = names;
  await page.getByRole('button', { name: `Delete ${first}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this model?' });
  await expect(dialog.getByText(first)).toBeVisible();
  await expect(dialog.getByText(/There is no undo: to have it again, it must be fetched again: [\d.]+ [MG]B/)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Delete ${first}`, exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Delete it' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(rowOf(page, first)).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Delete ${second}`, exact: true })).toBeFocused();
  const left = (await (await fetch(`${server.url}/api/tags`)).json()) as { models: { name: string }[] };
  expect(left.models.map(({ name }) => name)).not.toContain(first);
});

test('a loaded model says how much of it is on the GPU and is unloaded', { tag: '@exhaustive' }, async ({ page }) => {
  const { host, server } = await modelsHost({
    models: ['llama3.1:8b'],
  });
  server.showGpuShare(0.5);
  const load = await fetch(`${server.url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model: 'llama3.1:8b', messages: [{ role: 'user', content: 'x' }], stream: false }),
  });
  expect(load.ok).toBe(true);
  await openModels(page, { host, server });
  const memory = region(page, 'In memory');
  const bar = memory.getByRole('meter', { name: 'On the GPU' });
  await expect(bar).toHaveAttribute('aria-valuetext', /^\d+%, the rest computed by the processor$/);
  await memory.getByRole('button', { name: 'Unload llama3.1:8b' }).click();
  await expect(memory.getByText('No model is in memory now.')).toBeFocused();
});

test('a larger context and more slots are compared with the free memory', { tag: '@exhaustive' }, async ({ page }) => {
  const { host, server } = await modelsHost({ models: ['llama3.1:8b', 'qwen2.5:7b'], anyModel: false });
  await openModels(page, { host, server });
  const fit = region(page, 'Will it fit?');
  const bar = fit.getByRole('img').first();
  await expect(bar).toHaveAttribute('aria-label', /GiB weights \+ .* context \+ .* overhead/);
  const before = await bar.getAttribute('aria-label');
  const slots = fit.getByRole('textbox', { name: 'Slots' });
  await slots.fill('64');
  await slots.press('Tab');
  await expect(bar).not.toHaveAttribute('aria-label', before ?? '');
  const why = fit.getByRole('button', { name: /^llama3\.1:8b/ });
  await why.click();
  await expect(fit.getByText(/GiB/).nth(1)).toBeVisible();
});

test('what an ensemble lacks is fetched with one press', { tag: '@exhaustive' }, async ({ page }) => {
  const { host, server } = await modelsHost({ models: ['llama3.1:8b'], anyModel: false, profile: seenPulls });
  await openModels(page, { host, server });
  const card = region(page, 'Ensembles').getByRole('article').first();
  await expect(card.getByText(/^\d+ of \d+ installed$/)).toBeVisible();
  const fetchAll = card.getByRole('button', { name: /^Fetch the \d+ missing of / });
  const count = Number(/\d+/.exec((await fetchAll.textContent()) ?? '')?.[0]);
  expect(count).toBeGreaterThan(0);
  await fetchAll.click();
  const fetches = page.getByRole('list', { name: 'Fetches' }).getByRole('article');
  await expect(fetches).toHaveCount(count);
  await expect(card.getByText('on the way').first()).toBeVisible();
  await expect(fetchAll).toHaveCount(0);
  await expect(card.getByText(/on the way, nothing else is missing\.$/)).toBeFocused();
  // Those that wait first, so that none begins meanwhile.
  for (let left = count; left > 0; left--) {
    await page
      .getByRole('list', { name: 'Fetches' })
      .getByRole('button', { name: /^Cancel/ })
      .last()
      .click();
    await expect(page.getByRole('list', { name: 'Fetches' }).getByRole('button', { name: /^Cancel/ })).toHaveCount(left - 1);
  }
  await expect.poll(() => server.pulls()).toBe(0);
});

const hostile = ['<img src=x onerror=window.__xss=1>:7b', 'evil\u202emoc.live:7b', `${'long-'.repeat(50)}name:7b`];

test('many models, long and hostile names: nothing runs, nothing is hidden, nothing overflows, no fault in both themes', {
  tag: '@exhaustive',
}, async ({ page }) => {
  const many = Array.from({ length: 197 }, (_none, index) => `model-${index}:7b`);
  const { host, server } = await modelsHost({ models: [...hostile, ...many], anyModel: false });
  await page.setViewportSize({ width: 1280, height: 1000 });
  await openModels(page, { host, server });
  await settled(page);
  await expect(page.getByText(/^\d+ models, [\d.,]+ [GT]B on disk\.$/)).toContainText('200 models');
  const table = page.getByRole('table', { name: 'Models on disk' });
  await expect(table.getByRole('row')).toHaveCount(26);
  await page.getByRole('button', { name: 'Show all 200' }).first().click();
  await expect(table.getByRole('row')).toHaveCount(201);
  await expect(page.getByText('[right-to-left override U+202E]').first()).toBeVisible();
  expect(await injected(page)).toEqual([]);
  expect(await hiddenCharacters(page)).toEqual([]);
  await page.getByRole('searchbox', { name: 'Search the models' }).fill('long-');
  for (const width of [1280, 480, 360]) {
    await page.setViewportSize({ width, height: 1000 });
    const beyond = () =>
      page.evaluate(() => {
        const main = document.querySelector('main');
        return [
          document.documentElement.scrollWidth - document.documentElement.clientWidth,
          (main?.scrollWidth ?? 0) - (main?.clientWidth ?? 0),
        ];
      });
    // A table folds to cards in the frame after.
    await expect.poll(beyond, `${width}`).toEqual([0, 0]);
  }
});

test('the whole screen has no fault in both themes, wide and narrow', { tag: '@exhaustive' }, async ({ page }) => {
  const { host, server } = await modelsHost({
    models: ['llama3.1:8b', 'qwen2.5:7b', 'nomic-embed-text:latest'],
    anyModel: false,
    profile: { base: 'workstation', machine: { pullRate: 1e6 } },
  });
  await page.setViewportSize({ width: 1280, height: 1000 });
  await openModels(page, { host, server });
  await fetchModel(page, 'gemma2:9b');
  await fetchModel(page, 'missing:7b');
  await fetchOf(page, 'gemma2:9b').getByRole('progressbar').waitFor();
  await settled(page);
  await unfoldAll(page, 12);
  await expectNoFaults(page, 'models');
  await page.getByRole('button', { name: 'Delete llama3.1:8b' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByText('Looking for what uses it…')).toHaveCount(0);
  await expectNoFaults(page, 'delete dialog');
});
