import type Database from 'better-sqlite3';
import { unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { linesOfPassage, mostTexts, passageOf, placesOfTexts } from '../../../../resources/bundle/uses.mjs';
import { sentences, verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { passageWords, provedWords, reportsWords } from '../../../shared/proved.ts';
import { bundleOf } from '../bundle/testing/bundles.ts';
import { lean, linesIn, packed, withLines } from '../bundle/testing/forging.ts';
import { reading } from '../testing/reading.ts';
import { secondVerifier } from './testing/pythonVerifier.ts';
import { makeSampleStore, noFault, openFolder } from './testing/sampleStore.ts';
import { verifyPath, withCopy } from './testing/tampering.ts';

const room = openFolder('fault-place');
const python = secondVerifier();
let store: string;
let trial: string;
let spoken: { seq: number; role: string; turn: string; text: string }[];
let kase: string;
let part: string;

beforeAll(async () => {
  store = await makeSampleStore(room.folder, { cases: 2, fault: noFault });
  const events = reading(store, (opened) => [...opened.events.all()]);
  const payloads = (kind: string) =>
    events.flatMap((event) =>
      event.kind === kind ? [{ trial: event.trial, seq: event.seq, ...JSON.parse(event.payload.toString('utf8')) }] : [],
    );
  const speeches = payloads('utterance-make');
  trial = speeches[0].trial;
  spoken = speeches.filter((each) => each.trial === trial);
  kase = payloads('trial-open').find((each) => each.trial === trial).case;
  part = payloads('call-answer')[0].messages[0][1][0];
});

const key = (ref: string) => Buffer.from(ref, 'base64url');
/** What both verifiers say of a copy in which one text was changed; `ref` can be the beginning of its name. */
const changed = (ref: string) =>
  withCopy(
    store,
    (db) => {
      const end = Buffer.concat([key(ref), Buffer.alloc(32 - key(ref).length, 0xff)]);
      const set = 'UPDATE blobs SET encoding = 0, bytes = ? WHERE ref BETWEEN ? AND ?';
      expect(db.prepare(set).run(Buffer.from('changed'), key(ref), end).changes).toBe(1);
    },
    async (path) => {
      const [own, second] = [verifyPath(path).first_bad, (await python.verify(path))?.first_bad];
      if (second !== undefined) expect(saidOf(second)).toEqual(saidOf(own));
      return own;
    },
  );

interface Said {
  readonly uses?: readonly { readonly trial: string; readonly what: string }[] | undefined;
  readonly meaning?: string | undefined;
}

/** Where a fault is, in the order of trials, and what it means, as each verifier says it. */
const saidOf = (fault: Said | null = {}) => [
  ...(fault?.uses ?? []).map(({ trial: of, what }) => `${of}: ${what}`).toSorted(),
  fault?.meaning,
];

test('a changed text is named by the trials, speeches and prompts that use it', async () => {
  const [first, second] = spoken;
  const { uses = [], meaning, passage } = (await changed(second?.text ?? '')) ?? {};
  expect(passage).toEqual({ text: 'changed', more: 0 });
  expect(linesOfPassage({ text: `${'a '.repeat(34)}landlord`, more: 0 })).toEqual([`| ${'a '.repeat(34)}`, '| landlord']);
  const lines = 'a'.repeat(10).concat('\n'.repeat(3000));
  const json = '{"facts":[{"name":"age","value":"31"}],"groups":{"sex":"f"},"truth":"NO"}';
  expect(passageOf(json)).toEqual({ text: 'facts: age: 31\ngroups: sex: f\ntruth: NO', more: 0 });
  for (const odd of [json.replace(':', ': '), `${json}}`, `{"a":${'['.repeat(30_000)}`])
    expect(passageOf(odd)).toEqual({ text: odd, more: 0 });
  expect(passageOf(lines)).toEqual({ text: lines, more: 0 });
  expect(passageOf('a'.repeat(1_000_003))).toMatchObject({ more: 3 });
  expect(uses[0]).toMatchObject({
    ...{ trial, experiment: 'nlsy97-demo', arm: 'court', seq: second?.seq },
    ...{ number: 2, role: second?.role, phase: second?.turn, what: `speech 2 (${second?.role}, ${second?.turn})` },
  });
  expect(uses[1]?.what).toMatch(
    /^the prompts of \d+ calls: (?:(?:(?:the belief of the judge after )?speech \d \([a-z]+, [a-z]+\)|the ruling)(?:, |$))+$/,
  );
  expect(meaning).toContain('verdicts and beliefs in the events hold together');
  expect(meaning).toContain('no model was asked with these words');
  expect((await changed(first?.text ?? ''))?.uses?.[0]?.what).toMatch(/^speech 1 \(/);
  const ofCase = await changed(kase);
  expect(ofCase?.plain).toMatch(/^The text of case \S+ was changed after it was recorded\.$/);
  expect(ofCase).toMatchObject({ used_in: 2, more_uses: 0, meaning: expect.stringContaining('true label') });
  expect(ofCase?.uses?.[0]?.what).toBe('its case: facts, groups and true label');
  expect(await changed(part)).toMatchObject({ used_in: 2, uses: [{ arm: 'cot' }, { arm: 'cot' }] });
});

test('of several changed texts, each is named by its place, in a store and in a bundle', async () => {
  const [first, second] = spoken;
  const texts = [first?.text ?? '', second?.text ?? ''];
  const places = [
    expect.stringMatching(`^trial ${trial} .*: speech 1 \\(prosecution, opening\\); speech 2 \\(defense, opening\\)$`),
  ];
  const change = (db: Database.Database) => {
    for (const ref of texts) db.prepare("UPDATE blobs SET encoding = 0, bytes = CAST('x' AS BLOB) WHERE ref = ?").run(key(ref));
  };
  await withCopy(store, change, (path) => expect(verifyPath(path).counted?.bad_text_places).toEqual(places));
  const files = lean(unzipSync(await bundleOf(store, 'nlsy97-demo', room.path('two.zip'))));
  const lines = linesIn(files, 'texts.jsonl').map((line) =>
    texts.some((ref) => line.startsWith(`{"ref":"${ref}"`)) ? line.replace(/"text":".*"/, '"text":"x"') : line,
  );
  const found = await verifyBundle(packed(withLines(files, 'texts.jsonl', lines)));
  expect(found.counted?.bad_text_places).toEqual(places);
  expect(sentences(found)).toContainEqual(expect.stringMatching(/^Texts without their hash: trial /));
});

test('of many changed texts those of the first trials are named, and all others are counted', () => {
  const refs = Array.from({ length: mostTexts }, (_, place) => `text-${place}`.padEnd(43, '.'));
  const spoke = (ref: string, place: number) => ({
    trial: `trial-${place}`,
    seq: 0,
    kind: 'utterance-make',
    payload: JSON.stringify({ text: ref }),
  });
  const placesOf = (some: readonly string[], count: number) =>
    placesOfTexts(
      some,
      count,
      () => refs.map(spoke),
      () => undefined,
    );
  expect(placesOf(refs, 500)).toHaveLength(6);
  expect(placesOf(refs.toReversed(), 500)).toEqual(placesOf(refs, 500));
  expect(placesOf(refs, 500).at(-1)).toBe('and 495 more texts');
  expect(placesOf(refs.slice(0, 2), 3).slice(1)).toEqual([expect.stringMatching(/^trial-1: speech 1/), 'and 1 more text']);
  expect(placesOf(refs.slice(0, 2), 2)).toHaveLength(2);
});

test('the verifiers of bundles and of stores say the same about the same faults, and about none', async () => {
  const whole = await bundleOf(store, 'nlsy97-demo', room.path('whole.zip'));
  const files = lean(unzipSync(whole));
  const bundled = (name: string, isLine: (line: string) => boolean, change: (line: string) => string) =>
    verifyBundle(
      packed(
        withLines(
          files,
          name,
          linesIn(files, name).map((line) => (isLine(line) ? change(line) : line)),
        ),
      ),
    );
  for (const ref of [spoken[1]?.text ?? '', kase]) {
    const found = await bundled(
      'texts.jsonl',
      (line) => line.startsWith(`{"ref":"${ref}"`),
      (line) => line.replace(/"text":".*"\}$/, '"text":"changed"}'),
    );
    expect(saidOf(found)).toEqual(saidOf(await changed(ref)));
    expect(found.eventsRoot).toBe((await verifyBundle(whole)).root);
    expect(found.counted).toMatchObject({ bad_texts: 1, bad_events: 0, bad_files: 0 });
    expect(sentences(found)).toEqual(
      expect.arrayContaining([found.counted?.words, `Bundle root found over the events: ${found.eventsRoot}`]),
    );
    expect(found.heads?.get(trial)).toMatch(/^[0-9a-f]{64}$/);
    expect(found.passage).toEqual({ text: 'changed', more: 0 });
    expect(sentences(found)).toEqual(expect.arrayContaining([passageWords, '| changed', reportsWords]));
  }
  for (const [file, part, sql] of [
    ['trials.jsonl', '"outcome":"decided"', "UPDATE trials SET outcome = 'undecided' WHERE trial = ?"],
    [
      'events.jsonl',
      '"kind":"trial-close"',
      "UPDATE events SET payload = replace(payload, 'decided', 'undecided') WHERE kind = 'trial-close' AND trial = ?",
    ],
  ] as const) {
    const found = await bundled(
      file,
      (line) => line.includes(`"trial":"${trial}"`) && line.includes(part),
      (line) => line.replace('decided', 'undecided'),
    );
    const inStore = await withCopy(
      store,
      (db) => db.prepare(sql).run(trial),
      async (path) => {
        await python.agrees(path, verifyPath(path));
        return verifyPath(path);
      },
    );
    expect(saidOf(found)).toEqual(saidOf(inStore?.first_bad));
    // An event that does not have its hash leaves no root to find.
    const { root = '' } = await verifyBundle(whole);
    const rootFound = file === 'events.jsonl' ? null : root;
    expect(found.roots).toMatchObject({ found: rootFound, named: root });
    expect(sentences(found)).toEqual(expect.arrayContaining(found.roots?.words ?? ['roots']));
    expect(inStore?.roots).toMatchObject({ found: rootFound === null ? null : verifyPath(store).root, named: null });
  }
  const proved = provedWords({ kind: 'store', left_out: 0, erasures: null, since: null }, false);
  expect(sentences(await verifyBundle(whole))).toEqual(expect.arrayContaining([...proved]));
  expect((await python.verify(store))?.next ?? proved).toEqual(expect.arrayContaining([...proved]));
});

test('of a changed text that no event names it is known whether it is a case', async () => {
  const { ref = '', list = '' } = reading(store, ({ trials, datasets }) => {
    const tried = new Set(trials.all().map(({ case_id }) => case_id));
    const untried = datasets.cases(1).find(({ id, split }) => split === 'test' && !tried.has(id));
    return { ref: untried?.ref, list: datasets.get(1).manifest ?? undefined };
  });
  const isCase = 'It is a case of the data set, and no trial in this file is about it.';
  const found = await changed(ref);
  expect(found).toMatchObject({ used_in: 0, meaning: expect.stringContaining(isCase) });
  expect(found?.plain).toMatch(
    /^The text of (?:a case of the data set|case .+, as it calls itself,) was changed after it was recorded/,
  );
  const files = lean(unzipSync(await bundleOf(store, 'nlsy97-demo', room.path('untried.zip'))));
  const lines = linesIn(files, 'texts.jsonl');
  const bundled = (made: readonly string[]) => verifyBundle(packed(withLines(files, 'texts.jsonl', made)));
  const isOf = (line: string, of: string) => line.startsWith(`{"ref":"${of}"`);
  const spoilt = (of: string) => (line: string) => (isOf(line, of) ? line.replace(/"text":".*"\}$/, '"text":"changed"}') : line);
  expect((await bundled(lines.map(spoilt(ref)))).meaning).toBe(found?.meaning);
  const own = lines.filter((line) => isOf(line, ref)).map(spoilt(ref));
  const others = lines.filter((line) => !isOf(line, ref));
  expect(await bundled([...own, ...others.map(spoilt(list))])).toMatchObject({
    problem: expect.stringContaining(ref),
    meaning: expect.stringContaining('Whether it is a case is not known'),
  });
  const strange =
    own[0]?.replace(
      ref,
      ref.replace(/./, (first) => (first === 'A' ? 'B' : 'A')),
    ) ?? '';
  expect((await bundled([strange, ...lines])).meaning).toContain('nothing in this file depends on it');
});

test('a changed event and a changed row are named by experiment, arm and case', async () => {
  const about = { trial, experiment: 'nlsy97-demo', arm: 'court', case: expect.any(String) };
  const bad = (change: string) =>
    withCopy(
      store,
      (db) => db.prepare(change).run(trial),
      (path) => {
        const { first_bad: found, counted } = verifyPath(path);
        expect(counted?.bad_events ?? 0).toBe(change.startsWith('DELETE') ? 1 : 0);
        return found;
      },
    );
  expect(await bad('UPDATE events SET kind = kind WHERE trial = ?')).toBeNull();
  expect(await bad('DELETE FROM events WHERE trial = ? AND seq = 3')).toMatchObject({
    uses: [{ ...about, what: 'a belief (event 4)' }],
    meaning: expect.stringContaining('From this event on'),
  });
  expect(await bad('UPDATE trials SET calls = 99 WHERE trial = ?')).toMatchObject({
    uses: [{ ...about, seq: null, what: 'its row of results' }],
  });
});

test('for a damaged store the report says whether the events still have the given head, unless an event is bad', async () => {
  const { root } = verifyPath(store);
  const compared = (sql: string) =>
    withCopy(
      store,
      (db) => db.exec(sql),
      async (path) => [root ?? '', 'f'.repeat(64), undefined].map((head) => verifyPath(path, head).head_matches),
    );
  expect(await compared("UPDATE blobs SET encoding = 0, bytes = x'00'")).toEqual([true, false, null]);
  expect(await compared("UPDATE trials SET confidence = 0.99 WHERE outcome = 'decided'")).toEqual([true, false, null]);
  expect(await compared('UPDATE events SET payload = replace(payload, \'"v":1\', \'"v": 1\')')).toEqual([null, null, null]);
});
