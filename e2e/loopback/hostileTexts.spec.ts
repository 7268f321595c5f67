import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, test } from './support/app.ts';
import { invisibles, scripts } from './support/corpora.ts';
import { connectToEngine } from './support/engineApi.ts';
import { type FakeOllama, startFakeOllama } from './support/fakeOllama.ts';
import { type RunningHost, startHost } from './support/host.ts';
import { fileNameOf, type HostileRecord, hostileFile, makeHostileRecord } from './support/hostileData.ts';
import { hiddenCharacters, injected, unfoldAll, unisolated } from './support/inspection.ts';
import { placesOf, visit } from './support/places.ts';
import { watch } from './support/watch.ts';

needsChromium();

/** Each would run as code, and has invisible characters that would reorder the text around it. */
const texts = scripts.map((script, index) => `${script} ${invisibles[index % invisibles.length]?.text} \u05d0\u05d1\u05d2`);

let ollama: FakeOllama;
let host: RunningHost;
let made: HostileRecord;

/** A host whose every text is hostile, by a model that speaks the same. */
test.beforeAll(async () => {
  ollama = await startFakeOllama(texts, `model ${texts[0]}`.slice(0, 60));
  host = await startHost({}, ollama.url);
  using engine = await connectToEngine(host);
  made = await makeHostileRecord(engine, texts, ollama.model);
});
test.afterAll(async () => {
  await host?.stop();
  await ollama?.stop();
});

/** Goes through the import of a hostile file as a user does, and puts a question. */
async function importByHand(page: Page): Promise<void> {
  await visit(page, host, { name: 'import', route: '/import' });
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const buffer = Buffer.from(hostileFile(texts).csv);
  await (await chosen).setFiles({ name: fileNameOf(texts[0] ?? ''), mimeType: 'text/csv', buffer });
  await page.getByRole('radio', { name: /^Table row/ }).press('Space');
  await page.getByRole('textbox', { name: 'Question' }).fill(texts[1] ?? '');
  await expect(page.getByRole('complementary', { name: 'Preview' }).getByRole('heading', { name: /^Case / })).toBeVisible();
}

test('security 13 and 28: in any name, fact, label or answer, nothing runs or is requested, what is invisible is shown as a mark, and what it reorders is isolated', {}, async ({
  page,
  context,
}) => {
  expect(scripts.length).toBeGreaterThanOrEqual(40);
  expect(ollama.answers()).toBeGreaterThan(14);
  const seen = await watch(context, host.origin);
  const marked = new Set<string>();
  const check = async (name: string) => {
    expect.soft(await injected(page), name).toEqual([]);
    expect.soft(await hiddenCharacters(page), `${name}: shown as marks`).toEqual([]);
    expect.soft(await unisolated(page), `${name}: isolated`).toEqual([]);
    const text = await page.locator('body').innerText();
    for (const { mark } of invisibles) if (text.includes(mark)) marked.add(mark);
  };
  await enter(page, host);
  for (const place of placesOf(made, made.entry)) {
    await test.step(place.name, async () => {
      await visit(page, host, place);
      await unfoldAll(page);
      await check(place.name);
    });
  }
  await test.step('import of a file', async () => {
    await importByHand(page);
    await check('import of a file');
  });
  expect([...marked].toSorted()).toEqual(invisibles.map(({ mark }) => mark).toSorted());
  expect(seen.dialogs).toEqual([]);
  expect(seen.foreign).toEqual([]);
  expect(seen.violations).toEqual([]);
  expect(seen.errors).toEqual([]);
  expect(seen.popups).toEqual([]);

  const [first = '', second = '', third = '', fourth = ''] = scripts;
  await visit(page, host, { name: 'datasets', route: '/datasets' });
  await expect(page.getByRole('heading', { name: `Data ${first}` })).toBeVisible();
  await visit(page, host, { name: 'experiment', route: `/experiments/${encodeURIComponent(made.experiment)}` });
  await expect(page.getByRole('heading', { level: 1, name: `Experiment ${second}` })).toBeVisible();
  // It is in the folded filter too.
  await expect(page.getByText(`Court ${third}`).filter({ visible: true }).first()).toBeVisible();
  await visit(page, host, { name: 'trial', route: `/trials/${made.trial}` });
  await expect(page.getByText(fourth).first()).toBeVisible();
});
