import { copyFileSync, writeFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addedWords, isDifferent, restWords, trustWords } from '../../../shared/differences.ts';
import { makeSampleStore, noFault, openFolder } from '../audit/testing/sampleStore.ts';
import { erase } from '../erase/erase.ts';
import { openStore } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { compareBundles } from './differences.ts';
import { bundleOf } from './testing/bundles.ts';
import { linesIn, packed, withLines } from './testing/forging.ts';

const room = openFolder('copies');
afterAll(() => room.remove());
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
