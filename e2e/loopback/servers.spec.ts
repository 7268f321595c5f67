import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { cosignedNote } from '../../src/main/engine/checkpoint/testing/witness.ts';
import { type DemoServer, startDemoServer } from '../../src/main/engine/models/demo/demoServer.ts';
import { besideStore } from '../../src/main/engine/store/location.ts';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, hostOfFile, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = hostOfFile({ ASSIZE_STANDIN_PROFILE: 'instant' });
let gpu: DemoServer;
let second: DemoServer;

test.beforeAll(async () => {
  gpu = await startDemoServer({ models: ['Org/Large:7b'], anyModel: false });
  second = await startDemoServer({ models: ['small:1b'], anyModel: false });
});
test.afterAll(async () => {
  await gpu.close();
  await second.close();
});

test('servers are added, asked, chosen for an arm and a role, and the inspector says where each call went', {
  tag: '@exhaustive',
}, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await enter(page, host());
  await goTo(page, host(), '/settings');
  const add = async (name: string, kind: RegExp, url: string, slots: string) => {
    await page.getByRole('button', { name: 'Add a server' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a server' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('Give the server a name; arms choose it by that.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('radio', { name: kind }).press('Space');
    await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
    await dialog.getByRole('textbox', { name: 'Calls at a time' }).fill(slots);
    if (name === 'third') {
      await dialog.getByRole('button', { name: /Shares the calls of/ }).click();
      await page.getByRole('option', { name: 'second' }).click();
    }
    await dialog.getByRole('button', { name: 'Ask it' }).click();
    await expect(dialog.getByText(/^Ready, .*1 model$/)).toBeVisible();
    if (name === 'gpu') {
      await expectNoFaults(page, 'a server in its dialog');
    }
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
  };
  await add('gpu', /OpenAI/, `${gpu.url}/v1`, '4');
  await add('second', /Ollama’s interface/, second.url, '2');
  await add('third', /Ollama’s interface/, second.url, '2');
  await expect(page.getByRole('article', { name: 'Server third' }).getByText(/shares the calls of second/)).toBeVisible();
  const row = page.getByRole('article', { name: 'Server gpu' });
  await expect(row.getByText(`${gpu.url}/v1, OpenAI’s chat completions, 4 calls at a time`)).toBeVisible();
  await expect(row.getByText('Org/Large:7b')).toBeVisible();
  await expectNoFaults(page, 'servers');

  await goTo(page, host(), '/new/deposits');
  await expect(page.getByRole('radio', { name: /Models on your servers/ })).toBeChecked();
  await expect(page.getByText('A demo model answers at an address that is asked')).toBeVisible();
  const arm = page.getByRole('article', { name: /^Arm / });
  await expect(arm.getByRole('combobox', { name: 'Name for the demo model' })).toHaveValue('Org/Large:7b');
  await arm.getByRole('button', { name: /^Cast/ }).click();
  await arm.getByRole('button', { name: /Server of the judge/ }).click();
  await page.getByRole('option', { name: /second/ }).click();
  await expect(arm.getByRole('combobox', { name: 'Judge' })).toHaveValue('small:1b');
  await page.getByRole('textbox', { name: 'Number of cases' }).fill('1');
  await page.getByRole('textbox', { name: 'Number of cases' }).blur();
  const plan = page.getByRole('complementary', { name: 'Plan' });
  await expect(plan.getByText('1 case × 1 arm = 1 trial')).toBeVisible();
  await expect(plan.getByRole('button', { name: 'Measure' })).toBeVisible();
  expect([...gpu.requests(), ...second.requests()].filter(({ endpoint }) => /chat/.test(endpoint))).toEqual([]);
  await page.getByRole('button', { name: 'Start with the demo model' }).click();
  await page.waitForURL(/#\/experiments\//);
  await page.getByRole('link', { name: /D\d\d/ }).first().click();
  await page.waitForURL(/#\/trials\//);
  await page.getByRole('button', { name: /^13 calls/ }).click();
  const calls = page.getByRole('complementary', { name: 'Calls of this trial' });
  await calls.getByRole('listitem').first().getByRole('button').click();
  await expect(calls.getByRole('region', { name: 'Setup' })).toContainText(`${gpu.url}/v1`);
  await calls.getByRole('button', { name: 'All calls' }).click();
  await calls.getByRole('listitem').filter({ hasText: 'Judge' }).first().getByRole('button').click();
  await expect(calls.getByRole('region', { name: 'Setup' })).toContainText(second.url);
});

test('a host that is not this machine is marked before it is saved, and stays refused until it is allowed', async ({ page }) => {
  await enter(page, host());
  await goTo(page, host(), '/settings');
  await page.getByRole('button', { name: 'Add a server' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a server' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('far');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('http://models.invalid/v1');
  await expect(dialog.getByText('models.invalid is not this machine.', { exact: false }).first()).toBeVisible();
  await expect(dialog.getByText(/plain http.*takes effect at once and remains after Cancel/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Ask it' }).click();
  await expect(dialog.getByText('Refused')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The address of “far” is on models.invalid, which is not allowed')).toBeVisible();
  await page.getByRole('button', { name: 'Change far' }).click();
  const changed = page.getByRole('dialog', { name: 'Change the server' });
  await changed.getByRole('button', { name: 'Allow models.invalid' }).click();
  await expect(changed.getByText('Cases may leave this machine.')).toBeVisible();
  await changed.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Remove host models.invalid' }).click();
  await page.getByRole('button', { name: 'Remove far' }).click();
  await expect(page.getByRole('article', { name: 'Server far' })).toBeHidden();
});

test('Try says at once that a case is too long, and sets the context that holds it', {
  tag: '@exhaustive',
}, async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await enter(page, host());
  await goTo(page, host(), '/try');
  await page.getByRole('button', { name: 'Fill in an example' }).click();
  await expect(page.getByText(/longest prompt takes about [\d,]+ of 8,192 tokens/)).toBeVisible();
  await page.getByRole('textbox', { name: 'Facts' }).fill('The window was cracked. '.repeat(2_000));
  await expect(page.getByText('The case may be too long.')).toBeVisible();
  await page.getByRole('button', { name: 'Set the context to 16,384' }).click();
  await expect(page.getByText(/longest prompt takes about [\d,]+ of 16,384 tokens/)).toBeVisible();
  await expect(page.getByText('The case may be too long.')).toBeHidden();
});

test('the whole record is checked on the first screen', async ({ page }) => {
  using engine = await connectToEngine(host());
  await makeExperiment(engine.api, { name: 'Two alone', sample: { n: 1 }, arms: [courtArm, soloArm] });
  await page.setViewportSize({ width: 1280, height: 720 });
  await enter(page, host());
  await goTo(page, host(), '/');
  const record = page.getByRole('region', { name: 'Check of the open record' });
  await expect(record).toContainText('This record has not been checked since the program was started.');
  await expect(record.getByRole('button', { name: 'Check it now' })).toBeInViewport();
  await page.getByRole('button', { name: 'Check the record that is open' }).click();
  await expect(record.getByText(/^Intact: \d+ trials \(\d+ ended\), \d+ events, \d+ texts$/)).toBeVisible();
  await expect(record.getByText(/^Log: \d+ entries \(.*\); entries 0 to \d+ signed, without a witness\.$/)).toBeVisible();
  const verified = JSON.parse(await host().assize(['verify', host().store, '--json']));
  await expect(record.getByText(verified.root)).toBeVisible();
  // The screen compares another root at once; the check also looks for it among the ends of trials.
  await page.getByRole('button', { name: 'What you were given with it' }).click();
  const root = page.getByLabel('Its root or head, if you know it');
  await root.fill('f'.repeat(64));
  await expect(record).toContainText('What you entered is not the root of this record.');
  await page.getByRole('button', { name: 'Check the record that is open' }).click();
  await expect(record.getByRole('alert')).toContainText('The open record is not the record that you named.');
  await root.fill(verified.root);
  await expect(record).toContainText('It is the record that you named.');
  await page.getByLabel('Key of the signer, if you have it').fill('f'.repeat(64));
  await expect(record).toContainText('Another key signed this record');
  await expectNoFaults(page, 'the check of a record');
});

test('a checkpoint is made after a run, saved, and shows the witness whose cosignature is attached', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await enter(page, host());
  await goTo(page, host(), '/settings');
  const part = page.getByRole('region', { name: 'Checkpoints' });
  await expect(part.getByText('only this key signed it', { exact: false })).toBeVisible();
  await part.getByRole('button', { name: 'Make a checkpoint' }).click();
  await expect(page.getByText('Nothing has ended since the newest checkpoint.')).toBeVisible();
  const download = page.waitForEvent('download');
  await part.getByRole('button', { name: 'Save' }).click();
  const saved = test.info().outputPath('checkpoint.txt');
  await (await download).saveAs(saved);
  expect(readFileSync(saved, 'utf8')).toBe(await host().assize(['checkpoint', '--store', host().store]));
  const { note, fingerprint } = cosignedNote(readFileSync(saved, 'utf8'), 1_800_000_000);
  const attach = async (content: string) => {
    const chooser = page.waitForEvent('filechooser');
    await part.getByRole('button', { name: 'Attach a cosigned one' }).click();
    await (await chooser).setFiles({ name: 'cosigned.txt', mimeType: 'text/plain', buffer: Buffer.from(content) });
  };
  await attach(readFileSync(saved, 'utf8'));
  await expect(part.getByText('no cosignature by another key', { exact: false })).toBeVisible();
  await attach(note);
  await expect(part.getByText(fingerprint)).toBeVisible();
  await expect(part.getByText('no cosignature by another key', { exact: false })).toBeHidden();
  await expectNoFaults(page, 'the checkpoints of a record');
});

test('servers and runs that came with a store wait until the user agrees', async ({ page }) => {
  const file = besideStore(host().store, '.settings.json');
  const before = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...before, ollamaUrl: second.url, continueRuns: true }));
  await enter(page, host());
  await goTo(page, host(), '/experiments');
  const notice = page.getByText('This store was in another place, or somebody else made it.').locator('..');
  await expect(notice).toContainText(second.url);
  await expectNoFaults(page, 'servers that came with a store');
  await page.getByRole('button', { name: 'Use them' }).click();
  await expect(notice).not.toContainText(second.url);
  await expect(notice).toContainText(`must name ${host().store} now`);
  // What was announced of the first notice names a button that is gone.
  await page.reload();
  await expectNoFaults(page, 'interrupted runs of a store that was moved');
  await page.getByRole('button', { name: 'Continue them' }).click();
  await expect(notice).toBeHidden();
  using engine = await connectToEngine(host());
  expect(await engine.api.settings.read({})).toMatchObject({ ollamaUrl: second.url, continueRuns: true });
});
