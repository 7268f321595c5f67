import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { doublesAsText } from '../../../../core/assistant/numbersAsText.ts';
import { trainAssistant } from '../../../../core/assistant/trainAssistant.ts';
import { refOf } from '../../../../core/record/hash.ts';
import { assistantChain } from '../../../../core/record/identity.ts';
import { trainingSetSchema } from '../../../../shared/assistants.ts';
import type { EventPayload } from '../../../../shared/events.ts';
import { replayStore } from '../../audit/replay.ts';
import { pythonMissing, startPythonVerifier } from '../../audit/testing/pythonVerifier.ts';
import { verifyStore } from '../../audit/verify.ts';
import { type DemoServer, startDemoServer } from '../../models/demo/demoServer.ts';
import { openStoreReadOnly } from '../../store/store.ts';
import { kept } from '../../testing/kept.ts';
import { loadFrozen } from '../frozen.ts';
import { narrativeOf } from '../preparation/search.ts';
import { assistantVersions, knownVectors, nameOf, openAssistantLedger } from './ledger.ts';
import { type Debates, debaters, openDebates, spelledTwice, trained, unassisted } from './testing/debates.ts';

let standin: DemoServer;
let debates: Debates | undefined;

beforeAll(async () => {
  standin = await startDemoServer({ port: 0 });
});
afterAll(async () => {
  for (const stage of stages) finished?.[stage].close();
  await standin.close();
});
afterEach(() => {
  debates?.close();
  debates = undefined;
});

const stages = ['debated', 'trained', 'rated'] as const;
let finished: Record<(typeof stages)[number], Debates> | undefined;

/** Made once, since most tests begin so: 20 debates, the version that learned from them, and two cases rated by it. */
async function finish(): Promise<Record<(typeof stages)[number], Debates>> {
  if (finished !== undefined) return finished;
  const debated = openDebates(standin.url);
  await debated.run('lessons', { from: 'train', arms: [unassisted] });
  const taught = debated.copy();
  await taught.train('lessons');
  const rated = taught.copy();
  await rated.run('court', { from: 'test', n: 2, arms: [trained] });
  finished = { debated, trained: taught, rated };
  return finished;
}

async function copyOf(stage: (typeof stages)[number]): Promise<Debates> {
  debates = (await finish())[stage].copy();
  return debates;
}

function open(cases?: number, rows?: (cases: number) => string): Debates {
  debates = openDebates(standin.url, cases, rows);
  return debates;
}

const verified = (room: Debates) => room.look((store) => verifyStore(store, {}));

type Version = EventPayload<'assistant-train'>;

/** Puts a second version on the record that is the first one but for a change. Returns the chain. */
function appendVersion(room: Debates, change: Partial<Version> | ((before: Version) => Partial<Version>)): string {
  const [version] = room.all('assistant-train');
  if (version === undefined) throw new Error('no version');
  const changed = typeof change === 'function' ? change(version) : change;
  return room.change((store) => {
    const chain = assistantChain(store.datasets.get(store.experiments.get('lessons')?.dataset ?? 0).manifest ?? '');
    store.write(() => store.events.append(chain, 'assistant-train', { ...version, version: 2, key: 'version-2', ...changed }));
    return chain;
  });
}

