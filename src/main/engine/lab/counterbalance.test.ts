import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { replayStore } from '../audit/replay.ts';
import { openFolder, writeExperiment } from '../audit/testing/sampleStore.ts';
import { verifyStore } from '../audit/verify.ts';
import { readDataset } from '../datasets/dataset.ts';
import { run } from '../engine.ts';
import { startDemoServer } from '../models/demo/demoServer.ts';
import { flipped } from '../queries/compared.ts';
import { trial } from '../queries/trial.ts';
import { trialReport } from '../report/html/trialReport.ts';
import { statistics } from '../report/statistics.ts';
import { trialLines } from '../report/trialLines.ts';
import { openStoreReadOnly, type Store } from '../store/store.ts';
import { kept, keptFolder } from '../testing/kept.ts';
import { readExperiment, refuseUnfitCases } from './experimentFile.ts';
import { checkAgainstRecord } from './freeze.ts';
import { loadFrozen } from './frozen.ts';
import { planExperiment } from './plan.ts';

const { folder, path } = openFolder('counterbalance');
const cast = { '*': { model: 'llama3.1:8b' } };
const court = { name: 'court', protocol: 'agentic-sim', params: { turns: 1 }, cast };
const cot = { name: 'cot', protocol: 'standard', cast };
const untold = () => undefined;
const swaps = ['labels', 'sides', 'order'];

const write = (...arms: object[]) => writeExperiment(folder, { cases: 3, change: { arms } });

async function runFile(file: string, store = path('store.db')) {
  const standin = await startDemoServer({});
  try {
    return await run(file, { store, url: standin.url, concurrency: 1 });
  } finally {
    await standin.close();
  }
}

const reading = <T>(use: (store: Store) => T): T => {
  const store = openStoreReadOnly(path('store.db'));
  try {
    return use(store);
  } finally {
    store.close();
  }
};

const lines = () => reading((store) => [...trialLines(store, loadFrozen(store, 'nlsy97-demo'))]);
const report = () => reading((store) => statistics(store, 'nlsy97-demo', { resamples: 200, cache: null }, () => undefined));

