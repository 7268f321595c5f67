import { copyFileSync, readFileSync } from 'node:fs';
import { unzipSync } from 'fflate';
import { beforeAll, expect, test } from 'vitest';
import { verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { reviewChain } from '../../../core/record/identity.ts';
import { answerPieces, reviewPieces } from '../../../core/telling/reviewTables.ts';
import { type ForgedEvent, forge } from '../audit/testing/forging.ts';
import { secondVerifier } from '../audit/testing/pythonVerifier.ts';
import { makeSampleStore, noFault, openFolder } from '../audit/testing/sampleStore.ts';
import { verifyPath, withCopy } from '../audit/testing/tampering.ts';
import { bundleOf } from '../bundle/testing/bundles.ts';
import { type Files, lean, linesIn, packed, rechained, unsigned, withLines } from '../bundle/testing/forging.ts';
import { eraseInStore } from '../engine.ts';
import { disagreementPage, reviewPage } from '../queries/reviewPage.ts';
import { exportPieces } from '../report/export.ts';
import { parseChain } from '../store/parseChain.ts';
import { openStore, type Store } from '../store/store.ts';
import { withStore } from '../store/withStore.ts';
import { adjudicate, giveComment, giveReview, readReviews, saidOfTrial, signedHeads, signRecord, stateOf } from './ledger.ts';

import { reviewReport } from './reviewReport.ts';

const room = openFolder('giving');
const python = secondVerifier();
const experiment = 'nlsy97-demo';
const chain = reviewChain(experiment);
let path: string;
let files: Files;
let trial: string;
let other: string;
/** Head of the experiment's own chain. */
let ownHead: string;
let speech: { seq: number; text: string };

const bundled = (of: string, redacted = false) => bundleOf(of, experiment, room.path(`${Math.random()}.zip`), redacted);

const review = (of: string, reviewer: string, label: string | null, replaces: number | null = null) => ({
  ...{ trial: of, reviewer, label, judgement: label === null ? ('unsure' as const) : ('label' as const), reason: 'as I read it' },
  ...{ blind: true, seconds: 3, replaces },
});
const comment = (reviewer: string, change: object = {}) => {
  const quote = [...speech.text].slice(2, 12).join('');
  const about = { trial, reviewer, utterance: speech.seq, start: 2, end: 12, quote, comment: 'this is where it turns' };
  return { ...about, replaces: null, ...change };
};
const reported = (store: Store) => [...exportPieces(store, experiment, { format: 'html', trial })].join('');
const settle = (store: Store, reviewer: string, change: object = {}) => {
  const seqs = readReviews(store, experiment).reviews.flatMap((each) => (each.trial === trial ? [each.seq] : []));
  return adjudicate(store, experiment, {
    ...{ trial, reviewer, label: 'YES', reason: 'the facts say so', settles: seqs, replaces: null },
    ...change,
  });
};

const sign = (store: Store, reviewer: string, reason: string, change: object = {}) =>
  signRecord(store, experiment, { reviewer, reason, replaces: null, state: stateOf(store, experiment), ...change });

const onCopyOf = <T>(copy: string, work: (store: Store) => T | Promise<T>): Promise<T> =>
  withStore(openStore(copy, { create: false }), work);

/** Opens a copy of the store, and hands back the path when it is closed. */
async function onCopy(work: (store: Store) => void | Promise<void>): Promise<string> {
  const copy = room.path(`${Math.random()}.db`);
  copyFileSync(path, copy);
  await onCopyOf(copy, work);
  return copy;
}

beforeAll(async () => {
  path = await makeSampleStore(room.folder, { cases: 2, fault: noFault });
  const store = openStore(path, { create: false });
  const decided = store.trials.ofExperiment(experiment).filter(({ outcome }) => outcome === 'decided');
  const spoken = decided.flatMap((row) => {
    const event = parseChain(store.events.chain(row.trial)).find(({ kind }) => kind === 'utterance-make');
    return event === undefined ? [] : [{ trial: row.trial, event }];
  });
  [trial, other] = [spoken[0]?.trial ?? '', spoken[1]?.trial ?? ''];
  const event = spoken[0]?.event;
  if (event?.kind !== 'utterance-make') throw new Error('no one spoke');
  speech = { seq: event.seq, text: store.blobs.need(event.payload.text) };
  ownHead = signedHeads(store, experiment).own;
  // Events 0 to 6; others are found from these places.
  giveReview(store, experiment, review(trial, 'Ana', 'YES'));
  giveReview(store, experiment, review(trial, 'Ben', 'NO'));
  giveComment(store, comment('Ana'));
  settle(store, 'Cleo');
  sign(store, 'Dora', 'read and found in order');
  giveReview(store, experiment, review(other, 'Ana', null));
  giveComment(store, comment('Ana', { comment: null, replaces: 2 }));
  store.close();
  files = unsigned(lean(unzipSync(await bundled(path))));
});

test('all that people say is in one chain that every verifier finds intact, and exports and reports have it', async () => {
  const report = verifyPath(path);
  expect(report).toMatchObject({ result: 'intact', first_bad: null });
  await python.agrees(path, report);
  for (const redacted of [false, true])
    expect(await verifyBundle(await bundled(path, redacted))).toMatchObject({ result: 'intact', redacted });
  const store = openStore(path, { create: false });
  const found = reviewReport(store, experiment);
  expect(found).toMatchObject({ comments: [], disagreements: 1, settled: 1, adjudications: [{ label: 'YES', current: true }] });
  expect(found.label_errors).toMatchObject({ adjudicated: 1, disputed: 0, wrong_labels: { n: 1 } });
  expect(found.sign_offs).toMatchObject([
    { reviewer: 'Dora', trials: store.trials.ofExperiment(experiment).length, changed: { trials: 0, reviews: 2, arms: false } },
  ]);
  expect(reviewPieces(found).join('\n')).toMatch(/Signed off by Dora .*\(since then 2 reviews.*: “read and found in order”/);
  const again = giveComment(store, comment('Ana', { comment: 'it turns on “this”' }));
  // The comment names the speech that it is about, and leads to it.
  const quote = [...speech.text].slice(2, 12).join('');
  const on = `<bdi>Ana</bdi> on <a href="#speech-${speech.seq}"><bdi>Prosecution</bdi>, opening</a>, “${quote}”: it turns on “this”`;
  for (const part of [on, `<div id="speech-${speech.seq}" class="row `]) expect(reported(store)).toContain(part);
  const rows = [...exportPieces(store, experiment, { format: 'reviews-jsonl' })].map((line) => JSON.parse(line));
  expect(rows.map(({ kind, seq, current }) => [seq, kind, current])).toEqual([
    [0, 'review', true],
    [1, 'review', true],
    [3, 'adjudication', true],
    [4, 'sign-off', false],
    [5, 'review', true],
    [again, 'comment', true],
  ]);
  expect(rows.at(-1)).toMatchObject({ text: 'it turns on “this”', quote, start: 2 });
  expect([...exportPieces(store, experiment, { format: 'reviews-csv' })]).toHaveLength(7);
  expect(reported(store)).toContain('href="#people"');
  const whole = [...exportPieces(store, experiment, { format: 'html' })].join('');
  for (const part of ['Signed off by Dora', 'href="#reviews"']) expect(whole).toContain(part);
  giveComment(store, comment('Ana', { comment: null, replaces: again }));
  store.close();
});

/** Changes that leave every hash right. */
const forgeries: readonly (readonly [string, (events: ForgedEvent[]) => void])[] = [
  ['a label that the experiment does not have', (events) => set(events, 0, { label: 'MAYBE' })],
  ['a review about a trial as it never ended', (events) => set(events, 0, { head: '0'.repeat(64) })],
  ['a review with a label and no opinion', (events) => set(events, 0, { judgement: 'unsure' })],
  ['a review in the place of another reviewer’s', (events) => set(events, 1, { replaces: 0 })],
  [
    'a review in the place of one that was changed',
    (events) => void events.push(...Array.from({ length: 2 }, () => changing(events))),
  ],
  [
    'an event of a trial',
    (events) => void events.push({ kind: 'measure-take', payload: { v: 1, key: 'k', name: 'n', value: 1 } }),
  ],
  ['a comment on another text', (events) => set(events, 2, { text: events[2]?.payload.reviewer })],
  ['a comment on what is no utterance', (events) => set(events, 2, { utterance: 0 })],
  ['a comment beyond the end of the speech', (events) => set(events, 2, { end: 100_000 })],
  ['a comment on an empty range', (events) => set(events, 2, { end: 2 })],
  ['a comment taken back by somebody else', (events) => set(events, 6, { reviewer: events[1]?.payload.reviewer })],
  ['an adjudication by one of the two', (events) => set(events, 3, { reviewer: events[0]?.payload.reviewer })],
  ['an adjudication without a reason', (events) => set(events, 3, { reason: null })],
  ['an adjudication of one review', (events) => set(events, 3, { settles: [0] })],
  ['an adjudication of a comment', (events) => set(events, 3, { settles: [0, 2] })],
  ['an adjudication of answers that are the same', (events) => set(events, 1, { label: 'YES' })],
  ['an adjudication with another label', (events) => set(events, 3, { label: 'MAYBE' })],
  ['a sign-off of what is not there', (events) => set(events, 4, { heads: ['0'.repeat(64)] })],
  ['a sign-off of one thing twice', (events) => set(events, 4, { heads: [headsOf(events)[0], headsOf(events)[0]] })],
  ['a sign-off of nothing', (events) => set(events, 4, { heads: [] })],
  [
    'a sign-off of trials without their experiment',
    (events) => set(events, 4, { heads: headsOf(events).filter((head) => head !== ownHead) }),
  ],
  ['a sign-off of an experiment without trials', (events) => set(events, 4, { heads: [ownHead] })],
  ['an adjudication of some of the answers', (events) => insert(events, 3, { like: 1, by: 4 })],
  ['an adjudication by one who answered too', (events) => insert(events, 3, { like: 1, by: 3 })],
  ['a second adjudication', (events) => insert(events, 4, { like: 3, by: 4 })],
  ...(
    [
      ['settles', 3, ['0', '1']],
      ['settles', 3, [false, true]],
      ['utterance', 2, () => String(speech.seq)],
      ['start', 2, true],
      ['replaces', 6, '2'],
      ['seconds', 0, '3'],
      ['seconds', 0, true],
      ['reason', 4, null],
      ['comment', 2, 5],
      ['at', 0, 5],
    ] as const
  ).map(([field, at, value]): (typeof forgeries)[number] => [
    `${field} as ${JSON.stringify(value)}`,
    (events) => set(events, at, { [field]: typeof value === 'function' ? value() : value }),
  ]),
  ['a sign-off that is taken back and names none', (events) => set(events, 4, { heads: null })],
  ['a review in the place of a comment', (events) => set(events, 5, { replaces: 2, trial, head: events[0]?.payload.head })],
  ['the first review removed', (events) => void events.splice(0, 1)],
  ['the adjudication before what it settles', (events) => void events.unshift(...events.splice(3, 1))],
];
/** The first review, changed by the one who gave it. */
const changing = (events: ForgedEvent[]): ForgedEvent => ({
  ...(events[0] as ForgedEvent),
  payload: { ...events[0]?.payload, replaces: 0 },
});
const set = (events: ForgedEvent[], at: number, change: object) => void Object.assign(events[at]?.payload ?? {}, change);
/** Puts another person's copy of an event at a place. */
function insert(events: ForgedEvent[], at: number, { like, by }: { readonly like: number; readonly by: number }): void {
  const [copied, { reviewer }] = [events[like] as ForgedEvent, events[by]?.payload ?? {}];
  events.splice(at, 0, { ...copied, payload: { ...copied.payload, reviewer } });
}
const headsOf = (events: ForgedEvent[]) => events[4]?.payload.heads as string[];

/** Changes the chain of reviews of a store and of its bundle, with every hash right: all three verifiers find it. */
async function expectFound(from: string, bundle: Files, change: (events: ForgedEvent[]) => void): Promise<void> {
  const forged = room.path('forged.db');
  forge(from, forged, chain, ({ events }) => change(events));
  const report = verifyPath(forged);
  expect(report).toMatchObject({ result: 'tampered', first_bad: { trial: chain } });
  await python.agrees(forged, report);
  const zip = rechained(bundle, chain, (stored) => {
    const events = stored.map(({ kind, payload }) => ({ kind, payload: JSON.parse(payload) as Record<string, unknown> }));
    change(events);
    return events.map(({ kind, payload }) => ({ trial: chain, kind, payload: JSON.stringify(payload) }));
  });
  expect(await verifyBundle(zip)).toMatchObject({ result: 'tampered', problem: expect.stringContaining(chain) });
}

test.each(forgeries)('%s is found by all three verifiers, though every hash was recomputed', (_what, change) =>
  expectFound(path, files, change),
);

test('an event that is edited is found by all three verifiers', async () => {
  const earlier = (payload: unknown) => String(payload).replace('"at":"2', '"at":"1');
  await withCopy(
    path,
    (db) =>
      db.prepare(`UPDATE events SET payload = replace(payload, '"at":"2', '"at":"1') WHERE trial = ? AND seq = 1`).run(chain),
    async (copy) => {
      const report = verifyPath(copy);
      expect(report).toMatchObject({ result: 'tampered', first_bad: { trial: chain, seq: 1 } });
      await python.agrees(copy, report);
    },
  );
  const lines = linesIn(files, 'events.jsonl').map((line) => {
    const event = JSON.parse(line) as Record<string, unknown>;
    return event.trial === chain && event.seq === 1 ? JSON.stringify({ ...event, payload: earlier(event.payload) }) : line;
  });
  const found = await verifyBundle(packed(withLines(files, 'events.jsonl', lines)));
  expect(found).toMatchObject({ result: 'tampered', problem: expect.stringContaining(chain) });
});

test('an impossible review is refused, and nothing is written', async () => {
  await onCopy((store) => {
    const before = store.events.head(chain);
    const refused = (work: () => unknown, problem: string) => expect(work).toThrow(problem);
    for (const name of ['ana', ' ANA ', 'Ａna'])
      refused(() => giveReview(store, experiment, review(other, name, 'YES')), 'there is a reviewer "Ana" already');
    for (const name of ['A\u200bna', '\u202eAna', 'A\u00adna', 'Ana\u2060', 'A\u200dna'])
      refused(() => giveReview(store, experiment, review(other, name, 'YES')), name.includes('\u200d') ? 'already' : 'hidden');
    for (const name of ['Eve\nSigned off by Dora', 'Eve\u2028Dora', 'Eve\u001b[31m'])
      refused(() => giveReview(store, experiment, review(other, name, 'YES')), 'hidden characters or line breaks');
    for (const name of ['[erased] 1', '[Erased] 2'])
      refused(() => giveReview(store, experiment, review(other, name, 'YES')), 'cannot begin with “[erased]”');
    for (const name of ['\u200b', '  '])
      refused(() => giveReview(store, experiment, review(other, name, 'YES')), 'enter your name');
    const refusedReview = (change: object, problem: string) =>
      refused(() => giveReview(store, experiment, { ...review(other, 'Eve', 'YES'), ...change }), problem);
    refusedReview({ trial: '0123456789abcdef' }, 'has not ended or is not of this experiment');
    for (const label of ['MAYBE', null]) refusedReview({ label }, 'choose one of the labels');
    refusedReview({ replaces: 99 }, 'not yours');
    const verdict: unknown = JSON.parse(store.trials.get(other)?.prediction ?? '""');
    refusedReview({ label: verdict === 'YES' ? 'NO' : 'YES', blind: false, reason: ' ' }, 'an override needs a reason');
    refused(() => settle(store, 'Cleo', { settles: [0, 0], replaces: 3 }), 'look at it again');
    refused(() => sign(store, 'Dora', 'read', { state: '0'.repeat(64) }), 'the record has changed since you saw it');
    refused(() => giveComment(store, comment('Ana', { quote: 'other words' })), 'not those of the utterance');
    refused(() => giveComment(store, comment('Ana', { utterance: 0 })), 'no such utterance');
    refused(() => giveComment(store, comment('Ana', { comment: ' ' })), 'write what you want to say');
    refused(() => giveComment(store, comment('Ben', { comment: null, replaces: 2 })), 'not yours');
    refused(() => settle(store, 'Ana'), 'you are one of the reviewers');
    refused(() => settle(store, 'Eve'), 'Cleo has settled it already');
    refused(() => settle(store, 'Cleo', { settles: [0], replaces: 3 }), 'look at it again');
    refused(() => settle(store, 'Cleo', { reason: ' ', replaces: 3 }), 'needs a reason');
    refused(() => settle(store, 'Cleo', { label: 'MAYBE', replaces: 3 }), 'choose one of the labels');
    refused(() => sign(store, 'Dora', ' '), 'say what you sign');
    refused(() => sign(store, 'Ana', 'no', { replaces: 4 }), 'not yours');
    expect(store.events.head(chain)).toBe(before);
  });
});

test('an adjudication holds until an answer changes, is put back into the queue, and shows no verdict', async () => {
  const next = (store: Store, reviewer: string) => disagreementPage.run(store, { experiment, reviewer }, () => undefined);
  await onCopy(async (store) => {
    const again = giveReview(store, experiment, review(trial, 'Ben', 'NO', 1));
    expect(readReviews(store, experiment).adjudications).toMatchObject([{ current: false }]);
    const page = await next(store, 'Eve');
    expect(page).toMatchObject({ open: 1, own: 0, task: { trial, answers: [{ label: 'YES' }, { label: 'NO' }] } });
    expect(JSON.stringify(page)).not.toMatch(/prediction|verdict|truth|confidence/);
    expect(await next(store, 'Ana')).toMatchObject({ open: 1, own: 1, task: null });
    giveReview(store, experiment, { ...review(trial, 'Ben', 'NO', again), blind: false, reason: 'I override the court' });
    const shown = await next(store, 'Eve');
    expect(shown.task?.answers).toMatchObject([{ reason: 'as I read it' }, { reviewer: 'Ben', reason: null }]);
    settle(store, 'Eve', { label: 'NO' });
    expect(reviewReport(store, experiment)).toMatchObject({ disagreements: 1, settled: 1 });
  });
});

test('a reviewer who commented on the debate, or judged the case in another arm, cannot judge it blind', async () => {
  await onCopy((store) => {
    giveComment(store, comment('Fred'));
    giveReview(store, experiment, review(trial, 'Fred', 'YES'));
    const other = store.trials
      .ofExperiment(experiment)
      .find((row) => row.case_id === store.trials.get(trial)?.case_id && row.trial !== trial && row.status === 'done');
    giveReview(store, experiment, review(other?.trial ?? '', 'Fred', 'YES'));
    const { reviews } = readReviews(store, experiment);
    expect(reviews.slice(-2).map(({ reviewer, blind }) => [reviewer, blind])).toEqual([
      ['Fred', false],
      ['Fred', false],
    ]);
  });
});

/** Ends the trial once more, with the same words. */
function tryAgain(store: Store): void {
  const events = parseChain(store.events.chain(trial)).map(({ kind, payload }) => ({
    kind,
    payload: kind === 'trial-open' ? { ...payload, attempt: 2 } : payload,
  }));
  store.events.appendAll(trial, events as Parameters<Store['events']['appendAll']>[1]);
  store.trials.project(trial);
}

test('a comment on a speech of an earlier attempt is found by all three verifiers', { tags: 'exhaustive' }, async () => {
  let seq = 0;
  const copy = await onCopy((store) => {
    tryAgain(store);
    seq = giveComment(store, comment('Ana', { utterance: speech.seq + store.events.chain(trial).length / 2 }));
  });
  const report = verifyPath(copy);
  expect(report).toMatchObject({ result: 'intact' });
  await python.agrees(copy, report);
  const zip = await bundled(copy);
  expect(await verifyBundle(zip)).toMatchObject({ result: 'intact' });
  await expectFound(copy, unsigned(lean(unzipSync(zip))), (events) => set(events, seq, { utterance: speech.seq }));
});

test('reviews of a trial that was tried again count for nothing, and the trial comes before its reviewers again', async () => {
  await onCopy(async (store) => {
    const row = store.trials.get(trial);
    tryAgain(store);
    // The utterance of the attempt before is at the same trial, and is not what was judged last.
    expect(() => giveComment(store, comment('Ana'))).toThrow('no such utterance in the last attempt');
    const said = answerPieces({ head: store.trials.get(trial)?.head_hash ?? null, ...saidOfTrial(store, experiment, trial) });
    expect(JSON.stringify(said)).toMatch(/YES \(of an earlier attempt\).*NO \(of an earlier attempt\)/);
    const report = reviewReport(store, experiment);
    expect(report).toMatchObject({ outdated: 2, disagreements: 0, settled: 0, adjudications: [{ current: false }] });
    expect(report.sign_offs).toMatchObject([{ changed: { trials: 1, arms: false } }]);
    const query = { experiment, reviewer: 'Ben', arm: row?.arm ?? '', order: 'random' as const, blind: true, asked: null };
    expect(await reviewPage.run(store, query, () => undefined)).toMatchObject({ judged: 0 });
  });
});

test('an erasure takes names and words, and the judgements stay', async () => {
  const copy = await onCopy(() => undefined);
  await eraseInStore(copy, { kind: 'experiment', experiment }, {});
  expect(verifyPath(copy)).toMatchObject({ result: 'intact' });
  const bytes = readFileSync(copy);
  for (const word of ['Dora', 'this is where it turns', 'the facts say so', 'read and found in order'])
    expect(bytes.includes(word)).toBe(false);
  const store = openStore(copy, { create: false });
  const found = reviewReport(store, experiment);
  expect(found).toMatchObject({ settled: 1, sign_offs: [{ reason: null, changed: { trials: 0, erased: true } }] });
  expect(reviewPieces(found).join('\n')).toMatch(/since then .*texts were erased/);
  expect(() => giveReview(store, experiment, review(other, 'Eve', 'YES'))).toThrow('nothing more can be said of it');
  store.close();
});

test('after a case was erased the other cases are reviewed, commented on, settled and signed as before', {
  tags: 'exhaustive',
}, async () => {
  const copy = await onCopy(() => undefined);
  const row = await onCopyOf(copy, (store) => store.trials.get(other));
  await eraseInStore(copy, { kind: 'case', experiment, case: row?.case_id ?? '' }, {});
  await onCopyOf(copy, async (store) => {
    expect(() => giveReview(store, experiment, review(other, 'Eve', 'YES'))).toThrow('texts of this trial were erased');
    const query = { experiment, reviewer: 'Eve', arm: row?.arm ?? '', order: 'random' as const, blind: true, asked: null };
    for (let page = await reviewPage.run(store, query, () => undefined); page.task !== null; ) {
      giveReview(store, experiment, review(page.task.trial, 'Eve', 'YES'));
      page = await reviewPage.run(store, query, () => undefined);
    }
    expect(readReviews(store, experiment).reviews.some(({ reviewer }) => reviewer === 'Eve')).toBe(true);
    giveComment(store, comment('Eve'));
    giveReview(store, experiment, { ...review(trial, 'Ben', null, 1), judgement: 'withdrawn', reason: null });
    sign(store, 'Dora', 'what is left');
  });
  expect(verifyPath(copy)).toMatchObject({ result: 'intact' });
  await python.agrees(copy, verifyPath(copy));
  expect(await verifyBundle(await bundled(copy))).toMatchObject({ result: 'intact' });
});
