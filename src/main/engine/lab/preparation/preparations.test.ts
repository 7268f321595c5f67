import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { narrate } from '../../../../core/cases/narrative.ts';
import type { EventPayload } from '../../../../shared/events.ts';
import { pythonMissing, startPythonVerifier } from '../../audit/testing/pythonVerifier.ts';
import { replay, verify } from '../../engine.ts';
import { type DemoServer, type DemoServerOptions, startDemoServer } from '../../models/demo/demoServer.ts';
import { kept } from '../../testing/kept.ts';
import { probeText } from '../backends.ts';
import { everyone, type HearingPlan, type Hearings, openHearings, textCases } from './testing/hearings.ts';

const standing = async (options: Partial<DemoServerOptions> = {}) => kept(await startDemoServer(options));

const hearings = (plan: HearingPlan) => kept(openHearings(plan));

const arm = (name: string, params: object, retriever = true) => ({
  name,
  protocol: 'courtroom',
  params,
  cast: everyone(retriever),
});
const bothArms = [
  arm('sequential', { judges: 1, ambiguity: 5 }),
  arm('parallel', { judges: 1, deliberation: 'parallel', ambiguity: 5 }),
];

const base = (key: string) => key.replace(/\/attempt-\d+$/, '');
const answersIn = (events: ReturnType<Hearings['prepared']>) =>
  events.flatMap((event) => (event.kind === 'call-answer' ? [event.payload] : []));
const vectorsIn = (events: ReturnType<Hearings['prepared']>): EventPayload<'embedding-make'>[] =>
  events.flatMap((event) => (event.kind === 'embedding-make' ? [event.payload] : []));
const asked = (standin: DemoServer, endpoint: string) =>
  standin.requests().filter((request) => request.endpoint === endpoint).length;

/** A line without what differs from run to run. */
const timeless = ({ model_ms: _model, wall_ms: _wall, head_hash: _head, ...line }: Record<string, unknown>) => line;

describe('what trials share', () => {
  let standin: DemoServer;
  let lab: Hearings;
  let report: Awaited<ReturnType<Hearings['run']>>;

  // The server is gone when the tests look.
  beforeAll(async () => {
    standin = await startDemoServer();
    lab = openHearings({ url: standin.url, cases: textCases(48), arms: bothArms, sample: { from: 'test', n: 6 } });
    report = await lab.run();
    await standin.close();
  });
  afterAll(() => lab.close());

  test('is asked once, whichever arm and trial comes first, and all of it is on the record', async () => {
    expect(report).toMatchObject({ planned: 12, decided: 12 });
    const answers = answersIn(lab.prepared());
    expect(new Set(answers.map(({ key }) => key)).size).toBe(answers.length);
    const shares = lab.inTrials('answer-share').map(({ payload }) => payload);
    // Five hearings for each of 6 cases, and a reason for each training case that any trial has found.
    const found = new Set(
      lab.inTrials('precedent-retrieve').flatMap(({ payload }) => payload.precedents.map((each) => each.case)),
    );
    expect(new Set(answers.map(({ key }) => base(key))).size).toBe(6 * 5 + found.size);
    expect(shares).toHaveLength(12 * (5 + 3));
    const inTrials = lab.inTrials('call-answer').length;
    expect(asked(standin, '/api/chat')).toBe(inTrials + answers.length);
    const lines = await lab.lines();
    expect(lines.reduce((sum, { attempts }) => sum + Number(attempts), 0)).toBe(inTrials);
    for (const { ambiguous } of lines) expect(typeof ambiguous).toBe('boolean');
    const ofCase = Map.groupBy(lines, (line) => line.case);
    for (const same of ofCase.values()) expect(new Set(same.map(({ ambiguous }) => ambiguous)).size).toBe(1);
  });

  test('vectors are made once for a case and a model', () => {
    const vectors = vectorsIn(lab.prepared());
    const cases = vectors.flatMap((event) => event.cases);
    expect(new Set(cases).size).toBe(cases.length);
    // The test text, 36 training cases in two batches, then each of the 6 on trial.
    expect(cases).toHaveLength(42);
    expect(asked(standin, '/api/embed')).toBe(1 + 2 + 6);
    for (const { dimensions } of vectors) expect(dimensions).toBe(768);
    for (const { payload } of lab.inTrials('precedent-retrieve')) {
      expect(payload.method).toBe('embeddings');
      expect(lab.look((store) => JSON.parse(store.blobs.need(payload.setup ?? '')))).toMatchObject({
        model: 'embed:1',
        standin: true,
      });
    }
  });

  test('a run that is stopped continues without asking again, to the same results', async () => {
    const standin = await standing();
    const plan = { url: standin.url, cases: textCases(12), arms: bothArms };
    const whole = hearings(plan);
    await whole.run();
    const calls = standin.requests().length;
    for (const stopAfter of [1, 20]) {
      const lab = hearings(plan);
      const before = standin.requests().length;
      const stop = new AbortController();
      const stopping = lab.run({
        concurrency: 2,
        signal: stop.signal,
        onProgress: ({ calls: made }) => (made >= stopAfter ? stop.abort() : undefined),
      });
      await expect(stopping).rejects.toMatchObject({ code: 'interrupted' });
      await lab.run();
      // Only calls that were under way when it was stopped are made again: of two trials, five hearings at most each.
      expect(standin.requests().length - before - calls, `stopped after ${stopAfter}`).toBeLessThanOrEqual(2 * 5);
      expect(lab.prepared().length).toBe(whole.prepared().length);
      expect((await lab.lines()).map(timeless)).toEqual((await whole.lines()).map(timeless));
      expect(await verify(lab.store, {})).toMatchObject({ result: 'intact' });
    }
  });

  test('replays without any server, and both verifiers find the store intact', async () => {
    expect(await replay(lab.store, undefined, () => undefined)).toMatchObject({ identical: 12, different: 0 });
    const own = await verify(lab.store, {});
    expect(own).toMatchObject({ result: 'intact', trials: 12 });
    const missing = pythonMissing();
    if (missing !== null) throw new Error(missing);
    const python = kept(startPythonVerifier());
    expect(await python.verify(lab.store)).toMatchObject({ result: 'intact', root: own.root });
  });
});

