import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import type { StatsReport } from '../../src/shared/outputs.ts';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, test as onOwnPage, sharedHost, onKeptPage as test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { openTopics } from './support/figures.ts';
import { settled } from './support/places.ts';
import { makeExperiment } from './support/record.ts';

needsChromium();

const host = sharedHost();
const experiment = 'Drawn and counted';
const route = `/experiments/${encodeURIComponent(experiment)}`;
let report: StatsReport;
let group: { column: string; value: string; trials: number };

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  await makeExperiment(engine.api, { name: experiment, entry: 'nlsy97', sample: { n: 12 } });
  report = await engine.api.experiments.stats({ experiment });
  const [{ attribute: column, value } = { attribute: '', value: '' }] = report.arms[0]?.groups ?? [];
  const { total } = await engine.api.experiments.trials({ experiment, subset: { groups: { [column]: [value] } }, limit: 1 });
  group = { column, value, trials: total };
});

const figure = (page: Page, id = 'accuracy-by-arm'): Locator => page.locator(`[data-figure="${id}"]`);
const chart = (page: Page): Locator => figure(page).getByRole('group', { name: /^Accuracy and F1 of each arm\./ });

async function openFigures(page: Page): Promise<void> {
  await goTo(page, host(), `${route}/figures`);
  await openTopics(page);
  // The first of them waits for the intervals to be computed; a figure is read when it is near.
  await page.locator('#figure-accuracy-by-arm').scrollIntoViewIfNeeded({ timeout: 150_000 });
  await expect(chart(page).locator('svg')).toBeVisible({ timeout: 150_000 });
  await settled(page);
}

interface DrawnSeries {
  id: string;
  data: unknown[];
}

/** What the chart itself says that it has drawn. */
const drawn = (page: Page): Promise<DrawnSeries[]> =>
  chart(page).evaluate((element) => {
    const own = Reflect.get(element, 'chart') as { getOption(): { series: { id: string; data: unknown[] }[] } };
    return own.getOption().series.map(({ id, data }) => ({ id, data }));
  });

const accuracies = () =>
  report.arms
    .map(({ measures }) => measures.find(({ name, over }) => name === 'accuracy' && over === 'all')?.value ?? null)
    .toSorted((one, other) => (other ?? 0) - (one ?? 0));

/**
 * Words of a chart stand over no fill, and cells of a table may be scrolled under its edge: axe leaves their contrast open, and the
 * same colours are checked everywhere else.
 */
const chartText = /^color-contrast\?: (?:<text|.*partially obscured)/;

const trialsLead = (page: Page) => page.getByText(/trials? (fits?|ha)/);

test('the drawn numbers are those of the statistics, in the chart and in its table', async ({ page }) => {
  await openFigures(page);
  const series = await drawn(page);
  expect(series.find(({ id }) => id === 'accuracy')?.data).toEqual(accuracies().map((value, index) => [value, index]));
  await figure(page)
    .getByRole('button', { name: /^Table: / })
    .click();
  const rows = figure(page).getByRole('row');
  await expect(rows).toHaveCount(report.arms.length + 1);
  for (const [index, accuracy] of accuracies().entries()) {
    await expect(rows.nth(index + 1)).toContainText(`${Number(((accuracy ?? 0) * 100).toFixed(1))}%`);
  }
});