describe('the trained assistant', () => {
  test('learns from the unassisted debates of training cases, rates those of other cases, and all of it is checked', async () => {
    const room = await copyOf('debated');
    const phases: string[] = [];
    const report = await room.train('lessons', { onProgress: ({ phase }) => phases.push(phase) });
    expect(report).toMatchObject({ version: 1, trained_now: true, embedder: 'embed:1', standin: true });
    // 20 training cases with two opinions and two answers each, of which four cases are held out.
    expect(report.training).toMatchObject({ statements: 64, cases: 16 });
    expect(report.holdout).toMatchObject({ statements: 16, cases: 4 });
    expect(phases.at(-1)).toBe('fit');

    const rated = await room.run('court', { from: 'test', n: 4, arms: [trained] });
    expect(rated.decided).toBe(4);
    const ratings = room.all('opinion-rate');
    expect(ratings).toHaveLength(8);
    for (const { value, trained: by } of ratings) {
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThan(1);
      expect(by?.assistant.version).toBe(1);
    }
    const settled = room.all('round-settle').filter(({ assistant }) => assistant === 'trained');
    expect(settled).toHaveLength(4);
    for (const { mean, ratings: values } of settled) {
      const [one, other] = values.map(({ value }) => value ?? Number.NaN);
      expect(mean).toBeCloseTo(((one ?? 0) + (other ?? 0)) / 2, 12);
    }
    expect(verified(room)).toMatchObject({ result: 'intact', first_bad: null });
  });

  test('no case is on both sides of the hold-out, and none of another split is learned from', async () => {
    const room = await copyOf('trained');
    room.look((store) => {
      const dataset = store.experiments.get('lessons')?.dataset ?? 0;
      const [version] = assistantVersions(store, dataset);
      const { statements } = trainingSetSchema.parse(JSON.parse(store.blobs.need(version?.payload.statements ?? '')));
      const held = new Set(statements.flatMap((each) => (each.holdout ? [each.case] : [])));
      expect(held.size).toBe(4);
      for (const each of statements) {
        expect(each.holdout).toBe(held.has(each.case));
        expect(store.datasets.caseOfRef(dataset, each.case)?.split).toBe('train');
        expect(each.right).toBe(store.datasets.read(each.case).truth === each.position);
      }
    });
  });

  test('cases that differ only in spelling are on one side; a version of the earlier rule still verifies', {
    tags: 'exhaustive',
  }, async () => {
    const room = open(80, spelledTwice);
    await room.run('lessons', { from: 'train', arms: [unassisted] });
    await room.train('lessons');
    const [version] = room.all('assistant-train');
    if (version === undefined) throw new Error('no version');
    const earlier = room.look((store) => {
      const frozen = loadFrozen(store, 'lessons');
      const set = trainingSetSchema.parse(JSON.parse(store.blobs.need(version.statements)));
      expect(set.v).toBe(2);
      const ageOf = (ref: string) => store.datasets.read(ref).facts.find(({ name }) => name === 'age')?.value;
      const sides = Map.groupBy(set.statements, (each) => ageOf(each.case));
      const twice = [...sides.values()].filter((mine) => new Set(mine.map((each) => each.case)).size === 2);
      expect(twice.length).toBeGreaterThan(3);
      for (const mine of twice) expect(new Set(mine.map(({ holdout }) => holdout)).size).toBe(1);

      // As an earlier program made it: by the facts to the letter.
      const { vectors } = knownVectors(store, openAssistantLedger(store, frozen.dataset.id).embeddings(), version.embedder);
      const training = trainAssistant(
        set.statements.map((each) => ({
          group: narrativeOf(frozen, store.datasets.read(each.case)),
          isRight: each.right,
          vector: vectors.get(nameOf([each.case, each.text])) ?? new Float32Array(),
        })),
        { seed: version.seed },
      );
      const statements = set.statements.map((each, index) => ({ ...each, holdout: training.isHeldOut[index] ?? false }));
      expect(statements).not.toEqual(set.statements);
      return { training, texts: { statements: { v: 1, statements }, weights: doublesAsText(training.weights) } };
    });
    const { training, texts } = earlier;
    const append = (v: 1 | 2, number: number) =>
      room.change((store) => {
        const { id, salt } = loadFrozen(store, 'lessons').dataset;
        const set = JSON.stringify({ ...texts.statements, v });
        const [statements, weights] = [refOf(salt, set), refOf(salt, texts.weights)];
        const { isConverged, inversePenalty, iterations } = training;
        const fit = { inversePenalty, iterations, isConverged };
        const { training: learned, holdout } = training;
        const own = { version: number, key: `version-${number}`, statements, weights, fit, training: learned, holdout };
        openAssistantLedger(store, id).appendVersion(
          { ...version, ...own },
          new Map([
            [statements, set],
            [weights, texts.weights],
          ]),
        );
      });
    append(1, 2);
    expect(verified(room)).toMatchObject({ result: 'intact', first_bad: null });
    append(2, 3);
    expect(verified(room).first_bad?.problem).toBe('its hold-out is another one');
  });

  test('is the same version without news, and another one otherwise; an arm continues with the one that it began with', {
    tags: 'exhaustive',
  }, async () => {
    const room = open();
    await room.run('lessons', { from: 'train', n: 16, arms: [unassisted] });
    await room.train('lessons');
    const embedded = room.all('statement-embed').length;
    expect(await room.train('lessons')).toMatchObject({ version: 1, trained_now: false });
    expect(room.all('statement-embed')).toHaveLength(embedded);
    await room.run('court', { from: 'test', n: 1, arms: [trained] });
    await room.run('lessons', { from: 'train', n: 20, arms: [unassisted] });
    expect(await room.train('lessons')).toMatchObject({ version: 2, trained_now: true, training: { statements: 64 } });
    await room.run('court', { from: 'test', n: 2, arms: [trained] });
    expect(room.all('opinion-rate').map(({ trained: by }) => by?.assistant.version)).toEqual([1, 1, 1, 1]);
    expect(verified(room).result).toBe('intact');
  });

  test('refuses too few statements before any server is asked for vectors', async () => {
    const room = open();
    await room.run('lessons', { from: 'train', n: 12, arms: [unassisted] });
    await expect(room.train('lessons')).rejects.toThrow('50 statements at least, and there are 48');
    expect(room.all('statement-embed')).toEqual([]);
  });

  test('refuses an experiment without unassisted debates, and one without an embedding model', async () => {
    const room = open();
    await room.run('lessons', {
      from: 'train',
      n: 2,
      arms: [{ ...unassisted, cast: { '*': { model: 'm:1' } } }],
    });
    await expect(room.train('lessons')).rejects.toThrow('no embedding model is known');
    await room.run('single', {
      from: 'train',
      n: 2,
      arms: [{ name: 'one', protocol: 'standard', cast: { '*': { model: 'm:1' } } }],
    });
    await expect(room.train('single')).rejects.toThrow('no arm of protocol debate-feedback with assistant none');
    await expect(room.train('nothing')).rejects.toThrow('there is no experiment "nothing"');
  });

  test('an interrupted training keeps its vectors and continues with them', async () => {
    const room = await copyOf('debated');
    const stop = new AbortController();
    const onProgress = ({ done }: { done: number }) => {
      if (done >= 32) stop.abort();
    };
    await expect(room.train('lessons', { signal: stop.signal, onProgress })).rejects.toMatchObject({ code: 'interrupted' });
    expect(room.all('statement-embed')).toHaveLength(1);
    expect(room.all('assistant-train')).toEqual([]);
    expect(await room.train('lessons')).toMatchObject({ version: 1, trained_now: true });
    expect(room.all('statement-embed')).toHaveLength(3);
  });
});

