import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { narrate } from '../../../../core/cases/narrative.ts';
import type { EventPayload } from '../../../../shared/events.ts';
import { forge } from '../../audit/testing/forging.ts';
import { replay, verify } from '../../engine.ts';
import { startDemoServer } from '../../models/demo/demoServer.ts';
import { kept } from '../../testing/kept.ts';
import { probeText } from '../backends.ts';
import { type HearingPlan, type Hearings, openHearings, textCases } from './testing/hearings.ts';
import { startVectorServer, type VectorServer, vectorsBy } from './testing/vectorServer.ts';

interface Room {
  readonly lab: Hearings;
  readonly vectors: VectorServer;
}

/** An arm that looks for one precedent of each label by vectors of a server without digests. */
const armOf = (name: string, options: object = {}) => ({
  name,
  protocol: 'single',
  params: { shots: 1 },
  cast: { '*': { model: 'm:1' }, retriever: { model: 'vectors', backend: 'vectors', options } },
});

async function room(plan: Partial<HearingPlan> = {}): Promise<Room> {
  const standin = kept(await startDemoServer());
  const vectors = kept(await startVectorServer());
  const { change = {}, ...rest } = plan;
  const backends = {
    default: { kind: 'ollama', url: standin.url },
    vectors: { kind: 'openai', url: `${vectors.url}/v1` },
  };
  const cases = textCases(24);
  return {
    lab: kept(
      openHearings({
        url: standin.url,
        cases,
        arms: [armOf('single')],
        change: { backends, runtime: { retries: 0 }, ...change },
        ...rest,
      }),
    ),
    vectors,
  };
}

const made = (lab: Hearings) => lab.prepared().flatMap((event) => (event.kind === 'embedding-make' ? [event.payload] : []));
const embeddedIn = (lab: Hearings) => made(lab).flatMap(({ vectors, cases }) => (vectors === null ? [] : cases));
const textsOf = (lab: Hearings, refs: readonly string[]) =>
  lab.look((store) => refs.map((ref) => narrate(store.datasets.read(ref).facts, 'text')));

/** Changes the setup of all recorded vectors, and of what was found by them. */
function withSetups(lab: Hearings, change: (setup: Record<string, unknown>) => object): void {
  const trials = new Set(lab.inTrials('precedent-retrieve').map(({ trial }) => trial));
  for (const chain of ['preparation/hearings', ...trials]) {
    const copy = `${lab.store}.other`;
    forge(lab.store, copy, chain, ({ events, text, keep }) => {
      for (const { kind, payload } of events) {
        if (kind !== 'embedding-make' && kind !== 'precedent-retrieve') continue;
        const setup = z.record(z.string(), z.unknown()).parse(JSON.parse(text(payload.setup)));
        payload.setup = keep(JSON.stringify(change(setup)));
      }
    });
    lab.replaceStore(copy);
  }
}

describe('a space of vectors', () => {
  test('more cases and more arms use the vectors that there are', async () => {
    const { lab, vectors } = await room({ sample: { from: 'test', n: 2 } });
    await lab.run();
    expect(embeddedIn(lab)).toHaveLength(18 + 2);
    const dataset = { sample: { from: 'test', n: 5 } };
    const before = vectors.asked().length;
    lab.extend({ dataset, arms: [armOf('single'), armOf('again')] });
    expect(await lab.run()).toMatchObject({ planned: 10, decided: 10 });
    const refs = embeddedIn(lab);
    expect(refs).toHaveLength(18 + 5);
    expect(new Set(refs).size).toBe(18 + 5);
    // The test text, and the three cases that are new.
    expect(
      vectors
        .asked()
        .slice(before)
        .map(({ length }) => length),
    ).toEqual([1, 1, 1, 1]);
    expect(vectors.asked()[before]).toEqual([probeText]);
  });

  test('vectors of another digest are not used', async () => {
    const standin = kept(await startDemoServer());
    const arms = [{ ...armOf('single'), cast: { '*': { model: 'm:1' }, retriever: { model: 'nomic-embed-text' } } }];
    const lab = kept(openHearings({ url: standin.url, cases: textCases(24), arms, sample: { from: 'test', n: 2 } }));
    await lab.run();
    // As if the model had had another digest when the first run made its vectors.
    withSetups(lab, (setup) => ({ ...setup, digest: 'f'.repeat(64) }));
    lab.extend({ dataset: { sample: { from: 'test', n: 4 } } });
    expect(await lab.run()).toMatchObject({ decided: 4 });
    const byDigest = Map.groupBy(made(lab), ({ setup }) =>
      lab.look(({ blobs }) => z.object({ digest: z.string() }).parse(JSON.parse(blobs.need(setup))).digest),
    );
    const counts = [...byDigest.values()].map((events) => events.flatMap(({ cases }) => cases).length);
    expect(counts).toEqual([18 + 2, 18 + 2]);
    expect(await verify(lab.store, {})).toMatchObject({ result: 'intact' });
  });
});

