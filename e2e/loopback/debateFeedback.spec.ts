import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { onKeptPage, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { csvOf } from './support/corpora.ts';
import { connectToEngine, type EngineConnection } from './support/engineApi.ts';
import { heldTrials } from './support/heldTrials.ts';
import { addInferences } from './support/inferences.ts';
import { visit } from './support/places.ts';
import { runToItsEnd } from './support/record.ts';

needsChromium();

const cast = { '*': { model: 'llama3.1:8b' } };
const arms = [
  { name: 'rated', protocol: 'debate-feedback', cast, params: { assistant: 'model' } },
  { name: 'strict', protocol: 'debate-feedback', cast, params: { assistant: 'model', threshold: 0.95, rounds: 3 } },
  { name: 'four', protocol: 'debate-feedback', cast, params: { debaters: 4, rounds: 1, words: 20, memory: 'transcript' } },
];
/** What axe cannot tell: words of a chart, drawn over no fill in the colour of quiet text, which is checked everywhere else. */
const chartText = /^color-contrast\?: <text /;
/** Also what is half out of sight: a line at the lower edge of the screen, and the parts of the experiment at the upper. */
const otherParts = [
  chartText,
  /History of the runs/,
  /entries, seed/,
  /href="#\/experiments\/\w+(\/\w+)?".*>\w+<\/a> .*partially obscured/,
  /<p class="quiet">No comparison was decided beforehand.*partially obscured/,
];
const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name, exact: typeof name === 'string' });

/** Cases that several of three articles apply to, or none. */
async function addArticles({ api, upload }: EngineConnection) {
  const rows = Array.from({ length: 8 }, (_none, index) => [
    `${index}`,
    `He took the purse ${index} and ran from the guard.`,
    ['theft|flight', 'theft', 'flight|assault', ''][index % 4] ?? '',
  ]);
  const file = await upload('articles.csv', csvOf([['id', 'text', 'articles'], ...rows]));
  return await api.dataFiles.add({
    upload: file.upload,
    name: 'Articles',
    definition: {
      kind: 'text',
      id: 'id',
      label: { column: 'articles', multiple: '|' },
      question: 'Which articles apply?',
    },
  });
}

