import { afterEach, expect, test } from 'vitest';
import { digestOf } from '../../../../core/record/sharedKey.ts';
import { replay, verify } from '../../engine.ts';
import { type DemoServer, startDemoServer } from '../../models/demo/demoServer.ts';
import { emptyDisk } from '../../models/demo/pulls.ts';
import { everyone, type Hearings, openHearings, textCases } from './testing/hearings.ts';

let standin: DemoServer;
let lab: Hearings;

afterEach(async () => {
  lab.close();
  await standin.close();
});

test('answers of a model that was changed under its name are not shared with trials of the new one', async () => {
  const disk = emptyDisk();
  standin = await startDemoServer({ models: ['m:1', 'another:1'], disk });
  const judged = (name: string, judges: number) => ({
    name,
    protocol: 'courtroom',
    params: { judges, ambiguity: 5, shots: 0 },
    cast: everyone(false),
  });
  lab = openHearings({ url: standin.url, cases: textCases(16), arms: [judged('first', 1), judged('second', 3)] });
  const stop = new AbortController();
  const half = lab.run({
    concurrency: 1,
    signal: stop.signal,
    // The first trials are done, and one is on its way through its fresh hearings.
    onProgress: ({ calls }) => (calls >= 22 ? stop.abort() : undefined),
  });
  await expect(half).rejects.toMatchObject({ code: 'interrupted' });
  const another = disk.models?.get('another:1');
  if (another !== undefined) disk.models?.set('m:1', { ...another, name: 'm:1' });
  await lab.run({ concurrency: 1 });

  const digestOfSetup = (setup: string) => lab.look((store) => digestOf(store.blobs.need(setup)));
  const calls = lab.prepared().flatMap((event) => (event.kind === 'call-answer' ? [event.payload] : []));
  const digests = [...new Set(calls.map(({ setup }) => digestOfSetup(setup)))];
  expect(digests).toHaveLength(2);
  expect(calls.some(({ key }) => key.includes('/again-2/'))).toBe(true);
  expect(calls.some(({ key }) => key.includes('/again-3/'))).toBe(false);
  const made = lab.inTrials('call-answer').length + calls.length;
  // Calls that were under way when the run was stopped are made again: five hearings at most.
  expect(standin.requests().length - made).toBeLessThanOrEqual(5);

  const shares = Map.groupBy(lab.inTrials('answer-share'), ({ trial }) => trial);
  const found = new Map(lab.inTrials('ambiguity-find').map(({ trial, payload }) => [trial, payload]));
  for (const [trial, of] of shares) {
    const own = new Set(of.map(({ payload }) => digestOfSetup(payload.setup)));
    if (own.size > 1) expect(found.get(trial)?.ambiguous).toBeNull();
    else expect(found.get(trial)?.ambiguous).not.toBeNull();
  }
  expect(await verify(lab.store, {})).toMatchObject({ result: 'intact' });
  expect(await replay(lab.store, undefined, () => undefined)).toMatchObject({ different: 0, identical: shares.size });
});
