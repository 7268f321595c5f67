import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { zipOf } from '../../src/main/engine/bundle/testing/forging.ts';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { openTopics } from './support/figures.ts';
import { settled } from './support/places.ts';
import { makeExperiment } from './support/record.ts';

needsChromium();

const host = sharedHost();
let route: string;
let trial: string;
let other: string;

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  const made = await makeExperiment(engine.api, { name: 'On paper' });
  trial = made.trial;
  other = made.other;
  route = `/experiments/${encodeURIComponent(made.experiment)}/figures`;
});

test('what the check of a file found is printed alone, also where a word was changed', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), route);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^Bundle/ }).click();
  const files = unzipSync(readFileSync(await (await download).path()));
  const texts = strFromU8(files['texts.jsonl'] ?? new Uint8Array()).replace('I take the passage', 'I made up the passage');
  await goTo(page, host(), '/');
  await page.reload();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose the file' }).click();
  const buffer = Buffer.from(zipOf({ ...files, 'texts.jsonl': strToU8(texts) }));
  await (await chooser).setFiles({ name: 'given.zip', mimeType: 'application/zip', buffer });
  const found = page.getByRole('region', { name: 'What the check found' });
  await expect(found.getByRole('figure')).toContainText('I made up the passage');
  await expect(found.getByRole('button', { name: 'Print' })).toBeVisible();
  await expectNoFaults(page, 'changed bundle');
  await expect(found.getByText(/^Bundle root found over the events/)).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(found.getByText(/^Bundle root found over the events/)).toBeVisible();
  await expect(found.getByText(/^Checked on .* with Assize \d/)).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
});

test('a screen is printed as long as it is, not as far as the window reaches', { tag: '@exhaustive' }, async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), route);
  await openTopics(page);
  await page.locator('#figure-accuracy-by-arm').scrollIntoViewIfNeeded();
  await expect(page.locator('[data-figure="accuracy-by-arm"] [role="group"] svg')).toBeVisible();
  await settled(page);
  const content = await page.getByRole('main').evaluate(({ scrollHeight }) => scrollHeight);
  const { height: window } = page.viewportSize() ?? { height: 0 };
  expect(content).toBeGreaterThan(window);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation', { name: 'Places' })).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(window);
  // Letters and margins are those of the browser; a window's worth would be a page or two.
  const pages = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g) ?? [];
  expect(pages.length).toBeGreaterThan(2);
});

/** What scrolls or clips, or is lower than what it holds, is cut where a page ends. */
const cutOnPaper = (inner: Element) => {
  const cut: string[] = [];
  for (let at = inner; at.parentElement !== null; at = at.parentElement) {
    const outer = at.parentElement;
    const { overflowY } = getComputedStyle(outer);
    const over = at.getBoundingClientRect().bottom - outer.getBoundingClientRect().bottom;
    if (over > 1 || (overflowY !== 'visible' && outer !== document.documentElement))
      cut.push(`${outer.tagName} ${outer.className}: overflow ${overflowY}, ${over} px over`);
  }
  return cut;
};

test('Ctrl+P prints when figures that were never in view are drawn; filters are not on paper', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => {
      const cells = [...document.querySelectorAll('[id^="figure-"]')].filter((cell) => cell.clientHeight > 0);
      const empty = cells.filter((cell) => cell.querySelector('svg text, canvas') === null);
      document.body.dataset.printed = `${cells.length > 2} ${empty.map(({ id }) => id).join()}`;
    };
  });
  await enter(page, host());
  await goTo(page, host(), route);
  await expect(page.locator('[data-figure]').first()).toBeVisible();
  await page.keyboard.press('Control+p');
  await expect(page.locator('body[data-printed]')).toHaveAttribute('data-printed', 'true ');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('button', { name: /^(?:Filter|Table|What is|Figure)/ })).toHaveCount(0);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  const unread = page.getByRole('group', { name: 'A figure not read yet' });
  await expect(unread.filter({ has: page.locator('[data-figure]') })).toHaveCount(0);
});

