import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { countAnswers } from '../../../core/statistics/answerCounts.ts';
import { sharedCheck } from '../audit/preparation.ts';
import { replayTrial } from '../audit/replay.ts';
import { verifyStore } from '../audit/verify.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { withCourse } from '../report/trialLines.ts';
import { kept } from '../testing/kept.ts';
import { type Laboratory, openLaboratory } from './testing/laboratory.ts';

/** Two arms that differ only in the judge, over two cases. */
async function ran(
  reuseAnswers: boolean,
  between?: (lab: Laboratory) => void,
): Promise<{ standin: DemoServer; lab: Laboratory }> {
  const standin = kept(await startDemoServer({ profile: { base: 'instant' } }));
  const advocates = { prosecutor: 'm:1', defense: 'm:1' };
  const lab = kept(
    await openLaboratory({
      url: standin.url,
      cases: 2,
      turns: 2,
      runtime: { reuseAnswers },
      arms: { one: { ...advocates, judge: 'm:1' }, other: { ...advocates, judge: 'm:70b' } },
    }),
  );
  if (between !== undefined) {
    await lab.run({ maxTrials: 2 });
    between(lab);
  }
  await lab.run();
  return { standin, lab };
}

const answersOf = (lab: Laboratory, arm: string) =>
  lab.trials.flatMap(({ id, arm: its }) =>
    its === arm ? lab.chain(id).flatMap((event) => (event.kind === 'call-answer' ? [{ ...event, trial: id }] : [])) : [],
  );

test('a request that another arm has made takes its answer, and the record, its check and the counts say so', async () => {
  const { standin, lab } = await ran(true);
  const [first, second] = [answersOf(lab, 'one'), answersOf(lab, 'other')];
  const taken = second.filter(({ payload }) => payload.reused !== undefined);
  expect(first.every(({ payload }) => payload.reused === undefined)).toBe(true);
  expect(taken.length).toBeGreaterThan(0);
  for (const { payload } of taken) {
    const made = first.find(({ hash }) => hash === payload.reused?.hash);
    expect(payload).toEqual({
      ...made?.payload,
      at: payload.at,
      reused: { trial: made?.trial, key: payload.key, hash: made?.hash },
    });
  }
  const requests = standin.requests().filter(({ endpoint }) => endpoint === '/api/chat');
  expect(requests).toHaveLength(first.length + second.length - taken.length);
  const counts = countAnswers(second.map(({ payload }) => payload));
  expect(counts.reused?.requests).toBe(taken.length);
  const lines = lab.lines().map((line) => withCourse(lab.store, line));
  const sent = lines.reduce((sum, line) => sum + line.attempts - line.reused, 0);
  expect([sent, lines.filter(({ reused }) => reused > 0)]).toEqual([requests.length, lines.filter(({ arm }) => arm === 'other')]);

  expect(verifyStore(lab.store, {})).toMatchObject({ result: 'intact' });
  for (const row of lab.store.trials.ofExperiment('laboratory')) {
    expect(await replayTrial(lab.store, row)).toMatchObject({ result: 'identical' });
  }
  const chain = lab.store.events.chain(taken[0]?.trial ?? '');
  const check = sharedCheck(lab.store);
  expect(check(chain)).toBeNull();
  const other = first.find(({ payload }) => payload.key !== taken[0]?.payload.key);
  const forgeries: [change: object, problem: string][] = [
    [{ hash: '0'.repeat(64) }, 'is not on the record'],
    [{ key: other?.payload.key, hash: other?.hash }, 'is not on the record'],
    [{ trial: lab.trials.find(({ caseId }) => caseId !== lab.trials[0]?.caseId)?.id }, 'is not on the record'],
  ];
  const problemOf = (change: (payload: { reused: object }) => object) =>
    check(
      chain.map((event) => {
        const payload = JSON.parse(event.payload.toString());
        const { parsed: _read, ...raw } = event as typeof event & { parsed?: unknown };
        return payload.reused === undefined ? raw : { ...raw, payload: Buffer.from(JSON.stringify(change(payload))) };
      }),
    )?.problem;
  for (const [change, problem] of forgeries) {
    expect(problemOf((payload) => ({ ...payload, reused: { ...payload.reused, ...change } }))).toContain(problem);
  }
  expect(problemOf((payload) => ({ ...payload, modelMs: 999_999 }))).toContain('is not that of the call');
});

