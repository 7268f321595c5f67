import { writeFileSync } from 'node:fs';
import { strToU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { differencesSchema, isDifferent, restWords, trustWords } from '../../../shared/differences.ts';
import { makeSampleStore, noFault, openFolder } from '../audit/testing/sampleStore.ts';
import { compareBundles } from './differences.ts';
import { bundleOf } from './testing/bundles.ts';
import { type BundledEvent, type Files, lean, linesIn, packed, rechained, unsigned, withLines } from './testing/forging.ts';

const room = openFolder('differences');
afterAll(() => room.remove());

let files: Files;
let whole: string;
let speeches: (BundledEvent & { seq: number; hash: string; prev_hash: string })[];
const written = (name: string, zip: Uint8Array) => {
  writeFileSync(room.path(name), zip);
  return room.path(name);
};
const refOf = ({ payload }: BundledEvent): string => JSON.parse(payload).text;
const textOf = (ref: string): string =>
  linesIn(files, 'texts.jsonl')
    .map((line) => JSON.parse(line))
    .find((text) => text.ref === ref).text;

beforeAll(async () => {
  const store = await makeSampleStore(room.folder, { cases: 2, fault: noFault });
  // A record without a signature: what was rewritten whole would differ in its log too.
  files = lean(unzipSync(packed(unsigned(lean(unzipSync(await bundleOf(store, 'nlsy97-demo', room.path('store.zip'))))))));
  whole = written('whole.zip', packed(files));
  const events = linesIn(files, 'events.jsonl').map((line) => JSON.parse(line));
  speeches = events.filter(({ kind }) => kind === 'utterance-make');
});

/** A copy in which some texts are other ones, under the names of the old ones. */
const retold = (name: string, texts: Readonly<Record<string, string>>) =>
  written(
    name,
    packed(
      withLines(
        files,
        'texts.jsonl',
        linesIn(files, 'texts.jsonl').map((line) => {
          const said = JSON.parse(line);
          return JSON.stringify({ ...said, text: texts[said.ref] ?? said.text });
        }),
      ),
    ),
  );

test('a copy of itself differs in nothing', async () => {
  const found = await compareBundles(whole, whole);
  expect(isDifferent(found)).toBe(false);
  expect([found.list, restWords(found)]).toEqual([[], []]);
});

test('each changed text is shown whole in both versions, by trial and speech, the largest difference first', async () => {
  const [first, second] = [refOf(speeches[0] as BundledEvent), refOf(speeches[1] as BundledEvent)];
  const [one, two] = [textOf(first), textOf(second)];
  const much = 'Another speech. '.repeat(500);
  const changed = retold('retold.zip', { [first]: `${one}!`, [second]: `${two} ${much}` });
  const found = await compareBundles(changed, whole);
  expect(found).toMatchObject({ other_result: 'intact', result: 'tampered', root: found.other_root, hashes: 0, more: 0 });
  expect(trustWords(found)).toContain('its words are those that the root was made of');
  expect(differencesSchema.parse(found).list).toMatchObject([
    { other: { text: two, fits: true }, checked: { text: `${two} ${much}`, fits: false }, changed: much.length + 1 },
    { other: { text: one, fits: true }, checked: { text: `${one}!`, fits: false }, changed: 1 },
  ]);
  expect(found.list.map(({ uses = [] }) => [uses[0]?.trial, uses[0]?.what.split(' (')[0]])).toEqual([
    [speeches[1]?.trial, 'speech 2'],
    [speeches[0]?.trial, 'speech 1'],
  ]);
  // The other way round nothing is swapped but the sides.
  const back = await compareBundles(whole, changed);
  expect(back.list.map(({ checked }) => checked?.fits)).toEqual([true, true]);
});

test('of a record that was made again with right hashes the words differ, and no copy is said to be the original', async () => {
  const chain = speeches[0]?.trial ?? '';
  const [first, second] = [refOf(speeches[0] as BundledEvent), refOf(speeches[1] as BundledEvent)];
  // The first speaker now says what the second one does.
  const forged = written(
    'forged.zip',
    rechained(files, chain, (events) =>
      events.map((event) =>
        event.kind === 'utterance-make' && refOf(event) === first
          ? { ...event, payload: event.payload.replace(first, second) }
          : event.kind === 'ruling-give'
            ? { ...event, payload: event.payload.replace('"prediction":"', '"prediction":"not ') }
            : event,
      ),
    ),
  );
  const found = await compareBundles(forged, whole);
  expect(found.root).not.toBe(found.other_root);
  expect(found.list).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        other: { text: textOf(first), fits: true },
        checked: { text: textOf(second), fits: true },
        uses: expect.arrayContaining([expect.objectContaining({ trial: chain })]),
      }),
      expect.objectContaining({
        uses: [expect.objectContaining({ what: expect.stringMatching(/^the ruling \(event \d+\): prediction$/) })],
        checked: { text: expect.stringMatching(/^not /), fits: true },
      }),
    ]),
  );
  expect(trustWords(found)).toContain('by another way shows which copy was recorded');
});

test('results, files, and what only one copy has are named', async () => {
  const [row = '', ...rows] = linesIn(files, 'trials.jsonl');
  const { trial } = JSON.parse(row);
  const events = linesIn(files, 'events.jsonl').filter((line) => JSON.parse(line).trial !== trial);
  const other = withLines(
    withLines(files, 'trials.jsonl', [row.replace('"calls":', '"calls":9'), ...rows]),
    'events.jsonl',
    events,
  );
  const changed = written('less.zip', packed({ ...other, 'statistics.json': strToU8('{}\n') }));
  const found = await compareBundles(changed, whole);
  expect(found.list).toMatchObject([{ uses: [{ trial, what: 'its row of results: calls' }], other: { fits: null } }]);
  expect(found.only_other.chains).toEqual([trial]);
  expect([found.only_other.events > 0, found.only_checked.events]).toEqual([true, 0]);
  expect(found.files).toEqual(['statistics.json']);
});

test('a payload that is no JSON, or has brackets without end, is shown as it is', async () => {
  for (const payload of [`{"v":1,"text":${'['.repeat(300_000)}${']'.repeat(300_000)}}`, 'nothing']) {
    const lines = linesIn(files, 'events.jsonl').map((line) => {
      const event = JSON.parse(line);
      return event.hash === speeches[0]?.hash ? JSON.stringify({ ...event, payload }) : line;
    });
    const found = await compareBundles(written('strange.zip', packed(withLines(files, 'events.jsonl', lines))), whole);
    expect(found.list).toMatchObject([{ checked: { text: `utterance-make ${payload}`, fits: false }, other: { fits: true } }]);
  }
});

test('what is no bundle is refused by name', async () => {
  await expect(compareBundles(whole, room.path('nlsy97-demo.db'), '--against')).rejects.toMatchObject({
    code: 'bad-input',
    place: { field: '--against' },
  });
});
