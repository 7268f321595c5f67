import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { plan, run } from '../engine.ts';
import { type DemoServer, type DemoServerOptions, startDemoServer } from '../models/demo/demoServer.ts';
import { kept } from '../testing/kept.ts';
import { probeText } from './backends.ts';
import { everyone, type HearingPlan, type Hearings, openHearings, textCases } from './preparation/testing/hearings.ts';

const standing = async (options: Partial<DemoServerOptions> = {}) => kept(await startDemoServer(options));

const hearings = (made: HearingPlan) => kept(openHearings(made));

const fileOf = ({ store }: Hearings) => join(dirname(store), 'experiment.json');
const planOf = (lab: Hearings) => plan(fileOf(lab), { store: lab.store, concurrency: 1 });
const runSome = (lab: Hearings, maxTrials: number) => run(fileOf(lab), { store: lab.store, concurrency: 2, maxTrials });

/** A demo model, and the models that it was asked for the vector of the probe text, in order. */
async function probed() {
  const probes: string[] = [];
  const standin = await standing({
    fault(_seen, body) {
      if (body.includes(probeText)) probes.push(z.object({ model: z.string() }).parse(JSON.parse(body)).model);
      return null;
    },
  });
  return { standin, probes };
}

/** Requests that make something; the others ask for versions and models. */
const callsTo = (standin: DemoServer) =>
  standin.requests().filter(({ endpoint }) => endpoint === '/api/chat' || endpoint === '/api/embed').length;

const arm = (name: string, params: object, cast: object = everyone()) => ({ name, protocol: 'courtroom', params, cast });
const single = (name: string, params: object, cast: object = everyone()) => ({ name, protocol: 'single', params, cast });
const otherClerk = { ...everyone(), clerk: { model: 'other:1' } };

/** Each way to prepare, with the others that it could be mistaken for. */
const configurations: readonly (readonly [string, Partial<HearingPlan>])[] = [
  ['nothing shared', { arms: [arm('a', { shots: 0 }), single('s', {})] }],
  [
    'two arms that share all, another clerk, and reasons by TF-IDF',
    {
      arms: [
        arm('a', { ambiguity: 5, judges: 1 }),
        arm('b', { ambiguity: 5, judges: 1, deliberation: 'parallel' }),
        arm('c', { ambiguity: 5, judges: 1 }, otherClerk),
        arm('d', { judges: 1 }, everyone(false)),
      ],
    },
  ],
  [
    'the labels in dispute, in two arms',
    { arms: [arm('a', { precedents: 'contested', judges: 1 }), arm('b', { precedents: 'contested', shots: 2, judges: 1 })] },
  ],
  ['drawn precedents, two replicates', { arms: [arm('a', { retriever: 'random', judges: 1 })], change: { replicates: 2 } }],
  ['cases on trial that are training cases', { arms: [arm('a', { judges: 1, ambiguity: 5 })], sample: { from: 'all', n: 5 } }],
];

describe('the calls of a run that has every answer at the first attempt are in the range of its plan', () => {
  test.each(configurations)('%s', async (_name, made) => {
    const { standin, probes } = await probed();
    const lab = hearings({ url: standin.url, cases: textCases(12), arms: [], ...made });
    const { calls, preparation_calls: shared, arms } = await planOf(lab);
    expect(callsTo(standin)).toBe(0);
    const report = await lab.run();
    expect(report.decided).toBe(report.planned);
    const done = callsTo(standin);
    expect(done).toBeGreaterThanOrEqual(calls.min);
    expect(done).toBeLessThanOrEqual(calls.max);
    // A probe is no event: vectors name what it gave.
    const prepared = lab.prepared().length + probes.length;
    expect(prepared).toBeGreaterThanOrEqual(shared.min);
    expect(prepared).toBeLessThanOrEqual(shared.max);
    expect(prepared).toBe(done - arms.reduce((sum, each) => sum + each.calls.max, 0));
    const after = await planOf(lab);
    expect([after.calls, after.preparation_calls, after.preparation_prompt_tokens, after.prompt_tokens]).toEqual([
      { min: 0, max: 0 },
      { min: 0, max: 0 },
      { min: 0, max: 0 },
      0,
    ]);
  });

  test('and where all is known beforehand, the range is one number', async () => {
    const standin = await standing();
    const lab = hearings({
      url: standin.url,
      cases: textCases(48),
      arms: [single('s', { shots: 1 }), single('t', { shots: 2 })],
    });
    // The probe, 36 training cases in two batches, then each of 12 on trial; two arms of 12 trials.
    const { calls, preparation_calls: shared } = await planOf(lab);
    expect([shared, calls]).toEqual([
      { min: 15, max: 15 },
      { min: 39, max: 39 },
    ]);
  });

  test('models are tried only for arms that have trials left and find by vectors', async () => {
    const { standin, probes } = await probed();
    const cast = (model: string) => ({ ...everyone(), retriever: { model } });
    const first = [
      single('s', { shots: 1 }, cast('one')),
      single('n', {}, cast('none')),
      arm('r', { retriever: 'random', judges: 1 }, cast('none')),
    ];
    const lab = hearings({ url: standin.url, cases: textCases(24), arms: first });
    await lab.run();
    expect(probes).toEqual(['one']);
    lab.extend({ arms: [...first, single('t', { shots: 1 }, cast('two'))] });
    const { preparation_calls: shared } = await planOf(lab);
    // The probe, 18 training cases at once, then each of 6 on trial.
    expect(shared).toEqual({ min: 8, max: 8 });
    await lab.run();
    expect(probes).toEqual(['one', 'two']);
  });

  test('two arms with one model in two contexts have separate vectors, with other options they share them', async () => {
    const { standin, probes } = await probed();
    const cast = (options: object) => ({ ...everyone(), retriever: { model: 'embed:1', options } });
    const arms = [cast({}), cast({ temperature: 0.5 }), cast({ numCtx: 512 })].map((each, index) =>
      single(`s${index}`, { shots: 1 }, each),
    );
    const lab = hearings({ url: standin.url, cases: textCases(24), arms });
    expect((await planOf(lab)).preparation_calls).toEqual({ min: 16, max: 16 });
    await lab.run();
    expect(lab.prepared().length + probes.length).toBe(16);
    expect((await planOf(lab)).calls).toEqual({ min: 0, max: 0 });
  });

  test('also of a run that continues: what is on the record is not planned again', async () => {
    const { standin, probes } = await probed();
    const arms = [arm('a', { ambiguity: 5, judges: 1 }), arm('b', { ambiguity: 5, judges: 1, shots: 2 }, otherClerk)];
    const lab = hearings({ url: standin.url, cases: textCases(16), arms });
    for (const some of [3, 2, 20]) {
      const { calls, preparation_calls: shared } = await planOf(lab);
      const before = { calls: callsTo(standin), shared: some === 3 ? 0 : lab.prepared().length + probes.length };
      await runSome(lab, some);
      const made = { calls: callsTo(standin) - before.calls, shared: lab.prepared().length + probes.length - before.shared };
      expect(made.shared).toBeLessThanOrEqual(shared.max);
      expect(made.calls).toBeLessThanOrEqual(calls.max);
      if (some !== 20) continue;
      expect(made.shared).toBeGreaterThanOrEqual(shared.min);
      expect(made.calls).toBeGreaterThanOrEqual(calls.min);
    }
    expect((await planOf(lab)).calls).toEqual({ min: 0, max: 0 });
  });
});