test('a mark leads to its trials by keyboard and a row by its button, and a link leads back', { tag: '@exhaustive' }, async ({
  page,
}) => {
  await openFigures(page);
  await chart(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect(figure(page).getByRole('status')).toHaveText(/^accuracy of all finished, 1 of \d+\. Enter opens its trials\.$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/trials\/behind=/);
  const best = report.arms.toSorted((one, other) => (other.accuracy_all.value ?? 0) - (one.accuracy_all.value ?? 0))[0];
  await expect(trialsLead(page)).toHaveText(new RegExp(`^${best?.n} trials fit`));
  await expect(page.getByText('Trials of Accuracy and F1 of each arm: arm ')).toBeVisible();
  await page.reload();
  await expect(trialsLead(page)).toHaveText(new RegExp(`^${best?.n} trials fit`));
  await page.getByRole('link', { name: 'Back to the figure' }).click();
  await expect(chart(page).locator('svg')).toBeVisible();
  await figure(page)
    .getByRole('button', { name: /^Table: / })
    .click();
  await figure(page).getByRole('button', { name: 'Trials of row 1' }).click();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(trialsLead(page)).toHaveText(/^24 trials have begun/);
});

test('Tab leads to the table and the save button of every figure, also of those that are drawn on the way', async ({ page }) => {
  await goTo(page, host(), `${route}/figures`);
  const main = page.getByRole('region', { name: 'The main figures' });
  // Of figures: the heading of a fold is its button.
  const headings = main.getByRole('heading', { level: 3 }).filter({ hasNot: page.getByRole('button') });
  // A heading that comes has its figure, and so none goes again.
  const first = await headings.first().innerText();
  await settled(page);
  await expect(headings.first()).toHaveText(first);
  await expect(headings).toHaveCount(await main.locator('[data-figure]').count());
  const buttons = main.getByRole('button', { name: /^(?:Table|Save)\b/ });
  const focused = main.locator(':focus');
  await main.locator('[data-figure] svg').first().waitFor();
  await settled(page);
  await expect(main.locator('[id^="figure-"]:empty').filter({ visible: true })).not.toHaveCount(0);
  await buttons.first().focus();
  for (let left = 60; left > 0 && (await focused.count()) > 0; left--) {
    await focused.evaluate((element) => element.setAttribute('data-met', ''));
    await page.keyboard.press('Tab');
    await expect(main.locator(':focus:is(:empty, [aria-busy="true"])')).toHaveCount(0);
  }
  await settled(page);
  expect(await buttons.count()).toBeGreaterThan(7);
  await expect(buttons.and(page.locator(':not([data-met])'))).toHaveCount(0);
});

test('a figure that has nothing to show is not there, and a line says why', { tag: '@exhaustive' }, async ({ page }) => {
  await openFigures(page);
  await expect(figure(page, 'answer-reading')).toHaveCount(0);
  await page.getByRole('button', { name: /^Inside the protocols/ }).scrollIntoViewIfNeeded();
  const left = page.getByRole('button', { name: /not drawn, as there is nothing to show$/ }).last();
  await left.click();
  await expect(page.getByText(/ \(needs /).last()).toBeVisible();
});

test('the way to the trials and back keeps the focus, and the figure is in view however much is drawn above it', {
  tag: '@exhaustive',
}, async ({ page }) => {
  await openFigures(page);
  const low = figure(page, 'confidence-histogram');
  await page.locator('#figure-confidence-histogram').scrollIntoViewIfNeeded();
  const marks = low.getByRole('group', { name: /^Stated confidence of the verdicts\./ });
  await expect(marks.locator('svg')).toBeVisible();
  await marks.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const back = page.getByRole('link', { name: 'Back to the figure' });
  await expect(back).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(marks.locator('svg')).toBeVisible();
  await expect(figure(page, 'calibration-slope')).toBeVisible();
  await settled(page);
  await expect(page.locator('#figure-confidence-histogram')).toBeFocused();
  await expect(low).toBeInViewport();
});

test('scrolling away from a figure after going back to it holds, without a key or a pointer', {
  tag: '@exhaustive',
}, async ({ page }) => {
  await openFigures(page);
  await chart(page).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Back to the figure' }).press('Enter');
  await expect(chart(page).locator('svg')).toBeVisible();
  await settled(page);
  // As assistive technology moves on: no event but the scroll.
  const last = page.locator('[id^="figure-"]').filter({ visible: true }).last();
  await last.evaluate((element) => element.scrollIntoView());
  await expect(last).toBeInViewport();
  await expect(figure(page)).not.toBeInViewport();
  // Something above is redrawn.
  await figure(page).evaluate((element) => {
    element.style.minHeight = `${element.clientHeight + 40}px`;
    return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
  await expect(figure(page)).not.toBeInViewport();
  await expect(last).toBeInViewport();
});

/** Where the best arm's accuracy is drawn, once the page is still: what moves or is redrawn under a click is not hit. */
async function placeOfBest(page: Page): Promise<{ x: number; y: number }> {
  let before = '';
  const standsStill = async () => {
    const now = await chart(page).evaluate((element) => {
      const own = Reflect.get(element, 'chart') as { getWidth(): number; id: string };
      const { top, left } = element.getBoundingClientRect();
      return JSON.stringify([own.id, own.getWidth(), top, left, document.querySelectorAll('main svg, main canvas').length]);
    });
    const same = now === before;
    before = now;
    return same;
  };
  await expect.poll(standsStill, { intervals: [1_000] }).toBe(true);
  return chart(page).evaluate((element) => {
    const own = Reflect.get(element, 'chart') as {
      convertToPixel(finder: object, point: [number, number]): [number, number];
      getOption(): { series: { id: string; data: [number, number][]; symbolOffset: [number, number] }[] };
    };
    const { data, symbolOffset } = own.getOption().series.find(({ id }) => id === 'accuracy') ?? {
      data: [],
      symbolOffset: [0, 0],
    };
    const [x, y] = own.convertToPixel({ seriesId: 'accuracy' }, data[0] ?? [0, 0]);
    const scale = element.getBoundingClientRect().width / element.clientWidth;
    return { x: x * scale, y: (y + (symbolOffset[1] ?? 0)) * scale };
  });
}

/** As a person clicks: with the words about the mark before the eyes, which may lie over it. */
async function clickBest(page: Page, modifiers: 'Shift'[] = []): Promise<void> {
  const position = await placeOfBest(page);
  await page.mouse.move(0, 0);
  await chart(page).hover({ position });
  await expect(chart(page).getByText('accuracy of all finished: ')).toBeVisible();
  await chart(page).click({ position, modifiers });
}

test('a click on a mark leads to its trials, and one with a modifier narrows the dashboard to it', {}, async ({ page }) => {
  await openFigures(page);
  await clickBest(page, ['Shift']);
  await expect(page).toHaveURL(/\/figures\/arm=/);
  await expect(page.getByRole('region', { name: 'Filter' }).getByRole('status')).toHaveText('12 of 24 finished trials');
  await page.goBack();
  await expect(page.getByRole('region', { name: 'Filter' }).getByRole('status')).toHaveText('All 24 finished trials');
  await settled(page);
  await page.locator('#figure-accuracy-by-arm').scrollIntoViewIfNeeded();
  await expect.poll(async () => (await drawn(page)).find(({ id }) => id === 'accuracy')?.data.length).toBe(2);
  // With text of 150% too the pointer meets what is drawn under it.
  await page.evaluate(() => document.documentElement.style.setProperty('--text-size', '1.5'));
  await clickBest(page);
  await expect(page).toHaveURL(/\/trials\/behind=/);
  await page.evaluate(() => document.documentElement.style.setProperty('--text-size', '1'));
});

test('the filter goes through figures, tables and trials, is in the address, and is cleared', async ({ page }) => {
  await openFigures(page);
  const bar = page.getByRole('region', { name: 'Filter' });
  await bar.getByRole('button', { name: /^Filter/ }).click();
  const values = bar.getByRole('group', { name: group.column, exact: true });
  await values.getByRole('button', { name: group.value, exact: true }).click();
  const count = `${group.trials} of 24 finished trials`;
  await expect(bar.getByRole('status')).toHaveText(count);
  const part = page.getByText('A look at a part: nothing here is a finding.');
  await expect(part).toBeVisible();
  const name = await values.getByRole('button', { pressed: false }).first().innerText();
  const other = values.getByRole('button', { name, exact: true });
  await other.click();
  await expect(part).toContainText('A p-value of groups compares only those that were chosen');
  await other.click();
  await page.reload();
  await expect(bar.getByRole('status')).toHaveText(count);
  await page.getByRole('link', { name: 'Trials', exact: true }).click();
  await expect(trialsLead(page)).toHaveText(new RegExp(`^${group.trials} trials? fit`));
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await settled(page);
  const arms = page.getByRole('region', { name: 'Arms', exact: true });
  // The filter says it once.
  await expect(arms.getByText(/no finding/).filter({ visible: true })).toHaveCount(0);
  await bar.getByRole('button', { name: 'Clear all' }).click();
  await expect(bar.getByRole('status')).toHaveText('All 24 finished trials');
  await expect(page).toHaveURL(new RegExp(`${encodeURIComponent(experiment)}$`));
});

test('a figure is saved as picture and as numbers, in light colours, and the focus stays at its button', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await openFigures(page);
  const button = figure(page).getByRole('button', { name: /^Save / });
  const save = async (format: RegExp): Promise<Buffer> => {
    await button.click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: format }).click()]);
    expect(download.suggestedFilename()).toMatch(/^Drawn and counted-accuracy-by-arm\.(svg|png|csv)$/);
    await expect(page.getByText(`Saved as ${download.suggestedFilename()}.`)).toBeVisible();
    await expect(button).toBeFocused();
    return readFileSync(await download.path());
  };
  const svg = (await save(/SVG/)).toString('utf8');
  expect(svg).toMatch(/^<svg xmlns=[\s\S]*Accuracy and F1 of each arm[\s\S]*12 finished trials of 12 cases[\s\S]*<\/svg>\n$/);
  expect(svg).not.toContain('<script');
  expect(svg).toContain('fill="#ffffff"/>');
  const png = await save(/PNG/);
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  // Twice the pixels of the screen, with a margin.
  const width = (await chart(page).boundingBox())?.width ?? 0;
  expect(png.readUInt32BE(16)).toBe(Math.floor((Math.round(width) + 32) * 2));
  const [head, first] = (await save(/CSV/)).toString('utf8').split('\r\n');
  expect(head).toMatch(/^arm,accuracy of all finished,/);
  expect(Number(first?.split(',')[1])).toBeCloseTo(accuracies()[0] ?? Number.NaN, 14);
});

