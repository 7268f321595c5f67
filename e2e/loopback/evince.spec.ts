import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, hostOfFile, onKeptPage, sharedHost, test } from './support/app.ts';
import { csvOf } from './support/corpora.ts';
import { connectToEngine, type EngineConnection } from './support/engineApi.ts';
import { heldTrials } from './support/heldTrials.ts';
import { visit } from './support/places.ts';
import { until } from './support/record.ts';

needsChromium();

const cast = { '*': { model: 'llama3.1:8b' }, agentB: { model: 'qwen2.5:7b' } };
const arms = [
  { name: 'debate', protocol: 'evince', cast, params: { tolerance: 0 } },
  { name: 'gated', protocol: 'evince', cast, params: { modulation: 'metric', gate: 0.6, retrieveAbove: 0.1, maxRounds: 3 } },
  { name: 'mixture', protocol: 'evince', cast, params: { modulation: 'mixture' } },
];
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Cases of as many labels as wanted, every label twice. */
async function addCases(
  { api, upload }: EngineConnection,
  name: string,
  labels: readonly string[],
  text: (index: number) => string,
) {
  const rows = [...labels, ...labels].map((label, index) => [`${index + 1}`, text(index), label]);
  const file = await upload(`${name}.csv`, csvOf([['id', 'text', 'cause'], ...rows]));
  const { id } = await api.dataFiles.add({
    upload: file.upload,
    name,
    definition: {
      kind: 'text',
      id: 'id',
      label: { column: 'cause' },
      question: 'What is the cause?',
      split: { test: 0.5, train: 0.5 },
    },
  });
  return id;
}

test.describe('trials that are done', () => {
  const host = sharedHost();
  const { hold, open } = heldTrials(host, arms);
  const holdCauses = (name: string, title: string, causes: readonly string[], text: (index: number) => string) =>
    hold(name, (engine) => addCases(engine, title, causes, text), 2);

  test.beforeAll(async () => {
    const few = ['flat battery', 'empty tank', 'blown fuse', 'loose wire', 'frozen lock', 'worn belt'];
    await holdCauses('few', 'Few causes', few, (index) => `It does not start, and lamp ${index + 1} stays dark.`);
    const many = Array.from({ length: 41 }, (_none, index) => `cause number ${index + 1} of a long list`);
    await holdCauses('many', 'Many causes', many, (index) => `It stopped at noise ${index + 1}.`);
  });

  onKeptPage(
    'a debate shows both distributions, the measures, every round side by side, and what both recommend',
    async ({ page }) => {
      await open(page, 'few debate');
      await expect(region(page, 'Verdict').getByText(/of the mixture$/)).toBeVisible();
      await expect(region(page, 'How it was found').getByText(/weighed by CRIT.*Agent A 0\.\d+, Agent B 0\.\d+/)).toBeVisible();
      const courses = region(page, 'Where both stand').getByRole('img', { name: /^Probability by round\. Agent A: / });
      expect(await courses.count()).toBeGreaterThan(1);
      const apart = region(page, 'How far apart');
      await expect(
        apart.getByText('The debate ended after round 5, the last that was allowed: something still moved.'),
      ).toBeVisible();
      await expect(
        apart.getByRole('img', { name: /^Contentiousness by round\. 0\.9, 0\.6708, 0\.5, 0\.3727, 0\.2778\./ }),
      ).toBeVisible();
      await apart.getByRole('button', { name: 'All measures' }).click();
      const table = apart.getByRole('table');
      await expect(table.getByRole('row', { name: /^Jensen-Shannon divergence/ }).getByRole('cell')).toHaveCount(8);
      await expect(table.getByText('0 to ln 2 = 0.693, in nats')).toBeVisible();
      await expect(apart.getByRole('button', { name: 'Copy as CSV' })).toBeVisible();
      const debate = region(page, 'The debate');
      await expect(debate.getByRole('article')).toHaveCount(10);
      await expect(debate.getByText(/^contentiousness 0\.67 of 1 · WD /)).toBeVisible();
      await debate.getByRole('button', { name: 'Call behind the answer of Agent B in round 2' }).click();
      const call = page.getByRole('complementary', { name: 'Calls of this trial' });
      await expect(call.getByRole('region', { name: 'Messages, as they were sent' })).toContainText(
        'Contentiousness: 0.67 of 1.',
      );
      expect(await region(page, 'Recommendations').getByRole('listitem').count()).toBeGreaterThan(0);
    },
  );

  onKeptPage('arguments that were held back are marked, and known cases shown', async ({ page }) => {
    await open(page, 'few gated');
    await expect(region(page, 'The debate').getByText('The other agent did not read these arguments.').first()).toBeVisible();
    await expect(region(page, 'Known cases').getByText(/TF-IDF/)).toBeVisible();
  });

  onKeptPage('without a debate there is one exchange and the plain mean', async ({ page }) => {
    await open(page, 'few mixture');
    await expect(region(page, 'How far apart').getByText(/^There was no debate/)).toBeVisible();
    await expect(region(page, 'How it was found').getByText(/both weighing the same: Agent A 1, Agent B 1/)).toBeVisible();
    await expect(region(page, 'The debate').getByRole('article')).toHaveCount(2);
  });

  onKeptPage('of 41 labels those that were named have a chart, and the others are counted', async ({ page }) => {
    await open(page, 'many debate');
    const courses = region(page, 'Where both stand');
    expect(await courses.getByRole('img').count()).toBeLessThanOrEqual(12);
    await expect(courses.getByText(/\d+ labels nobody found likely in any round\./)).toBeVisible();
  });
});

test.describe('a debate that is held', () => {
  // Without a profile the demo model takes about a second for a call, as it does for a user.
  const host = hostOfFile();

  test('is watched round by round, and its record holds', { tag: '@exhaustive' }, async ({ page }) => {
    using engine = await connectToEngine(host());
    const causes = ['flat battery', 'empty tank', 'blown fuse'];
    const entry = await addCases(engine, 'Causes', causes, (index) => `Lamp ${index + 1} stays dark.`);
    const arm = { name: 'debate', protocol: 'evince', cast, params: { maxRounds: 2, tolerance: 0 } };
    const { experiment } = await engine.api.experiments.start({
      entry,
      name: 'Watched',
      sample: { n: 1 },
      backend: 'standin',
      arms: [arm],
    });
    let trial = '';
    await until('the trial has begun', async () => {
      const { lines } = await engine.api.experiments.trials({ experiment, order: 'case', limit: 5 });
      trial = lines[0]?.trial ?? '';
      return trial !== '';
    });
    await enter(page, host());
    await visit(page, host(), { name: 'trial', route: `/trials/${trial}` });
    await expect(region(page, 'Verdict').getByText('There is none yet.')).toBeVisible();
    await expect(region(page, 'How far apart').getByText('the debate continues')).toBeVisible();
    await expect(
      region(page, 'Round 2')
        .getByText(/^(?:Is writing…|Not heard yet\.)$/)
        .first(),
    ).toBeVisible();
    await expect(region(page, 'Recommendations').getByRole('listitem').first()).toBeVisible();
    await expect(region(page, 'Verdict').getByText(/of the mixture$/)).toBeVisible();
    await page.getByRole('button', { name: 'Check the record' }).click();
    await expect(page.getByText(/^Chain intact, verdict re-derived/)).toBeVisible();
  });
});
