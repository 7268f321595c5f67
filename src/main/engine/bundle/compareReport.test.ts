import { readFileSync, writeFileSync } from 'node:fs';
import { strToU8, unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { makeSampleStore, noFault, openFolder } from '../audit/testing/sampleStore.ts';
import { checkpoint } from '../checkpoint/commands.ts';
import { generatorTag } from '../report/html/page.ts';
import { reportPage } from '../report/reports.ts';
import { giveReview } from '../reviews/ledger.ts';
import { openStore } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { programVersion } from '../version.ts';
import { compareReport } from './compareReport.ts';
import { bundleOf } from './testing/bundles.ts';
import { packed, textIn } from './testing/forging.ts';

const room = openFolder('compare-report');
const experiment = 'nlsy97-demo';
const watch = { signal: new AbortController().signal, onProgress: () => undefined };
const report = room.path('report.html');
let store: string;
let trials: readonly string[];
let page: string;

const written = (text: string) => writeFileSync(report, text);

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 2, fault: noFault });
  trials = await withStore(openStore(store, { create: false }), (opened) =>
    opened.trials.ofExperiment(experiment).map(({ trial }) => trial),
  );
  page = await reportPage(store, { experiment, trial: trials[0] }, watch);
});

test('a report is the same to the byte as the one that its record gives, whole or without parts, and over an experiment at a prevalence', async () => {
  written(page);
  const found = { result: 'same', parts: [], in_report: '', in_record: '' };
  expect(await compareReport(report, store, watch)).toMatchObject({ ...found, experiment, trial: trials[0] });
  written(await reportPage(store, { experiment, trial: trials[0], without: ['calls', 'plans'] }, watch));
  expect(await compareReport(report, store, watch)).toMatchObject({ ...found, trial: trials[0] });
  for (const prevalence of [undefined, 0.05]) {
    written(await reportPage(store, { experiment, prevalence }, watch));
    expect(await compareReport(report, store, watch), `${prevalence}`).toMatchObject({ ...found, trial: null });
  }
  const stated = readFileSync(report, 'utf8');
  for (const other of ['1.2.3%', '500%', '0%']) {
    written(stated.replace(/(As it would be where [^<]*?)5%/, `$1${other}`));
    expect(await compareReport(report, store, watch), other).toMatchObject({ result: 'different' });
  }
});

test('a report of another version is compared with the words of this one, and says so', async () => {
  const older = page.replace(generatorTag(programVersion), generatorTag('0.0.1'));
  const versions = { made_by: '0.0.1', made_again_by: programVersion };
  written(older);
  expect(await compareReport(report, store, watch)).toMatchObject({ ...versions, result: 'same' });
  written(older.replace('The record of one trial', 'The record of two trials'));
  expect(await compareReport(report, store, watch)).toMatchObject({
    ...versions,
    result: 'different',
    parts: ['What this is'],
  });
  written(page.replace(generatorTag(programVersion), ''));
  expect(await compareReport(report, store, watch)).toMatchObject({ no_version: true, result: 'same', parts: [] });
});

test('one word that was changed is shown with its part, also where it is not seen on the page', async () => {
  written(page.replace('The record of one trial', 'The record of two trials'));
  expect(await compareReport(report, store, watch)).toMatchObject({
    result: 'different',
    parts: ['What this is'],
    in_report: expect.stringContaining('The record of two trials'),
    in_record: expect.stringContaining('The record of one trial'),
  });
  written(page.replace('--paper:#fbfaf7', '--paper:#fbfaf8'));
  expect(await compareReport(report, store, watch)).toMatchObject({ result: 'different', parts: [''] });
});

