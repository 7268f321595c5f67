import { expect } from '@playwright/test';
import type { Compared } from '../../src/shared/api/compared.ts';
import { needsChromium } from '../support/chromium.ts';
import { goTo, sharedHost, onKeptPage as test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine, type EngineConnection } from './support/engineApi.ts';
import { settled } from './support/places.ts';
import { courtArm, makeExperiment, runToItsEnd, soloArm } from './support/record.ts';

needsChromium();

const host = sharedHost();
let experiment: string;
let engine: EngineConnection;
let compared: Compared;

test.beforeAll(async () => {
  engine = await connectToEngine(host());
  ({ experiment } = await makeExperiment(engine.api, { name: 'Court / alone?', entry: 'nlsy97', sample: { n: 24 } }));
  compared = await engine.api.experiments.compared({ experiment, a: courtArm.name, b: soloArm.name, baseline: false });
});

test.afterAll(() => engine.close());

const route = () => `/experiments/${encodeURIComponent(experiment)}`;

test.beforeEach(async ({ page }) => {
  await goTo(page, host(), `${route()}/compare`);
  // The whole report with its intervals takes a while where much else is done.
  await expect(page.getByText(/p-values are adjusted after Benjamini and Hochberg over \d+ tests: /)).toBeVisible();
  await settled(page);
});

test('the difference, its interval and both counts are the engine’s', async ({ page }) => {
  const difference = page.getByRole('region', { name: 'The difference' });
  await expect(difference.getByRole('status')).toContainText(/do not show whether|is right in .* more of 100 cases than/);
  await expect(difference.getByRole('status')).toContainText('Only 24 cases');
  await expect(difference.getByRole('img')).toHaveAccessibleName(/^Difference of accuracy: .* points, interval .* to .*/);
  const { a_only, b_only, both_wrong } = compared.counts;
  const table = page.getByRole('table', { name: /^Cases by who is right/ });
  for (const [count, words] of [
    [a_only, `${courtArm.name} right alone`],
    [b_only, `${soloArm.name} right alone`],
    [both_wrong, 'both wrong'],
  ] as const) {
    if (count > 0)
      await expect(table.getByRole('button', { name: new RegExp(`^${count} cases?: ${words}; list them$`) })).toBeVisible();
  }
  const tests = page.getByRole('region', { name: 'Tests', exact: true });
  await expect(tests.getByRole('row', { name: /^McNemar, exact/ })).toContainText(String(a_only + b_only));
});

test('left open while a run ends, it has the counts of the end', async ({ page }) => {
  const [before, after] = [8, 12];
  const draft = { name: 'Grows', entry: 'nlsy97', backend: 'standin', arms: [courtArm, soloArm] } as const;
  const grow = (n: number, extend: boolean) =>
    runToItsEnd(engine.api, { ...draft, arms: [...draft.arms], sample: { n }, extend });
  await grow(before, false);
  await goTo(page, host(), '/experiments/Grows/compare');
  const counts = page.getByRole('table', { name: /^Cases by who is right/ }).getByRole('cell');
  const sum = async () => (await counts.allTextContents()).reduce((all, count) => all + Number(count), 0);
  const changed = page
    .getByRole('table', { name: 'What changed' })
    .getByRole('row', { name: /^Verdicts that differ/ })
    .first();
  await expect.poll(sum).toBe(before);
  await expect(changed.getByRole('cell').last()).toHaveText(String(before));
  await grow(after, true);
  await expect.poll(sum).toBe(after);
  await expect(changed.getByRole('cell').last()).toHaveText(String(after));
});

test('the papers’ test is folded away and says that it is no inference', { tag: '@exhaustive' }, async ({ page }) => {
  const tests = page.getByRole('region', { name: 'Tests', exact: true });
  const fold = tests.getByRole('button', { name: /^Wilcoxon over 20 bootstrap replicates/ });
  await expect(fold).toContainText('paper-style, not inference');
  await fold.click();
  await expect(tests.getByText(/in more than half of all experiments/)).toBeVisible();
  await expect(tests.getByText(/over 20 replicates/).first()).toBeVisible();
});

