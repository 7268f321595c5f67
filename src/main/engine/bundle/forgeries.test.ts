import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { strToU8, unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { usesOf } from '../../../../resources/bundle/uses.mjs';
import { verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { verify } from '../engine.ts';
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

/** Gives a whole number from 0 on, below a limit. */
type Draw = (limit: number) => number;

const room = openFolder('bundle-forgeries');
let files: Files;
let zip: Uint8Array;
/** The files as forgers pack them, without a change. */
let repacked: Buffer;

beforeAll(async () => {
  const store = await makeSampleStore(room.folder, { cases: 2 });
  zip = await bundleOf(store, 'nlsy97-demo', room.path('whole.zip'));
  files = lean(unzipSync(zip));
  repacked = Buffer.from(packed(files));
});

const pick = <T>(draw: Draw, list: readonly T[]): T => {
  const found = list[draw(list.length)];
  if (found === undefined) throw new Error('there is nothing to pick');
  return found;
};

/** Files whose every line is derived again, or has its hash in something that is. */
const derived = ['events.jsonl', 'texts.jsonl', 'trials.jsonl', 'log.jsonl'];

/** Rewrites the chain of a done trial, with right hashes. @param from the files that it is put into */
const onChain = (change: (events: BundledEvent[], at: number) => BundledEvent[], from: () => Files) => (draw: Draw) => {
  const trials = linesIn(files, 'trials.jsonl').map((line) => JSON.parse(line) as { trial: string });
  return rechained(from(), pick(draw, trials).trial, (events) => change(events, draw(events.length)));
};
const onPayload = (change: (payload: string) => string) => (events: BundledEvent[], at: number) =>
  events.map((event, index) => (index === at ? { ...event, payload: change(event.payload) } : event));

/** What is found without the log too, so that no signature is needed to see it. */
const chainForgeries: Record<string, (events: BundledEvent[], at: number) => BundledEvent[]> = {
  'the end gone': (events) => events.slice(0, -1),
  'a second end': (events) => [...events, ...events.slice(-1)],
  'an event after the end': (events) => [
    ...events,
    { trial: '', kind: 'measure-take', payload: '{"v":1,"key":"late","name":"late","value":1}' },
  ],
  'an unknown kind': (events, at) => events.map((event, index) => (index === at ? { ...event, kind: 'other-kind' } : event)),
  'a key twice': onPayload((payload) => payload.replace('{', '{"v":1,')),
  'a key too many': onPayload((payload) => payload.replace(/\}$/, ',"more":1}')),
  'a key too few': onPayload((payload) => payload.replace('"v":1,', '')),
  'another spelling': onPayload((payload) => payload.replace('"v":1', '"v":1.0')),
};

const changedByte = (bytes: Uint8Array, draw: Draw): Uint8Array => {
  const changed = bytes.slice();
  const at = draw(bytes.length);
  changed[at] = (changed[at] ?? 0) ^ (1 + draw(255));
  return changed;
};

/** Where the headers, sums and directory of a zip are. */
function outsideFiles(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const packedAt = new Set<number>();
  let at = view.getUint32(bytes.length - 6, true);
  while (view.getUint32(at, true) === 0x02014b50) {
    const start = view.getUint32(at + 42, true) + 30 + view.getUint16(at + 28, true);
    for (let place = start; place < start + view.getUint32(at + 20, true); place += 1) packedAt.add(place);
    at += 46 + view.getUint16(at + 28, true);
  }
  return Array.from(bytes.keys()).filter((place) => !packedAt.has(place));
}

const forgeries: Record<string, (draw: Draw) => Uint8Array> = {
  'a byte of the zip outside its packed files': (draw) => {
    const changed = zip.slice();
    const places = outsideFiles(zip);
    const at = pick(draw, places);
    changed[at] = (changed[at] ?? 0) ^ (1 + draw(255));
    return changed;
  },
  'a byte of a file': (draw) => {
    const name = pick(draw, [...derived, 'checkpoint.txt', 'key.txt', 'salts.json']);
    return packed({ ...files, [name]: changedByte(files[name] ?? new Uint8Array(0), draw) });
  },
  'a byte of a file that the manifest does not know': (draw) => {
    const name = pick(draw, Object.keys(files));
    return zipOf({ ...files, [name]: changedByte(files[name] ?? new Uint8Array(0), draw) });
  },
  'events that change places': (draw) => {
    const lines = linesIn(files, 'events.jsonl');
    const at = draw(lines.length - 1);
    return packed(withLines(files, 'events.jsonl', lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? '')));
  },
  'a file gone': (draw) => {
    const { [pick(draw, [...derived, 'salts.json', 'statistics.json', 'key.txt', 'checkpoint.txt'])]: _gone, ...rest } = files;
    return packed(rest);
  },
  'a file too many': () => zipOf({ ...files, 'more.txt': new Uint8Array(1) }),
  'another count of right decisions': () =>
    packed({
      ...files,
      'statistics.json': Buffer.from(
        textIn(files, 'statistics.json').replace(/("accuracy_decided":\{"value":[^,]+,"count":)\d+/, '$199'),
      ),
    }),
  'another answer under right hashes': onChain(
    onPayload((payload) =>
      payload.replace(/[1-9](?=\D*$)/, (digit) => String((Number(digit) % 9) + 1)).replace('"v":2', '"v":1'),
    ),
    () => files,
  ),
  'an event gone under right hashes': onChain(
    (events, at) => events.toSpliced(Math.max(1, Math.min(at, events.length - 2)), 1),
    () => files,
  ),
  ...Object.fromEntries(
    Object.entries(chainForgeries).flatMap(([name, change]) => [
      [`${name}, under right hashes`, onChain(change, () => files)],
      [`${name}, under right hashes and without a checkpoint`, onChain(change, () => unsigned(files))],
    ]),
  ),
};

const draws = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));

