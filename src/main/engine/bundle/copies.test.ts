import { copyFileSync, writeFileSync } from 'node:fs';
import { strToU8, unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { isDifferent } from '../../../shared/differenceCounts.ts';
import { addedWords, originWords, restWords, trustWords } from '../../../shared/differences.ts';
import { makeSampleStore, noFault, openFolder } from '../audit/testing/sampleStore.ts';
import { erase } from '../erase/erase.ts';
import { openStore } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { compareBundles } from './differences.ts';
import { bundleOf } from './testing/bundles.ts';
import { lean, linesIn, packed, textIn, withLines, zipOf } from './testing/forging.ts';

const room = openFolder('copies');
const written = (name: string, zip: Uint8Array) => {
  writeFileSync(room.path(name), zip);
  return room.path(name);
};

let store: string;
beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 1, fault: noFault });
});

test.each([
  ['case', { kind: 'case', experiment: 'nlsy97-demo', case: '343' }, 'case 343'],
  ['experiment', { kind: 'experiment', experiment: 'nlsy97-demo' }, 'what was said in the experiment nlsy97-demo'],
  ['data-set', { kind: 'data-set', experiment: 'nlsy97-demo' }, 'a whole data set'],
] as const)('what was erased is counted apart, with when and of what, and is no change: %s', async (scope, target, words) => {
  const copy = room.path(`${scope}.db`);
  copyFileSync(store, copy);
  const before = written(`before-${scope}.zip`, await bundleOf(copy, 'nlsy97-demo', room.path(`whole-${scope}.zip`)));
  await withStore(openStore(copy, { create: false }), (opened) => erase(opened, target, true));
  const bytes = await bundleOf(copy, 'nlsy97-demo', room.path(`after-${scope}.zip`));
  const found = await compareBundles(room.path(`after-${scope}.zip`), before);
  expect([isDifferent(found), found.same, found.list, found.files]).toEqual([false, false, [], []]);
  expect(found.gone_checked).toMatchObject({ erasures: [{ scope }], redacted: false });
  expect(addedWords(found, (at) => at)).toEqual([
    'Only in the checked file: 1 erasure.',
    expect.stringMatching(new RegExp(`^\\d+ texts were erased in the checked file: ${words} on 20`)),
  ]);
  expect(trustWords(found)).toContain('The other copy is the older one: the checked file has all of its events and more');
  expect(found.not_compared).toContain('statistics.json');
  expect(restWords(found)).toEqual([
    expect.stringMatching(/^All \d+ trials/),
    expect.stringMatching(/^Not compared: .*statistics\.json/),
  ]);
  const back = await compareBundles(before, room.path(`after-${scope}.zip`));
  expect([isDifferent(back), back.gone_other]).toEqual([false, found.gone_checked]);
  // An erasure hides no change of what is still there.
  const events = linesIn(unzipSync(bytes), 'trials.jsonl').map((line) => ({ ...JSON.parse(line), confidence: 0.123 }));
  const changed = written(
    `changed-${scope}.zip`,
    packed(
      withLines(
        unzipSync(bytes),
        'trials.jsonl',
        events.map((line) => JSON.stringify(line)),
      ),
    ),
  );
  const differing = await compareBundles(changed, before);
  expect([isDifferent(differing), differing.list.length]).toEqual([true, events.length]);
});

test('what is no bundle is refused by name', async () => {
  const whole = written('whole.zip', await bundleOf(store, 'nlsy97-demo', room.path('bundle.zip')));
  await expect(compareBundles(whole, store, '--against')).rejects.toMatchObject({
    code: 'bad-input',
    place: { field: '--against' },
  });
  await expect(compareBundles(whole, room.path('none.zip'))).rejects.toThrow('there is no such file');
});

test('of a manifest that is written otherwise it is said that it holds the same, and of a copy that was not read only that', async () => {
  const files = lean(unzipSync(await bundleOf(store, 'nlsy97-demo', room.path('manifest.zip'))));
  const whole = written('manifest-whole.zip', zipOf(files));
  const manifest = textIn(files, 'manifest.json');
  const compared = (text: string) =>
    compareBundles(written('manifest-other.zip', zipOf({ ...files, 'manifest.json': strToU8(text) })), whole);
  const spaced = JSON.stringify(JSON.parse(manifest), null, 2).replace('"nlsy97', '"\\u006elsy97');
  const found = await compared(spaced);
  expect(found).toMatchObject({ result: 'tampered', root: null, files: ['manifest.json'] });
  expect(found.list).toMatchObject([
    { file: 'manifest.json', what: expect.stringContaining('the same content'), other: null, checked: null },
  ]);
  expect(isDifferent(found)).toBe(true);
  expect(trustWords(found)).toContain('The check of the checked file ended at a fault before it came to the root');
  expect(originWords(found)[0]).toMatch(
    /^The events of the other copy are signed by the key \w{64}; those of the checked file are not checked for signatures\./,
  );
  // What is hidden by another spelling is shown, and both versions in the same form.
  const renamed = await compared(spaced.replace('"experiment": "', '"experiment": "not '));
  expect(renamed.list).toMatchObject([
    { other: { text: 'experiment: nlsy97-demo' }, checked: { text: 'experiment: not nlsy97-demo' }, more_lines: 0 },
  ]);
  const twice = await compared(manifest.replace('{', '{"experiment":"hidden",'));
  expect(twice.list).toMatchObject([{ checked: { text: expect.stringContaining('hidden') } }]);
});
