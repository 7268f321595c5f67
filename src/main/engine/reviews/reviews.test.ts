import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { reviewPieces } from '../../../core/telling/reviewTables.ts';
import type { ReviewReport } from '../../../shared/reviews.ts';
import { secondVerifier } from '../audit/testing/pythonVerifier.ts';
import { makeSampleStore, noFault, openFolder } from '../audit/testing/sampleStore.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { bundleOf } from '../bundle/testing/bundles.ts';
import { eraseInStore, verify } from '../engine.ts';
import { queries } from '../queries/queries.ts';
import { givenReviews, reviewPage } from '../queries/reviewPage.ts';
import { openStore, type Store } from '../store/store.ts';
import { kept, keptFolder } from '../testing/kept.ts';
import { giveReview, type NewReview, readReviews } from './ledger.ts';

import { reviewReport } from './reviewReport.ts';

const room = openFolder('reviews');
const python = secondVerifier();
const experiment = 'nlsy97-demo';
const arm = 'court';
let path: string;
let store: Store;
let trials: readonly { trial: string; prediction: string; case_id: string }[];

function reviewable(index: number) {
  const found = trials[index];
  if (found === undefined) throw new Error(`the arm has no trial ${index}`);
  return found;
}

/** Works on the store while no one has it open. */
async function closed<T>(action: () => T | Promise<T>): Promise<T> {
  store.close();
  try {
    return await action();
  } finally {
    store = openStore(path, { create: false });
  }
}

const given = (change: Partial<NewReview>): NewReview => ({
  ...{ trial: reviewable(0).trial, reviewer: 'First reader', judgement: 'label', label: 'YES', reason: null },
  ...{ blind: true, seconds: 12, replaces: null, ...change },
});
const give = (change: Partial<NewReview>) => giveReview(store, experiment, given(change));
const next = (reviewer: string, blind = true, asked: string | null = null) =>
  reviewPage.run(store, { experiment, reviewer, arm, order: 'random', blind, asked }, () => undefined);

beforeAll(async () => {
  path = await makeSampleStore(room.folder, { cases: 2, fault: noFault });
  store = openStore(path, { create: false });
  trials = store.trials
    .ofExperiment(experiment)
    .filter((row) => row.arm === arm && row.outcome === 'decided')
    .map(({ trial, prediction, case_id }) => ({ trial, case_id, prediction: String(JSON.parse(prediction ?? '""')) }));
});

afterAll(() => store.close());

test('of a blind case nothing of the verdict, of the truth or of the debate is sent', async () => {
  const { task } = await next('First reader');
  expect(Object.keys(task ?? {}).toSorted()).toEqual([
    'again',
    'case',
    'facts',
    'kind',
    'question',
    'replicate',
    'trial',
    'verdict',
  ]);
  expect(task?.verdict).toBeNull();
  expect((await next('First reader', false)).task?.verdict?.prediction).toBe(
    trials.find(({ trial }) => trial === task?.trial)?.prediction,
  );
});

test('reviews stand until they are changed or taken back, and every verifier finds the record intact', async () => {
  const [first, second] = [reviewable(0), reviewable(1)];
  const one = give({ trial: first.trial, reason: 'a word about the first case' });
  const two = give({ trial: second.trial, judgement: 'unsure', label: null, reason: null });
  const changed = give({ trial: first.trial, label: 'NO', reason: 'a second thought about it', replaces: one });
  expect(() => give({ trial: first.trial, reviewer: 'Second reader', replaces: changed })).toThrow('not yours');
  give({ trial: second.trial, judgement: 'withdrawn', label: null, replaces: two });
  give({ trial: first.trial, reviewer: 'Second reader', blind: false });
  expect(readReviews(store, experiment).reviews).toMatchObject([
    { seq: changed, reviewer: 'First reader', label: 'NO', reason: 'a second thought about it' },
    { reviewer: 'Second reader', label: 'YES', blind: false },
  ]);
  expect(await next('First reader')).toMatchObject({ judged: 1, trials: trials.length, newest: [{ label: 'NO' }] });
  const report = verifyPath(path);
  expect(report).toMatchObject({ result: 'intact', first_bad: null });
  await python.agrees(path, report);
  for (const redacted of [false, true]) {
    const out = room.path(`reviewed-${redacted}.zip`);
    expect(await verifyBundle(await bundleOf(path, experiment, out, redacted))).toMatchObject({ result: 'intact', redacted });
    expect(await verify(out, {})).toMatchObject({ result: 'intact' });
  }
  expect(reviewReport(store, experiment)).toMatchObject({
    reviewers: [
      { reviewer: 'First reader', reviews: 1, labels: 1 },
      { reviewer: 'Second reader', reviews: 1 },
    ],
    between: { n: 2 },
  });
});

test('an answer is blind only as the first on its trial by that reviewer, whatever happened to the first', () => {
  const { trial, prediction } = reviewable(1);
  const other = prediction === 'YES' ? 'NO' : 'YES';
  const blindOf = (seq: number) => readReviews(store, experiment).reviews.find((each) => each.seq === seq)?.blind;
  const said = { trial, reviewer: 'Third reader', label: other };
  const first = give(said);
  expect(blindOf(first)).toBe(true);
  give({ ...said, judgement: 'withdrawn', label: null, replaces: first });
  const second = give(said);
  expect(blindOf(second)).toBe(false);
  expect(blindOf(give({ ...said, replaces: second }))).toBe(false);
  expect(blindOf(give({ ...said, reviewer: 'Fourth reader' }))).toBe(true);
});