describe('a server that states no digest', () => {
  const extended = { dataset: { sample: { from: 'test', n: 4 } } };

  test('is known by its vector of a test text, which the record keeps', async () => {
    const { lab, vectors } = await room({ sample: { from: 'test', n: 2 } });
    await lab.run();
    for (const { setup } of made(lab)) {
      const { probe } = lab.look(({ blobs }) => z.object({ probe: z.array(z.number()) }).parse(JSON.parse(blobs.need(setup))));
      expect(probe).toHaveLength(64);
      expect(Math.hypot(...probe)).toBeCloseTo(1, 3);
    }
    // The last digits of a vector change with machine and batch; the model is the same.
    vectors.answers((texts) =>
      vectorsBy('one')(texts).map((vector) => vector.map((value, at) => value + (at % 2 === 0 ? 1e-5 : -1e-5))),
    );
    lab.extend(extended);
    expect(await lab.run()).toMatchObject({ decided: 4 });
    expect(embeddedIn(lab)).toHaveLength(18 + 4);
    expect(await verify(lab.store, {})).toMatchObject({ result: 'intact' });
  });

  test.each([
    ['of the same length', vectorsBy('two')],
    ['of another length', vectorsBy('one', 32)],
  ])('another model under its name, with vectors %s, stops the run before any is compared', async (_what, answer) => {
    const { lab, vectors } = await room({ sample: { from: 'test', n: 2 } });
    await lab.run();
    const before = vectors.asked().length;
    vectors.answers(answer);
    lab.extend(extended);
    await expect(lab.run()).rejects.toMatchObject({
      code: 'missing-model',
      exitCode: 4,
      message: expect.stringMatching(/vectors of two models cannot be compared; serve the earlier model/),
    });
    expect(vectors.asked().slice(before)).toEqual([[probeText]]);
    expect(embeddedIn(lab)).toHaveLength(18 + 2);
    // With the earlier model the run continues.
    vectors.answers(vectorsBy('one'));
    expect(await lab.run()).toMatchObject({ decided: 4 });
    expect(await verify(lab.store, {})).toMatchObject({ result: 'intact' });
  });

  test('vectors that an earlier program recorded without a test text are remade', async () => {
    const { lab } = await room({ sample: { from: 'test', n: 2 } });
    await lab.run();
    withSetups(lab, ({ probe: _probe, ...setup }) => setup);
    expect(await verify(lab.store, {})).toMatchObject({ result: 'intact' });
    expect(await replay(lab.store, undefined, () => undefined)).toMatchObject({ identical: 2 });
    lab.extend(extended);
    expect(await lab.run()).toMatchObject({ decided: 4 });
    expect(embeddedIn(lab)).toHaveLength(18 + 2 + (18 + 2));
    expect(await verify(lab.store, {})).toMatchObject({ result: 'intact' });
    expect(await replay(lab.store, undefined, () => undefined)).toMatchObject({ identical: 4 });
  });

  test('vectors that change their length during a run stop it, and are not recorded', async () => {
    const { lab, vectors } = await room();
    vectors.answers((texts) => vectorsBy('one', texts.length === 1 && texts[0] !== probeText ? 32 : 64)(texts));
    await expect(lab.run()).rejects.toMatchObject({ code: 'missing-model', message: expect.stringMatching(/of 32 numbers/) });
    expect(new Set(made(lab).map(({ dimensions }) => dimensions))).toEqual(new Set([64]));
  });
});

