import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { packed, rechained, unsigned, zipOf } from '../../src/main/engine/bundle/testing/forging.ts';
import { needsChromium } from '../support/chromium.ts';
import { enter, goTo, sharedHost, test } from './support/app.ts';
import { expectNoFaults } from './support/axe.ts';
import { connectToEngine } from './support/engineApi.ts';
import { courtArm, makeExperiment, soloArm } from './support/record.ts';

needsChromium();

const host = sharedHost();

/** Runs an experiment and exports it as a bundle from its screen. */
async function bundleOf(page: Page, draft: Parameters<typeof makeExperiment>[1]): Promise<Buffer> {
  using engine = await connectToEngine(host());
  const { experiment } = await makeExperiment(engine.api, draft);
  await enter(page, host());
  await goTo(page, host(), `/experiments/${encodeURIComponent(experiment)}`);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: /^Bundle/ }).click();
  return readFileSync(await (await download).path());
}

test('a bundle from the screens is checked by its own page, without the program and without a network', async ({
  page,
  context,
}, info) => {
  const zip = await bundleOf(page, { name: 'Handed on', sample: { n: 4 }, arms: [courtArm, soloArm] });
  const files = unzipSync(zip);

  const folder = info.outputPath('handed on');
  const forged = zipOf({
    ...files,
    'trials.jsonl': strToU8(strFromU8(files['trials.jsonl'] ?? new Uint8Array()).replace('"decided"', '"undecided"')),
  });
  await page.close();
  const other = await context.newPage();
  const asked: string[] = [];
  other.on('request', (request) => asked.push(request.url()));
  const at = pathToFileURL(join(folder, 'verify.html')).href;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'verify.html'), files['verify.html'] ?? '');
  await other.goto(at);
  const check = async (buffer: Buffer) => {
    await other.getByLabel('Choose the zip file').setInputFiles({ name: 'bundle.zip', mimeType: 'application/zip', buffer });
    return other.getByRole('status');
  };
  await other.getByLabel('An earlier checkpoint').setInputFiles({ name: 'b.zip', mimeType: 'application/zip', buffer: zip });
  await expect(other.getByRole('status')).toContainText('b.zip is no checkpoint: a checkpoint is a text file');
  const found = await check(zip);
  await expect(found).toContainText('INTACT: experiment Handed on: 8 trials');
  await expect(found).toContainText(/of 4 decisions with a known truth were right/);
  await expect(found).toContainText(
    /entries; 0 signed and cosigned by a witness, \d+ signed, without a witness, 0 not signed yet/,
  );
  await expect(found).toContainText(/Signed by [0-9a-f]{64}/);
  const given = other.getByLabel('A number that you got by another way');
  await given.fill(JSON.parse(strFromU8(files['manifest.json'] ?? new Uint8Array())).root);
  await expect(found).toContainText('What you entered is the bundle root');
  await given.fill('0'.repeat(64));
  await expect(found).toContainText('IS NOT the bundle root');
  await given.fill('');
  await expect(found).not.toContainText('Signatures were not checked');
  const checkpoint = { name: 'earlier.txt', mimeType: 'text/plain', buffer: Buffer.from(files['checkpoint.txt'] ?? '') };
  await other.getByLabel('An earlier checkpoint').setInputFiles(checkpoint);
  await expect(found.getByText(/^The log is exactly that of the earlier checkpoint of \d+ entries\.$/)).toBeVisible();
  await expect(await check(Buffer.from(forged))).toContainText(
    'TAMPERED: trials.jsonl: it is not the file that the manifest names',
  );
  await expect(found.getByText(/Bundle root that the manifest names: [0-9a-f]{64}, the same/)).toBeHidden();
  await found.getByText('Details').click();
  await expect(found.getByText(/Bundle root that the manifest names: [0-9a-f]{64}, the same/)).toBeVisible();
  await other.getByLabel('An earlier checkpoint').setInputFiles([]);
  await expect(await check(Buffer.from(packed(unsigned(files))))).toContainText('No key signed this record');
  await expect(found).toHaveClass('unsigned');
  const { trial } = JSON.parse(strFromU8(files['trials.jsonl'] ?? new Uint8Array()).split('\n')[0] ?? '') as { trial: string };
  const rewritten = rechained(files, trial, (events) =>
    events.map((each) => ({ ...each, payload: each.payload.replace('"at":"2', '"at":"1') })),
  );
  await expect(await check(Buffer.from(rewritten))).toContainText('TAMPERED: log.jsonl');
  expect(asked).toEqual([at]);
});