test.each(Object.entries(forgeries))('the verifier of bundles sees %s', async (_name, forge) => {
  await fc.assert(
    fc.asyncProperty(draws, async (numbers) => {
      const changed = forge((limit) => Math.floor((numbers.next().value ?? 0) * limit));
      if (repacked.equals(changed)) return;
      expect((await verifyBundle(changed)).result).not.toBe('intact');
    }),
    { numRuns: exhaustive ? 100 : 2 },
  );
});

test('what it sees, assize verify says: it asks it first', async () => {
  const path = room.path('forged.zip');
  writeFileSync(path, forgeries['a file too many']?.(() => 0) ?? '');
  expect(await verify(path, {})).toMatchObject({
    result: 'tampered',
    first_bad: { problem: expect.stringContaining('more.txt') },
  });
  writeFileSync(path, zip.subarray(0, 999));
  await expect(verify(path, {})).rejects.toMatchObject({ code: 'store-unreadable' });
});

test('an unchanged bundle is intact, and so is one whose chain is rewritten without a change', async () => {
  expect(await verifyBundle(zip)).toMatchObject({ result: 'intact' });
  expect(await verifyBundle(repacked)).toMatchObject({ result: 'intact' });
  expect(
    await verifyBundle(
      onChain(
        (events) => events,
        () => files,
      )(() => 0),
    ),
  ).toMatchObject({ result: 'intact' });
  expect(await verifyBundle(packed(unsigned(files)))).toMatchObject({ result: 'intact', log: null });
});

test('a bundle with all its texts is checked as a whole, also where it calls itself redacted', async () => {
  const [{ trial } = { trial: '' }] = linesIn(files, 'trials.jsonl').map((line) => JSON.parse(line) as { trial: string });
  const asked = (payload: string) => payload.replace(/"seed":(\d+)/, (_all, seed) => `"seed":${Number(seed) + 1}`);
  const forged = rechained(unsigned(files), trial, (events) => {
    const at = events.findIndex(({ kind }) => kind === 'call-answer');
    return onPayload(asked)(events, at);
  });
  for (const change of [{}, { redacted: true }]) {
    const path = room.path('asked-otherwise.zip');
    writeFileSync(path, packed(unzipSync(forged), change));
    expect((await verify(path, {})).first_bad?.problem).toBe('its prompt does not have the hash of its request');
  }
});

