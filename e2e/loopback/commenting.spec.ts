import { expect } from '@playwright/test';
import type { ReviewReport } from '../../src/shared/reviews.ts';
import { needsChromium } from '../support/chromium.ts';
import { endings, enter, goTo, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { startFakeOllama } from './support/fakeOllama.ts';
import { startHost } from './support/host.ts';
import { settled } from './support/places.ts';
import { courtArm, makeExperiment } from './support/record.ts';

needsChromium();

const host = sharedHost();
const experiment = 'Read by people';
const atTheEnd = endings();
const route = `/experiments/${encodeURIComponent(experiment)}/review`;
let trials: readonly string[];

test.beforeAll(async () => {
  using engine = await connectToEngine(host());
  await makeExperiment(engine.api, { name: experiment, sample: { n: 3 }, arms: [courtArm] });
  const { lines } = await engine.api.experiments.trials({ experiment });
  trials = lines.map(({ trial }) => trial);
  for (const [reviewer, label] of [
    ['Ana', 0],
    ['Ben', 1],
  ] as const) {
    const { labels } = await engine.api.reviews.next({
      experiment,
      reviewer,
      arm: courtArm.name,
      order: 'random',
      blind: true,
      asked: null,
    });
    const said = { judgement: 'label', label: labels[label] ?? '', reason: 'by the rules', blind: true, seconds: 4 } as const;
    await engine.api.reviews.give({ experiment, trial: trials[0] ?? '', reviewer, ...said, replaces: null });
  }
});

const report = async () =>
  JSON.parse(await host().assize(['reviews', experiment, '--json', '--store', host().store])) as ReviewReport;

test('words of a speech are chosen and commented on, marked, listed, and taken back', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), `/trials/${trials[0]}`);
  const speech = page.locator('[data-utterance]').first();
  await expect(speech).toBeVisible();
  await settled(page);
  const words = await speech.evaluate((element) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) found.push(texts.currentNode as Text);
    const [first, last] = [found[0], found.at(-1)];
    if (first === undefined || last === undefined) throw new Error('nothing was said');
    const end = first === last ? 14 : 4;
    getSelection()?.setBaseAndExtent(first, 4, last, end);
    return { chosen: getSelection()?.toString() ?? '', heard: element.textContent };
  });
  await page.keyboard.press('m');
  const form = page.getByRole('form', { name: 'Your comment' });
  await expect(form).toBeVisible();
  const quoted = await form.getByRole('textbox', { name: 'Words' }).inputValue();
  expect(words.heard.replaceAll(' (not among the facts)', '')).toContain(quoted);
  expect(quoted.length).toBeGreaterThan(0);
  await expect(form.getByRole('textbox', { name: 'Comment' })).toBeFocused();
  await page.keyboard.insertText('It turns here: 这里 هنا 👩🏽‍⚖️');
  await form.getByRole('textbox', { name: 'Words' }).fill('words that no one said');
  await expect(form.getByText('These words are not in this text.')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  await form.getByRole('textbox', { name: 'Words' }).fill(quoted);
  await form.getByRole('textbox', { name: 'Your name' }).fill('Dora');
  await form.getByRole('button', { name: 'Save' }).click();
  const comments = page.getByRole('list', { name: 'Comments' });
  await expect(comments).toContainText('It turns here: 这里 هنا 👩🏽‍⚖️');
  expect((await speech.locator('mark[class*="commented"]').allTextContents()).join('')).toBe(quoted);
  expect((await report()).comments).toMatchObject([{ reviewer: 'Dora', quote: quoted, trial: trials[0] }]);
  await page.setViewportSize({ width: 1800, height: 3000 });
  await expectNoFaults(page, 'comments');

  // Without a selection it is about the whole speech.
  await page.evaluate(() => getSelection()?.removeAllRanges());
  await page
    .getByRole('button', { name: /^Comment on / })
    .nth(1)
    .click();
  await expect(form.getByRole('textbox', { name: 'Words' })).toHaveValue(
    (await page.locator('[data-utterance]').nth(1).textContent())?.replaceAll(' (not among the facts)', '') ?? '',
  );
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
  await page.getByRole('button', { name: /^2 people judged/ }).click();
  await expect(page.getByRole('dialog').getByRole('list', { name: 'All comments' })).toContainText('It turns here');
  await page.keyboard.press('Escape');
  await comments.getByRole('button', { name: 'Take back' }).click();
  await expect(comments).toHaveCount(0);

  // Of a ruling, whose lines are fields of an answer, the selected words are marked.
  const ruling = page.locator('[data-utterance]').last();
  await ruling.scrollIntoViewIfNeeded();
  const reason = await ruling.evaluate((element) => {
    const line = element.children[1];
    const walker = document.createTreeWalker(line ?? element, NodeFilter.SHOW_TEXT);
    const first = walker.nextNode();
    let last = first;
    while (walker.nextNode()) last = walker.currentNode;
    if (first === null || last === null) throw new Error('the ruling has one line');
    getSelection()?.setBaseAndExtent(first, 2, last, last.textContent?.length ?? 0);
    return line?.textContent?.slice(2).replaceAll(' (not among the facts)', '') ?? '';
  });
  await page.keyboard.press('m');
  await expect(form.getByRole('textbox', { name: 'Words' })).toHaveValue(reason);
  await form.getByRole('textbox', { name: 'Comment' }).fill('This does not follow.');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(comments).toContainText('This does not follow.');
  expect((await ruling.locator('mark[class*="commented"]').allTextContents()).join('')).toBe(reason);
  expect((await report()).comments).toMatchObject([{ quote: reason }]);
  await comments.getByRole('button', { name: 'Take back' }).click();
  await expect(comments).toHaveCount(0);
  expect((await report()).comments).toEqual([]);
});

