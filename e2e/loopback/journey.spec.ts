import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { trialLineSchema } from '../../src/shared/trialLine.ts';
import { needsChromium } from '../support/chromium.ts';
import { enter, hostOfFile, test } from './support/app.ts';
import { csvOf } from './support/corpora.ts';
import { startDemoProcess } from './support/demoModels.ts';

needsChromium();

// Without a profile the demo model takes about a second for a call, as it does for a user.
const host = hostOfFile();

const rows = Array.from({ length: 12 }, (_none, index) => [
  `${index + 1}`,
  index % 2 === 0 ? 'Köpenick' : 'Süd, "Alte Straße"',
  `${40 + index}`,
  index % 3 === 0 ? 'Schimmel; undicht' : 'keine',
  index % 4 < 2 ? 'ja' : 'nein',
]);
const csv = csvOf([['Nr.', 'Lage & Straße', 'Größe, "m²"', 'Mängel?', 'Urteil'], ...rows]);

const place = (page: Page, name: string) => page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name });
const speeches = (page: Page) => page.getByRole('feed').getByRole('article', { name: /^(?:Prosecution|Defense)/ });
const speechNames = (page: Page) => speeches(page).evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

test('from an empty home to a checked and exported record', async ({ page }) => {
  const name = 'Mietminderung, erster Lauf';

  await test.step('first start: the list of data sets with its samples', async () => {
    await enter(page, host());
    await expect(heading(page, 'Assize')).toBeVisible();
    await page.getByRole('link', { name: 'See data sets and samples' }).click();
    await expect(heading(page, 'Data sets')).toBeVisible();
    await expect(page.getByRole('article', { name: /Deposit disputes/ })).toBeVisible();
    await expect(page.getByRole('article', { name: /NLSY97/ })).toBeVisible();
    await expect(page.getByRole('button', { name: /^0 outside/ })).toBeVisible();
  });

  await test.step('settings: two calls at a time, so that the run is still there when a slow machine looks', async () => {
    await place(page, 'Settings').click();
    const calls = page.getByRole('textbox', { name: 'Calls at a time' });
    await calls.fill('2');
    await calls.press('Enter');
    await expect(page.getByText('2 calls at a time.')).toBeVisible();
  });

  await test.step('import of a file', async () => {
    await place(page, 'Data sets').click();
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Import a file' }).click();
    await (await chosen).setFiles({ name: 'Mieten 2026.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await expect(heading(page, 'Import')).toBeVisible();
    await expect(page.getByText('12 rows, 5 columns')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name of the data set' })).toHaveValue('Mieten 2026');
    await page.getByRole('textbox', { name: 'Question' }).fill('Darf die Miete gemindert werden?');
    await page
      .getByRole('radiogroup', { name: /prosecution/ })
      .getByRole('radio', { name: 'ja' })
      .press('Space');
    for (const [share, value] of [
      ['Training, %', '0'],
      ['Test, %', '100'],
    ] as const) {
      await page.getByRole('textbox', { name: share }).fill(value);
      await page.getByRole('textbox', { name: share }).press('Tab');
    }
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await expect(preview.getByText('12 cases', { exact: true })).toBeVisible();
    // That of the new shares: the one before it goes back to its first case.
    await expect(preview.getByText('12 cases for test', { exact: true })).toBeVisible();
    await expect(preview.getByRole('heading', { name: 'Case 1' })).toBeVisible();
    await expect(preview.getByText('Größe, "m²"')).toBeVisible();
    await preview.getByRole('button', { name: 'Next case' }).click();
    await expect(preview.getByRole('heading', { name: 'Case 2' })).toBeVisible();
    await expect(preview.getByText('Süd, "Alte Straße"')).toBeVisible();
    await page.getByRole('button', { name: 'Add data set' }).click();
    await expect(heading(page, 'Mieten 2026')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Cases' }).getByRole('listitem')).toHaveCount(12);
  });

  await test.step('new experiment: plan and prompts before anything is asked', async () => {
    await page.getByRole('button', { name: 'New experiment' }).click();
    await expect(heading(page, 'New experiment')).toBeVisible();
    await page.getByRole('textbox', { name: 'Name of the experiment' }).fill(name);
    const cases = page.getByRole('textbox', { name: 'Number of cases' });
    await cases.fill('5');
    await cases.press('Tab');
    await page.getByRole('button', { name: 'Add an arm' }).click();
    const second = page.getByRole('article', { name: /^Arm / }).nth(1);
    await second.getByRole('radio', { name: /^StandardLLM/ }).press('Space');
    await second.getByRole('textbox', { name: 'Name of the arm' }).fill('allein');
    await page.getByRole('button', { name: /^Remove AgenticSimLLM/ }).click();
    await expect(page.getByRole('article', { name: /^Arm / })).toHaveCount(1);
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(second).toHaveAccessibleName('Arm allein');
    const plan = page.getByRole('complementary', { name: 'Plan' });
    await expect(plan.getByText('5 cases × 2 arms = 10 trials')).toBeVisible();
    await expect(plan.getByText('70 calls')).toBeVisible();
    await expect(plan.getByText(/demo writes .* tokens\/s/)).toBeVisible();
    const alone = page.getByRole('article', { name: 'Arm allein' });
    const model = alone.getByRole('combobox', { name: 'Name for the demo model' });
    for (const name of ['other', 'demo']) {
      await model.fill(name);
      await model.press('Tab');
      await expect(plan.getByText(new RegExp(`\\b${name} writes .* tokens/s`))).toBeVisible();
    }
    await page.getByRole('button', { name: 'Show the prompts' }).click();
    await expect(page.getByText(/Case \d+: 13 calls/)).toBeVisible();
    await expect(page.getByText('The answers in between are invented; no model was asked.')).toBeVisible();
    await expect(page.getByText(/Lage & Straße/).first()).toBeVisible();
  });

  await test.step('a run that is seen live, and that a reload does not disturb', async () => {
    await page.getByRole('button', { name: 'Start with the demo model' }).click();
    await expect(heading(page, name)).toBeVisible();
    await expect(page.getByText(/DEMO MODEL/i).first()).toBeVisible();
    await expect(page.getByText(/· \d running now/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Watch live' })).toHaveAttribute('href', /\/live\//);
    await page.reload();
    await expect(heading(page, name)).toBeVisible();
    await expect(page.getByText(/\d+ calls since this start · /)).toBeVisible();
    await expect(page.getByText(/[1-9]\d? of 10 trials done/)).toBeVisible();
  });

  await test.step('a trial is watched while it is held, also after a reload', async () => {
    // High enough for all speeches, of which only those in view are in the page.
    await page.setViewportSize({ width: 1280, height: 5000 });
    await page
      .getByRole('table', { name: 'Trials', exact: true })
      .getByRole('row', { name: /AgenticSimLLM/ })
      .filter({ hasText: 'begun' })
      .first()
      .getByRole('link')
      .click();
    await expect(heading(page, /^Case \d+$/)).toBeVisible();
    await expect(page.getByText('Süd, "Alte Straße"').or(page.getByText('Köpenick')).first()).toBeVisible();
    await expect(page.getByText('is writing')).toBeVisible();
    await expect(speeches(page).first()).toBeVisible();
    await expect(page.getByRole('button', { name: /^Notes of the judge/ }).first()).toBeVisible();
    const before = await speechNames(page);
    await page.reload();
    await expect(heading(page, /^Case \d+$/)).toBeVisible();
    // On a slow machine all six may have been held before the page was read.
    await expect.poll(async () => (await speechNames(page)).length).toBe(6);
    expect((await speechNames(page)).slice(0, before.length)).toEqual(before);
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link').last().click();
    await expect(heading(page, name)).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  await test.step('pause, continue, stop, continue', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByText(/^Paused\. A call that was under way/)).toBeVisible();
    await page.getByRole('button', { name: 'Later…' }).click();
    await page.getByRole('textbox', { name: 'Time' }).fill('03:15');
    await page.getByRole('button', { name: /^Plan for .* 03:15$/ }).click();
    await expect(page.getByText(/^Planned for .* 03:15/)).toBeVisible();
    await page.getByRole('button', { name: 'Change the time…' }).click();
    await page.getByText('Every day until').click();
    await page.getByRole('textbox', { name: 'End' }).fill('03:16');
    await page.getByRole('textbox', { name: 'Time' }).fill('03:15');
    await page.getByRole('button', { name: 'Plan for 03:15 to 03:16 every day' }).click();
    await expect(page.getByText(/^Planned for .* 03:15, then every day from 03:15 to 03:16, until it is done/)).toBeVisible();
    await page.getByRole('button', { name: 'Continue now' }).click();
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByText('stopped', { exact: true }).first()).toBeVisible();
    await page.getByRole('button', { name: 'Continue with the built-in demo model' }).click();
    await expect(page.getByText('10 of 10 trials done · 10 decided')).toBeVisible();
  });

  await test.step('the trial: private plans, calls as they were made, and the check of the record', async () => {
    await page
      .getByRole('table', { name: 'Trials', exact: true })
      .getByRole('row', { name: /AgenticSimLLM/ })
      .first()
      .getByRole('link')
      .click();
    await expect(heading(page, /^Case \d+$/)).toBeVisible();
    await expect(page.getByText('DEMO MODEL', { exact: true }).first()).toBeVisible();
    const plan = page.getByRole('button', { name: /Sealed plan/ }).first();
    await expect(plan).toHaveAttribute('aria-expanded', 'false');
    await plan.click();
    await expect(plan).toHaveAttribute('aria-expanded', 'true');
    await page.getByRole('button', { name: /^13 calls/ }).click();
    const calls = page.getByRole('complementary', { name: 'Calls of this trial' });
    await expect(calls.getByRole('heading', { name: '13 calls' })).toBeVisible();
    await calls.getByRole('listitem').first().getByRole('button').click();
    await expect(calls.getByRole('region', { name: 'Messages, as they were sent' })).toContainText('Lage & Straße');
    await expect(calls.getByRole('region', { name: 'Answer, as it came' })).toContainText('utterance');
    await calls.getByRole('button', { name: 'Close the calls' }).click();
    await page.getByRole('button', { name: 'Check the record' }).click();
    await expect(page.getByText(/^Chain intact, verdict re-derived/)).toBeVisible();
  });

  await test.step('the report of a trial can be read without the program', async () => {
    const download = page.waitForEvent('download');
    const said = await page.getByRole('feed').getByRole('article').first().locator('p[dir=auto]').first().innerText();
    await page.getByRole('button', { name: 'Trial report' }).click();
    await page.getByRole('menuitem', { name: 'HTML' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/\.html$/);
    const report = readFileSync(await file.path(), 'utf8');
    expect(report).not.toMatch(/<script|javascript:|\son\w+=|src="http/i);
    expect(report).toContain('Content-Security-Policy');
    const reader = await page.context().newPage();
    await reader.setContent(report);
    const shown = (await reader.locator('body').innerText()).replaceAll(/\s+/g, ' ');
    expect(shown).toContain(said.replaceAll(/\s+/g, ' ').slice(0, 80));
    expect(shown).toContain('DEMO MODEL');
    expect(shown).toContain('Darf die Miete gemindert werden?');
    await reader.close();
    await page.getByRole('navigation', { name: 'Path' }).getByRole('link').last().click();
  });

  await test.step('export as a table', async () => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: /Trials as CSV/ }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    const table = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n');
    expect(table).toHaveLength(11);
    expect(table[0]).toMatch(/^experiment,arm,protocol/);
    expect(table.filter((line) => line.includes('allein'))).toHaveLength(5);
  });

  await test.step('the record holds against the command line', async () => {
    const { assize, store } = host();
    await assize(['verify', store]);
    await assize(['replay', store]);
    const lines = (await assize(['export', name, '--store', store, '--format', 'trials-jsonl', '--out', '-'])).trim().split('\n');
    const trials = lines.map((line) => trialLineSchema.parse(JSON.parse(line)));
    expect(trials.map(({ status, outcome }) => `${status} ${outcome}`)).toEqual(Array(10).fill('done decided'));
    expect(trials.filter(({ arm }) => arm === 'allein')).toHaveLength(5);
    expect(trials.every(({ standin }) => standin)).toBe(true);
  });
});

test('one press in the list of data sets puts cases on trial', async ({ page }) => {
  await enter(page, host());
  await place(page, 'Data sets').click();
  await page
    .getByRole('article', { name: /Deposit disputes/ })
    .getByRole('button', { name: /^Put 5 cases on trial/ })
    .click();
  await expect(page.getByRole('region', { name: 'Progress' })).toBeVisible();
  await expect(page.getByText(/of 5 trials done/)).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('stopped', { exact: true }).first()).toBeVisible();
});

test('a case in the user’s own words is tried', async ({ page }) => {
  await enter(page, host());
  await place(page, 'Try a case').click();
  await page.getByRole('button', { name: 'Try it with the demo model' }).click();
  await expect(page.getByRole('textbox', { name: 'Facts' })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Fill in an example' }).click();
  await page.getByRole('radio', { name: /^StandardLLM/ }).press('Space');
  await page.getByRole('button', { name: 'Try it with the demo model' }).click();
  await expect(page).toHaveURL(/#\/trials\/[0-9a-f]{16}$/);
  await place(page, 'Experiments').click();
  await page.getByRole('tab', { name: 'Single cases' }).click();
  const row = page.getByRole('list', { name: 'Single cases' }).getByRole('listitem');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(/Verdict (NO|YES)/);
});

test.describe('settings', () => {
  test('the theme is kept', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    await enter(page, host());
    await place(page, 'Settings').click();
    const root = page.locator('html');
    await expect(root).toHaveAttribute('data-theme', 'light');
    // By the keyboard: what the sections above find out may move the cards while they are aimed at.
    await page.getByRole('radio', { name: 'Dark' }).press('Space');
    await expect(root).toHaveAttribute('data-theme', 'dark');
    await page.reload();
    await expect(root).toHaveAttribute('data-theme', 'dark');
    await page.getByRole('radio', { name: 'Same as the system' }).press('Space');
    await expect(root).toHaveAttribute('data-theme', 'light');
  });

  test('what the sections find out moves nothing below them', async ({ page }) => {
    await enter(page, host());
    await place(page, 'Settings').click();
    const found = page.getByRole('region', { name: 'Ollama' }).getByRole('status');
    await expect(found.getByText('Not ready')).toBeVisible();
    const [height, reserved] = await found.evaluate((element) => [
      element.getBoundingClientRect().height,
      Number.parseFloat(getComputedStyle(element).minHeight),
    ]);
    expect(height).toBe(reserved);
  });

  test('a server at another address is found with its models, a foreign one is refused', async ({ page }) => {
    const standin = await startDemoProcess();
    try {
      await enter(page, host());
      await place(page, 'Settings').click();
      const address = page.getByRole('textbox', { name: 'Address' });
      const ollama = page.getByRole('region', { name: 'Ollama' });
      await address.fill(standin.url);
      await address.press('Enter');
      await ollama.getByRole('button', { name: 'Check now' }).click();
      await expect(ollama.getByText(/^Ready, version /)).toBeVisible();
      await ollama.getByRole('button', { name: /^Models/ }).click();
      await expect(ollama.getByText('llama3.1:8b', { exact: true })).toBeVisible();
      await expect(ollama.getByText('What answers here is a demo model: its answers are invented.')).toBeVisible();

      await address.fill('http://gpu.example.org:11434');
      await address.press('Enter');
      await ollama.getByRole('button', { name: 'Check now' }).click();
      await expect(ollama.getByText('Refused', { exact: true })).toBeVisible();
      await expect(page.getByText('The Ollama address is on gpu.example.org, which is not allowed')).toBeVisible();
      await expect(page.getByText(/^Refused: [1-9]/)).toBeVisible();
      await expect(page.getByRole('button', { name: /^0 outside/ })).toBeVisible();

      await address.fill('no address');
      await address.press('Enter');
      await expect(page.getByText('An address looks like http://127.0.0.1:11434.')).toBeVisible();
    } finally {
      await standin.stop();
    }
  });
});