test.describe('debates that are done', () => {
  const host = sharedHost();
  const { hold, open } = heldTrials(host, arms);

  test.beforeAll(async () => {
    await hold('Deposits', () => Promise.resolve('deposits'), 2);
    await hold('Pairs', async (engine) => (await addInferences(engine)).id, 2);
    await hold('Sets', async (engine) => (await addArticles(engine)).id, 2);
  });

  onKeptPage('rounds face to face, with what each answer is worth and how the round was settled', async ({ page }) => {
    await open(page, 'Deposits rated');
    // One entry of the cast plays both debaters.
    await expect(page.getByRole('term').filter({ hasText: /^Debater \(2\)$/ })).toBeVisible();
    await expect(region(page, 'First opinion').getByText(/^From the facts alone the judge answers/)).toBeVisible();
    for (const number of [1, 2]) {
      const round = region(page, `Round ${number} of 2`);
      await expect(round.getByRole('article')).toHaveCount(2);
      await expect(round.getByRole('heading', { level: 4 }).first()).toHaveText(/^Debater 1, for \S+/);
      await expect(round.getByText('rated by a model')).toHaveCount(2);
      await expect(
        round.getByText(/^(?:passed|did not pass) (?:mean|best) reliability [\d.]+ (?:reaches|is under) 0\.5: /),
      ).toBeVisible();
      await expect(round.getByText('Own answer, with the summary')).toBeVisible();
    }
    const course = region(page, 'Course of the opinion');
    await expect(course.getByRole('row')).toHaveCount(4);
    await expect(course.getByText(/^(?:Correction: |Degradation: |The first opinion was )/)).toBeVisible();
    await expect(region(page, 'Verdict').getByText('smoothed over the rounds')).toBeVisible();
    const last = await course.getByRole('row').last().getByRole('cell').last().innerText();
    expect(last).toMatch(/^[\d.]+%$/);
    await region(page, 'Round 1 of 2').getByRole('button', { name: 'Call behind the rating of debater 2' }).click();
    const call = page.getByRole('complementary', { name: 'Calls of this trial' });
    await expect(call.getByRole('region', { name: 'Messages, as they were sent' })).toContainText('Rate how reliable');
  });

  onKeptPage(
    'a threshold that no one reaches sends every round back, and the judge’s own answers are shown next to it',
    async ({ page }) => {
      await open(page, 'Deposits strict');
      await expect(page.getByText(/is under 0\.95: back to the first opinion$/)).toHaveCount(3);
      const rows = region(page, 'Course of the opinion').getByRole('row');
      const opinions = await rows.getByRole('cell').nth(1).allInnerTexts();
      const first = await rows.nth(1).getByRole('cell').last().innerText();
      expect(opinions.length).toBeGreaterThan(0);
      await expect(rows.last().getByRole('cell').last()).toHaveText(first);
    },
  );

  onKeptPage('four debaters, two of them free, and speeches that were cut', async ({ page }) => {
    await open(page, 'Pairs four');
    const round = region(page, 'Round 1 of 1');
    await expect(round.getByRole('article')).toHaveCount(4);
    await expect(round.getByText('free', { exact: true })).toHaveCount(2);
    await expect(
      round.getByText('no one rates how reliable the answers are, so every round passes: the opinion moves'),
    ).toBeVisible();
  });

  onKeptPage('several labels a case: both sides defend sets that differ in one label', async ({ page }) => {
    await open(page, 'Sets rated');
    await expect(region(page, 'First opinion').getByText(/turned over\.$/)).toBeVisible();
    const headings = region(page, 'Round 1 of 2').getByRole('heading', { level: 4, name: /^Debater \d/ });
    const [one, other] = await headings.allInnerTexts();
    expect(one?.replace('1', '2')).not.toBe(other);
    await expect(region(page, 'Course of the opinion').getByRole('row')).toHaveCount(4);
    await expect(region(page, 'Verdict').getByText('Smoothed belief')).toBeVisible();
  });

  onKeptPage(
    'an assistant is trained on the screen of its debates, and rates those of other cases',
    { tag: '@exhaustive' },
    async ({ page }) => {
      using engine = await connectToEngine(host());
      const learning = { ...cast, embedder: { model: 'nomic-embed-text' } };
      const lesson = { name: 'debates', protocol: 'debate-feedback', cast: learning, params: { debaters: 4, rounds: 1 } };
      const over = { entry: 'nlsy97', backend: 'standin' } as const;
      await runToItsEnd(engine.api, { ...over, name: 'Lessons', sample: { from: 'train', n: 8 }, arms: [lesson] });
      await visit(page, host(), { name: 'lessons', route: '/experiments/Lessons' });
      const section = region(page, 'Trained assistant');
      await expect(section.getByText('None has been trained for this data set yet.')).toBeVisible();
      await section.getByRole('button', { name: 'Train the assistant' }).click();
      await expect(section.getByText(/^Version 1 is trained\./)).toBeVisible();
      await expect(section.getByRole('row')).toHaveCount(2);
      await expectNoFaults(page, 'trained assistant', otherParts);
      await section.getByRole('button', { name: 'Retrain the assistant' }).click();
      await expect(section.getByText(/^Nothing new: version 1/)).toBeVisible();
      const rated = { name: 'rated', protocol: 'debate-feedback', cast: learning, params: { assistant: 'trained', rounds: 1 } };
      const { lines } = await runToItsEnd(engine.api, { ...over, name: 'Court', sample: { from: 'test', n: 1 }, arms: [rated] });
      await visit(page, host(), { name: 'rated', route: `/trials/${lines[0]?.trial}` });
      await expect(page.getByText('rated by version 1 of the trained assistant')).toHaveCount(2);
      await page.getByRole('button', { name: 'Check the record' }).click();
      await expect(page.getByText(/^Chain intact, verdict re-derived/)).toBeVisible();
    },
  );
});
