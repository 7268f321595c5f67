import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { compare, sentences, verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { parseNote, parseVerifierKey } from '../../../core/checkpoint/note.ts';
import { signedWhenWords, unsignedWords } from '../../../shared/checkpoints.ts';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import { unchangedWords } from '../../../shared/proved.ts';
import { secondVerifier } from '../audit/testing/pythonVerifier.ts';
import { makeSampleStore, noFault, openFolder } from '../audit/testing/sampleStore.ts';
import { verifyPath, withCopy } from '../audit/testing/tampering.ts';
import { attachCosigned, makeCheckpoint } from '../checkpoint/checkpoints.ts';
import { cosignedNote } from '../checkpoint/testing/witness.ts';
import { fingerprintOf, openUserKey } from '../checkpoint/userKey.ts';
import { exportBundle, exportToStream, replay, verify, withRecord } from '../engine.ts';
import { giveReview } from '../reviews/ledger.ts';
import { openStore } from '../store/store.ts';
import { writeOfEveryProtocol } from '../store/testing/everyProtocol.ts';
import { reading } from '../testing/reading.ts';
import { bundleOf, resources } from './testing/bundles.ts';
import { type Files, lean, linesIn, packed, rechained, textIn, unsigned, withLines, zipOf } from './testing/forging.ts';

const room = openFolder('bundle');
const python = secondVerifier();
const store = room.path('every-protocol.db');
const experiments = ['binary', 'several labels', 'open questions'];
const full = (experiment: string) => room.path(`${experiment}.zip`);
const redacted = room.path('redacted.zip');
/** The checkpoint of the store, as it was before a witness signed it. */
let earlier: string;

const watch = { signal: new AbortController().signal, onProgress: () => undefined };

beforeAll(async () => {
  writeOfEveryProtocol(store);
  const opened = openStore(store, { create: false });
  const first = makeCheckpoint(opened, openUserKey());
  attachCosigned(opened, cosignedNote(first.note, 1_700_000_000).note);
  earlier = first.note;
  opened.close();
  for (const experiment of experiments) await bundleOf(store, experiment, full(experiment));
  await bundleOf(store, 'several labels', redacted, true);
});

const filesOf = (path: string): Files => unzipSync(readFileSync(path));
const made = new Map<string, Files>();
const leanOf = (path: string): Files => {
  const files = made.get(path) ?? lean(filesOf(path));
  made.set(path, files);
  return files;
};

test.each(experiments)(
  'a bundle of "%s" is intact by both verifiers, replays, and exports what its store does',
  async (experiment) => {
    const pieces = async (from: string) => {
      const found: string[] = [];
      await exportToStream(from, experiment, { format: 'events-jsonl' }, (piece) => found.push(piece));
      return found.join('');
    };
    // The verifier of bundles is asked before a bundle is unpacked.
    const unpacked = await withRecord(full(experiment), async (inner) => {
      expect(verifyPath(inner)).toMatchObject({ result: 'intact', first_bad: null });
      expect(await replay(inner, undefined, () => undefined)).toMatchObject({ different: 0, not_replayable: 0 });
      return { events: await pieces(inner), inner };
    });
    expect(unpacked.events).toBe(await pieces(store));
    expect(existsSync(unpacked.inner)).toBe(false);
  },
);

test('a bundle is the same to the byte when it is written again, in its place where that is asked for', async () => {
  const out = room.path('again.zip');
  const request = { experiment: 'open questions', out, redacted: false, resources };
  await exportBundle(store, { ...request, force: false }, watch);
  const before = readFileSync(out);
  const { ino } = statSync(out);
  await expect(exportBundle(store, { ...request, force: false }, watch)).rejects.toMatchObject({ code: 'output-exists' });
  await exportBundle(store, { ...request, force: true }, watch);
  expect(readFileSync(out).equals(before)).toBe(true);
  expect(statSync(out).ino).not.toBe(ino);
  expect(statSync(out).mode & 0o777).toBe(0o600);
});

test('a number from elsewhere is the root, a head or the key of a bundle, or none of them', async () => {
  const found = await verifyBundle(readFileSync(full('binary')));
  const { root = '', heads = new Map() } = found;
  const [[chain = '', head = ''] = []] = heads;
  expect(compare(found, ' ')).toBeNull();
  expect(compare(found, `${root.slice(0, 9)} ${root.slice(9).toUpperCase()}`)?.fits).toBe(true);
  expect(compare(found, head)).toMatchObject({ fits: true, words: expect.stringContaining(chain) });
  expect(compare(found, `fingerprint: ${fingerprintOf(openUserKey().publicKey)}`)).toMatchObject({ fits: true });
  for (const other of ['0'.repeat(64), root.slice(1)]) expect(compare(found, other)?.fits).toBe(false);
  const files = filesOf(full('binary'));
  const changed = await verifyBundle(
    zipOf({ ...files, 'texts.jsonl': strToU8(textIn(files, 'texts.jsonl').replace(/"text":"./, '"text":"~')) }),
  );
  expect(changed.result).toBe('tampered');
  expect(compare(changed, fingerprintOf(openUserKey().publicKey))?.fits).toBe(true);
  expect(sentences(changed, fingerprintOf(openUserKey().publicKey)).join()).toContain(', the key that you entered.');
  expect(changed.standin).toBe(found.standin);
  expect(sentences(changed)).toContain('The events are still those of the log. Its signatures cover them, not the fault above.');
  expect(compare({ result: 'tampered', problem: '' }, root)?.words).toContain('compared with nothing');
});

test('a redacted bundle verifies, and has no text of a case, no salt and nothing that replays', async () => {
  expect(await verifyBundle(readFileSync(redacted))).toMatchObject({ result: 'intact', redacted: true });
  const whole = full('several labels');
  expect(await verifyBundle(readFileSync(whole))).toMatchObject({ result: 'intact', leftOut: 0, experiment: 'several labels' });
  expect(await verify(whole, {})).toMatchObject({ result: 'intact', store: whole, left_out: 0, first_bad: null });
  expect((await verify(redacted, {})).left_out).toBeGreaterThan(0);
  expect(await verify(redacted, { head: '0'.repeat(64) })).toMatchObject({ result: 'tampered', head_matches: false });
  const { trial: chain, hash: head } = JSON.parse(linesIn(filesOf(redacted), 'events.jsonl').at(-1) ?? '');
  for (const at of [whole, redacted]) expect(await verify(at, { head })).toMatchObject({ result: 'intact', head_of: { chain } });
  await expect(withRecord(redacted, () => Promise.resolve())).rejects.toMatchObject({ code: 'bad-input' });
  const unknown = withRecord(whole, (inner) => exportToStream(inner, 'other', { format: 'events-jsonl' }, () => undefined));
  await expect(unknown).rejects.toMatchObject({ code: 'not-found', place: { file: whole } });
  const said = Object.values(filesOf(redacted))
    .map((content) => strFromU8(content))
    .join('\n');
  const { id, salt } = reading(store, ({ datasets, experiments: all }) => datasets.get(all.get('several labels')?.dataset ?? 0));
  const blobs = reading(store, (opened) => [...opened.blobs.all()]);
  const texts = blobs.map(({ dataset, bytes }) => ({ dataset, text: bytes?.toString('utf8') ?? '' }));
  // Words of a template that no slot changed are the program's own.
  const templates = texts
    .filter(({ dataset }) => dataset === 0)
    .map(({ text }) => text)
    .join('\n');
  const own = texts.flatMap(({ dataset, text }) =>
    dataset === id && text.length > 40 && !templates.includes(text) ? [text] : [],
  );
  expect(own.length).toBeGreaterThan(100);
  expect(own.filter((text) => said.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
  expect(said).not.toContain(salt.toString('hex'));
});

test('of a record that fails its check no bundle is written', async () => {
  await withCopy(
    store,
    (db) => void db.exec("UPDATE trials SET belief = '{}' WHERE belief IS NOT NULL"),
    async (path) => {
      const request = { experiment: 'several labels', out: room.path('damaged.zip'), force: false, redacted: true, resources };
      await expect(exportBundle(path, request, watch)).rejects.toMatchObject({
        code: 'bad-input',
        message: expect.stringContaining('the record fails its check: '),
        place: { field: '--damaged' },
      });
      expect(existsSync(request.out)).toBe(false);
    },
  );
});

/** Lines of a file that are changed one at a time, with what the change does to the line. */
const lineChanges: Record<string, (line: string) => string> = {
  'a key twice': (line) => line.replace('{', `{"${Object.keys(JSON.parse(line) as object)[0]}":0,`),
  'a key too many': (line) => line.replace(/\}$/, ',"more":1}'),
  'another digit': (line) => line.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
  'a space': (line) => line.replace(':', ': '),
  gone: () => '',
  twice: (line) => `${line}\n${line}`,
};

test('one change of a line, under a manifest that is right about it, is found', async () => {
  const files = leanOf(full('open questions'));
  expect(await verifyBundle(packed(files))).toMatchObject({ result: 'intact' });
  const unseen: string[] = [];
  for (const name of ['events.jsonl', 'texts.jsonl', 'trials.jsonl', 'salts.json', 'statistics.json', 'log.jsonl']) {
    const lines = linesIn(files, name);
    for (const [about, change] of Object.entries(lineChanges)) {
      // What was estimated from answers is not derived again.
      if (name === 'statistics.json' && ['a key too many', 'another digit'].includes(about)) continue;
      const middle = lines.length >> 1;
      for (const place of new Set(exhaustive ? [0, middle, lines.length - 1] : [middle])) {
        const changed = lines.map((line, index) => (index === place ? change(line) : line)).filter((line) => line !== '');
        const { result } = await verifyBundle(packed(withLines(files, name, changed)));
        if (result === 'intact') unseen.push(`${name}, line ${place + 1}: ${about}`);
      }
    }
  }
  expect(unseen).toEqual([]);
}, 180_000);

test.each([
  ['an outcome', 'trials.jsonl', /"outcome":"decided"/, '"outcome":"undecided"', /its outcome is not/],
  ['a truth', 'trials.jsonl', /"truth":"[^"]+"/, '"truth":"other"', /its truth is not/],
  [
    'an accuracy',
    'statistics.json',
    /"accuracy_decided":\{"value":[\d.]+,"count":\d+/,
    '"accuracy_decided":{"value":1,"count":99',
    /its accuracy/,
  ],
  ['a root', 'manifest.json', /"root":"[0-9a-f]{4}/, '"root":"0000', /its root/],
])('%s that is not what the chains amount to is found', async (_what, name, from, to, problem) => {
  const files = leanOf(full('several labels'));
  const text = textIn(files, name);
  expect(from.test(text)).toBe(true);
  const found = await verifyBundle(packed({ ...files, [name]: strToU8(text.replace(from, to)) }));
  expect(found).toMatchObject({ result: 'tampered', problem: expect.stringMatching(problem) });
});

describe('arms with something exchanged or changed, half tried', () => {
  const out = room.path('half.zip');
  beforeAll(async () => {
    const solo = { protocol: 'standard', params: { style: 'system1' }, cast: { '*': { model: 'llama3.1:8b' } } };
    const arms = [
      { name: 'solo', ...solo, counterbalance: ['labels'] },
      { name: 'solo (seeds 1)', ...solo, change: { of: 'solo', kind: 'seed', number: 1 } },
      { name: 'solo (slips)', ...solo, change: { of: 'solo', kind: 'noise' } },
    ];
    const half = await makeSampleStore(room.folder, { cases: 3, change: { arms }, fault: noFault, maxTrials: 5 });
    await bundleOf(half, 'nlsy97-demo', out);
  });

  const changedLine = async (change: (line: Record<string, unknown>) => Record<string, unknown> | null) => {
    const files = leanOf(out);
    let done = false;
    const lines = linesIn(files, 'trials.jsonl').map((text) => {
      const changed = done ? null : change(JSON.parse(text));
      done ||= changed !== null;
      return changed === null ? text : JSON.stringify(changed);
    });
    expect(done).toBe(true);
    return await verifyBundle(packed(withLines(files, 'trials.jsonl', lines)));
  };

  test('are intact', async () => {
    expect(await changedLine((line) => line)).toMatchObject({ result: 'intact' });
  });

  const declared = /what is exchanged or changed in it is not what its arm declares/;
  test.each<[string, string, (line: Record<string, unknown>) => Record<string, unknown> | null, RegExp]>([
    ['a seed of an arm', 'queued', (line) => ({ ...line, seed: 77 }), /its seed is not that of its case/],
    ['a result', 'queued', (line) => ({ ...line, outcome: 'decided' }), /its outcome is not/],
    ['no change', 'queued', ({ change, ...line }) => (change === undefined ? null : { ...line, base_arm: null }), declared],
    [
      'another kind of change',
      'done',
      (line) => ({ ...line, change: { ...(line.change as object), kind: 'question' } }),
      declared,
    ],
    ['another exchange', 'done', (line) => ({ ...line, swap: 'sides', base_arm: 'solo' }), declared],
  ])('with %s in a line of a trial that is %s: it is found', async (_what, status, change, problem) => {
    const found = await changedLine((line) => (line.status === status ? change(line) : null));
    expect(found).toMatchObject({ result: 'tampered', problem: expect.stringMatching(problem) });
  });
});

test('what was added since the newest checkpoint is counted alike by every verifier, and named only where there is some', async () => {
  const grown = room.path('grown.db');
  copyFileSync(store, grown);
  const added = async (extended: number) => {
    const path = room.path(`grown-${extended}.zip`);
    await bundleOf(grown, 'binary', path);
    const [ofStore, ofBundle, inBundle] = [
      await verify(grown, {}),
      await verify(path, {}),
      await verifyBundle(readFileSync(path)),
    ];
    const found = [ofStore.log?.unsigned_chains, ofBundle.log?.unsigned_chains, inBundle.log?.unsigned.length];
    const text = unsignedWords({ unsigned_chains: extended, unsigned_kinds: ['review'] }) ?? 'that are not signed';
    expect(sentences(inBundle).join('\n').includes(text)).toBe(extended > 0);
    expect(sentences(inBundle)).toContain(signedWhenWords(ofStore.log?.made_at ?? null));
    expect(ofBundle.log?.made_at).toBe(ofStore.log?.made_at);
    const second = await python.verify(grown);
    expect(second?.next?.some((line) => line.includes(text)) ?? extended > 0).toBe(extended > 0);
    return found;
  };
  expect(await added(0)).toEqual([0, 0, 0]);
  const opened = openStore(grown, { create: false });
  const trial = opened.trials.ofExperiment('binary').find(({ outcome }) => outcome === 'decided')?.trial ?? '';
  giveReview(opened, 'binary', {
    ...{ trial, reviewer: 'Ana', label: null, judgement: 'unsure', reason: 'as I read it' },
    ...{ blind: true, seconds: 3, replaces: null },
  });
  opened.close();
  expect(await added(1)).toEqual([1, 1, 1]);
});

describe('the checkpoint in a bundle', () => {
  let ofStore: ReturnType<typeof verify>;
  beforeAll(() => {
    ofStore = verify(store, {});
  });
  test.each(['several labels', 'redacted'])('vouches for it as it does for the store: %s', async (name) => {
    const [path, inStore] = [room.path(`${name}.zip`), await ofStore];
    const inBundle = await verify(path, { since: parseNote(earlier) });
    expect(inBundle).toMatchObject({ result: 'intact', log: { ...inStore.log, checkpoints: 1 }, first_bad: null });
    expect(inBundle.since).toEqual({ ...inBundle.since, extends: true, signature_checked: true });
    expect(inBundle.log?.cosigned).toBe(inBundle.log?.size);
    const alone = await verifyBundle(readFileSync(path), earlier);
    expect(sentences(alone).join('\n')).toMatch(/^The log is exactly that of the earlier checkpoint of \d+ entries\.$/m);
    expect(sentences(alone)).toContain(unchangedWords(inBundle));
    const grown = { ...alone, log: alone.log == null ? null : { ...alone.log, entries: alone.log.entries + 1 } };
    expect(sentences(grown).join('\n')).toMatch(/^The log extends the earlier .* entries: 1 entry was added since, /m);
    expect(sentences(grown)).toContain(unchangedWords({ ...inBundle, log: null }));
    expect(alone.log).toMatchObject({ checked: true, entries: inStore.log?.size, cosigned: inStore.log?.size });
    const key = parseVerifierKey(textIn(filesOf(path), 'key.txt').trim());
    const known = await verify(path, { keys: [{ ...key, name: inStore.log?.origin ?? '' }] });
    expect(known).toMatchObject({ result: 'intact', signer: 'known' });
  });

  test('distinguishes another history from one that extends an earlier checkpoint, in a redacted bundle too', async () => {
    const other = earlier.replace(/^(.*\n\d+\n)./, (_all, start: string) => `${start}A`);
    for (const path of [full('several labels'), redacted]) {
      expect(await verify(path, { since: { ...parseNote(other), signatures: [] } })).toMatchObject({
        result: 'tampered',
        since: { extends: false },
        first_bad: { kind: 'checkpoint' },
      });
      expect(await verifyBundle(readFileSync(path), other)).toMatchObject({
        result: 'tampered',
        problem: expect.stringContaining('the earlier checkpoint: the first'),
      });
    }
    const [without, path] = [packed(unsigned(filesOf(redacted))), room.path('unsigned.zip')];
    writeFileSync(path, without);
    expect(sentences(await verifyBundle(without)).join()).toContain('No key signed this record');
    expect(sentences(await verifyBundle(without, earlier))[0]).toMatch(/^NOT COMPARED: this bundle has no log/);
    expect(await verify(path, { since: parseNote(earlier) })).toMatchObject({ result: 'other-log', log: null });
  });

  test('is compared with an earlier one also where a text was changed', async () => {
    const path = room.path('changed-text.zip');
    const files = filesOf(full('several labels'));
    writeFileSync(
      path,
      packed({ ...files, 'texts.jsonl': strToU8(textIn(files, 'texts.jsonl').replace(/"text":"./, '"text":"~')) }),
    );
    const [bytes, other] = [readFileSync(path), earlier.replace(/^(.*\n\d+\n)./, (_all, start: string) => `${start}A`)];
    expect(await verify(path, { since: parseNote(earlier) })).toMatchObject({ result: 'tampered', since: { extends: true } });
    const said = async (since: string) => sentences(await verifyBundle(bytes, since)).join('\n');
    expect(await said(earlier)).toMatch(
      /^TAMPERED: [\s\S]*^The log is exactly that of the earlier checkpoint of \d+ entries\.$/m,
    );
    expect(await said(other)).toMatch(
      /^The log does not extend the earlier checkpoint of \d+ entries, whose signature was not checked\.$/m,
    );
    expect(await said(earlier.replace(/^\S+/, 'elsewhere'))).toContain('is of another log, so it shows nothing');
    expect(await said('Dear auditor')).toMatch(/^NOT CHECKED: the earlier checkpoint: it is not a signed note/);
  });

  const inLog = (change: (lines: string[]) => string[]) => (files: Files) =>
    withLines(files, 'log.jsonl', change(linesIn(files, 'log.jsonl')));
  const inFile = (name: string, from: RegExp, to: string) => (files: Files) => {
    expect(textIn(files, name)).toMatch(from);
    return { ...files, [name]: strToU8(textIn(files, name).replace(from, to)) };
  };
  const own = (lines: string[]) => lines.findIndex((line) => line.includes('"chain"'));

  test.each<[string, (files: Files) => Files, RegExp]>([
    ['an entry taken out', inLog((lines) => lines.filter((_line, at) => at !== own(lines))), /the log does not have its head/],
    ['an entry twice', inLog((lines) => [...lines, lines[own(lines)] ?? '']), /this head twice/],
    ['another head', inLog((lines) => lines.with(own(lines), '{"chain":"x","head":"00"}')), /does not have this head/],
    ['an entry of others', inLog((lines) => [`{"hash":"${'A'.repeat(43)}="}`, ...lines]), /are not those that it covers/],
    ['the size', inFile('checkpoint.txt', /\n\d+\n/, '\n99999\n'), /covers 99999 entries/],
    ['the root', inFile('checkpoint.txt', /(\n\d+\n)./, '$1/'), /are not those that it covers/],
    ['the origin', inFile('checkpoint.txt', /^assize/, 'forged'), /is of another log/],
    ['a signature', inFile('checkpoint.txt', /[^=]{8}(=+\n)$/, 'AAAAAAAA$1'), /does not fit|another length/],
    ['the key', inFile('key.txt', /.{6}\n$/, 'AAAAAA\n'), /a line of it is no key of a log/],
    ['no key', ({ 'key.txt': _keys, ...files }) => files, /belong together/],
  ])('that is changed is found: %s', async (what, change, problem) => {
    // Both have the same log: a whole bundle and a redacted one in turn.
    for (const path of [full('several labels'), redacted].filter((_, index) => exhaustive || index === what.length % 2)) {
      const found = await verifyBundle(packed(change(leanOf(path))));
      expect(found).toMatchObject({ result: 'tampered', problem: expect.stringMatching(problem) });
    }
  });
});

test('an audit on an empty machine: Node alone, no environment, nothing but the files of the bundle', () => {
  const folder = room.path('empty machine');
  const files = filesOf(full('several labels'));
  mkdirSync(folder);
  for (const name of Object.keys(files).filter((each) => each.endsWith('.mjs')))
    writeFileSync(join(folder, name), files[name] ?? '');
  const [{ trial = '' } = {}] = linesIn(files, 'trials.jsonl').map((line) => JSON.parse(line) as { trial: string });
  const forged = rechained(files, trial, (events) =>
    events.map((each) => ({ ...each, payload: each.payload.replace('"at":"2', '"at":"1') })),
  );
  const check = (zip: Uint8Array, ...more: string[]) => {
    writeFileSync(join(folder, 'bundle.zip'), zip);
    return spawnSync('/usr/bin/env', ['-i', process.execPath, 'verify.mjs', 'bundle.zip', ...more], {
      cwd: folder,
      encoding: 'utf8',
    });
  };
  writeFileSync(join(folder, 'earlier.txt'), earlier);
  const whole = new Uint8Array(readFileSync(full('several labels')));
  expect(check(whole, 'earlier.txt')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^INTACT: [\s\S]*cosigned by a witness[\s\S]*Signed by [0-9a-f]{64}/),
    stderr: '',
  });
  expect(check(forged)).toMatchObject({ status: 1, stdout: expect.stringMatching(/^TAMPERED: /) });
  expect(check(whole.subarray(0, 999))).toMatchObject({ status: 2, stdout: expect.stringMatching(/^UNREADABLE: /) });
  expect(check(whole, '.')).toMatchObject({ status: 2, stdout: '', stderr: expect.stringMatching(/^\. cannot be read/) });
});
