import { expect, type Page, test } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter } from './support/app.ts';
import { invisibles, scripts } from './support/corpora.ts';
import { connectToEngine } from './support/engineApi.ts';
import { type FakeOllama, startFakeOllama } from './support/fakeOllama.ts';
import { type RunningHost, startHost } from './support/host.ts';
import { fileNameOf, type HostileRecord, hostileFile, makeHostileRecord } from './support/hostileData.ts';
import { hiddenCharacters, injected, unfoldAll, unisolated } from './support/inspection.ts';
import { placesOf, settled, visit } from './support/places.ts';
import { watch } from './support/watch.ts';

needsChromium();

const reordering = invisibles.map(({ text }) => `${text} \u05d0\u05d1\u05d2`);

interface Court {
  readonly texts: readonly string[];
  readonly ollama: FakeOllama;
  readonly host: RunningHost;
  readonly made: HostileRecord;
}

/** A host whose every text is hostile, by a model that speaks the same. */
async function hold(texts: readonly string[]): Promise<Court> {
  const ollama = await startFakeOllama(texts, `model ${texts[0]}`.slice(0, 60));
  const host = await startHost({}, ollama.url);
  const engine = await connectToEngine(host);
  const made = await makeHostileRecord(engine, texts, ollama.model);
  engine.close();
  return { texts, ollama, host, made };
}

/** Goes through the import of a hostile file as a user does, and puts a question. */
async function importByHand(page: Page, { host, texts }: Court): Promise<void> {
  await visit(page, host, { name: 'import', route: '/import' });
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const buffer = Buffer.from(hostileFile(texts).csv);
  await (await chosen).setFiles({ name: fileNameOf(texts[0] ?? ''), mimeType: 'text/csv', buffer });
  await page.getByRole('radio', { name: /^Table row/ }).press('Space');
  await page.getByRole('textbox', { name: 'Question' }).fill(texts[1] ?? '');
  await expect(page.getByRole('complementary', { name: 'Preview' }).getByRole('heading', { name: /^Case / })).toBeVisible();
}

async function forEachScreen(page: Page, court: Court, check: (name: string) => Promise<void>): Promise<void> {
  await enter(page, court.host);
  for (const place of placesOf(court.made, court.made.entry)) {
    await test.step(place.name, async () => {
      await visit(page, court.host, place);
      await unfoldAll(page);
      await check(place.name);
    });
  }
  await test.step('import of a file', async () => {
    await importByHand(page, court);
    await check('import of a file');
  });
}

test.describe('scripts', () => {
  let court!: Court;

  test.beforeAll(async () => {
    court = await hold(scripts);
  });
  test.afterAll(async () => {
    await court?.host.stop();
    await court?.ollama.stop();
  });

  test('security 13: nothing runs or is asked for, whatever is a name, a fact, a label or an answer', async ({
    page,
    context,
  }) => {
    expect(scripts.length).toBeGreaterThanOrEqual(40);
    expect(court.ollama.answers()).toBeGreaterThan(14);
    const seen = await watch(context, court.host.origin);
    await forEachScreen(page, court, async (name) => expect(await injected(page), name).toEqual([]));
    expect(seen.dialogs).toEqual([]);
    expect(seen.foreign).toEqual([]);
    expect(seen.violations).toEqual([]);
    expect(seen.errors).toEqual([]);
    expect(seen.popups).toEqual([]);
  });

  test('the texts are shown as they are', async ({ page }) => {
    const [first = '', second = '', third = ''] = scripts;
    await enter(page, court.host);
    const { made, host } = court;
    await visit(page, host, { name: 'datasets', route: '/datasets' });
    await expect(page.getByRole('heading', { name: `Data ${first}` })).toBeVisible();
    await visit(page, host, { name: 'experiment', route: `/experiments/${encodeURIComponent(made.experiment)}` });
    await expect(page.getByRole('heading', { level: 1, name: `Experiment ${second}` })).toBeVisible();
    // It stands in the folded filter too.
    await expect(page.getByText(`Court ${third}`).filter({ visible: true }).first()).toBeVisible();
    await visit(page, host, { name: 'trial', route: `/trials/${made.trial}` });
    await settled(page);
    await expect(page.getByText(scripts[3] ?? '').first()).toBeVisible();
  });
});

test.describe('characters that do not show themselves', () => {
  let court!: Court;

  test.beforeAll(async () => {
    court = await hold(reordering);
  });
  test.afterAll(async () => {
    await court?.host.stop();
    await court?.ollama.stop();
  });

  test('security 28: they are shown as marks, and what they reorder is isolated', async ({ page }) => {
    const marked = new Set<string>();
    await forEachScreen(page, court, async (name) => {
      expect.soft(await hiddenCharacters(page), `${name}: shown as marks`).toEqual([]);
      expect.soft(await unisolated(page), `${name}: isolated`).toEqual([]);
      const text = await page.locator('body').innerText();
      for (const { mark } of invisibles) if (text.includes(mark)) marked.add(mark);
    });
    expect([...marked].toSorted()).toEqual(invisibles.map(({ mark }) => mark).toSorted());
  });
});