test('the cases that differ are gone through by keyboard, with both verdicts, reasons and the way to the trials', async ({
  page,
}) => {
  const { cases } = await engine.api.experiments.compared({
    experiment,
    a: courtArm.name,
    b: soloArm.name,
    baseline: false,
    standings: ['a_only', 'b_only'],
  });
  const list = page.getByRole('listbox', { name: 'Cases' });
  await expect(list.getByRole('option')).toHaveCount(cases.length);
  const [first, second] = cases;
  if (first === undefined || second === undefined) throw new Error('the sample has two cases that differ');
  await expect(page.getByRole('article', { name: `Case ${first.case}`, exact: true })).toBeVisible();
  await list.getByRole('option').first().focus();
  await page.keyboard.press('ArrowDown');
  const detail = page.getByRole('article', { name: `Case ${second.case}`, exact: true });
  await expect(detail).toBeVisible();
  await expect(detail.getByText('· right')).toHaveCount(1);
  await expect(detail.getByRole('blockquote').first()).not.toBeEmpty();
  await detail.getByRole('link', { name: `The whole trial of ${soloArm.name}` }).click();
  await expect(page).toHaveURL(new RegExp(`#/trials/${second.b[0]?.trial}$`));
  await expect(page.getByText(`2 of ${cases.length} trials that differ`)).toBeVisible();
  await page.getByRole('button', { name: 'Cases like this one' }).click();
  const alone = page.getByRole('dialog', { name: 'Cases most like this one' });
  await expect(alone.getByRole('listitem')).toHaveCount(5);
  await alone.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Compare with…' }).click();
  const own = page.getByRole('list', { name: 'Trials of this case' }).getByRole('link', { name: courtArm.name });
  await expect(own).toHaveAttribute('href', `#/trials/${second.b[0]?.trial}/beside/${second.a[0]?.trial}`);
  const { cases: alike, otherwise } = await engine.api.trials.alike({ trial: second.b[0]?.trial ?? '' });
  const alikeRows = page.getByRole('list', { name: 'Cases most like this one' }).getByRole('listitem');
  await expect(alikeRows).toHaveCount(5);
  for (const [place, { line, same, facts, isOtherwise }] of alike.slice(0, 5).entries()) {
    const row = alikeRows.nth(place);
    await expect(row.getByRole('link').first()).toHaveAttribute('href', `#/trials/${second.b[0]?.trial}/beside/${line.trial}`);
    const table = row.getByRole('link', { name: `In all arms: case ${line.case}` });
    await expect(table).toHaveAttribute('href', new RegExp(`/trials/list=.*${line.case}.*cases`));
    await expect(row).toContainText(`${same} of ${facts} facts the same`);
    await expect(row.getByText('another ruling')).toHaveCount(isOtherwise ? 1 : 0);
  }
  await page.getByRole('button', { name: `Show ${alike.length}`, exact: true }).click();
  await expect(alikeRows).toHaveCount(alike.length);
  await page.getByRole('checkbox', { name: /^Only cases that ended otherwise at least once/ }).press('Space');
  await expect(alikeRows).toHaveCount(otherwise.length);
  const other = page.getByRole('textbox', { name: 'Id of another case' });
  await other.fill('no such case');
  await other.press('Enter');
  await expect(page.getByText('This arm has no trial of a case with this id yet.')).toBeVisible();
  await other.fill(first.case);
  await other.press('Enter');
  await expect(page).toHaveURL(new RegExp(`#/trials/${second.b[0]?.trial}/beside/${first.b[0]?.trial}$`));
  const differing = page.getByRole('table', { name: 'Facts that differ' });
  await expect(differing.getByRole('columnheader')).toHaveText([
    'fact that differs',
    `Case ${second.case}`,
    `Case ${first.case}`,
  ]);
});