test('a comparison of two arms is printed with its cases in a table', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), route.replace(/figures$/, 'compare'));
  await expect(page.getByRole('heading', { name: 'Cases side by side' })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await expect(page.getByText(/of those that both have/)).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
});

test('two trials side by side are printed by a button, with what is recorded of each case, and the end and time of each record', async ({
  page,
}) => {
  await page.addInitScript(() => {
    window.print = () => {
      document.body.dataset.printed = 'true';
    };
  });
  using engine = await connectToEngine(host());
  const { line } = await engine.api.trials.read({ trial: other });
  await enter(page, host());
  await goTo(page, host(), `/trials/${trial}/beside/${other}`);
  await page.getByRole('button', { name: 'Print or save as PDF' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed', 'true');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByText(`Truth: ${line.truth}`, { exact: true }).last()).toBeVisible();
  const end = page.getByText(`Trial ${other} of On paper, opened `);
  await expect(end).toContainText(`head hash ${line.head_hash}`);
  await expect(page.getByRole('button', { name: 'Print or save as PDF' })).toHaveCount(0);
});

test('what was done is said on the screen and not on paper, nor do notes on words leave their buttons there', async ({
  page,
}) => {
  await enter(page, host());
  await goTo(page, host(), route.replace(/figures$/, 'compare'));
  const note = page.getByRole('button', { name: /^What is/ }).first();
  await expect(note).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Experiment report' }).click();
  await page.getByRole('menuitem', { name: 'HTML' }).click();
  await download;
  const said = page.getByText(/^The report was saved as/);
  await expect(said).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(said).toBeHidden();
  await expect(note).toBeHidden();
});

const withoutSpace = (text: string) => text.normalize('NFKC').replaceAll(/\s/g, '');

test('a trial is printed whole, with its facts and what is open of plans and notes, and nothing over anything else', async ({
  page,
}) => {
  await enter(page, host());
  await goTo(page, host(), `/trials/${trial}`);
  const feed = page.getByRole('feed');
  const plans = feed.getByRole('button', { name: /^Sealed plan/ });
  await plans.first().click();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const rows = feed.getByRole('article');
  const all = Number(await rows.first().getAttribute('aria-setsize'));
  await expect(rows).toHaveCount(all);
  const places = await rows.evaluateAll((each) => each.map((row) => row.getBoundingClientRect()));
  for (const [index, { top }] of places.entries())
    if (index > 0) expect(top).toBeGreaterThanOrEqual((places[index - 1]?.bottom ?? 0) - 0.5);
  await expect(plans.first()).toHaveAttribute('aria-expanded', 'true');
  await expect(plans.last()).toHaveAttribute('aria-expanded', 'false');
  expect(await plans.first().evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('none');
  await expect(page.getByRole('heading', { name: 'Facts before the court' })).toBeVisible();
  await expect(rows.last().getByRole('heading', { name: 'What moved the judge' })).toBeVisible();
  expect(await rows.last().evaluate(cutOnPaper)).toEqual([]);
  // A closed plan has words in the page as well.
  const paragraphs = await feed.locator('p').filter({ visible: true }).allInnerTexts();
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));

  await page.emulateMedia({ media: null });
  const file = test.info().outputPath('trial.pdf');
  await page.pdf({ path: file, format: 'Letter' });
  const { stdout, error } = spawnSync('pdftotext', [file, '-'], { encoding: 'utf8' });
  if (error !== undefined) {
    const description = 'No pdftotext here: the words of the PDF are not read. Install poppler-utils.';
    test.info().annotations.push({ type: 'left out', description });
    return;
  }
  const printed = withoutSpace(stdout);
  expect(paragraphs.length).toBeGreaterThan(all);
  for (const words of paragraphs) expect(printed).toContain(withoutSpace(words).slice(-25));
});
