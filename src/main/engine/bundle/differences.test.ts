import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { strToU8, unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { countWords, isDifferent } from '../../../shared/differenceCounts.ts';
import { addedWords, askedWords, differencesSchema, restWords, trustWords } from '../../../shared/differences.ts';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import { makeSampleStore, noFault, openFolder } from '../audit/testing/sampleStore.ts';
import { copiedRows, keyRows, rootRow, signerRows } from '../report/html/account.ts';
import { compareBundles } from './differences.ts';
import { bundleOf } from './testing/bundles.ts';
import {
  type BundledEvent,
  type Files,
  lean,
  linesIn,
  packed,
  rechained,
  textIn,
  unsigned,
  withLines,
  zipOf,
} from './testing/forging.ts';

const added = (found: Parameters<typeof addedWords>[0]) => addedWords(found, (at) => at);
const room = openFolder('differences');

let store: string;
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
  store = await makeSampleStore(room.folder, { cases: 1, fault: noFault });
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
  expect([found.same, found.list, restWords(found)]).toEqual([true, [], []]);
});

type Change = (files: Files, draw: (limit: number) => number) => Files;

const onLine =
  (name: string, change: (line: string, lines: readonly string[]) => string[]): Change =>
  (from, draw) => {
    const lines = linesIn(from, name);
    const at = draw(lines.length);
    return withLines(from, name, lines.toSpliced(at, 1, ...change(lines[at] ?? '', lines)));
  };
const otherHash = (line: string, field: string) =>
  line.replace(
    new RegExp(`("${field}":")([0-9a-f])`),
    (_all, name: string, digit: string) => `${name}${digit === '0' ? '1' : '0'}`,
  );
const forgedText = (line: string) => line.replace(/("(?:text|base64)":")/, '$1AAAA');

/** Each changes one thing of a copy. */
const changes: Record<string, Change> = {
  'a row of results gone': onLine('trials.jsonl', () => []),
  'the head of a row': onLine('trials.jsonl', (line) => [otherHash(line, 'head_hash')]),
  'the hash of an event': onLine('events.jsonl', (line) => [otherHash(line, 'hash')]),
  'what an event follows': onLine('events.jsonl', (line) => [otherHash(line, 'prev_hash')]),
  'a link in an event': onLine('events.jsonl', (line) => [
    line.replace(/[0-9a-f]{64}\\/, (hash) => `${'0'.repeat(hash.length - 1)}\\`),
  ]),
  'an event gone': onLine('events.jsonl', () => []),
  'events in another order': (from, draw) => {
    const lines = linesIn(from, 'events.jsonl');
    const at = draw(lines.length - 1);
    return withLines(from, 'events.jsonl', lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? ''));
  },
  'a line of junk among events': onLine('events.jsonl', (line) => [line, 'junk']),
  'a line of junk among texts': onLine('texts.jsonl', (line) => ['{}', line]),
  'an empty line': onLine('trials.jsonl', (line) => [line, '']),
  'a text twice, first with forged words': onLine('texts.jsonl', (line) => [forgedText(line), line]),
  'a text twice, at last with forged words': onLine('texts.jsonl', (line) => [line, forgedText(line)]),
  'an event twice': onLine('events.jsonl', (line) => [line, line]),
  'a field too many': onLine('events.jsonl', (line) => [line.replace(/\}$/, ',"more":1}')]),
  'another spelling': onLine('texts.jsonl', (line) => [line.replace(':', ': ')]),
  'another data set of a text': onLine('texts.jsonl', (line) => [line.replace(/"dataset":\d+/, '"dataset":77')]),
  'the last line cut': (from) => ({ ...from, 'events.jsonl': (from['events.jsonl'] ?? new Uint8Array(0)).slice(0, -1) }),
  'the root in the manifest': (from) => ({
    ...from,
    'manifest.json': strToU8(otherHash(textIn(from, 'manifest.json'), 'root')),
  }),
  'the salt': (from) => ({ ...from, 'salts.json': strToU8(textIn(from, 'salts.json').replace(/":"[0-9a-f]{2}/, '":"00')) }),
  'a file too many': (from) => ({ ...from, 'more.txt': strToU8('more') }),
  'a byte of any file': (from, draw) => {
    const names = Object.keys(from);
    const name = names[draw(names.length)] ?? '';
    const bytes = (from[name] ?? new Uint8Array(0)).slice();
    const at = draw(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 + draw(255));
    return { ...from, [name]: bytes };
  },
};