test('from a trial, all cases are listed by their facts, with labels and answers counted', async ({ page }) => {
  await goTo(page, host(), `/trials/${compared.cases[0]?.a[0]?.trial}`);
  await page.getByRole('button', { name: 'Cases like this one' }).click();
  await page.getByRole('link', { name: 'all cases by fact' }).click();
  const untried = page.getByRole('checkbox', { name: 'With cases that no arm tried' });
  await expect(untried).toBeChecked();
  await untried.press('Space');
  const rows = page.getByRole('table', { name: 'Cases', exact: true });
  await expect(rows).toHaveAttribute('aria-rowcount', '25');
  const [column] = (await engine.api.experiments.cases({ experiment })).columns;
  if (column === undefined) throw new Error('the cases have facts');
  await page.getByRole('button', { name: 'Show a fact' }).press('Enter');
  await page.getByRole('option', { name: column.title, exact: true }).press('Enter');
  await expect(rows.getByRole('columnheader', { name: column.title, exact: true })).toBeVisible();
  await page.getByRole('button', { name: new RegExp(`${RegExp.escape(column.title)}$`) }).press('Enter');
  const ask = async (value: string | null) =>
    await engine.api.experiments.cases({ experiment, facts: [{ column: column.column, value }] });
  const value = (await ask(null)).values[0]?.[0] ?? '';
  await page.getByRole('option', { name: value, exact: true }).press('Enter');
  const { total, of, counts } = await ask(value);
  await expect(page.getByText(`${total} of ${of} cases`)).toBeVisible();
  await expect(rows).toHaveAttribute('aria-rowcount', `${total + 1}`);
  expect(counts?.truth.length).toBeGreaterThan(0);
  await expect(page.getByText((counts?.truth ?? []).map(([label, times]) => `${label} ${times}`).join(', '))).toBeVisible();
  await untried.press('Space');
  await expect(page.getByText(/ of 24 cases/)).toHaveCount(0);
  await page.reload();
  await expect(untried).toBeChecked();
});

test('a count leads to its cases, and the list can be narrowed', { tag: '@exhaustive' }, async ({ page }) => {
  const { both_right } = compared.counts;
  expect(both_right).toBeGreaterThan(0);
  await page.getByRole('button', { name: /both right; list them$/ }).click();
  const list = page.getByRole('listbox', { name: 'Cases' });
  await expect(list.getByRole('option')).toHaveCount(both_right);
  await page.getByRole('textbox', { name: 'Id or facts contain' }).fill('no such words anywhere');
  await expect(page.getByText('No such case. Ids and values of facts are searched, not their names.')).toBeVisible();
});

test('a pair is in the address and survives a reload; a baseline can be chosen', { tag: '@exhaustive' }, async ({ page }) => {
  await page.getByRole('button', { name: /with$/ }).click();
  await page.getByRole('option', { name: 'majority (baseline)' }).click();
  await expect(page).toHaveURL(/compare\/a=court&b=majority&baseline=yes$/);
  await expect(page.getByRole('article').getByText('A baseline: it gives no reasons.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('article').getByText('A baseline: it gives no reasons.')).toBeVisible();
});

test('a row of the comparisons leads here', { tag: '@exhaustive' }, async ({ page }) => {
  const comparisons = page.getByRole('region', { name: 'Exploratory comparisons' });
  await comparisons.getByRole('link', { name: /^court against single answer/ }).click();
  await expect(page).toHaveURL(/compare\/a=court&b=single\+answer$/);
});

test('it has no fault with a screen reader or the keyboard', { tag: '@exhaustive' }, async ({ page }) => {
  await expect(page.getByRole('blockquote').first()).toBeVisible();
  // Letters of a drawing: axe does not see what they stand on. They are `muted` and `ink` on the page's own ground.
  await expectNoFaults(page, 'compare', [/^color-contrast\?: <text .*(?:image node|too short|overlapped by another element)/s]);
});