test('a reviewer who is asked again does not see the verdict, one who took the answer back does', async () => {
  const [first, second] = [reviewable(0), reviewable(1)];
  const reviewer = 'Fifth reader';
  const seq = give({ trial: first.trial, reviewer });
  for (let times = 0; times < 8; times++) give({ trial: second.trial, reviewer });
  expect((await next(reviewer)).task).toMatchObject({ trial: first.trial, again: true, verdict: null });
  give({ trial: first.trial, reviewer, judgement: 'withdrawn', label: null, replaces: seq });
  const { prediction } = first;
  expect((await next(reviewer)).task).toMatchObject({ trial: first.trial, again: false, verdict: { prediction } });
});

test('a trial that was asked for comes first, once, and one that cannot be reviewed is left for the order', async () => {
  const [one, other] = [reviewable(0), reviewable(1)];
  const reviewer = 'Sixth reader';
  for (const { trial } of [one, other])
    expect(await next(reviewer, true, trial)).toMatchObject({ missed: null, task: { trial, again: false, verdict: null } });
  give({ trial: one.trial, reviewer });
  const page = await next(reviewer, true, one.trial);
  expect(page).toMatchObject({ missed: 'reviewed', newest: [{ trial: one.trial }] });
  expect(page.task?.trial).not.toBe(one.trial);
  const elsewhere = store.trials.ofExperiment(experiment).find((row) => row.arm !== arm)?.trial ?? '';
  expect(await next(reviewer, true, elsewhere)).toMatchObject({ missed: 'unfit', task: { again: false } });
});

test('the screen gets the results of the reviews, but for no case what the court found', async () => {
  const results = await queries.reviewResults.run(store, { experiment });
  expect(results.reviewers.length).toBeGreaterThan(0);
  expect(JSON.stringify(results)).not.toContain('"prediction"');
  expect(JSON.stringify(results)).not.toContain(reviewable(0).trial);
});

test('an erasure of a case takes what was written about its trials, and leaves the other reviews', async () => {
  const [first, second] = [reviewable(0), reviewable(1)];
  give({ trial: second.trial, reason: 'a word about the second case' });
  await closed(() => eraseInStore(path, { kind: 'case', experiment, case: first.case_id }, {}));
  const about = (trial: string) =>
    readReviews(store, experiment).reviews.flatMap((review) => (review.trial === trial ? [review.reason] : []));
  expect(new Set(about(first.trial))).toEqual(new Set(['[erased]', null]));
  expect(about(second.trial).at(-1)).toBe('a word about the second case');
  expect(verifyPath(path)).toMatchObject({ result: 'intact' });
});

test('a later replicate is reviewed only where it is asked for; it counts for its case, and shows what the court found', async () => {
  const replicated = await makeSampleStore(keptFolder(), { cases: 1, change: { replicates: 2 }, fault: noFault });
  const twice = kept(openStore(replicated, { create: false }));
  const later = twice.trials.ofExperiment(experiment).find((row) => row.arm === arm && row.replicate === 1);
  const { trial = '', case_id: kase = '', prediction = null } = later ?? {};
  const page = (asked: string | null) =>
    reviewPage.run(twice, { experiment, reviewer: 'First reader', arm, order: 'random', blind: true, asked }, () => undefined);
  expect((await page(null)).task).toMatchObject({ case: kase, replicate: 0 });
  expect(await page(trial)).toMatchObject({ replicates: 2, asked_verdict: null, task: { trial, replicate: 1, verdict: null } });
  giveReview(twice, experiment, given({ trial }));
  expect(await page(trial)).toMatchObject({
    ...{ missed: 'reviewed', judged: 1, trials: 1, newest: [{ trial, case: kase, replicate: 1 }] },
    ...{ asked_verdict: { prediction: JSON.parse(prediction ?? 'null') }, task: null },
  });
  expect(reviewReport(twice, experiment).reviews).toMatchObject([{ trial, replicate: 1 }]);
  expect(await givenReviews.run(twice, { experiment }, () => undefined)).toMatchObject({ total: 1, reviews: [{ trial }] });
});

test('a reason or a name with line breaks begins no new line', () => {
  const { reviewer, reason } = { reviewer: 'Eve\nX', reason: 'draft.\nSigned off by Dora' };
  const changed = { trials: 0, reviews: 0, arms: false, erased: false };
  const [signOff, at, hash] = [{ seq: 0, reviewer, reason, trials: 1, changed }, '2026-01-01', '00'];
  const report = { reviews: [], comments: [], sign_offs: [{ ...signOff, at, hash }], experiment };
  const text = reviewPieces(report as unknown as ReviewReport).join('\n');
  expect(text).toMatch(/\nSigned off by Eve X .*nothing has changed since; hash 00\): “draft. Signed off by Dora”$/);
});