test('an answer that was changed is not taken: the model is asked', async () => {
  const { lab } = await ran(true, (made) => {
    const [first] = answersOf(made, 'one');
    const db = new Database(made.store.path);
    const change = "UPDATE blobs SET encoding = 0, bytes = CAST('other words' AS BLOB) WHERE ref = ?";
    expect(db.prepare(change).run(Buffer.from(first?.payload.answer ?? '', 'base64url')).changes).toBe(1);
    db.close();
  });
  const [asked, ...rest] = answersOf(lab, 'other');
  expect(asked?.payload.reused).toBeUndefined();
  expect(rest.some(({ payload }) => payload.reused !== undefined)).toBe(true);
});

type Fault = NonNullable<NonNullable<Parameters<typeof startDemoServer>[0]>['fault']>;

/** Four arms that make the same requests, at a server whose answers take a while, and the most requests that were there at a time. */
async function fourAlike(cases: number, fault: Fault = () => null) {
  let most = 0;
  const standin: DemoServer = kept(
    await startDemoServer({
      profile: { base: 'instant', machine: { timed: true, decodeRate: 3000, promptRate: 1e7, loadRate: 1e15, slots: 32 } },
      fault(seen, body) {
        most = Math.max(most, standin.requests().filter(({ status }) => status === null).length);
        return fault(seen, body);
      },
    }),
  );
  const arms = { one: 'm:1', two: 'm:1', three: 'm:1', four: 'm:1' };
  const lab = kept(await openLaboratory({ url: standin.url, cases, runtime: { reuseAnswers: true }, arms }));
  const requests = () => standin.requests().filter(({ endpoint }) => endpoint === '/api/chat');
  return { lab, requests, most: () => most };
}

test('a request that is under way is waited for, and trials that wait leave their places to others', async () => {
  const { lab, requests, most } = await fourAlike(5);
  expect(await lab.run({ concurrency: 4 })).toMatchObject({ done: 20, complete: true });
  const answers = ['one', 'two', 'three', 'four'].flatMap((arm) => answersOf(lab, arm));
  expect(requests()).toHaveLength(answers.length / 4);
  expect(answers.filter(({ payload }) => payload.reused === undefined)).toHaveLength(answers.length / 4);
  expect(most()).toBe(4);
  expect(verifyStore(lab.store, {})).toMatchObject({ result: 'intact' });
});

test('where the request that others wait for brings no answer, each of them makes it', async () => {
  const { lab, requests } = await fourAlike(1, ({ id }) => (id === 0 ? { kind: 'http-500' } : null));
  expect(await lab.run({ concurrency: 4 })).toMatchObject({ outcomes: { decided: 4 } });
  const [failed] = requests();
  expect(requests().filter(({ bodySha256 }) => bodySha256 === failed?.bodySha256)).toHaveLength(4);
  expect(verifyStore(lab.store, {})).toMatchObject({ result: 'intact' });
});

test('a run that ends while trials wait for a request continues with it later', async () => {
  const stop = new AbortController();
  const { lab, requests } = await fourAlike(1, ({ id }) => {
    if (id === 2) stop.abort();
    return null;
  });
  await expect(lab.run({ concurrency: 4, signal: stop.signal })).rejects.toMatchObject({ code: 'interrupted' });
  expect(await lab.run({ concurrency: 4 })).toMatchObject({ done: 4, complete: true });
  expect(requests()).toHaveLength(answersOf(lab, 'one').length + 1);
  expect(verifyStore(lab.store, {})).toMatchObject({ result: 'intact' });
});

test('no answer is reused unless the experiment asks for it', async () => {
  const { lab } = await ran(false);
  expect(answersOf(lab, 'other').every(({ payload }) => payload.reused === undefined)).toBe(true);
});
