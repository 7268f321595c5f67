import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { replay } from '../engine.ts';
import { probeText } from '../lab/backends.ts';
import { everyone, type Hearings, openHearings, textCases } from '../lab/preparation/testing/hearings.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { forge } from './testing/forging.ts';
import { secondVerifier } from './testing/pythonVerifier.ts';
import { verifyPath } from './testing/tampering.ts';

/** Failures that trials share: neither their kind nor what the server said can be another one in a trial. */

const python = secondVerifier();
let standin: DemoServer;
let lab: Hearings;

/** Whether a request is for the reason of a precedent, or for the vector of a case on trial. */
function isShared(endpoint: string, body: string): boolean {
  if (endpoint !== '/api/embed') return body.includes('The right answer for this case is');
  const { input } = z.object({ input: z.array(z.string()) }).parse(JSON.parse(body));
  return input.length === 1 && input[0] !== probeText;
}

beforeAll(async () => {
  standin = await startDemoServer({ fault: ({ endpoint }, body) => (isShared(endpoint, body) ? { kind: 'http-500' } : null) });
  const arms = [
    { name: 'reasons', protocol: 'courtroom', params: { judges: 1 }, cast: everyone(false) },
    { name: 'vectors', protocol: 'single', params: { shots: 1 }, cast: everyone() },
  ];
  lab = openHearings({ url: standin.url, cases: textCases(16), arms, change: { runtime: { retries: 0 } } });
  await lab.run();
});

afterAll(async () => {
  lab.close();
  await standin.close();
});

/** Changes the first such failure of an arm, and asks every verifier, and replay about the trial. */
async function forged(arm: string, step: 'answer-share' | 'precedent-retrieve', change: { kind?: string; says?: string }) {
  const trial = lab.look((store) => store.trials.all().find((row) => row.arm === arm)?.trial) ?? '';
  const path = `${lab.store}.forged`;
  forge(lab.store, path, trial, ({ events, keep }) => {
    const event = events.find(({ kind, payload }) => kind === step && payload.failure !== undefined);
    if (event === undefined) throw new Error(`no ${step} of arm ${arm} failed`);
    const { kind, says } = change;
    const own = z.object({ kind: z.string(), message: z.string() }).parse(event.payload.failure);
    event.payload.failure = { kind: kind ?? own.kind, message: says === undefined ? own.message : keep(says) };
  });
  try {
    const report = verifyPath(path);
    await python.agrees(path, report);
    const { result, first_bad } = report;
    const replayed = await replay(path, trial, () => undefined);
    return { result, problem: first_bad?.problem, replay: replayed.trials.at(0)?.problem ?? 'identical' };
  } finally {
    for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
}

test('as they were written they verify and replay', async () => {
  expect(await forged('reasons', 'answer-share', {})).toEqual({ result: 'intact', problem: undefined, replay: 'identical' });
  expect(await forged('vectors', 'precedent-retrieve', {})).toEqual({
    result: 'intact',
    problem: undefined,
    replay: 'identical',
  });
});

test('the recorded answer of a server instead of a reason must be that of the call', async () => {
  const found = await forged('reasons', 'answer-share', { says: 'the server was struck by lightning' });
  expect(found).toEqual({
    result: 'tampered',
    problem: 'its answer is not that of the call that it names',
    replay: expect.stringMatching(/not that of the call/),
  });
});

test.each([
  ['words', { says: 'the server was struck by lightning' }],
  ['kind', { kind: 'timeout' }],
])('the recorded reason for a missing vector must be that of the preparation: other %s', async (_what, change) => {
  expect(await forged('vectors', 'precedent-retrieve', change)).toMatchObject({
    result: 'tampered',
    problem: 'the failure that it names is not in the preparation chain of its experiment',
  });
});