test('a copy with any one change that the check finds is never said to be the same, whichever of the two it is', async () => {
  let tried = 0;
  const anyNumbers = fc.array(fc.nat(2 ** 30), { minLength: 3, maxLength: 3 });
  for (const [name, change] of Object.entries(changes)) {
    // In the short suite each change is tried with one of the two manifests.
    for (const hasNewManifest of exhaustive ? [false, true] : [name.length % 2 === 0]) {
      const drawn = fc.sample(anyNumbers, { numRuns: 1, seed: tried })[0] ?? [];
      let next = 0;
      const forged = change(files, (limit) => (drawn[next++ % drawn.length] ?? 0) % limit);
      const copy = written('change.zip', hasNewManifest ? packed(forged) : zipOf(forged));
      const found = await compareBundles(copy, whole).catch((error: { code?: string }) => error.code);
      tried += 1;
      // One that cannot be read is refused.
      if (typeof found !== 'object') {
        expect(found, name).toBe('store-unreadable');
        continue;
      }
      if (found.result === 'intact') continue;
      const said = [
        ...added(found),
        ...restWords(found),
        ...found.list.map(({ uses = [], what }) => what ?? uses[0]?.what ?? ''),
      ];
      expect({
        name,
        same: found.same,
        isDifferent: isDifferent(found),
        isSaid: said.length > 0,
        words: countWords(found),
      }).toEqual({
        ...{ name, same: false, isDifferent: true, isSaid: true, words: expect.not.stringMatching(/are the same/) },
      });
      const back = await compareBundles(whole, copy);
      expect([name, back.same, isDifferent(back)]).toEqual([name, false, true]);
    }
  }
});