test('a third person settles what reviewers differ on without the verdict, and a sign-off says what came after it', async ({
  page,
}) => {
  const sent: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => sent.push(payload.toString())));
  await enter(page, host());
  await goTo(page, host(), route);
  await page.getByRole('textbox', { name: 'Your name' }).fill('Cleo');
  await expect(page.getByRole('heading', { name: /^Case / })).toBeVisible();
  const signing = page.getByRole('region', { name: 'Sign-off' });
  await signing.getByRole('textbox').fill('I have read every trial.');
  await signing.getByRole('button', { name: 'Sign off' }).click();
  const signed = signing.getByRole('list', { name: 'Sign-offs' });
  await expect(signed).toContainText('nothing has changed since');
  await expect(signing).toContainText(`A sign-off now covers ${trials.length} ended trials.`);
  const section = page.getByRole('region', { name: 'Cases that reviewers differ on' });
  await section.getByRole('button', { name: 'Settle cases' }).click();
  await expect(section.getByRole('status')).toHaveText('1 case to settle.');
  await expect(section.getByRole('list', { name: 'What the reviewers answered' })).toContainText('Ben');
  const choices = section.getByRole('group', { name: 'The label that you decide on' }).getByRole('button');
  await expect(choices.first()).toBeDisabled();
  await section.getByRole('textbox', { name: 'Reason of the decision' }).fill('Ana counted the rent twice.');
  await section.scrollIntoViewIfNeeded();
  await choices.last().click();
  await expect(section.getByRole('status')).toHaveText(/^Reviewers differ on no case/);
  expect(sent.filter((text) => /"(prediction|truth)":"/.test(text))).toEqual([]);
  await expect(signed).toContainText('since then 1 review');
  const found = await report();
  expect(found).toMatchObject({ disagreements: 1, settled: 1, adjudications: [{ reviewer: 'Cleo', current: true }] });
  expect(found.label_errors.adjudicated).toBe(1);
  await signed.scrollIntoViewIfNeeded();
  await page.setViewportSize({ width: 1800, height: 3000 });
  await expectNoFaults(page, 'adjudication', [/^color-contrast\?: <kbd>.*too short/]);
  await section.getByRole('button', { name: 'Take back' }).click();
  await expect(section.getByRole('status')).toHaveText('1 case to settle.');
  await signing.getByRole('textbox').fill('A trial is missing.');
  await signing.getByRole('button', { name: 'Take back your sign-off' }).click();
  await expect(signed).toHaveCount(0);
  await host().assize(['verify', host().store]);
});

