import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { onKeptPage, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { heldTrials } from './support/heldTrials.ts';
import { addInferences } from './support/inferences.ts';
import { unfoldAll } from './support/inspection.ts';
import { visit } from './support/places.ts';

needsChromium();

const cast = { '*': { model: 'llama3.1:8b' } };
const arms = [
  { name: 'in turn', protocol: 'courtroom', cast, params: { judges: 5, ambiguity: 5, argumentWords: 20 } },
  { name: 'at a time', protocol: 'courtroom', cast, params: { deliberation: 'parallel', shots: 0 } },
  { name: 'vote', protocol: 'vote', cast: { ...cast, retriever: { model: 'nomic-embed-text' } }, params: { shots: 1 } },
  { name: 'single', protocol: 'single', cast, params: { shots: 2 } },
];
const shownTab = (page: Page) => page.getByRole('tab', { selected: true });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** By how many pixels the screen moves, which nobody can move back, where a screen reader brings words that only it sees into view. */
const movedByHidden = (page: Page) =>
  page.locator('main').evaluate((main) => {
    for (const hidden of main.querySelectorAll('.visually-hidden')) hidden.scrollIntoView();
    return main.scrollTop;
  });

/** What axe cannot tell of an open popover: its frame, its place outside the landmarks, and the page that it covers. */
const popover = [
  /^aria-prohibited-attr\?: .*data-trigger="DialogTrigger"/,
  /^region\??: .*display: contents/,
  /partially overlaps/,
];

test.describe('trials that are done', () => {
  const host = sharedHost();
  const { hold, open } = heldTrials(host, arms);

  test.beforeAll(() => hold('Benches', async (engine) => (await addInferences(engine)).id, 3));

  onKeptPage(
    'a trial in court shows hearing, both arguments, precedents, the chain of judges and the verdict',
    async ({ page }) => {
      await open(page, 'Benches in turn');
      const hearing = region(page, 'Preliminary hearing');
      await expect(hearing.getByText(/^The clerk finds \S+ most likely/)).toBeVisible();
      await expect(hearing.getByText('argued by the prosecution')).toBeVisible();
      await expect(hearing.getByText('argued by the attorney')).toBeVisible();
      await expect(hearing.getByText(/5 fresh hearings/)).toBeVisible();
      const sides = region(page, 'Arguments');
      await expect(sides.getByRole('article')).toHaveCount(2);
      await expect(sides.getByRole('heading', { level: 3 }).first()).toHaveText(/^Prosecution, for \S+$/);
      const precedents = region(page, 'Precedents');
      await expect(precedents.getByText(/TF-IDF/)).toBeVisible();
      await expect(precedents.getByRole('listitem')).toHaveCount(3);
      await precedents.getByRole('button', { name: /^1\. case / }).click();
      await expect(precedents.getByRole('link', { name: 'This case in the data' })).toHaveAttribute('href', /\/not-drawn\//);
      await expect(precedents.getByText(/^Why its label fits, by llama3\.1:8b \(demo model\)$/).first()).toBeVisible();
      await precedents.getByRole('button', { name: 'Call behind the reason of precedent 1' }).click();
      const inspected = page.getByRole('complementary', { name: 'Calls of this trial' });
      await expect(inspected.getByText(/reason-1/).first()).toBeVisible();
      const bench = region(page, 'The bench');
      await expect(bench.getByText('in turn, each knowing those before')).toBeVisible();
      await expect(bench.getByRole('listitem')).toHaveCount(5);
      await expect(bench.getByText(/^(?:as the one before|unlike the one before: .*)$/)).toHaveCount(4);
      const verdict = region(page, 'Verdict');
      await expect(verdict.getByText(/the label of the last one is the verdict/)).toBeVisible();
      await expect(verdict.getByText(/^The verdict is (?:correct|wrong)\.$/)).toBeVisible();
      const last = await bench.getByRole('listitem').last().locator('b').innerText();
      await expect(verdict.getByText(last, { exact: true }).first()).toBeVisible();
      await bench.getByRole('button', { name: 'Call behind the vote of Judge 5' }).click();
      const call = page.getByRole('complementary', { name: 'Calls of this trial' });
      await expect(call.getByRole('region', { name: 'Messages, as they were sent' })).toContainText('You are judge 5 of 5.');
    },
  );

  onKeptPage('judges at a time, votes and a single answer have their own views', async ({ page }) => {
    await open(page, 'Benches at a time');
    await expect(region(page, 'The bench').getByRole('listitem')).toHaveCount(3);
    await expect(region(page, 'The bench').getByText('each alone, none knowing the others')).toBeVisible();
    await expect(region(page, 'Precedents')).toHaveCount(0);
    await expect(region(page, 'Verdict').getByText(/of 3 asked/)).toBeVisible();
    await open(page, 'Benches vote');
    await expect(
      region(page, 'Examples').getByText(/vectors of an embedding model: nomic-embed-text \(demo model\)/),
    ).toBeVisible();
    await expect(region(page, 'The voters').getByRole('listitem')).toHaveCount(5);
    await expect(region(page, 'Verdict').getByText('Shares of the votes')).toBeVisible();
    await open(page, 'Benches single');
    await expect(region(page, 'Examples').getByRole('listitem')).toHaveCount(6);
    await expect(region(page, 'The answer').getByRole('paragraph').first()).not.toBeEmpty();
  });

  onKeptPage('the transcript is one key away, and stays where it was chosen', async ({ page }) => {
    await open(page, 'Benches in turn');
    await expect(shownTab(page)).toHaveText('Hearing');
    expect(await movedByHidden(page)).toBe(0);
    await shownTab(page).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(shownTab(page)).toHaveText('Transcript');
    await expect(
      page
        .getByRole('feed')
        .getByRole('region', { name: 'Precedents' })
        .getByText(/, similarity \d/)
        .first(),
    ).toBeVisible();
    await expect(page.getByRole('feed').getByRole('article', { name: /^Prosecution, argument/ })).toBeVisible();
    await page.reload();
    await expect(shownTab(page)).toHaveText('Transcript');
    const feed = page.getByRole('feed');
    expect(await movedByHidden(page)).toBe(0);
    await expect(feed.getByRole('region', { name: 'Sides' })).toContainText(
      /^SidesIn dispute: \S+ \(the clerk’s answer\) and \S+\./,
    );
    await expect(feed.getByRole('region', { name: 'Fresh hearings' }).getByRole('listitem')).toHaveCount(5);
    await feed.getByRole('button', { name: 'Call behind fresh hearing 2' }).click();
    const call = page.getByRole('complementary', { name: 'Calls of this trial' });
    await expect(call.getByText('once, for every trial that asks the same; it counts in no trial')).toBeVisible();
    await expect(call.getByRole('region', { name: 'Messages, as they were sent' })).toContainText('You are the clerk.');
    await call.getByRole('button', { name: 'All calls' }).click();
    await expect(call.getByText('shared, made once').first()).toBeVisible();
    await call.getByRole('button', { name: 'Close the calls' }).click();
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('t');
    await expect(shownTab(page)).toHaveText('Hearing');
  });

  onKeptPage('a single case in words is tried in court, without precedents', { tag: '@exhaustive' }, async ({ page }) => {
    await visit(page, host(), { name: 'try', route: '/try' });
    await page.getByRole('radio', { name: /^Courtroom-LLM/ }).press('Space');
    await unfoldAll(page);
    await expect(page.getByRole('button', { name: 'What the paper says: Judges' })).toBeVisible();
    await expectNoFaults(page, 'try');
    await page.getByRole('button', { name: 'Fill in an example' }).click();
    await page.getByRole('radio', { name: /^Courtroom-LLM/ }).press('Space');
    await page.getByRole('button', { name: 'Try it with the demo model' }).click();
    await expect(region(page, 'Verdict').getByText(/the label of the last one is the verdict/)).toBeVisible();
    await expect(region(page, 'Verdict').getByText('The truth is not known.')).toBeVisible();
    await expect(region(page, 'Precedents')).toHaveCount(0);
  });

  onKeptPage('parameters are set by the paper', { tag: '@exhaustive' }, async ({ page }) => {
    using engine = await connectToEngine(host());
    const { id } = await addInferences(engine);
    await page.setViewportSize({ width: 1280, height: 1700 });
    await visit(page, host(), { name: 'new', route: `/new/${id}` });
    const arm = page.getByRole('article', { name: /^Arm / }).first();
    await arm.getByRole('radio', { name: /^Courtroom-LLM/ }).press('Space');
    await arm.getByRole('button', { name: /^Parameters/ }).click();
    await expect(arm.getByRole('button', { name: /^Parameters/ })).toHaveText(/defaults/);
    await arm.getByRole('button', { name: 'Set to the paper’s own values' }).click();
    await expect(arm.getByRole('button', { name: /^Parameters/ })).toHaveText(/as in the paper/);
    const judges = arm.getByRole('button', { name: /Judges$/ }).first();
    await expect(judges).toHaveText('5');
    await arm.getByRole('button', { name: 'What the paper says: Judges' }).click();
    await expect(page.getByRole('dialog').getByText(/1, 3 and 5 \(appendix B\)/)).toBeVisible();
    await expectNoFaults(page, 'what the paper says', popover);
    await page.keyboard.press('Escape');
    await judges.click();
    await expect(page.getByRole('option', { name: '3' })).toContainText('default');
    await expect(page.getByRole('option', { name: '5' })).toContainText('the paper’s own');
    await page.getByRole('option', { name: '3' }).click();
    await expect(arm.getByRole('button', { name: /^Parameters/ })).toHaveText(/2 changed/);
    const words = arm.getByRole('textbox', { name: 'Longest argument, in words' });
    await words.fill('40');
    await words.press('Tab');
    await unfoldAll(page);
    await expect(arm.getByRole('textbox', { name: 'Retriever' })).toBeVisible();
    await expectNoFaults(page, 'form');
  });
});