test('a hash or a label that is changed is named by its event, and forged words of a repeated line are shown', async () => {
  const event = speeches[0] as BundledEvent & { hash: string };
  const lines = linesIn(files, 'events.jsonl').map((line) =>
    line.includes(`"hash":"${event.hash}"`) ? otherHash(line, 'hash') : line,
  );
  const hashed = await compareBundles(written('hash.zip', packed(withLines(files, 'events.jsonl', lines))), whole);
  expect(hashed.list).toMatchObject([
    { uses: [{ trial: event.trial, what: expect.stringMatching(/: hash$/) }], checked: { fits: false } },
  ]);
  expect([hashed.root, trustWords(hashed)]).toEqual([null, expect.stringContaining('at a fault before it came to the root')]);
  // Two labels of 43 letters look like names of texts.
  const labelled = (name: string, label: string) =>
    written(
      name,
      rechained(files, event.trial, (events) =>
        events.map((each) =>
          each.kind === 'ruling-give'
            ? { ...each, payload: each.payload.replace(/"prediction":"[^"]*"/, `"prediction":"${label}"`) }
            : each,
        ),
      ),
    );
  const found = await compareBundles(labelled('one.zip', 'a'.repeat(43)), labelled('two.zip', 'b'.repeat(43)));
  expect(found.list.map(({ uses = [], other, checked }) => [uses[0]?.what, other?.text[0], checked?.text[0]])).toContainEqual([
    expect.stringMatching(/^the ruling \(event \d+\): prediction$/),
    'b',
    'a',
  ]);
  const ref = refOf(event);
  const twice = linesIn(files, 'texts.jsonl').flatMap((line) =>
    line.includes(`"ref":"${ref}"`) ? [forgedText(line), line] : [line],
  );
  const repeated = await compareBundles(written('twice.zip', packed(withLines(files, 'texts.jsonl', twice))), whole);
  expect(repeated.list).toMatchObject([{ checked: { text: `AAAA${textOf(ref)}`, fits: false }, other: { fits: true } }]);
  expect(restWords(repeated).slice(1)).toEqual([
    expect.stringContaining('manifest.json, differs too, in the size or sum of texts.jsonl.'),
    'texts.jsonl: lines about the same as an earlier line: 0 in the other copy, 1 in the checked file.',
  ]);
});

test('what a redacted copy leaves out is counted, and is no difference', async () => {
  const [full, redacted] = [room.path('full.zip'), room.path('redacted.zip')];
  await bundleOf(store, 'nlsy97-demo', full);
  await bundleOf(store, 'nlsy97-demo', redacted, true);
  const found = await compareBundles(redacted, full);
  expect(found).toMatchObject({ same: false, list: [], files: [], lines: [], gone_checked: { redacted: true, erased: 0 } });
  expect([isDifferent(found), found.gone_checked.left_out > 0]).toEqual([false, true]);
  expect(added(found)).toEqual([expect.stringMatching(/^The checked file is redacted: it leaves out \d+ texts/)]);
  expect(isDifferent(await compareBundles(full, redacted))).toBe(false);
  // What it does say is compared all the same.
  const said = unzipSync(readFileSync(redacted));
  const [row = '', ...rows] = linesIn(said, 'trials.jsonl');
  const forged = written(
    'forged-redacted.zip',
    packed(withLines(said, 'trials.jsonl', [row.replace('"calls":', '"calls":9'), ...rows])),
  );
  expect((await compareBundles(forged, full)).list).toMatchObject([{ uses: [{ what: 'its row of results: calls' }] }]);
});

test('long versions are cut to a limit on all characters together, from where they differ on, and say so', async () => {
  const changed = speeches.slice(0, 6).map(refOf);
  const much = 'x '.repeat(450_000);
  const texts = (end: string) => Object.fromEntries([...new Set(changed)].map((ref) => [ref, `${much}${end}`]));
  const found = await compareBundles(retold('long-one.zip', texts('one')), retold('long-two.zip', texts('two')));
  const versions = found.list.flatMap(({ other, checked }) => [other, checked].filter((version) => version !== null));
  expect(versions.length).toBeGreaterThan(4);
  expect(versions.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(2_000_000);
  for (const { text, before, more } of versions) expect(before + text.length + more).toBe(much.length + 3);
  expect(found.list.every(({ other, checked }) => other?.text.endsWith('two') && checked?.text.endsWith('one'))).toBe(true);
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
    {
      other: { text: two, before: 0, more: 0, fits: true },
      checked: { text: `${two} ${much}`, fits: false },
      changed: much.length + 1,
    },
    { other: { text: one, fits: true }, checked: { text: `${one}!`, fits: false }, changed: 1 },
  ]);
  expect(found.list.map(({ uses = [] }) => [uses[0]?.trial, uses[0]?.what.split(' (')[0]])).toEqual([
    [speeches[1]?.trial, 'speech 2'],
    [speeches[0]?.trial, 'speech 1'],
  ]);
  expect(countWords(found)).toMatch(/retold.zip\) is not sound: 2 texts do not fit their hash \(cases? .* 2 texts differ\.$/);
  const quoted = JSON.stringify(one).slice(1, -1);
  const texts = linesIn(files, 'texts.jsonl').map((line) => JSON.parse(line));
  const { ref: answer, text: said } = texts.find(({ text }) => text?.includes(`"${quoted}`));
  const both = retold('both.zip', { [first]: `${one}!`, [answer]: said.replace(quoted, () => `${quoted}!`) });
  expect(countWords(await compareBundles(both, whole))).toMatch(/ 2 texts differ\. One change is in two texts: /);
  // The other way round nothing is swapped but the sides.
  const back = await compareBundles(whole, changed);
  expect(back.list.map(({ checked }) => checked?.fits)).toEqual([true, true]);
  expect(found.list.map(({ answered }) => answered)).toEqual(['other', 'other']);
  expect(back.list.map(({ answered }) => answered)).toEqual(['checked', 'checked']);
  // The prompts have the words of the intact copy, if there is one.
  const askedWith = (of: typeof found) =>
    of.list.map((each) => /made with the words of the (\w+)/.exec(askedWords(of, each))?.[1]);
  expect([found, back].map(askedWith)).toEqual([
    ['other', 'other'],
    ['checked', 'checked'],
  ]);
  expect(askedWith({ ...found, other_result: 'tampered' })).toEqual([undefined, undefined]);
  expect(askedWith({ ...found, other_root: '0'.repeat(64) })).toEqual([undefined, undefined]);
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
        other: { text: textOf(first), before: 0, more: 0, fits: true },
        checked: { text: textOf(second), before: 0, more: 0, fits: true },
        uses: expect.arrayContaining([expect.objectContaining({ trial: chain })]),
      }),
      expect.objectContaining({
        uses: [expect.objectContaining({ what: expect.stringMatching(/^the ruling \(event \d+\): prediction$/) })],
        checked: expect.objectContaining({ text: expect.stringMatching(/^not /), fits: true }),
      }),
    ]),
  );
  expect(trustWords(found)).toContain('by another way shows which copy was recorded');
  expect(countWords({ ...found, result: 'intact' })).toMatch(/^Both copies are sound\. \d/);
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
  expect(found.list).toMatchObject([
    { uses: [{ trial, what: 'its row of results: calls', replicate: 0 }], other: { fits: null } },
    { file: 'statistics.json', checked: { text: '{}' } },
  ]);
  expect(added(found)[0]).toMatch(new RegExp(`all of trial ${trial} \\(.*replicate 1\\)\\.$`));
  expect(found.only_other.event_kinds).toEqual({ 'event of trials': found.only_other.events });
  expect(countWords(found)).toMatch(/^The checked file \(less\.zip\) is not sound\. 1 result and 1 file differ\.$/);
  expect([found.only_other.events > 0, found.only_checked.events]).toEqual([true, 0]);
  expect(found.files).toEqual(['statistics.json']);
});