describe('a server that makes no vectors', () => {
  test.each([
    [404, 'not found', 1, /gives no vectors \(HTTP 404\), so it cannot play the role retriever; .*TF-IDF/],
    [400, 'this model does not support embeddings', 1, /does not support embeddings/],
    [501, 'start it with --embeddings', 3, /start it with --embeddings/],
  ])('is found out by one text before anything is begun (HTTP %i)', async (status, error, calls, words) => {
    const { lab, vectors } = await room();
    vectors.answers(() => ({ status, error }));
    await expect(lab.run()).rejects.toMatchObject({ code: 'missing-model', exitCode: 4, message: expect.stringMatching(words) });
    expect(vectors.asked()).toEqual(Array.from({ length: calls }, () => [probeText]));
    expect(existsSync(lab.store)).toBe(false);
  });

  test('vectors without a direction do not count', async () => {
    const { lab, vectors } = await room();
    vectors.answers((texts) => texts.map(() => [0, 0, 0]));
    await expect(lab.run()).rejects.toMatchObject({ code: 'missing-model', message: expect.stringMatching(/all zeros/) });
  });

  test.each([
    ['for good', 400, 44, 32],
    ['for now', 500, 12, 9],
  ])(
    'a first batch that fails in all its parts, %s, stops the run',
    async (_what, status, cases, batch) => {
      const { lab, vectors } = await room({ cases: textCases(cases) });
      vectors.answers((texts) => (texts[0] === probeText ? vectorsBy('one')(texts) : { status, error: 'no memory' }));
      const none = new RegExp(`no vector for any of ${batch} training cases .*no memory`);
      await expect(lab.run()).rejects.toMatchObject({ code: 'missing-model', message: expect.stringMatching(none) });
      // The test text, and a batch down to its single texts.
      expect(vectors.asked()).toHaveLength(1 + 2 * batch - 1);
      expect(lab.inTrials('trial-close')).toEqual([]);
      if (status < 500) return;
      vectors.answers(vectorsBy('one'));
      expect(await lab.run()).toMatchObject({ decided: cases / 4 });
    },
    60_000,
  );
});