test('a reviewer who looks at a disagreement no longer judges that case blind', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), route);
  await page.getByRole('textbox', { name: 'Your name' }).fill('Gus');
  await expect(page.getByRole('heading', { name: /^Case / })).toBeVisible();
  const notBlind = page.getByText('so your answer does not count as blind');
  await expect(notBlind).toHaveCount(0);
  const section = page.getByRole('region', { name: 'Cases that reviewers differ on' });
  await section.getByRole('button', { name: 'Settle cases' }).click();
  const settling = await section.getByRole('heading', { name: /^Case / }).textContent();
  const desk = page.getByRole('heading', { name: /^Case / }).first();
  for (let answered = 0; (await desk.textContent()) !== settling; answered++) {
    expect(answered).toBeLessThan(trials.length);
    const before = (await desk.textContent()) ?? '';
    await page.keyboard.press('u');
    await expect(desk).not.toHaveText(before);
  }
  await expect(notBlind).toBeVisible();
});

test('a trial that is opened from the results is no longer judged blind', { tag: '@exhaustive' }, async ({ page }) => {
  const sent: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => sent.push(payload.toString())));
  await enter(page, host());
  for (const trial of trials) {
    await goTo(page, host(), `/trials/${trial}`);
    await expect(page.locator('[data-utterance]').first()).toBeVisible();
  }
  await goTo(page, host(), `/experiments/${encodeURIComponent(experiment)}`);
  await settled(page);
  await page.getByRole('button', { name: 'Review…' }).click();
  await expect(page.getByText('Enter your name to begin')).toBeVisible();
  await settled(page);
  sent.length = 0;
  await page.getByRole('textbox', { name: 'Your name' }).fill('Eve');
  await expect(page.getByText('so your answer does not count as blind')).toBeVisible();
  await settled(page);
  // Nothing of the screens before continues in this one.
  expect(sent.filter((text) => /"(prediction|truth)":"|"(belief|confidence)":[{\d]/.test(text))).toEqual([]);

  // The trial that one reads is reviewed first, and only once.
  const trial = trials.at(-1) ?? '';
  const review = async () => {
    await goTo(page, host(), `/trials/${trial}`);
    await page.getByRole('button', { name: 'Review this trial' }).click();
    await expect(page.getByText(/^Reviewed: \d of \d cases with a verdict so far/)).toBeVisible();
  };
  await review();
  const asked = (await page.getByRole('heading', { name: /^Case / }).textContent()) ?? '';
  await page.getByRole('button', { name: /^Unsure/ }).click();
  await expect(page.getByText(/^Reviewed: 1 of \d cases with a verdict so far/)).toBeVisible();
  await review();
  await expect(page.getByRole('region', { name: 'Your answer on the trial' })).toContainText('unsure');
  await expect(page.getByRole('heading', { name: asked, exact: true })).toBeHidden();
  await page.getByRole('link', { name: 'Back to the trial' }).click();
  // The tests before may have answered it too.
  await page.getByRole('button', { name: / judged this trial/ }).click();
  await expect(page.getByRole('dialog', { name: 'What people said' }).getByRole('row', { name: 'Eve unsure no' })).toBeVisible();
});

test('what is copied of a speech has only its words, not what screen readers hear of numbers outside the facts', async ({
  page,
}) => {
  const said = 'It was 4,310 long before.';
  const ollama = await startFakeOllama([said], 'invents');
  atTheEnd(ollama.stop);
  const inventing = await startHost({}, ollama.url);
  atTheEnd(inventing.stop);
  using engine = await connectToEngine(inventing);
  const { trial } = await makeExperiment(engine.api, {
    sample: { n: 1 },
    backend: 'ollama',
    arms: [{ ...courtArm, cast: { '*': { model: ollama.model } } }],
  });
  await enter(page, inventing);
  await goTo(page, inventing, `/trials/${trial}`);
  const speech = page.locator('[data-utterance]').first();
  await expect(speech).toHaveText('It was 4,310 (not among the facts) long before.');
  await settled(page);
  await speech.evaluate((element) => getSelection()?.selectAllChildren(element));
  await page.keyboard.press('ControlOrMeta+c');
  await page.keyboard.press('m');
  const form = page.getByRole('form', { name: 'Your comment' });
  await expect(form.getByRole('textbox', { name: 'Words' })).toHaveValue(said);
  await form.getByRole('textbox', { name: 'Comment' }).press('ControlOrMeta+v');
  await expect(form.getByRole('textbox', { name: 'Comment' })).toHaveValue(said);
});
