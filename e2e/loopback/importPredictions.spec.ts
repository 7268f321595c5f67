import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { trialLineSchema } from '../../src/shared/trialLine.ts';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { csvOf } from './support/corpora.ts';
import { connectToEngine } from './support/engineApi.ts';
import { injected } from './support/inspection.ts';
import { settled } from './support/places.ts';
import { makeExperiment } from './support/record.ts';

needsChromium();

const host = sharedHost();
let made: { experiment: string; trial: string; cases: string[]; labels: readonly string[] };

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  const { experiment, trial } = await makeExperiment(engine.api);
  const { labels } = await engine.api.experiments.read({ experiment });
  const { lines } = await engine.api.experiments.trials({ experiment, order: 'case' });
  made = { experiment, trial, labels, cases: [...new Set(lines.map((line) => line.case))] };
});

async function choose(page: Page, name: string, rows: readonly (readonly string[])[]): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /Choose (?:a|another) file/ }).click();
  await (await chosen).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(csvOf(rows)) });
}

const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('row');

test('predictions of another system become an arm with the others', async ({ page }) => {
  const { experiment, cases, labels } = made;
  const [first = '', second = '', third = ''] = cases;
  const [label = '', other = ''] = labels;
  const hostile = '<img src=x onerror=alert(1)>';
  await enter(page, host());
  await goTo(page, host(), `/experiments/${encodeURIComponent(experiment)}`);
  await settled(page);
  await page.getByRole('button', { name: 'Import predictions…' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Import predictions' })).toBeVisible();

  await choose(page, 'panel 2026.csv', [
    ['id', 'prediction', 'confidence'],
    [first, 'thumbs up', '90'],
    [second, other, ''],
    [third, hostile, '40'],
    ['nobody', other, '40'],
  ]);
  await expect(page.getByRole('textbox', { name: 'Who or what decided' })).toHaveValue('panel 2026');
  await expect(page.getByText(/Line 5: case "nobody" is not in the data set/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'On the record' })).toBeHidden();
  await expect(page.getByText(/Line 5: case "nobody" is not in the data set/).first()).toBeVisible();

  await choose(page, 'panel.csv', [
    ['id', 'prediction', 'confidence'],
    [first, 'thumbs up', '90'],
    [second, other, ''],
    [third, hostile, '40'],
  ]);
  await expect(page.getByRole('textbox', { name: 'Who or what decided' })).toHaveValue('panel');
  const values = 'Values of the file and the labels that they mean';
  await expect(rowsOf(page, values).filter({ hasText: 'thumbs up' }).getByText('undecided', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: /Label for thumbs up/ }).click();
  await page.getByRole('option', { name: label, exact: true }).click();
  await expect(rowsOf(page, values).filter({ hasText: 'thumbs up' }).getByText('undecided', { exact: true })).toHaveCount(0);
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await expect(preview.getByRole('row', { name: `2 ${first} thumbs up ${label} 90%` })).toBeVisible();
  await expect(preview.getByRole('row', { name: 'panel 3 3 3/3 2 1' })).toBeVisible();
  await page.reload();
  await expect(preview.getByRole('row', { name: 'panel 3 3 3/3 2 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'On the record' })).toBeVisible();
  expect(await injected(page)).toEqual([]);

  await page.getByRole('main').getByRole('link', { name: experiment }).click();
  const arms = page.getByRole('table', { name: /^Arms/ });
  await expect(arms.getByRole('row', { name: /^panel imported/ })).toBeVisible();
  // The run is shown without the imported arm: nothing of that can be tried again.
  await expect(page.getByText('6 of 6 trials done').first()).toBeVisible();
  await expect(page.getByRole('list', { name: 'Failed trials' })).toHaveCount(0);

  const lines = (await host().assize(['export', experiment, '--store', host().store, '--format', 'trials-jsonl', '--out', '-']))
    .trimEnd()
    .split('\n')
    .map((line) => trialLineSchema.parse(JSON.parse(line)))
    .filter(({ protocol }) => protocol === 'imported');
  expect(lines.map((line) => [line.case, line.outcome, line.prediction, line.confidence])).toEqual(
    expect.arrayContaining([
      [first, 'decided', label, 0.9],
      [second, 'decided', other, null],
      [third, 'undecided', null, null],
    ]),
  );
  await host().assize(['verify', host().store]);

  await goTo(page, host(), `/trials/${lines.find((line) => line.case === first)?.trial}`);
  await settled(page);
  await expect(page.getByRole('heading', { name: 'Imported, not tried' })).toBeVisible();
  for (const [name, value] of [
    ['System', 'panel'],
    ['File', 'panel.csv'],
    ['Line', '2'],
    ['Column', 'prediction'],
    ['In the file', 'thumbs up'],
    ['Read as', label],
    ['Confidence', '90%'],
  ] as const) {
    await expect(page.getByRole('term').filter({ hasText: name }).locator('+ dd').first()).toHaveText(value);
  }
  await page.getByRole('button', { name: 'Check the record' }).click();
  await expect(page.getByRole('button', { name: /Chain intact, verdict re-derived/ })).toBeVisible();
  const report = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Trial report' }).click();
  await page.getByRole('menuitem', { name: 'HTML' }).click();
  const text = readFileSync(await (await report).path(), 'utf8');
  expect(text).toContain('thumbs up');
  await goTo(page, host(), `/trials/${lines.find((line) => line.case === third)?.trial}`);
  await expect(page.getByText('no label of this experiment: undecided')).toBeVisible();
  expect(await injected(page)).toEqual([]);
});

test('published predictions become a separate experiment, without cases beforehand', async ({ page }) => {
  await enter(page, host());
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill('predictions');
  await page.getByRole('menuitem', { name: 'Import predictions from a file' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Import predictions' })).toBeVisible();
  await choose(page, 'credit scores.csv', [
    ['applicant', 'score_default', 'decision', 'actual', 'sex', 'branch'],
    ...Array.from({ length: 20 }, (_, at) => [
      ...[`A${at}`, at % 3 === 0 ? '0.8' : '0.2', at % 3 === 0 ? 'refuse' : 'grant'],
      ...[at % 4 === 0 ? 'default' : 'repaid', at % 2 === 0 ? 'F' : 'M', at < 10 ? 'Hull' : 'Leeds'],
    ]),
  ]);
  const name = page.getByRole('textbox', { name: 'Name of the experiment' });
  await expect(name).toHaveValue('credit scores');
  for (const [field, column] of [
    ['Case', 'applicant'],
    ['Prediction', 'decision'],
    ['Truth', 'actual'],
  ]) {
    await expect(page.getByRole('button', { name: new RegExp(`^${column} ${field}$`) })).toBeVisible();
  }
  await expect(page.getByText('No value is a label yet')).toBeVisible();
  const pick = async (field: RegExp, option: string) => {
    await page.getByRole('button', { name: field }).click();
    await page.getByRole('option', { name: option }).click();
  };
  await pick(/Probability of default$/, 'score_default');
  await pick(/Label for grant/, 'repaid');
  await pick(/Label for refuse/, 'default');
  await page.getByText('branch', { exact: true }).last().click();
  const button = page.getByRole('button', { name: 'Import', exact: true });
  await button.click();
  await expect(page.getByRole('textbox', { name: 'Which question was decided?' })).toBeFocused();
  await page.keyboard.type('Will this person repay the loan?');
  await button.click();
  await expect(page.getByRole('radio', { name: 'default' })).toBeFocused();
  await page.keyboard.press('Space');
  await button.click();
  await expect(page.getByRole('heading', { name: 'On the record' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'credit scores' }).click();
  await expect(page.getByRole('table', { name: /^Arms/ }).getByRole('row', { name: /imported/ })).toBeVisible();
  const report = JSON.parse(await host().assize(['stats', 'credit scores', '--store', host().store, '--json']));
  expect(report).toMatchObject({ experiment: 'credit scores', positive: 'default', arms: [{ n: 20, recall: 0.4 }] });
  await goTo(page, host(), '/experiments');
  await expect(page.getByRole('link', { name: 'credit scores' })).toBeVisible();
  await expect(page.getByText('Will this person repay the loan?')).toBeVisible();
});

test('opinions before the prediction are on the record in their order', { tag: '@exhaustive' }, async ({ page }) => {
  const { experiment, cases, labels } = made;
  const [label = '', other = ''] = labels;
  await enter(page, host());
  await goTo(page, host(), `/experiments/${encodeURIComponent(experiment)}/import-predictions`);
  await choose(page, 'course.csv', [
    ['id', 'hearing', 'debate', 'prediction'],
    [cases[0] ?? '', other, label, label],
  ]);
  for (const [place, column] of ['hearing', 'debate'].entries()) {
    await page.getByRole('button', { name: new RegExp(`Opinion ${place + 1}$`) }).click();
    await page.getByRole('option', { name: column }).click();
  }
  await expect(page.getByRole('button', { name: /Opinion 3$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'On the record' })).toBeVisible();
  using engine = await connectToEngine(host());
  const { lines } = await engine.api.experiments.trials({ experiment, order: 'case' });
  const trial = lines.find((line) => line.arm === 'course')?.trial ?? '';
  await goTo(page, host(), `/trials/${trial}`);
  for (const [place, said] of [other, label].entries()) {
    await expect(
      page
        .getByRole('term')
        .filter({ hasText: `Opinion ${place + 1}` })
        .locator('+ dd')
        .first(),
    ).toContainText(said);
  }
});

test('a file that says otherwise than the record is refused with both, and the form goes by keyboard', {
  tag: '@exhaustive',
}, async ({ page }) => {
  const { experiment, cases, labels } = made;
  await enter(page, host());
  await goTo(page, host(), `/experiments/${encodeURIComponent(experiment)}/import-predictions`);
  await choose(page, 'keys.csv', [
    ['who', 'said'],
    [cases[0] ?? '', labels[0] ?? ''],
  ]);
  const pick = async (field: string, option: string) => {
    await page.getByRole('button', { name: new RegExp(`${field}$`) }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: option }).first().waitFor();
    await page.keyboard.type(option);
    await page.keyboard.press('Enter');
  };
  await expect(page.getByText('Choose the column with the ids of the cases.').first()).toBeVisible();
  await pick('Case', 'who');
  await pick('Prediction', 'said');
  const button = page.getByRole('button', { name: 'Import', exact: true });
  await expect(button).toBeEnabled();
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'On the record' })).toBeVisible();
  await choose(page, 'keys.csv', [
    ['id', 'prediction'],
    [cases[0] ?? '', labels[1] ?? ''],
  ]);
  await expect(page.getByText(/Line 2: .*is on the record with/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByText(/Line 2: .*is on the record with/).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'On the record' })).toBeHidden();
});

test('a confidence that is the probability of one label is doubted, and the next file takes the same columns', async ({
  page,
}) => {
  const { experiment, cases, labels } = made;
  const [first = '', second = ''] = cases;
  const [low = '', high = ''] = labels;
  const rows = [
    ['id', 'prediction', 'confidence'],
    [first, low, '0.1'],
    [second, high, '0.9'],
  ];
  await enter(page, host());
  await goTo(page, host(), `/experiments/${encodeURIComponent(experiment)}/import-predictions`);
  await choose(page, 'doubted.csv', rows);
  const preview = page.getByRole('complementary', { name: 'Preview' });
  const doubt = preview.getByText(`Of 1 row with the prediction ${low}, 1 has a confidence under 50%.`);
  await expect(doubt).toBeVisible();
  await preview.getByRole('button', { name: 'Yes, read it so' }).click();
  await expect(doubt).toBeHidden();
  await expect(preview.getByRole('row', { name: new RegExp(first) })).toContainText('90%');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'On the record' })).toBeVisible();
  await choose(page, 'doubted again.csv', rows);
  await expect(doubt).toBeVisible();
  await page.getByRole('button', { name: 'Choose the same again' }).click();
  await expect(doubt).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Who or what decided' })).toHaveValue('doubted again');
});
