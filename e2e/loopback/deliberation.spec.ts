import { expect, type Locator, type Page } from '@playwright/test';
import type { DeliberationFigures } from '../../src/shared/api/deliberation.ts';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { openTopics } from './support/figures.ts';
import { makeExperiment } from './support/record.ts';

needsChromium();

const host = sharedHost();
const experiment = 'Minds that changed';
let source: DeliberationFigures;

test.beforeAll(async () => {
  const engine = await connectToEngine(host());
  await makeExperiment(engine.api, { name: experiment, entry: 'nlsy97', sample: { n: 6 } });
  source = await engine.api.experiments.deliberation({ experiment });
  engine.close();
});

const figure = (page: Page, id: string): Locator => page.locator(`[data-figure="${id}"]`);

async function openFigure(page: Page, id: string): Promise<Locator> {
  await enter(page, host());
  await goTo(page, host(), `/experiments/${encodeURIComponent(experiment)}/figures`);
  await openTopics(page);
  const chart = figure(page, id).getByRole('group', { name: /The table has the numbers\.$/ });
  // Figures above it grow as they are drawn, and take it out of sight again.
  await expect(async () => {
    await page.locator(`#figure-${id}`).scrollIntoViewIfNeeded();
    await expect(chart.locator('svg')).toBeVisible({ timeout: 3_000 });
  }).toPass();
  return chart;
}

test('every way to a verdict is a line of the judge’s beliefs, and its numbers are in the table', { tag: '@exhaustive' }, async ({
  page,
}) => {
  const chart = await openFigure(page, 'belief-timelines');
  const drawn = await chart.evaluate((element) => {
    const own = Reflect.get(element, 'chart') as { getOption(): { series: { id: string; data: { coords?: number[][] }[] }[] } };
    return own
      .getOption()
      .series.flatMap(({ data }) => data)
      .flatMap(({ coords }) => coords?.map(([, value]) => value ?? 0) ?? []);
  });
  expect(source.points.value.length).toBeGreaterThan(20);
  expect(drawn.toSorted()).toEqual([...source.points.value].toSorted());
  const crossed = source.rows.flips.filter((flips) => flips > 0).length;
  await expect(figure(page, 'belief-timelines')).toContainText(
    new RegExp(`${crossed} of ${source.lines.row.length} trials? cross(es)? the line at least once`),
  );
  await figure(page, 'belief-timelines')
    .getByRole('button', { name: /^Table: / })
    .click();
  await expect(figure(page, 'belief-timelines').getByRole('row')).toHaveCount((source.arms[0]?.steps.length ?? 0) + 1);
});

test('a line leads to its trial by keyboard', { tag: '@exhaustive' }, async ({ page }) => {
  const chart = await openFigure(page, 'belief-timelines');
  await chart.focus();
  await page.keyboard.press('ArrowRight');
  await expect(figure(page, 'belief-timelines').getByRole('status')).toHaveText(/^verdict .* Enter opens its trials\.$/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/trials\/behind=/);
  await expect(page.getByText(/^1 trial (fits|has)/)).toBeVisible();
});