describe('an arm with ratings', () => {
  test('needs a version, an embedding model, the model of that version, and cases that it has not learned from', async () => {
    for (const untaught of [open(), await copyOf('debated')]) {
      const early = untaught.run('court', { from: 'test', arms: [trained] });
      await expect(early).rejects.toThrow('no assistant has been trained for this data set');
      untaught.close();
    }
    const room = await copyOf('trained');
    const run = (plan: { from: string; arms: readonly object[] }) => room.run('court', plan);
    await expect(run({ from: 'train', arms: [trained] })).rejects.toThrow('take the sample from test or validation');
    await expect(run({ from: 'test', arms: [{ ...trained, cast: { '*': { model: 'm:1' } } }] })).rejects.toThrow('"embedder"');
    const other = { ...debaters, embedder: { model: 'nomic-embed:1' } };
    await expect(run({ from: 'test', arms: [{ ...trained, cast: other }] })).rejects.toThrow('was trained on vectors of embed:1');
    const third = { ...trained, params: { ...trained.params, assistantVersion: 3 } };
    await expect(run({ from: 'test', arms: [third] })).rejects.toThrow('there is no version 3');
    expect(room.look((store) => store.experiments.names())).toEqual(['lessons']);
  });
});

describe('a check of the record', () => {
  test.skipIf(pythonMissing() !== null)('the second verifier finds the same', async () => {
    const room = (await finish()).rated;
    const { root } = verified(room);
    const python = kept(startPythonVerifier());
    expect(await python.verify(room.store)).toMatchObject({ result: 'intact', root });
  });

  test('finds weights, figures and statements that do not belong together', async () => {
    const room = await copyOf('trained');
    const chain = appendVersion(room, ({ holdout }) => ({ holdout: { ...holdout, accuracy: 1 } }));
    expect(verified(room)).toMatchObject({ result: 'tampered', first_bad: { trial: chain, kind: 'assistant-train' } });
    expect(verified(room).first_bad?.problem).toBe('its figures do not follow from its statements');
  });

  test.each([
    [{ standin: false }, "it does not say rightly whether its vectors are the demo model's"],
    [{ dimensions: 3 }, 'it has not as many dimensions as its vectors'],
    [{ experiment: 'other' }, 'one of its statements is not of a debate of its experiment without an assistant'],
  ])('finds a version that says other things of itself: %o', async (change, problem) => {
    const room = await copyOf('trained');
    await room.run('other', { from: 'train', n: 1, arms: [unassisted] });
    appendVersion(room, change);
    expect(verified(room)).toMatchObject({ result: 'tampered', first_bad: { kind: 'assistant-train', problem } });
  });

  test('reports a version whose statements cannot be read, or are too few, and does not fail', async () => {
    const room = await copyOf('trained');
    appendVersion(room, (before) => ({ statements: before.weights }));
    expect(verified(room)).toMatchObject({ result: 'tampered', first_bad: { kind: 'assistant-train' } });
    expect(verified(room).first_bad?.problem).toMatch(/^it cannot be read: /);
  });
});

test('replays offline as it was', async () => {
  const room = (await finish()).rated;
  const store = kept(openStoreReadOnly(room.store));
  const report = await replayStore(store, store.trials.all(), () => undefined);
  expect(report).toMatchObject({ identical: 22, different: 0, not_replayable: 0 });
});
