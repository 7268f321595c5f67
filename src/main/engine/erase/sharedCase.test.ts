import { afterAll, beforeAll, expect, test } from 'vitest';
import { tookCase } from '../../../shared/erasure.ts';
import { secondVerifier } from '../audit/testing/pythonVerifier.ts';
import { verifyPath } from '../audit/testing/tampering.ts';
import { eraseInStore } from '../engine.ts';
import { erasureOfTrial } from '../lab/erasedData.ts';
import { everyone, type Hearings, openHearings, textCases } from '../lab/preparation/testing/hearings.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { parseChain } from '../store/parseChain.ts';

/** A case that is a precedent of others: the reason why it was decided so is asked once for all of them, here twice each. */

const python = secondVerifier();
const asked = new Set<string>();
let standin: DemoServer;
let lab: Hearings;

beforeAll(async () => {
  standin = await startDemoServer({
    fault(_seen, body) {
      const isFirst = body.includes('The right answer for this case is') && !asked.has(body);
      asked.add(body);
      return isFirst ? { kind: 'http-500' } : null;
    },
  });
  const arms = [{ name: 'reasons', protocol: 'courtroom', params: { judges: 1 }, cast: everyone(false) }];
  lab = openHearings({ url: standin.url, cases: textCases(16), arms, change: { runtime: { retries: 1 } } });
  await lab.run();
});

afterAll(async () => {
  lab.close();
  await standin.close();
});

test('no attempt at a question about an erased case is left, the failed ones neither', async () => {
  expect(lab.prepared().some(({ kind, payload }) => kind === 'call-answer' && payload.key.endsWith('/attempt-2'))).toBe(true);
  const [retrieved] = lab.inTrials('precedent-retrieve');
  const ref = retrieved?.payload.precedents[0]?.case ?? '';
  const { id, own, words } = lab.look((store) => {
    const kase = store.datasets.read(ref);
    const own = store.trials.get(retrieved?.trial ?? '')?.case_id ?? '';
    return { id: kase.id, own, words: kase.facts.map(({ value }) => value) };
  });
  const report = await eraseInStore(lab.store, { kind: 'case', experiment: 'hearings', case: id }, {});
  expect(report).toMatchObject({ stays: expect.arrayContaining([expect.stringContaining('keep their precedents')]) });
  const left = lab.look((store) => [...store.blobs.all()].map(({ bytes }) => bytes?.toString('utf8') ?? ''));
  expect(words.filter((value) => left.some((text) => text.includes(value)))).toEqual([]);
  // The trial that had it as a precedent lost texts, and its own case can still be erased.
  const erased = lab.look((store) => erasureOfTrial(store, parseChain(store.events.chain(retrieved?.trial ?? ''))));
  expect(erased).toMatchObject({ scope: 'case', case: id });
  expect([id, own].map((each) => tookCase(erased, each))).toEqual([true, false]);
  await python.agrees(lab.store, verifyPath(lab.store));
  expect(verifyPath(lab.store).result).toBe('intact');
});