describe('precedents', () => {
  /** Each trial's case and what was found for it. */
  const foundIn = (lab: Hearings) =>
    lab.look((store) => {
      const rows = new Map(store.trials.all().map((row) => [row.trial, row]));
      const { id: dataset } = store.datasets.all().at(-1) ?? { id: 0 };
      const splits = new Map(store.datasets.cases(dataset).map(({ ref, split }) => [ref, split]));
      return lab.inTrials('precedent-retrieve').map(({ trial, payload }) => ({
        method: payload.method,
        own: store.datasets.read(store.datasets.caseOfId(dataset, rows.get(trial)?.case_id ?? '')?.ref ?? ''),
        precedents: payload.precedents.map(({ case: ref, label, similarity }) => ({
          kase: store.datasets.read(ref),
          split: splits.get(ref),
          label,
          similarity,
        })),
      }));
    });

  test.each([
    ['similar', true, 'embeddings'],
    ['similar', false, 'tf-idf'],
    ['random', true, 'random'],
  ])(
    '%s (embedding model: %s): of the training split alone, two of each label, never the case itself or its double',
    async (retriever, model, method) => {
      const standin = await standing();
      const cases = textCases(36).flatMap((kase) => [kase, { ...kase, id: `${kase.id}-double` }]);
      const arms = [arm('arm', { judges: 1, shots: 2, retriever }, model)];
      // Training cases are on trial too: each of them could be found as its own precedent.
      const lab = hearings({ url: standin.url, cases, arms, sample: { from: 'all', n: 10 } });
      const report = await lab.run();
      expect(report.decided).toBe(10);
      const trials = foundIn(lab);
      expect(trials).toHaveLength(10);
      for (const { own, precedents, method: used } of trials) {
        expect(used).toBe(method);
        expect(precedents.map(({ label }) => label)).toEqual(['delay', 'delay', 'damage', 'damage', 'praise', 'praise']);
        for (const { kase, split, label, similarity } of precedents) {
          expect(split).toBe('train');
          expect(kase.truth).toBe(label);
          expect(kase.id).not.toBe(own.id);
          expect(narrate(kase.facts, 'text')).not.toBe(narrate(own.facts, 'text'));
          expect(similarity === null).toBe(method === 'random');
        }
        if (method === 'random') continue;
        for (const at of [0, 2, 4])
          expect(precedents[at]?.similarity).toBeGreaterThanOrEqual(precedents[at + 1]?.similarity ?? 1);
      }
      const noted = report.notes.find((note) => note.startsWith('arm arm'));
      expect(noted).toMatch(
        { embeddings: /vectors of embed:1/, 'tf-idf': /TF-IDF, since no embedding model/, random: /at random/ }[method] ?? /^$/,
      );
    },
  );

  test('a drawn precedent is the same for the same seed, and another one for another case', async () => {
    const standin = await standing();
    const plan = { url: standin.url, cases: textCases(28), arms: [arm('arm', { judges: 1, retriever: 'random' })] };
    const drawn = async () => {
      const lab = hearings(plan);
      await lab.run();
      return foundIn(lab)
        .map(({ own, precedents }) => [own.id, ...precedents.map(({ kase }) => kase.id)])
        .toSorted();
    };
    const first = await drawn();
    expect(await drawn()).toEqual(first);
    expect(new Set(first.map(([, ...ids]) => ids.join())).size).toBeGreaterThan(3);
  });

  test('a text that does not fit the embedding model is left out, the others are found, and it is not asked again', async () => {
    const standin = await standing();
    const cases = textCases(32).map((kase) =>
      kase.id === 'c4' ? { ...kase, text: `${kase.text} ${'word '.repeat(9000)}` } : kase,
    );
    // The long case must not be on trial itself.
    const lab = hearings({ url: standin.url, cases, arms: [arm('arm', { judges: 1 })], change: { seed: 3 } });
    const trained = await lab.run();
    expect(trained.decided).toBe(8);
    const failed = vectorsIn(lab.prepared()).filter(({ failure }) => failure !== undefined);
    expect(failed.length).toBeGreaterThan(1);
    expect(failed.at(-1)?.cases).toHaveLength(1);
    expect(failed.at(-1)?.failure).toMatchObject({ kind: 'overflow', permanent: true });
    for (const { precedents } of foundIn(lab)) {
      expect(precedents).toHaveLength(3);
      for (const { kase } of precedents) expect(kase.id).not.toBe('c4');
    }
  });

  test('where the vector of the case on trial cannot be had, its judges decide without precedents', async () => {
    const standin = await standing({
      fault({ endpoint }, body) {
        if (endpoint !== '/api/embed') return null;
        const { input } = z.object({ input: z.array(z.string()) }).parse(JSON.parse(body));
        return input.length === 1 && input[0] !== probeText ? { kind: 'http-500' } : null;
      },
    });
    const lab = hearings({
      url: standin.url,
      cases: textCases(16),
      arms: [arm('arm', { judges: 1 })],
      change: { runtime: { retries: 0 } },
    });
    const report = await lab.run();
    expect(report.outcomes).toEqual({ decided: 4 });
    for (const { incomplete } of await lab.lines()) expect(incomplete).toBe(true);
    expect(lab.inTrials('turn-forfeit').map(({ payload }) => [payload.role, payload.failure])).toEqual(
      Array.from({ length: 4 }, () => ['retriever', 'backend_error']),
    );
    expect(await verify(lab.store, {})).toMatchObject({ result: 'intact' });
    expect(await replay(lab.store, undefined, () => undefined)).toMatchObject({ identical: 4 });
  });

  test('without a labelled training case nothing is begun', async () => {
    const standin = await standing();
    const lab = hearings({
      url: standin.url,
      cases: textCases(12),
      arms: [arm('arm', {})],
      change: {
        dataset: {
          path: 'cases.jsonl',
          kind: 'text',
          id: 'id',
          label: { column: 'label' },
          question: 'What is the letter about?',
        },
      },
    });
    await expect(lab.run()).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringMatching(/training split, which has no labelled cases.*set params\.shots to 0/),
    });
    expect(standin.requests()).toEqual([]);
  });
});
