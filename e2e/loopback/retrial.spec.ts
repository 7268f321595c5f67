import { expect, type Page } from '@playwright/test';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { connectToEngine } from './support/engineApi.ts';
import { courtArm, linesAtTheEnd, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = sharedHost();
const arms = [{ ...soloArm, name: courtArm.name }];

/** The dialog that tries the first trial of a new experiment again, or all of it. */
async function dialogOf(
  page: Page,
  what: 'trial' | 'experiment',
  draft: Parameters<typeof makeExperiment>[1] & { name: string },
) {
  using engine = await connectToEngine(host());
  const { trial } = await makeExperiment(engine.api, draft);
  await enter(page, host());
  if (what === 'trial') {
    await goTo(page, host(), `/trials/${trial}`);
    await page.getByRole('button', { name: 'Try again…' }).click();
  } else {
    await goTo(page, host(), `/experiments/${encodeURIComponent(draft.name)}`);
    await page.getByRole('button', { name: `More about ${draft.name}` }).click();
    await page.getByRole('menuitem', { name: 'Try with changes' }).click();
  }
  return { trial, dialog: page.getByRole('dialog') };
}

test('a trial is tried again with changes, and both say so', async ({ page }) => {
  const { trial, dialog } = await dialogOf(page, 'trial', { name: 'Deposits to be tried again', sample: { n: 1 }, arms });
  await expect(dialog.getByRole('button', { name: 'Try again', exact: true })).toBeDisabled();
  await dialog.getByRole('textbox', { name: 'Other seeds' }).fill('2');
  await page.keyboard.press('Tab');
  // Until the trials are counted the dialog grows, and its buttons move.
  await expect(dialog.getByText(/^Runs \d/)).toBeVisible();
  await expect(dialog.getByText('is 0: other seeds hardly change such answers')).toBeVisible();
  await dialog.getByRole('button', { name: 'Try again', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: `trial ${trial} again` })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Flips by change' })).toBeVisible();
  await goTo(page, host(), `/trials/${trial}`);
  const again = page.getByRole('link', { name: 'Tried again', exact: true });
  await expect(again).toBeVisible();
  await expect(page.getByText(/Repeated with other seeds and no other change, (?:all 2|1 of 2|2 of 2) ended/)).toBeVisible();
  await again.click();
  await expect(page.getByRole('heading', { level: 1, name: `trial ${trial} again` })).toBeVisible();
  await page.getByRole('button', { name: `More about trial ${trial} again` }).click();
  await expect(page.getByRole('menuitem', { name: 'Change the title' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /Extend|Duplicate/ })).toHaveCount(0);
});

test('a case in one’s own words is tried again from the screen that followed it', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/try');
  await page.getByRole('button', { name: 'Fill in an example' }).click();
  const model = page.getByRole('combobox', { name: 'Name for the demo model' });
  await model.fill('judge:1');
  await page.getByRole('button', { name: 'Try it with the demo model' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Must the landlord pay back the 450/ })).toBeVisible();
  await page.getByRole('button', { name: 'Try again…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: /One speech to withhold or replace/ })).toBeVisible();
  await dialog.getByText('Robustness suite').click();
  await expect(dialog.getByText(/^Typing errors in the facts, the question in other words/)).toBeVisible();
  await expect(
    dialog.getByText(/^Runs \d+ trials: this one unchanged, and \d+ changes, with about \d+ calls: this trial made \d+\.$/),
  ).toBeVisible();
  await expect(dialog.getByText(/^The facts are one text/)).toBeVisible();
  await dialog.getByRole('link', { name: 'Try a case' }).click();
  await expect(page.getByRole('textbox', { name: 'Facts' })).toHaveValue(/Ms\. Orsel rented a flat/);
  await expect(page.getByText('This is the case of a trial, with its court: AgenticSimLLM.')).toBeVisible();
  await expect(page.getByText(/To try it without a line of the facts, delete the line here\./)).toBeVisible();
  await expect(page.getByRole('radio', { name: /^AgenticSimLLM/ })).toBeChecked();
  await expect(model).toHaveValue('judge:1');
  await page.getByRole('radio', { name: /^StandardLLM/ }).press('Space');
  await page.getByRole('button', { name: 'Try it with the demo model' }).click();
  await expect(page.getByRole('link', { name: /StandardLLM$/ })).toBeVisible();
  await page.getByRole('button', { name: 'Compare with…' }).click();
  await expect(dialog.getByRole('link', { name: 'Try this case under another protocol' })).toBeVisible();
  await dialog.getByRole('link', { name: /^AgenticSimLLM · / }).click();
  await expect(page.getByRole('list', { name: 'Utterances side by side' })).toBeVisible();
  await expect(page.getByText('They differ in protocol (AgenticSimLLM; StandardLLM) and temperature (0.7; 0).')).toBeVisible();
});

test('the trial in which other words take the place of a speech says so and marks the speech', async ({ page }) => {
  using engine = await connectToEngine(host());
  const name = 'Deposits with other words';
  // Of two speeches only the last can be said to have moved the judge.
  const arms = [{ ...courtArm, params: { turns: 1 } }];
  const of = await makeExperiment(engine.api, { name, sample: { n: 1 }, arms });
  const changes = ['replace=turn-1/defense=The defense has nothing to add.'];
  const { experiment } = await engine.api.experiments.vary({ experiment: of.experiment, trial: of.trial, changes });
  const lines = await linesAtTheEnd(engine.api, experiment);
  await enter(page, host());
  const changed = lines.find(({ change }) => change?.kind === 'replace')?.trial;
  await goTo(page, host(), `/trials/${changed}`);
  await expect(
    page.getByText(/did not hear what is marked below\. In its place it heard: “The defense has nothing to add\.”$/),
  ).toBeVisible();
  const feed = page.getByRole('feed');
  const opening = feed.getByRole('article', { name: 'Defense, opening' });
  await expect(opening.getByText('not heard by the court')).toBeVisible();
  await expect(opening.getByText('heard instead')).toBeVisible();
  await expect(opening.getByText('The defense has nothing to add.')).toBeVisible();
  await expect(feed.getByRole('article', { name: 'Prosecution, opening' }).getByText('not heard by the court')).toHaveCount(0);
  const summary = page.getByRole('region', { name: 'In short' });
  await expect(summary.getByRole('listitem').filter({ hasText: 'Other words in place of Defense, opening' })).toHaveCount(1);
  await goTo(page, host(), `/trials/${of.trial}/beside/${changed}`);
  const row = page
    .getByRole('list', { name: 'Utterances side by side' })
    .getByRole('listitem')
    .filter({ hasText: 'Defense opening' });
  await expect(row).toContainText('the courts heard different words');
  await expect(page.getByRole('region', { name: 'In short' })).toContainText(
    /was tried by court · other words in place of Defense, opening once: .+; by court once: .+ \(its trial\)\./,
  );
  await expect(page.getByRole('link', { name: 'court · other words in place of Defense, opening' })).toBeVisible();
  await expect(row).toContainText(/heard instead.*The defense has nothing to add\..*not heard by the court/);
  await page.getByRole('button', { name: 'Defense, opening' }).first().click();
  await expect(row).toBeFocused();
});

test('a fault in Try a case takes the focus at its field, and its cure is one press away', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/try');
  const start = page.getByRole('button', { name: 'Try it with the demo model' });
  await start.click();
  await expect(page.getByRole('textbox', { name: 'Facts' })).toBeFocused();
  await page.keyboard.type('The contract says nothing of it.');
  await start.click();
  await expect(page.getByRole('textbox', { name: 'Question' })).toBeFocused();
  await page.keyboard.type('Who has to pay?');
  for (const answer of ['the owner', 'the state']) {
    await page.getByRole('textbox', { name: 'Possible answers' }).fill(answer);
    await page.keyboard.press('Enter');
  }
  await start.click();
  await expect(page.getByRole('button', { name: 'Change to StandardLLM' })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Possible answers' })).toBeFocused();
  await page.getByRole('button', { name: 'Change to StandardLLM' }).click();
  await start.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Who has to pay?' })).toBeVisible();
});

test('withheld speeches show what each was worth, next to the observed movement', { tag: '@exhaustive' }, async ({ page }) => {
  const { dialog } = await dialogOf(page, 'trial', { name: 'Deposits and causes', sample: { n: 1 }, arms: [courtArm] });
  await dialog.getByRole('textbox', { name: 'Other seeds' }).fill('3');
  await dialog.getByText('Withhold each speech in turn').click();
  await dialog.getByRole('button', { name: 'One speech to withhold or replace' }).click();
  await page.getByRole('option', { name: 'Defense, opening' }).click();
  const words = dialog.getByRole('textbox', { name: 'What the court hears in its place' });
  await words.fill('The defense has nothing to add.');
  await words.scrollIntoViewIfNeeded();
  await dialog.getByRole('button', { name: 'Try again', exact: true }).click();
  const worth = page.getByRole('table', { name: 'Worth of speeches' });
  await expect(worth.getByRole('row', { name: /^Prosecution, opening/ })).toContainText('pairs: 4; 1 case', { timeout: 90_000 });
  await expect(page.getByText('it is no cause')).toBeVisible();
  await expect(page.getByRole('row', { name: /other words in the speech “Defense, opening”/ }).first()).toBeVisible();
});

test('debates cut at random show the effect of each turn', { tag: '@exhaustive' }, async ({ page }) => {
  const { dialog } = await dialogOf(page, 'experiment', { name: 'Deposits cut at random', sample: { n: 3 } });
  await dialog.getByRole('textbox', { name: 'Debates cut at random' }).fill('6');
  await page.keyboard.press('Tab');
  await expect(dialog.getByText(/^Runs 18 trials: 6 changes, each over 3 cases, with .* calls\.$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Try again', exact: true }).click();
  const effects = page.getByRole('table', { name: 'Effects of turns' });
  await expect(effects.getByRole('row', { name: /^Defense, opening/ })).toContainText('3 after, 3 before; 3 cases', {
    timeout: 90_000,
  });
});

test('facts that are left out show the least change that flips the verdict', { tag: '@exhaustive' }, async ({ page }) => {
  const { dialog } = await dialogOf(page, 'trial', { name: 'Facts', entry: 'nlsy97', sample: { n: 1 }, arms });
  await dialog.getByRole('button', { name: /Facts to leave out/ }).click();
  await expect(page.getByRole('option', { name: /random orders, for Shapley values: up to \d+ trials/ })).toBeVisible();
  await page.getByRole('option', { name: /^each fact: up to 22 trials/ }).click();
  await dialog.getByRole('button', { name: 'Try again', exact: true }).click();
  await expect(page.getByText(/Tried: 22 of 22 single facts/)).toBeVisible({ timeout: 90_000 });
});

test('all cases are tried without a fact, one arm for each', async ({ page }) => {
  const { dialog } = await dialogOf(page, 'experiment', { name: 'Without a fact', entry: 'nlsy97', sample: { n: 2 }, arms });
  await dialog.getByRole('button', { name: /^Facts to leave out none/ }).click();
  await dialog.getByText('Has been homeless', { exact: true }).click();
  await expect(dialog.getByText(/^Runs 2 trials: 1 change, each over 2 cases, with 2 calls\.$/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Facts to leave out 1 fact/ })).toBeVisible();
  await dialog.getByRole('button', { name: 'Try again', exact: true }).click();
  await expect(page.getByRole('table', { name: 'Flips by change' }).getByRole('row', { name: /without/ })).toBeVisible();
});

test('a whole experiment is tried again with changes, from its menu', { tag: '@exhaustive' }, async ({ page }) => {
  const name = 'Deposits with changes';
  const { dialog } = await dialogOf(page, 'experiment', { name, sample: { n: 3 }, arms });
  await dialog.getByText('Robustness suite').click();
  await dialog.getByRole('textbox', { name: 'Other seeds' }).fill('3');
  await page.keyboard.press('Tab');
  await expect(dialog.getByText(/^Runs \d+ trials: \d+ changes, each over 3 cases, with .* calls\.$/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Try again', exact: true }).click();
  const flips = page.getByRole('table', { name: 'Flips by change' });
  await expect(flips.getByRole('row', { name: /typing errors in the facts/ })).toBeVisible();
  await expect(flips.getByRole('row', { name: /seeds 3/ })).toBeVisible();

  const choose = async (what: string) => {
    await page.getByRole('button', { name: `More about ${name}` }).click();
    await page.getByRole('menuitem', { name: what }).click();
  };
  const title = (words: string) => page.getByRole('heading', { level: 1, name: words, exact: true });
  const written = page.getByRole('textbox', { name: 'Name of the experiment' });

  await test.step('a duplicate has no changed arm', async () => {
    await expect(page.getByText('finished', { exact: true }).first()).toBeVisible();
    await choose('Duplicate');
    await expect(title('New experiment')).toBeVisible();
    await expect(page.getByText(/so they were left out: \d+ changed arms\./)).toBeVisible();
    await expect(page.getByRole('article', { name: /^Arm / })).toHaveCount(1);
    await written.fill('mine');
  });

  await test.step('an extension leaves the form of the data set as it was', async () => {
    await goTo(page, host(), `/experiments/${encodeURIComponent(name)}`);
    await page.getByRole('button', { name: 'Add cases or arms…' }).click();
    await expect(title(`Extend ${name}`)).toBeVisible();
    await goTo(page, host(), '/new/deposits');
    await expect(written).toHaveValue('mine');
  });

  await test.step('an extension keeps the changed arms', async () => {
    await goTo(page, host(), `/experiments/${encodeURIComponent(name)}`);
    await page.getByRole('button', { name: 'Add cases or arms…' }).click();
    await expect(title(`Extend ${name}`)).toBeVisible();
    await expect(page.getByRole('article', { name: 'Arm court', exact: true }).getByText('on the record')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Remove court', exact: true })).toHaveCount(0);
    const extend = page.getByRole('button', { name: 'Extend the experiment' });
    await expect(extend, 'nothing is added yet').toBeDisabled();
    const replicates = page.getByRole('textbox', { name: 'Replicates' });
    await replicates.fill('2');
    await replicates.press('Tab');
    await expect(page.getByRole('complementary', { name: 'Plan' }).getByText(/× 2 replicates/)).toBeVisible();
    await extend.click();
    await expect(title(name)).toBeVisible();
    await expect(flips.getByRole('row', { name: /seeds 3/ })).toBeVisible();
  });
});