describe('an experiment that is counterbalanced after it was run', () => {
  let before: TrialLine[];
  let name: string;

  beforeAll(async () => {
    const file = write(court, cot);
    await runFile(file);
    name = JSON.parse(readFileSync(file, 'utf8')).name;
    before = lines();
    await runFile(write({ ...court, counterbalance: swaps }, cot));
  });

  test('keeps its trials as they were, and adds an arm for each swap with the same cases and seeds', () => {
    expect(name).toBe('nlsy97-demo');
    const after = lines();
    expect(after.filter(({ swap }) => swap === null)).toEqual(before);
    const places = (arm: string) =>
      after.filter((line) => line.arm === arm).map((line) => [line.case, line.replicate, line.seed]);
    expect([...new Set(after.map(({ arm, swap, base_arm }) => JSON.stringify([arm, swap, base_arm])))]).toEqual(
      [
        ['court', null, null],
        ['cot', null, null],
        ['court~sides', 'sides', 'court'],
        ['court~order', 'order', 'court'],
        ['court~labels', 'labels', 'court'],
      ].map((each) => JSON.stringify(each)),
    );
    for (const swap of swaps) expect(places(`court~${swap}`)).toEqual(places('court'));
    expect(after.every(({ status }) => status === 'done')).toBe(true);
  });

  test('verifies, and every verdict is derived again from its answers', async () => {
    const store = kept(openStoreReadOnly(path('store.db')));
    const rows = store.trials.ofExperiment('nlsy97-demo');
    expect(rows).toHaveLength(15);
    expect(await replayStore(store, rows, () => undefined)).toMatchObject({ identical: 15, different: 0, not_replayable: 0 });
    expect((await verifyStore(store, { onProgress: () => undefined })).result).toBe('intact');
  });

  test('has its own flip rates, and its further arms are in no comparison and not in the finding', () => {
    const { swaps: found, comparisons, finding, arms } = report();
    expect(found.map(({ arm, swap, swapped_arm, pairs }) => [arm, swap, swapped_arm, pairs])).toEqual([
      ['court', 'sides', 'court~sides', 3],
      ['court', 'order', 'court~order', 3],
      ['court', 'labels', 'court~labels', 3],
    ]);
    expect(found.map(({ measures }) => measures.map((measure) => measure.name))).toEqual([
      ['flip_rate', 'positive_change', 'probability_change', 'won_by_prosecution', 'replicate_flip_rate'],
      ['flip_rate', 'positive_change', 'probability_change', 'won_by_last_speaker', 'replicate_flip_rate'],
      ['flip_rate', 'positive_change', 'probability_change', 'replicate_flip_rate'],
    ]);
    expect(comparisons.flatMap(({ a, b }) => [a, b]).filter((arm) => arm.includes('~'))).toEqual([]);
    expect(finding.sentence).not.toContain('~');
    expect(arms.map(({ arm, base_arm }) => [arm, base_arm])).toContainEqual(['court~sides', 'court']);
    const flips = found[0]?.measures[0];
    const verdicts = (arm: string) =>
      lines()
        .filter((line) => line.arm === arm)
        .map(({ prediction }) => prediction);
    const differing = verdicts('court').filter((verdict, index) => verdict !== verdicts('court~sides')[index]).length;
    expect(flips?.value).toBeCloseTo(differing / 3, 12);
  });

  test('gives the pairs whose verdicts differ, and no others', async () => {
    for (const swap of ['sides', 'order', 'labels'] as const) {
      const found = await reading((store) =>
        flipped.run(store, { experiment: 'nlsy97-demo', base: 'court', swapped: `court~${swap}` }, untold),
      );
      const of = (arm: string) => new Map(lines().flatMap((line) => (line.arm === arm ? [[line.case, line]] : [])));
      const [usual, exchanged] = [of('court'), of(`court~${swap}`)];
      const differing = [...usual].filter(([id, { prediction }]) => exchanged.get(id)?.prediction !== prediction);
      expect(found.total).toBe(differing.length);
      expect(found.pairs.map((pair) => [pair.case, pair.base.trial, pair.swapped.trial])).toEqual(
        differing.map(([id, { trial }]) => [id, trial, exchanged.get(id)?.trial]),
      );
    }
    expect(() =>
      reading((store) => flipped.run(store, { experiment: 'nlsy97-demo', base: 'cot', swapped: 'cot~sides' }, untold)),
    ).toThrow(/has no arm "cot~sides"/);
  });

  test('has reports and views that say what is exchanged, who then argues for what, and which trial is the usual one', async () => {
    const find = (arm: string) => lines().find((line) => line.arm === arm)?.trial ?? '';
    const [usual, exchanged] = [find('court'), find('court~sides')];
    const page = reading((store) => trialReport(store, 'nlsy97-demo', exchanged));
    expect(page).toContain(
      `Counterbalanced, with sides exchanged: the usual trial of the same case with the same seed is ${usual}, of arm court.`,
    );
    expect(reading((store) => trialReport(store, 'nlsy97-demo', usual))).not.toContain('Counterbalanced');
    const claims = async (id: string) =>
      (await reading((store) => trial.run(store, { trial: id }, untold))).cast.map(({ role, claim }) => [role, claim]);
    expect(await claims(usual)).toEqual([
      ['prosecutor', 'YES'],
      ['defense', 'NO'],
      ['judge', null],
    ]);
    expect(await claims(exchanged)).toEqual([
      ['prosecutor', 'NO'],
      ['defense', 'YES'],
      ['judge', null],
    ]);
  });
});

