import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { verifyBundle } from '../../../../resources/bundle/verify.mjs';
import { excerpt } from '../../../core/answers/excerpt.ts';
import { reviewChain } from '../../../core/record/identity.ts';
import { reviewPieces } from '../../../core/telling/reviewTables.ts';
import { forge } from '../audit/testing/forging.ts';
import { secondVerifier } from '../audit/testing/pythonVerifier.ts';
import { makeSampleStore, noFault, openFolder } from '../audit/testing/sampleStore.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { bundleOf } from '../bundle/testing/bundles.ts';
import { lean, rechained, unsigned } from '../bundle/testing/forging.ts';
import { givenReviews } from '../queries/reviewPage.ts';
import { readableAnswer } from '../report/transcriptEntries.ts';
import { parseChain } from '../store/parseChain.ts';
import { openStore } from '../store/store.ts';
import { giveComment, saidOfTrial } from './ledger.ts';

import { reviewReport } from './reviewReport.ts';

const room = openFolder('ruling-comments');
const python = secondVerifier();
const experiment = 'nlsy97-demo';
const chain = reviewChain(experiment);

test('a comment on a ruling, on all of it or on words of it, is shown as the reader saw it, and every verifier reads it', async () => {
  const path = await makeSampleStore(room.folder, { cases: 2, fault: noFault });
  const store = openStore(path, { create: false });
  const [given] = store.trials.ofExperiment(experiment).flatMap(({ trial }) => {
    const events = parseChain(store.events.chain(trial));
    const ruling = events.findLast(({ kind }) => kind === 'ruling-give');
    const isDebated = events.some(({ kind }) => kind === 'utterance-make');
    return !isDebated || ruling?.kind !== 'ruling-give' || ruling.payload.opinion === null
      ? []
      : [{ trial, seq: ruling.seq, opinion: store.blobs.need(ruling.payload.opinion) }];
  });
  if (given === undefined) throw new Error('no reasons were given');
  const { trial, seq, opinion } = given;
  const shown = readableAnswer(opinion);
  expect(shown).not.toBe(opinion);
  const on = (quote: string, replaces: number | null = null) => {
    const start = [...shown.slice(0, shown.indexOf(quote))].length;
    const range = { utterance: seq, quote, start, end: start + [...quote].length };
    return { trial, reviewer: 'Ana', comment: 'this is where it turns', replaces, ...range };
  };
  const words = shown.split('\n')[0]?.slice(4) ?? '';
  const first = giveComment(store, on(shown));
  giveComment(store, on(words));
  expect(saidOfTrial(store, experiment, trial).comments).toMatchObject([{ quote: shown }, { quote: words, start: 4 }]);
  expect(() => giveComment(store, on(shown.slice(4)))).toThrow('within one line of the ruling');
  giveComment(store, { ...on(shown, first), comment: null });
  expect(saidOfTrial(store, experiment, trial).comments).toHaveLength(1);
  const listed = await givenReviews.run(store, { experiment }, () => undefined);
  const { arm = '', case_id: kase = '' } = store.trials.get(trial) ?? {};
  expect(listed).toMatchObject({ total: 0, comments: [{ trial, arm, case: kase, quote: words }] });
  const text = JSON.stringify(reviewPieces(reviewReport(store, experiment)));
  expect(text).toContain('1 comment on speeches and rulings:');
  expect(text).toContain(JSON.stringify([trial, excerpt(words, 80), 'this is where it turns']).slice(1));
  store.close();
  const report = verifyPath(path);
  expect(report).toMatchObject({ result: 'intact' });
  await python.agrees(path, report);
  const zip = await bundleOf(path, experiment, room.path('b.zip'), false);
  expect(await verifyBundle(zip)).toMatchObject({ result: 'intact' });
  // Neither as a comment on a speech, nor as what is of another version.
  for (const v of [1, 3]) {
    const forged = room.path(`forged-${v}.db`);
    forge(path, forged, chain, ({ events }) => void Object.assign(events[1]?.payload ?? {}, { v }));
    const found = verifyPath(forged);
    expect(found).toMatchObject({ result: 'tampered', first_bad: { trial: chain } });
    await python.agrees(forged, found);
    const bundle = rechained(unsigned(lean(unzipSync(zip))), chain, (stored) =>
      stored.map(({ kind, payload }, at) => ({
        ...{ trial: chain, kind },
        payload: at === 1 ? JSON.stringify({ ...JSON.parse(payload), v }) : payload,
      })),
    );
    expect(await verifyBundle(bundle)).toMatchObject({ result: 'tampered', problem: expect.stringContaining(chain) });
  }
});