test('figures and their tables have no faults of accessibility in either theme', { tag: '@exhaustive' }, async ({ page }) => {
  await openFigures(page);
  await expectNoFaults(page, 'figures', [chartText]);
  await figure(page)
    .getByRole('button', { name: /^Table: / })
    .click();
  await page
    .getByRole('region', { name: 'Filter' })
    .getByRole('button', { name: /^Filter/ })
    .click();
  await expectNoFaults(page, 'figures as tables', [chartText]);
});

onOwnPage(
  'figures like each other share a card, and a link leads back to the one that was left',
  { tag: '@exhaustive' },
  async ({ page }) => {
    await enter(page, host());
    await openFigures(page);
    const other = 'Accuracy and F1 by model and protocol';
    await figure(page)
      .getByRole('button', { name: /Figure$/ })
      .click();
    await page.getByRole('option', { name: other }).click();
    await expect(figure(page)).toHaveCount(0);
    await figure(page, 'accuracy-f1-bars')
      .getByRole('button', { name: `Table: ${other}` })
      .click();
    await figure(page, 'accuracy-f1-bars').getByRole('button', { name: 'Trials of row 1' }).click();
    await page.getByRole('link', { name: 'Back to the figure' }).click();
    await expect(figure(page, 'accuracy-f1-bars').getByRole('heading', { name: other })).toBeVisible();
  },
);
