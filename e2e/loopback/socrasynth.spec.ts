import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { csvOf } from './support/corpora.ts';
import { connectToEngine, type EngineConnection } from './support/engineApi.ts';
import { runToItsEnd, until } from './support/record.ts';

needsChromium();

const cast = { '*': { model: 'llama3.1:8b' } };
const runtime = { numCtx: 16384, numPredict: 4096 };
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const questions = [
  ['id', 'question', 'field'],
  ['1', 'Should a city close its centre to private cars?', 'traffic'],
  ['2', 'Should schools teach handwriting?', 'schools'],
];

async function addQuestions({ api, upload }: EngineConnection): Promise<string> {
  const file = await upload('questions.csv', csvOf(questions));
  const { id } = await api.dataFiles.add({
    upload: file.upload,
    name: 'Questions',
    definition: { kind: 'open', id: 'id', groups: ['field'] },
  });
  return id;
}

const host = sharedHost();
let debate = '';
let labelled = '';
let moderated = '';

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  const entry = await addQuestions(engine);
  const whole = { subtopics: 3, maxRounds: 2, critDepth: 1, compareWithAnswer: true };
  const panel = { ...cast, judge1: cast['*'], judge2: cast['*'] };
  const plain = await runToItsEnd(engine.api, {
    name: 'Open questions',
    entry,
    sample: { n: 1 },
    backend: 'standin',
    runtime,
    arms: [{ name: 'debate', protocol: 'socrasynth', cast: panel, params: whole }],
  });
  debate = plain.lines[0]?.trial ?? '';
  expect(plain.lines.map(({ outcome, prediction }) => [outcome, prediction])).toEqual([['decided', null]]);
  const deposits = await runToItsEnd(engine.api, {
    name: 'Labelled',
    entry: 'deposits',
    sample: { n: 1 },
    backend: 'standin',
    runtime,
    arms: [{ name: 'debate', protocol: 'socrasynth', cast, params: { subtopics: 2, maxRounds: 1 } }],
  });
  labelled = deposits.lines[0]?.trial ?? '';
  const waiting = await runToItsEnd(engine.api, {
    name: 'Moderated',
    entry,
    sample: { n: 1 },
    backend: 'standin',
    runtime,
    arms: [{ name: 'moderated', protocol: 'socrasynth', cast, params: { subtopics: 2, maxRounds: 1, moderated: true } }],
  });
  moderated = waiting.lines[0]?.trial ?? '';
  expect(waiting.lines.map(({ status }) => status)).toEqual(['running']);
});

test('a debate shows subtopics, rounds with contentiousness and scores, proposal, panel and comparison', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), `/trials/${debate}`);
  const subtopics = region(page, 'Subtopics').getByRole('listitem');
  await expect(subtopics.nth(1)).toBeVisible();
  // Of three, those that are alike are one.
  const topics = await subtopics.count();
  await expect(region(page, 'Opening').getByText('contentiousness 0.90 of 1')).toBeVisible();
  const first = region(page, 'Round 1');
  await expect(first.getByText('contentiousness 0.75 of 1')).toBeVisible();
  await expect(first.getByRole('row')).toHaveCount(topics + 1);
  await expect(first.getByRole('cell')).toHaveCount(2 * topics);
  await first.getByRole('button', { name: /^CRIT score G = \d/ }).click();
  await expect(first.getByText('Reasons for it').first()).toBeVisible();
  const panel = region(page, 'The panel');
  await expect(panel.getByText(/^both orders agree for [0-2] of 2 judges$/)).toBeVisible();
  await expect(panel.getByRole('columnheader', { name: /^Judge 2, Agent B first/ })).toBeVisible();
  await expect(region(page, 'Joint proposal').getByText('Next steps')).toBeVisible();
  await expect(region(page, 'Debate and plain answer').getByRole('table')).toHaveCount(2);
  await expect(region(page, 'Verdict').getByText(/An open question has no verdict/)).toBeVisible();
  await panel.getByRole('button', { name: /^Call behind the scores of Judge 1, Agent A first/ }).click();
  await expect(page.getByRole('complementary', { name: 'Calls of this trial' })).toContainText(
    'You are a judge. You take no side.',
  );
});

test('a labelled debate shows who predicts what, and its verdict', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), `/trials/${labelled}`);
  await expect(region(page, 'Opening').getByText(/^predicts (?:TENANT|LANDLORD), \d+%$/)).toHaveCount(2);
  await expect(region(page, 'Verdict').getByText(/^The verdict is (?:correct|wrong)\.$/)).toBeVisible();
});

test('both themes, without faults', { tag: '@exhaustive' }, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 2400 });
  await enter(page, host());
  for (const [name, trial] of [
    ['debate', debate],
    ['moderator', moderated],
  ] as const) {
    await goTo(page, host(), `/trials/${trial}`);
    await expect(region(page, 'Subtopics')).toBeVisible();
    await expectNoFaults(page, name);
  }
});

test('a trial that waits is moderated by keyboard, continues, and asks for a remark', async ({ page }) => {
  await enter(page, host());
  using engine = await connectToEngine(host());
  const { line } = await engine.api.trials.read({ trial: moderated });
  await goTo(page, host(), `/experiments/${encodeURIComponent(line.experiment)}`);
  await expect(page.getByText('1 waits for its moderator')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue', exact: true })).toHaveCount(0);
  await goTo(page, host(), `/trials/${moderated}`);
  const moderator = region(page, 'Moderator');
  await expect(moderator.getByText(/waits for you, its moderator: accept the subtopics/)).toBeVisible();
  await moderator.getByLabel('Subtopic 1', { exact: true }).fill('Trade in the centre');
  await moderator.getByLabel('Scope of subtopic 1').fill('What shops gain and lose.');
  await moderator.getByRole('button', { name: 'Move subtopic 1 down' }).press('Enter');
  await moderator.getByRole('button', { name: 'Remove subtopic 1' }).press('Enter');
  await moderator.getByRole('button', { name: 'Continue with these' }).press('Enter');
  await expect(moderator.getByText(/say something to the agents/)).toBeVisible();
  await expect(region(page, 'Subtopics').getByText('as the moderator left them')).toBeVisible();
  await expect(region(page, 'Round 1').getByRole('rowheader', { name: 'Trade in the centre' })).toBeVisible();
  await moderator.getByLabel('Remark').fill('Mind those who cannot walk far.');
  await moderator.getByRole('button', { name: 'Send the remark' }).press('Enter');
  await expect(page.getByText('Mind those who cannot walk far.').first()).toBeVisible();
  await until('the trial is done', async () => (await engine.api.trials.read({ trial: moderated })).line.outcome === 'decided');
  expect((await engine.api.trials.check({ trial: moderated })).replay).toBe('identical');
  await expect(region(page, 'Joint proposal')).toBeVisible();
});
