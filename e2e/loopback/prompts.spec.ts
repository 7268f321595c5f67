import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';

needsChromium();

const host = sharedHost();

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const part = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const preview = (page: Page) => page.getByRole('complementary', { name: 'Preview' });
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

test('a case that is being tried gets the words that are written for it, and four answers get another protocol', async ({
  page,
}) => {
  await enter(page, host());
  await goTo(page, host(), '/try');
  await page.getByRole('button', { name: 'Fill in an example' }).click();
  const answers = page.getByRole('textbox', { name: 'Possible answers' });
  for (const answer of ['PARTLY', 'LATER']) {
    await answers.fill(answer);
    await answers.press('Enter');
  }
  await page.getByRole('textbox', { name: 'Question' }).press('ControlOrMeta+Enter');
  await expect(answers).toBeFocused();
  await expect(answers).toHaveAccessibleDescription(/^AgenticSimLLM takes exactly 2 answers, and you have 4\./);
  await page.getByRole('button', { name: 'Change to Single model' }).click();
  await expect(page.getByRole('radio', { name: /^Single model/ })).toBeChecked();
  await page.getByRole('link', { name: 'Put the prompts into your own words' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('for-deposits');
  const task = part(page, 'Task');
  await task.fill((await task.inputValue()).replace('at most 40 words', 'at most 15 words'));
  await page.getByRole('button', { name: 'Save and go back' }).click();
  await expect(page.getByRole('button', { name: /for-deposits Prompts/ })).toBeVisible();
  await page.getByRole('button', { name: 'Try it with the demo model' }).click();
  await expect(page.getByText(/^prompts.*for-deposits/)).toBeVisible();
});

test('a variant is written, refused, saved, tried, passed on and brought back', async ({ page }) => {
  await enter(page, host());
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Prompts' }).click();
  await expect(heading(page, 'Prompts')).toBeVisible();
  await page.getByRole('region', { name: 'Single model' }).getByRole('link', { name: 'Write a variant' }).click();
  await expect(heading(page, 'New variant of Single model')).toBeVisible();
  await expect(preview(page).getByText('Give a reason in at most 40 words.')).toBeVisible();

  await test.step('words that drop the facts are refused, with their place', async () => {
    await page.getByRole('textbox', { name: 'Name' }).fill('brief');
    const messages = part(page, 'Messages');
    const before = await messages.inputValue();
    await messages.fill(before.replace('{{facts}}', ''));
    await expect(page.getByRole('alert')).toContainText('Classification, messages, line 1: {{facts}} is missing');
    await expect(save(page)).toBeDisabled();
    await expect(preview(page).getByText('This is the last preview that could be made.')).toBeVisible();
    await expect(preview(page).getByText('Give a reason in at most 40 words.')).toBeVisible();
    // A press on the slot puts it where the cursor is.
    const at = before.indexOf('{{facts}}');
    await messages.evaluate((area: HTMLTextAreaElement, cursor) => area.setSelectionRange(cursor, cursor), at);
    await page.getByRole('button', { name: /^Insert \{\{facts\}\}, which is missing/ }).click();
    await expect(messages).toHaveValue(before);
    await messages.press('ControlOrMeta+z');
    await expect(messages).not.toHaveValue(/facts/);
    await messages.press('ControlOrMeta+Shift+z');
    await expect(messages).toHaveValue(before);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });

  await test.step('other words show in the preview, survive a reload, and are saved', async () => {
    const task = part(page, 'Task');
    await task.fill((await task.inputValue()).replace('at most 40 words', 'at most 15 words'));
    await expect(preview(page).getByText('Give a reason in at most 15 words.')).toBeVisible();
    await page.reload();
    await expect(task).toHaveValue(/at most 15 words/);
    await page.getByRole('button', { name: 'Difference from the shipped words' }).click();
    await expect(page.locator('ins')).toHaveText('15');
    await save(page).click();
    await expect(heading(page, 'brief')).toBeVisible();
    await expect(page.getByText('not saved')).toHaveCount(0);
  });

  await test.step('what is not saved outlives a file that was changed or removed, and words that no one changed are read again', async () => {
    const file = join(host().folder, '.config/assize/prompts/brief.md');
    const saved = readFileSync(file, 'utf8');
    const about = page.getByRole('textbox', { name: 'What it is for' });
    writeFileSync(file, saved.replace('\n---\n', '\nabout: by hand\n---\n'));
    await page.reload();
    await expect(about).toHaveValue('by hand');
    await about.fill('on the screen');
    writeFileSync(file, saved);
    await save(page).click();
    await expect(page.getByRole('alert')).toContainText('has changed since you opened it');
    rmSync(file);
    await page.reload();
    await expect(page.getByText('Your words are still here')).toBeVisible();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect(page.getByText('there is no variant of prompts "brief"')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(about).toHaveValue('on the screen');
    await save(page).click();
    await expect(heading(page, 'brief')).toBeVisible();
    expect(readFileSync(file, 'utf8')).toBe(saved.replace('\n---\n', '\nabout: "on the screen"\n---\n'));
  });

  await test.step('an arm is tried in these words', async () => {
    await goTo(page, host(), '/new/deposits');
    const arm = page.getByRole('article', { name: /^Arm / });
    await arm.getByRole('radio', { name: /^Single model/ }).press('Space');
    await arm.getByRole('button', { name: /Prompts/ }).click();
    await page.getByRole('option', { name: 'brief' }).click();
    await page.getByRole('button', { name: 'Start with the demo model' }).click();
    await expect(page.getByText(/of \d+ trials done/)).toBeVisible();
    await expect(page.getByText('brief').first()).toBeVisible();
  });

  await test.step('it is exported, removed, brought back, and a file is not taken under its name', async () => {
    await goTo(page, host(), '/prompts');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export brief' }).click();
    const file = await (await download).path();
    expect(readFileSync(file, 'utf8')).toContain('at most 15 words');
    const link = page.getByRole('link', { name: 'brief', exact: true });
    await page.getByRole('button', { name: 'Remove brief' }).click();
    await expect(link).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(link).toBeVisible();
    const importIt = async (name: string) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Import a variant' }).click();
      const content = readFileSync(file, 'utf8').replace('"brief"', JSON.stringify(name));
      await (await chooser).setFiles({ name: 'sent.md', mimeType: 'text/markdown', buffer: Buffer.from(content) });
    };
    await importIt('brief');
    await expect(page.getByText('brief.md has the name "brief" already')).toBeVisible();
    await importIt('theirs');
    await expect(page.getByRole('link', { name: 'theirs', exact: true })).toBeVisible();
  });
});