describe('training cases without a vector', () => {
  /** A server that fails every request with one of these texts. */
  const failing = (texts: ReadonlySet<string>, status: number) => (wanted: readonly string[]) =>
    wanted.some((text) => texts.has(text)) ? { status, error: 'cannot' } : vectorsBy('one')(wanted);

  const trainingTexts = (lab: Hearings, label: string) =>
    lab.look((store) => {
      const { id = 0 } = store.datasets.all().at(-1) ?? {};
      return store.datasets.cases(id).flatMap(({ ref, split }) => {
        const kase = store.datasets.read(ref);
        return split === 'train' && kase.truth === label ? [narrate(kase.facts, 'text')] : [];
      });
    });

  /** Runs one trial with all vectors, to know the split; then again where those of a label fail. */
  async function without(status: number, count: number, plan: Partial<HearingPlan> = {}) {
    const known = await room({ ...plan, sample: { from: 'test', n: 1 } });
    await known.lab.run();
    const lost = trainingTexts(known.lab, 'delay').slice(0, count);
    const { lab, vectors } = await room({ sample: { from: 'test', n: 3 }, ...plan });
    vectors.answers(failing(new Set(lost), status));
    expect(await lab.run()).toMatchObject({ decided: 3 });
    return { lab, vectors, lost };
  }

  test.each([
    ['one', 1],
    ['all of a label', 20],
  ])('%s: the record says how many could not be found, and all checks hold', async (_what, count) => {
    const { lab, lost } = await without(400, count);
    const found = lab.inTrials('precedent-retrieve').map(({ payload }) => payload);
    expect(found).toHaveLength(3);
    const lostRefs = made(lab).flatMap(({ failure, cases }) => (failure !== undefined && cases.length === 1 ? cases : []));
    expect(new Set(textsOf(lab, lostRefs))).toEqual(new Set(lost));
    for (const { withoutVector, precedents } of found) {
      expect(withoutVector).toBe(lost.length);
      expect(precedents.map(({ label }) => label)).toEqual(count === 1 ? ['delay', 'damage', 'praise'] : ['damage', 'praise']);
      for (const precedent of precedents) expect(lostRefs).not.toContain(precedent.case);
    }
    expect(await verify(lab.store, {})).toMatchObject({ result: 'intact' });
    expect(await replay(lab.store, undefined, () => undefined)).toMatchObject({ identical: 3 });
  });

  test.each([
    ['that may pass is asked again by the next run', 500, true],
    ['for good is not', 400, false],
  ])('a failure %s', async (_what, status, again) => {
    const { lab, vectors, lost } = await without(status, 1);
    const before = vectors.asked().length;
    vectors.answers(vectorsBy('one'));
    lab.extend({ dataset: { sample: { from: 'test', n: 5 } } });
    expect(await lab.run()).toMatchObject({ decided: 5 });
    const asked = vectors.asked().slice(before);
    expect(asked.filter((texts) => texts.includes(lost[0] ?? '')).length).toBe(again ? 1 : 0);
    expect(asked).toHaveLength(1 + (again ? 1 : 0) + 2);
    const counts = lab.inTrials('precedent-retrieve').map(({ payload }) => payload.withoutVector ?? 0);
    expect(counts.toSorted()).toEqual(again ? [0, 0, 1, 1, 1] : [1, 1, 1, 1, 1]);
    expect(await verify(lab.store, {})).toMatchObject({ result: 'intact' });
    expect(await replay(lab.store, undefined, () => undefined)).toMatchObject({ identical: 5 });
  });

  /** What replay says of a trial when a forger has changed what it found. */
  async function replayForged(lab: Hearings, trial: string, change: (found: EventPayload<'precedent-retrieve'>) => void) {
    const copy = `${lab.store}.forged`;
    forge(lab.store, copy, trial, ({ events }) => {
      for (const { kind, payload } of events) {
        if (kind === 'precedent-retrieve') change(payload as EventPayload<'precedent-retrieve'>);
      }
    });
    const { trials } = await replay(copy, undefined, () => undefined);
    return trials.find((each) => each.trial === trial)?.problem ?? 'identical';
  }

  test.each([
    [1, /1 training cases are said to have had no vector, and the record has 2/],
    [3, /3 training cases are said to have had no vector, and the record has 2/],
    [undefined, /0 training cases are said/],
  ])('their number cannot be forged: %s of 2', async (claimed, problem) => {
    const { lab } = await without(400, 2);
    const [{ trial } = { trial: '' }] = lab.inTrials('precedent-retrieve');
    const forged = await replayForged(lab, trial, (found) => {
      delete found.withoutVector;
      if (claimed !== undefined) found.withoutVector = claimed;
    });
    expect(forged).toMatch(problem);
  });

  test('one whose vector failed once, and came before that of the case on trial, cannot be left out', {
    tags: 'exhaustive',
  }, async () => {
    const arms = [{ ...armOf('single'), params: { shots: 2 } }];
    // So few of its label that each of them is found whenever it has a vector.
    const cases = textCases(30).filter(({ id, label }) => label !== 'delay' || id === 'c6' || id === 'c9');
    const { lab, vectors, lost } = await without(500, 1, { cases, arms });
    const early = new Set(lab.inTrials('precedent-retrieve').map(({ trial }) => trial));
    vectors.answers(vectorsBy('one'));
    lab.extend({ arms, dataset: { sample: { from: 'test', n: 5 } } });
    await lab.run();
    const isLost = ({ case: ref }: { case: string }) => textsOf(lab, [ref])[0] === lost[0];
    const found = lab.inTrials('precedent-retrieve');
    const late = found.find(({ trial, payload }) => !early.has(trial) && payload.precedents.some(isLost));
    if (late === undefined) throw new Error('no trial found the case that had failed');
    expect(await replayForged(lab, late.trial, () => undefined)).toBe('identical');
    const left = await replayForged(lab, late.trial, (retrieved) => {
      const all = retrieved.precedents;
      retrieved.precedents = all.filter((each) => !isLost(each));
      retrieved.withoutVector = all.length - retrieved.precedents.length;
    });
    expect(left).toMatch(/a nearer case of the training split/);
    // The number covers those before, which did not have it.
    const [before = ''] = early;
    expect(await replayForged(lab, before, () => undefined)).toBe('identical');
    expect(await replayForged(lab, before, (retrieved) => void delete retrieved.withoutVector)).toMatch(
      /said to have had no vector/,
    );
  });
});