test('a bundle and a store that were given are checked on the first screen, against the given root', {
  tag: '@exhaustive',
}, async ({ page }) => {
  const zip = await bundleOf(page, { name: 'Given', sample: { n: 2 }, arms: [courtArm] });
  const manifest = JSON.parse(strFromU8(unzipSync(zip)['manifest.json'] ?? new Uint8Array()));

  await page.setViewportSize({ width: 1280, height: 1300 });
  await goTo(page, host(), '/');
  await page.reload();
  const way = page.getByRole('region', { name: 'Check somebody’s record' });
  const found = page.getByRole('region', { name: 'What the check found' });
  const check = async (name: string, buffer: Buffer) => {
    const chooser = page.waitForEvent('filechooser');
    await way.getByRole('button', { name: 'Choose the file' }).click();
    await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer });
    return found;
  };
  await expect(await check('given.zip', zip)).toContainText('given.zip is intact: 2 trials');
  await expect(found).toContainText('a head that you received in another way');
  await expectNoFaults(page, 'checked bundle');
  await way.getByRole('button', { name: 'What you were given with it' }).click();
  const root = way.getByLabel('Its root or head, if you know it');
  await root.fill('1234');
  await expect(way.getByText('A root or head has 64 hexadecimal digits.')).toBeVisible();
  await expect(way.getByRole('button', { name: 'Choose the file' })).toBeDisabled();
  await root.fill(manifest.root);
  await expect(await check('given.zip', zip)).toContainText('It is the record that you named.');
  // What is entered afterwards counts at once, also with blanks in it.
  await root.fill(`${manifest.root.slice(0, 8)} ${manifest.root.slice(8)}`);
  await expect(found).toContainText('It is the record that you named.');
  await root.fill('e'.repeat(64));
  await expect(found).toContainText('What you entered is not the root of this file.');
  const key = JSON.parse(await host().assize(['checkpoint', '--key', '--store', host().store, '--json']));
  await root.fill(key.fingerprint);
  await expect(await check('given.zip', zip)).toContainText('That is the signer’s key, not a root');
  await expect(found).toContainText(`Signed by ${key.fingerprint}, your own key on this machine.`);
  const { root: logRoot } = JSON.parse(await host().assize(['checkpoint', '--store', host().store, '--json']));
  await root.fill(logRoot);
  await expect(found).toContainText('That is a log root, as a checkpoint signs it. It covers the first');
  const signer = way.getByLabel('Key of the signer, if you have it');
  await signer.fill(`Fingerprint: ${key.fingerprint}`);
  await expect(found).toContainText('The key that you entered signed the log of this record.');
  await signer.fill('a'.repeat(64));
  await expect(found).toContainText('Another key signed this record, not the one that you entered.');
  await signer.fill(manifest.root);
  await expect(found).toContainText('That is the root of this record, not a key.');
  await signer.fill('');
  const [line] = strFromU8(unzipSync(zip)['trials.jsonl'] ?? new Uint8Array()).split('\n');
  const { trial, head_hash } = JSON.parse(line ?? '');
  await root.fill(head_hash);
  await expect(await check('given.zip', zip)).toContainText(`the head of trial ${trial} (experiment Given, arm court, case `);
  await expect(found).not.toContainText('It is the record that you named.');
  await root.fill('f'.repeat(64));
  await expect(await check('given.zip', zip)).toContainText('given.zip does not have the root or head that you entered.');
  await signer.fill(key.fingerprint);
  await expect(found).toContainText('The key that you entered signed the log of this record.');
  await signer.fill('');
  await root.fill(manifest.root);
  await expect(found).toContainText('It is the record that you named.');
  await root.fill('');
  await expect(found).toContainText('a head that you received in another way');
  const given = unzipSync(zip);
  const checkpoint = way.getByLabel('Earlier checkpoint, if you have one');
  await checkpoint.fill(strFromU8(given['checkpoint.txt'] ?? new Uint8Array()));
  await expect(await check('given.zip', zip)).toContainText(/The log is exactly that of the earlier checkpoint of \d+ entries/);
  await checkpoint.fill('');
  const texts = strFromU8(given['texts.jsonl'] ?? new Uint8Array());
  const changed = packed({ ...given, 'texts.jsonl': strToU8(texts.replace(/("text":"[^"\\]*)"/, '$1 and more"')) });
  await expect(await check('changed.zip', Buffer.from(changed))).toContainText('was changed after it was written');
  const other = page.waitForEvent('filechooser');
  await found.getByRole('button', { name: 'Choose the other copy' }).click();
  await (await other).setFiles({ name: 'given.zip', mimeType: 'application/zip', buffer: zip });
  await expect(found).toContainText(
    /Compared with given\.zip: The checked file \(changed\.zip\) is not sound: 1 text does not fit its hash.* 1 text differs\./,
  );
  await expect(found.locator('mark')).toHaveText(' and more');
  await expectNoFaults(page, 'comparison of copies');
  await check('letter.txt', Buffer.from('Dear court'));
  await expect(found.getByRole('alert')).toContainText('not a store');
});

test('a given bundle is read on the screens in place of the own record, also after a reload, until the reader ends it', async ({
  page,
}) => {
  const zip = await bundleOf(page, { name: 'Handed over', sample: { n: 2 }, arms: [courtArm] });
  await makeExperiment((await connectToEngine(host())).api, { name: 'Only here', sample: { n: 2 }, arms: [courtArm] });
  await goTo(page, host(), '/');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose the file' }).click();
  await (await chooser).setFiles({ name: 'given.zip', mimeType: 'application/zip', buffer: zip });
  await page.getByRole('button', { name: 'Read its experiments and trials' }).click();
  const notice = page.getByText('This record is from elsewhere: it is unpacked from the bundle given.zip.');
  await expect(notice).toBeVisible();
  const advice = notice.getByText('make a copy of your own');
  await expect(advice).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(notice).toBeVisible();
  await expect(advice).toBeHidden();
  await page.emulateMedia({ media: null });
  await expect(page.getByRole('link', { name: 'Handed over' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Only here' })).toBeHidden();
  await goTo(page, host(), '/settings');
  await expect(page.getByRole('region', { name: 'Ollama', exact: true })).toBeVisible();
  for (const name of ['Add a server', 'Add host']) await expect(page.getByRole('button', { name })).toBeHidden();
  await goTo(page, host(), '/experiments');
  await page.getByRole('link', { name: 'Handed over' }).click();
  // What would write is not offered, and an export says where the signatures are.
  await expect(page.getByRole('button', { name: 'Reviews', exact: true })).toBeVisible();
  for (const name of ['Import predictions…', 'Erase…']) await expect(page.getByRole('button', { name })).toBeHidden();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: /^Bundle/ })).toContainText(
    'Those of this record, if it has any, are in given.zip',
  );
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Trials', exact: true }).click();
  await page.locator('a[href*="/trials/"]').first().click();
  const speech = page.getByRole('article').first();
  await expect(speech).toBeVisible();
  for (const name of ['Try again…', 'Review this trial']) await expect(page.getByRole('button', { name })).toBeHidden();
  await expectNoFaults(page, 'trial of a given record');
  await page.reload();
  await expect(notice).toBeVisible();
  await expect(speech).toBeVisible();
  // Reviewing needs a copy, which the button at the top makes.
  await goTo(page, host(), `/experiments/${encodeURIComponent('Handed over')}`);
  await expect(page.getByText('2 of 24 cases were drawn for this experiment')).toBeVisible();
  await page.getByRole('button', { name: /^History of the runs/ }).click();
  await expect(page.getByText('Only the store that made the runs has it')).toBeVisible();
  await page.getByRole('link', { name: 'the others' }).click();
  await expect(page.getByText(/^22 cases: \d+ /)).toBeVisible();
  const undrawn = page.getByRole('region', { name: 'Cases that were not drawn' }).getByRole('button');
  const id = (await undrawn.first().innerText()).split(' ')[0] ?? '';
  await undrawn.first().click();
  await expect(page.getByText('None of this is shown to a model').first()).toBeVisible();
  await expectNoFaults(page, 'cases that were not drawn');
  // The search of what was said leads to them.
  await goTo(page, host(), '/search');
  await page.getByRole('textbox', { name: /Words/ }).fill(id);
  await page
    .getByRole('region', { name: 'Cases with these words in their id, facts or groups' })
    .getByRole('link', { name: id })
    .click();
  await expect(page.getByText(/^1 case: 1 /)).toBeVisible();
  await page.goBack();
  await goTo(page, host(), '/datasets');
  await expect(page.getByText('No data sets come with this record')).toBeVisible();
  await goTo(page, host(), `/experiments/${encodeURIComponent('Handed over')}`);
  await page.getByRole('button', { name: 'Reviews', exact: true }).click();
  await expect(page.getByText('To review, you need a copy of your own.')).toBeVisible();
  await expectNoFaults(page, 'reviews of a given record');
  await page.getByRole('button', { name: 'Make a copy of your own…' }).click();
  const name = page.getByRole('textbox', { name: 'Name of the file' });
  await expect(name).toHaveValue('given.db');
  await expectNoFaults(page, 'name of a copy');
  // The name of the own record is taken.
  await name.fill('trials');
  await page.getByRole('button', { name: 'Make the copy' }).click();
  await expect(page.getByText('There is a file of this name already.')).toBeVisible();
  await name.fill('theirs');
  await page.getByRole('button', { name: 'Make the copy' }).click();
  await expect(page.getByText('You work in a copy of your own: theirs.db.')).toBeVisible();
  await expect(page.getByText(/^The copy is theirs\.db in \//)).toBeVisible();
  await expect(notice).toBeHidden();
  await page.getByRole('link', { name: 'Handed over' }).click();
  await page.getByRole('button', { name: 'Review…', exact: true }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada');
  await expectNoFaults(page, 'review in a copy');
  await page.getByRole('button', { name: 'Leave this copy' }).click();
  await expect(page.getByText('You work in a copy of your own')).toBeHidden();
  await goTo(page, host(), '/experiments');
  await expect(page.getByRole('link', { name: 'Only here' })).toBeVisible();
  // The copy is found again.
  await goTo(page, host(), '/');
  await page.getByRole('button', { name: 'Open theirs.db' }).click();
  await expect(page.getByText('You work in a copy of your own: theirs.db.')).toBeVisible();
  await page.getByRole('button', { name: 'Leave this copy' }).click();
});