/** A bundle with one more file, called as a check calls a text, that is not the one in the manifest. */
const withOddName = (ref: string, events: readonly string[]) => {
  const name = `text ${ref}`;
  const whole = unzipSync(packed({ [name]: strToU8('one'), ...withLines(files, 'events.jsonl', events) }));
  return zipOf({ ...whole, [name]: strToU8('two') });
};

test('the names of files in a bundle do not decide what a fault is about', async () => {
  const lines = linesIn(files, 'events.jsonl');
  const at = lines.findIndex((line) => line.includes('"kind":"trial-close"'));
  const changed = lines.with(at, (lines[at] ?? '').replace('false', 'true'));
  const found = await verifyBundle(withOddName('A'.repeat(43), changed));
  expect(found).toMatchObject({ result: 'tampered', uses: [{ kind: 'trial-close' }] });
  expect(found.meaning).toBe('From this event on, nothing that this trial says is proved.');
  const sound = await verifyBundle(withOddName('A'.repeat(43), lines));
  expect(sound).toMatchObject({ result: 'tampered', uses: [] });
  expect(sound.meaning).toMatch(
    /^This file is missing, was added, or is not as it was exported. The record was checked to its end/,
  );
});

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** What is done to the files of a bundle, and what of it is then said to be checked and not to be checked. */
const reaches: Record<string, [change: () => Uint8Array, meaning: RegExp]> = {
  'a file outside the record with other words': [
    () => zipOf({ ...files, 'README.txt': strToU8('x') }),
    /checked to its end and holds: events, erasures, texts, reviews, results, statistics, root, log\.$/,
  ],
  'a file that is missing': [() => zipOf(without('README.txt')), /was checked to its end and holds: events, /],
  'a file of the record that is missing': [
    () => zipOf(without('statistics.json')),
    /^The check stopped here\. Checked before, without a fault: events, .*, results\. Not checked, .*: statistics, root, log\.$/,
  ],
  'brackets in a line of events': [
    () => packed(withLines(files, 'events.jsonl', [deep])),
    /^The check stopped here\. Not checked, or not to the end: events, /,
  ],
  'brackets in a line of texts': [
    () => packed(withLines(files, 'texts.jsonl', [deep])),
    /^The check stopped here\. Checked before, without a fault: events, erasures\. Not checked, or not to the end: texts, /,
  ],
  'statistics of another shape': [
    () =>
      packed({ ...files, 'statistics.json': strToU8(textIn(files, 'statistics.json').replace('"interval":{', '"between":{')) }),
    /^The check stopped here\. Checked before, without a fault: events, .*, results\. Not checked, .*: statistics, root, log\.$/,
  ],
  'measures that are not a list': [
    () =>
      packed({
        ...files,
        'statistics.json': strToU8(textIn(files, 'statistics.json').replace('"measures":[', '"measures":{},"x":[')),
      }),
    /Not checked, .*: statistics, root, log\.$/,
  ],
  'brackets in the manifest': [
    () => zipOf({ ...files, 'manifest.json': strToU8(`{"bundle":1,"files":${deep}}\n`) }),
    /^The check ended before it came to the record/,
  ],
};
const without = (name: string) => Object.fromEntries(Object.entries(files).filter(([path]) => path !== name));

test.each(Object.entries(reaches))('for %s the report says what was checked', async (name, [change, meaning]) => {
  const found = await verifyBundle(change());
  expect(found).toMatchObject({ result: 'tampered', meaning: expect.stringMatching(meaning) });
  if (name.startsWith('brackets')) expect(found.problem).toMatch(/it is nested deeper than a record has it$/);
});

test('payloads that are nested deeper than calls can be are looked through', async () => {
  const ref = 'A'.repeat(43);
  const payload = `{"v":1,"text":${'['.repeat(20_000)}"${ref}"${']'.repeat(20_000)}}`;
  expect(usesOf(ref, [{ trial: '0'.repeat(16), seq: 0, kind: 'utterance-make', payload }], () => undefined).used_in).toBe(1);
  const [first = '', ...others] = linesIn(files, 'events.jsonl');
  const event = JSON.stringify({ ...(JSON.parse(first) as object), payload });
  expect(await verifyBundle(withOddName(ref, [event, ...others]))).toMatchObject({
    result: 'tampered',
    problem: expect.stringContaining(`text ${ref}`),
  });
});