test('a swap that is on the record cannot be taken back', async () => {
  const own = keptFolder();
  const store = join(own, 'store.db');
  const file = (counterbalance: string[]) => writeExperiment(own, { cases: 1, change: { arms: [{ ...court, counterbalance }] } });
  await runFile(file(['sides', 'labels']), store);
  const prepared = readExperiment(file(['sides']));
  const data = await readDataset(prepared.dataPath, prepared.experiment.dataset, { seed: prepared.experiment.seed });
  const opened = openStoreReadOnly(store);
  expect(() => checkAgainstRecord(opened, prepared, data)).toThrow(/with an arm "court~labels" that is not in this file/);
  opened.close();
  // In another order it is the same experiment.
  await expect(runFile(file(['labels', 'sides']), store)).resolves.toMatchObject({ finished_now: 0, planned: 3 });
});

describe('an experiment file', () => {
  const own = openFolder('counterbalance-files');
  const read = (...arms: object[]) => {
    const file = writeExperiment(own.folder, { cases: 2, change: { arms } });
    return readExperiment(file);
  };

  test.each([
    [{ ...cot, counterbalance: ['sides'] }, /protocol standard .* "sides" exchanged; in it "labels" can be/],
    [{ ...cot, counterbalance: ['labels', 'order'] }, /"order" exchanged/],
    [{ ...court, counterbalance: ['sides', 'sides'] }, /named twice/],
    [{ ...court, counterbalance: ['roles'] }, /expected one of "sides"/],
    [{ ...court, name: 'court~sides' }, /names that end in "~sides" are those of counterbalanced arms/],
    [{ ...court, name: 'x'.repeat(194), counterbalance: ['sides'] }, /at most 193 characters/],
  ])('%j is refused', (arm, message) => {
    expect(() => read(arm)).toThrow(message);
  });

  test('of open questions is refused: there is no verdict that could flip', () => {
    const debate = { name: 'debate', protocol: 'socrasynth', cast };
    const dataset = { path: 'questions.csv', kind: 'open', id: 'id' };
    const change = (arm: object) => readExperiment(writeExperiment(own.folder, { cases: 1, change: { dataset, arms: [arm] } }));
    expect(() => refuseUnfitCases(change({ ...debate, counterbalance: ['order'] }), [], false)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/no verdict that could change/) }),
    );
    expect(() => refuseUnfitCases(change({ ...debate, counterbalance: [] }), [], false)).not.toThrow();
    expect(() => refuseUnfitCases(change(debate), [], false)).not.toThrow();
  });

  test('without a word of it, and with an empty list, is what it was', () => {
    expect(read(court).arms.map(({ definition, swap }) => [definition, swap])).toEqual([
      [{ ...court, belief: 'verbal', cast: { '*': { ...cast['*'], backend: 'default', options: {} } } }, null],
    ]);
    expect(read({ ...court, counterbalance: [] }).arms).toHaveLength(1);
  });

  test('a plan counts the further trials and says so', async () => {
    const prepared = read({ ...court, counterbalance: ['order', 'sides'] }, cot);
    const data = await readDataset(prepared.dataPath, prepared.experiment.dataset, { seed: prepared.experiment.seed });
    const plan = await planExperiment(prepared, data, { done: new Map(), missingModels: null });
    expect(plan.trials).toBe(8);
    expect(plan.arms.map(({ arm, swap, base_arm, trials, calls }) => [arm, swap, base_arm, trials, calls.max])).toEqual([
      ['court', null, null, 2, 10],
      ['cot', null, null, 2, 2],
      ['court~sides', 'sides', 'court', 2, 10],
      ['court~order', 'order', 'court', 2, 10],
    ]);
    expect(plan.notes).toContain(
      'arm court is counterbalanced: 4 further trials, as court~sides, court~order, with the same cases and seeds',
    );
    expect(plan.notes.filter((note) => note.includes('tell nothing about each other'))).toEqual([]);
    expect(plan.notes.filter((note) => note.includes('independent voters'))).toHaveLength(1);
  });
});