test('what people said since of another trial changes only the root; of this one, a part', async () => {
  const review = {
    reviewer: 'Ana',
    judgement: 'unsure',
    label: null,
    reason: 'hm',
    blind: true,
    seconds: 3,
    replaces: null,
  } as const;
  const give = (trial = '') =>
    withStore(openStore(store, { create: false }), (opened) => giveReview(opened, experiment, { trial, ...review }));
  written(page);
  await give(trials[1]);
  const grown = await compareReport(report, store, watch);
  expect(grown).toMatchObject({
    result: 'same-but-state',
    parts: [],
    in_report: expect.stringMatching(/Record root.*[0-9a-f]{64}/s),
  });
  expect(grown.in_record).not.toBe(grown.in_report);
  const row = (title: string) => `<tr><th scope="row">${title}</th><td>The verdict was withdrawn.</td></tr>`;
  for (const title of ['Signer', 'Signed with a key', 'Newest checkpoint', 'Record root when this was written']) {
    written(page.replace('<tr><th scope="row">Record root', `${row(title)}<tr><th scope="row">Record root`));
    expect(await compareReport(report, store, watch), title).toMatchObject({
      result: 'different',
      parts: ['How to check this'],
      in_report: expect.stringContaining('The verdict was withdrawn.'),
    });
  }
  const forged = row('Copied from');
  for (const [place, result] of [
    ['<section id="check">', 'same-but-state'],
    ['<section id="facts">', 'different'],
  ] as const) {
    written(page.replace(place, `${place}<table><tbody>${forged}</tbody></table>`));
    expect(await compareReport(report, store, watch), place).toMatchObject({ result: 'different' });
    written(page.replace(place, `${place}${forged}`));
    const found = await compareReport(report, store, watch);
    expect([found.result, found.in_report], place).toEqual([result, expect.stringContaining('The verdict was withdrawn.')]);
  }
  const [first, ...rest] = page.split('<section id="');
  written([first, rest[1], rest[0], ...rest.slice(2)].join('<section id="'));
  expect(await compareReport(report, store, watch)).toMatchObject({ result: 'different' });
  written(page);
  await checkpoint(store);
  expect(await compareReport(report, store, watch)).toMatchObject({ result: 'same-but-state' });
  written(await reportPage(store, { experiment, trial: trials[0] }, watch));
  await give(trials[1]);
  expect(await compareReport(report, store, watch)).toMatchObject({ result: 'same-but-state' });
  await give(trials[0]);
  expect(await compareReport(report, store, watch)).toMatchObject({
    result: 'different',
    parts: expect.arrayContaining(['What people said']),
  });
});

test('of a bundle its record counts, and not the report in it', async () => {
  await checkpoint(store);
  const bundle = room.path('b.zip');
  const forged = room.path('forged.zip');
  await bundleOf(store, experiment, bundle);
  const over = await reportPage(store, { experiment }, watch);
  const files = unzipSync(readFileSync(bundle));
  const path = `reports/${trials[0]}.html`;
  const trial = textIn(files, path);
  const changed = trial.replace('The record of one trial', 'The record of two trials');
  expect(changed).not.toBe(trial);
  writeFileSync(forged, packed({ ...files, [path]: strToU8(changed) }));
  for (const [text, result] of [
    [over, 'same-but-state'],
    [trial, 'same-but-state'],
    [changed, 'different'],
  ] as const) {
    written(text);
    for (const zip of [bundle, forged]) {
      const found = await compareReport(report, zip, watch);
      expect([found.result, found.in_bundle]).toEqual([result, text === trial && zip === bundle ? path : undefined]);
    }
  }
});

test('a root or key that is nowhere in a bundle is a difference, though its row has the form of one', async () => {
  const bundle = room.path('signed.zip');
  await checkpoint(store);
  const signed = await reportPage(store, { experiment, trial: trials[0] }, watch);
  await bundleOf(store, experiment, bundle);
  written(signed);
  expect(await compareReport(report, bundle, watch)).toMatchObject({ result: 'same-but-state' });
  const titles = ['Record root when this was written', 'Log root that it signs', 'Fingerprint of the key that signed it'];
  for (const title of titles) {
    written(signed.replace(new RegExp(`(?<=${title}</th><td><code>).`), (first) => (first === '0' ? '1' : '0')));
    expect(readFileSync(report, 'utf8'), title).not.toBe(signed);
    expect((await compareReport(report, store, watch)).result, title).toBe('same-but-state');
    const found = await compareReport(report, bundle, watch);
    expect(found, title).toMatchObject({ result: 'different', parts: ['How to check this'] });
    expect(found.in_report.split('\n'), title).toEqual([expect.stringContaining(title)]);
  }
});

test('a report of another run of the same experiment is said to be that, and one of a record that has grown is not', async () => {
  const other = await makeSampleStore(openFolder('compare-other-run').folder, {
    cases: 2,
    fault: noFault,
    change: { runtime: { retries: 1 } },
  });
  written(page);
  expect(await compareReport(report, other, watch)).toMatchObject({ result: 'different', other_run: true });
  expect((await compareReport(report, store, watch)).other_run).toBeUndefined();
});

test('what is no report of the record is refused', async () => {
  written(page.replace(`trial ${trials[0]} of`, 'trial 0123456789abcdef of'));
  await expect(compareReport(report, store, watch)).rejects.toThrow('the record has no such trial');
  written(readFileSync(report, 'utf8').replace(/<title>[^<]*/, '<title>Experiment other'));
  await expect(compareReport(report, store, watch)).rejects.toThrow('no report that Assize saved');
});