test('of a report and of a table of numbers the lines that differ are shown, without tags, with the case of the trial', async () => {
  const lines = linesIn(files, 'trials.jsonl').map((line) => JSON.parse(line));
  const { trial, case: kase } = lines[0] ?? {};
  const name = `reports/${trial}.html`;
  const page = '<html><style>p{color:red}</style><body><p>The judge said <b>yes</b> &amp; left.</p>\n<p>End</p></body></html>';
  const numbers = { n: 3, arms: [{ arm: 'a', right: 0.5 }] };
  const copy = (html: string, right: number) => ({
    ...files,
    [name]: strToU8(html),
    'statistics.json': strToU8(JSON.stringify({ ...numbers, arms: [{ arm: 'a', right }] })),
  });
  const one = written('page-one.zip', packed(copy(page, 0.5)));
  const two = written('page-two.zip', packed(copy(page.replace('yes', 'no').replace('red', 'blue'), 0.25)));
  const found = await compareBundles(two, one);
  const of = (file: string) => found.list.find((each) => each.file === file);
  expect(of(name)).toMatchObject({
    what: expect.stringMatching(new RegExp(`^${name} .*case ${kase}, replicate 1`)),
    other: { text: 'The judge said yes & left.' },
    checked: { text: 'The judge said no & left.' },
    more_lines: 0,
  });
  expect(of('statistics.json')).toMatchObject({ other: { text: 'arms: right: 0.5' }, checked: { text: 'arms: right: 0.25' } });
  // Where only the layout differs, as with another build, the report is named and no style is shown.
  const layout = await compareBundles(written('page-tags.zip', packed(copy(page.replace('red', 'blue'), 0.5))), one);
  expect(layout).toMatchObject({ list: [], files: expect.arrayContaining([name]) });
  expect(restWords(layout).join(' ')).toContain('the same in every word and differ in style or layout');
});

test('reports that differ only in root, signer and origin are counted, and words in other rows are not hidden by that', async () => {
  const unsigned = { checkpoint: null, size: 0, bundle: null, bundle_signers: ['f'], bundle_signed_at: null };
  const signed = {
    ...{ size: 3, bundle: null },
    checkpoint: { size: 3, root: 'r', fingerprint: 'f', made_at: '2026-01-01T00:00:00.000Z', cosigners: [], time_stamp: null },
  } as unknown as Parameters<typeof signerRows>[0];
  const adopted = { at: '2026-01-02T03:04:05.000Z', file: 'a.zip', root: 'a', signers: [], experiments: ['e'] };
  const copy = (view: Parameters<typeof signerRows>[0], origin: typeof adopted | null, events: number) =>
    packed({
      ...files,
      'report.html': strToU8(
        keyRows([['Events', `${events}`], rootRow(`${origin?.root}`, view), ...copiedRows(origin), ...signerRows(view)]).source,
      ),
    });
  const one = written('rows-one.zip', copy(signed, null, 1));
  for (const view of [unsigned, { ...unsigned, bundle: 'given.zip' }]) {
    const found = await compareBundles(written('rows-two.zip', copy(view, adopted, 1)), one);
    expect([found.of_copy, found.list, isDifferent(found)]).toEqual([['report.html'], [], false]);
    expect(restWords(found).at(-1)).toBe('1 file differs only in root, signer and origin: 1 report.');
    const changed = await compareBundles(written('rows-more.zip', copy(view, adopted, 2)), one);
    expect(changed.list).toMatchObject([{ file: 'report.html', other: { text: '1' }, checked: { text: '2' } }]);
  }
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
