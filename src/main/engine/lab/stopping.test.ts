import { expect, test } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { startDemoServer } from '../models/demo/demoServer.ts';
import { statistics } from '../report/statistics.ts';
import { transcript } from '../report/transcript.ts';
import { kept } from '../testing/kept.ts';
import { loadFrozen } from './frozen.ts';
import { noteLook } from './looks.ts';
import { endedByRule } from './stopping.ts';
import { type Laboratory, openLaboratory } from './testing/laboratory.ts';

const width = 0.6;
const cases = 60;

async function laboratory(arms: Record<string, string>): Promise<Laboratory> {
  const server = kept(await startDemoServer({}));
  const decided = { primary: { compare: ['court', 'alone'] }, stop: { width } };
  const made = kept(
    await openLaboratory({
      url: server.url,
      cases,
      arms,
      protocol: { name: 'standard', params: { style: 'system1' } },
      decided,
    }),
  );
  return made;
}

const isEnded = ({ store }: Laboratory) => endedByRule(store, loadFrozen(store, 'laboratory'));
const doneIn = (lab: Laboratory) => lab.lines().flatMap(({ trial, status }) => (status === 'done' ? [trial] : []));

/** Ends at a number of finished trials, as if the process had been asked to; some calls are then under way. */
async function interrupted(lab: Laboratory, after: number): Promise<void> {
  const stop = new AbortController();
  const run = lab.run({
    concurrency: 3,
    signal: stop.signal,
    onProgress: ({ finished_now: now }) => now >= after && stop.abort(),
  });
  await expect(run).rejects.toMatchObject({ code: 'interrupted' });
}

test.each([
  ['one model', { third: 'm:1', court: 'm:1', alone: 'm:1' }],
  ['two models', { third: 'm:2', court: 'm:1', alone: 'm:2' }],
])('%s: a run with a stopping rule ends where its record says, however often it was interrupted', async (_name, arms) => {
  const whole = await laboratory(arms);
  const report = await whole.run({ concurrency: 1 });
  const needed = report.stopped?.cases ?? 0;
  expect(report).toMatchObject({ planned: 3 * cases, complete: true, stopped: { width } });
  expect(needed).toBeGreaterThan(10);
  expect(needed).toBeLessThan(cases);
  const { low, high } = report.stopped ?? { low: -1, high: 1 };
  expect(high - low).toBeLessThan(width);
  expect(whole.log()).toContain('run-stop');
  expect(whole.progress.at(-1)?.stoppedAfter).toBe(needed);
  // The first cases of the sample in every arm; with two models in turn at most as many more as are tried together.
  const beyond = new Set(Object.values(arms)).size > 1 ? 10 : 1;
  for (const arm of Object.keys(arms)) {
    const own = whole.lines().filter((line) => line.arm === arm);
    const done = own.filter(({ status }) => status === 'done').length;
    expect(own.slice(0, needed).every(({ status }) => status === 'done')).toBe(true);
    expect(done).toBeLessThan(needed + beyond);
  }

  const parts = await laboratory(arms);
  await interrupted(parts, 5);
  await interrupted(parts, 20);
  expect([isEnded(parts), isEnded(whole)]).toEqual([false, true]);
  const resumed = await parts.run({ concurrency: 3 });
  expect(resumed).toMatchObject({ complete: true, stopped: { cases: needed } });
  const before = doneIn(parts);
  for (const trial of doneIn(whole).slice(0, 2 * needed)) expect(before).toContain(trial);
  // Trials under way at the stop were finished, and nothing is left open.
  expect(parts.lines().some(({ status }) => status === 'running')).toBe(false);
  expect(await parts.run({ concurrency: 3 })).toMatchObject({ complete: true, finished_now: 0 });
  expect(doneIn(parts)).toEqual(before);

  const { primary } = statistics(parts.store, 'laboratory', { cache: null }, () => undefined);
  expect(primary).toMatchObject({ final: true, decided_by: 'anytime', stop: { width, after: needed } });
});

test('looks before the end are counted once for each number of cases, and stay when details are erased; `show` keeps the label back', async () => {
  const lab = await laboratory({ court: 'm:1', alone: 'm:1' });
  const report = () => statistics(lab.store, 'laboratory', { cache: null, quick: true }, () => undefined);
  const look = () =>
    noteLook(
      report(),
      () => null,
      async (action) => action(lab.store),
    );
  await look();
  expect(report().primary?.looks).toEqual([]);
  // Results of one arm can be seen before any case has ended in both.
  await lab.run({ maxTrials: 1 });
  await look();
  const known = () => transcript(lab.store, 'laboratory', doneIn(lab)[0]).known;
  expect(known()).toBeUndefined();
  await lab.run({ maxTrials: 5 });
  await look();
  await look();
  await lab.run({ maxTrials: 5 });
  const refused = () => Promise.reject(new AssizeError('store-in-use', 'somebody else writes'));
  const uncounted = await noteLook(report(), () => null, refused);
  expect(uncounted.primary).toMatchObject({ look_uncounted: 'another program is writing to the record' });
  await lab.run({ maxTrials: 5 });
  await look();
  lab.store.write(() => lab.store.runLog.dropDetails('laboratory'));
  await lab.run();
  await look();
  expect(report().primary).toMatchObject({ final: true, looks: [0, 3, 8] });
  expect(known()).toMatch(/^Truth in the data: .+\. The verdict is (correct|wrong)\.$/);
});
