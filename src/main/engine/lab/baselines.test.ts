import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { baselineNames } from '../../../core/baselines/baseline.ts';
import { randomSource } from '../../../core/cases/shuffle.ts';
import { readDataset } from '../datasets/dataset.ts';
import { openStore, openStoreReadOnly } from '../store/store.ts';
import { programVersion } from '../version.ts';
import { experimentBaselines } from './baselines.ts';
import { readExperiment } from './experimentFile.ts';
import { freezeExperiment } from './freeze.ts';
import { loadFrozen } from './frozen.ts';

const folder = mkdtempSync(join(tmpdir(), 'assize-baselines-'));
const storePath = join(folder, 'store.db');

beforeAll(() => {
  const random = randomSource(1, 'table');
  const rows = Array.from({ length: 200 }, (_, index) => {
    const age = 18 + random.below(50);
    // The label follows the age, but for one case in ten. The score gives it away and is excluded.
    const label = age < 40 !== (random.below(10) === 0) ? 'YES' : 'NO';
    return [`c${index}`, age, ['theft', 'fraud'][random.below(2)], `story ${index}`, label === 'YES' ? 9 : 1, label].join(',');
  });
  writeFileSync(join(folder, 'cases.csv'), ['id,age,offence,story,score,again', ...rows].join('\n'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Change {
  readonly name?: string;
  readonly n?: number;
  readonly from?: string;
  readonly split?: Record<string, number>;
}

async function record({ name = 'table', n = 30, from = 'test', split = { test: 0.5, train: 0.5 } }: Change = {}) {
  const path = join(folder, `${name}.json`);
  const dataset = {
    path: 'cases.csv',
    id: 'id',
    label: { column: 'again' },
    labels: ['NO', 'YES'],
    positive: 'YES',
    question: 'Again?',
    exclude: ['score'],
    split,
    sample: { from, n },
  };
  const arms = [{ name: 'cot', protocol: 'standard', cast: { '*': { model: 'm:1' } } }];
  writeFileSync(path, JSON.stringify({ version: 1, name, seed: 42, dataset, arms }));
  const prepared = readExperiment(path);
  const data = await readDataset(prepared.dataPath, prepared.experiment.dataset, { seed: 42 });
  const store = openStore(storePath, { create: true });
  try {
    freezeExperiment(store, prepared, data);
  } finally {
    store.close();
  }
  return data;
}

function baselinesOf(name: string) {
  const store = openStoreReadOnly(storePath);
  try {
    return experimentBaselines(store, loadFrozen(store, name));
  } finally {
    store.close();
  }
}

test('the baselines come only from the record: the training split is on it, and the data file may be gone', async () => {
  const data = await record();
  const { baselines, missing } = baselinesOf('table');
  expect([...baselines, ...missing].map(({ name }) => name)).toEqual([...baselineNames]);
  expect(missing).toHaveLength(1);
  for (const { predictions } of baselines) expect(predictions.map((each) => each.case)).toEqual(data.sample);
});

test('label, id and excluded columns are not among the columns, and text is dropped by name', () => {
  const [, , logistic] = baselinesOf('table').baselines;
  expect(logistic?.about.library).toBe(`Assize ${programVersion}`);
  expect(logistic?.about.columns).toEqual(['age', 'offence']);
  expect(logistic?.about.dropped.map(({ column }) => column)).toEqual(['story']);
});

test('what is learned applies to the cases on trial', async () => {
  const data = await readDataset(join(folder, 'cases.csv'), readExperiment(join(folder, 'table.json')).experiment.dataset, {
    seed: 42,
  });
  const truths = new Map(data.cases.map(({ id, truth }) => [id, truth]));
  const right = baselinesOf('table').baselines.map(
    ({ predictions }) =>
      predictions.filter(({ case: id, prediction }) => truths.get(id) === prediction).length / predictions.length,
  );
  const [, , logistic = 0, forest = 0, boosting = 0] = right;
  // A rule that knows the limit is right on nine in ten; of thirty cases four standard deviations are 0.22.
  expect(logistic).toBeGreaterThan(0.68);
  expect(forest).toBeGreaterThan(0.6);
  expect(boosting).toBeGreaterThan(0.6);
});

test('the draw has the expected accuracy of such draws with it', async () => {
  const { cases, sample } = await record();
  const stratified = baselinesOf('table').baselines[1];
  const belief = stratified?.predictions[0]?.belief ?? {};
  const share = (label: string) => cases.filter(({ id, truth }) => sample.includes(id) && truth === label).length / 30;
  // P(NO) of the draws times the share of NO among the cases on trial, and the same for YES.
  const expected = (belief.NO ?? 0) * share('NO') + (belief.YES ?? 0) * share('YES');
  expect(stratified?.about.notes).toEqual([
    `accuracy to be expected of such draws, over the 30 cases with a known truth: ${expected.toFixed(3)}`,
  ]);
});

test('a larger sample keeps the predictions of the smaller one', async () => {
  const before = baselinesOf('table');
  await record({ n: 60 });
  const after = baselinesOf('table');
  expect(after.baselines[0]?.predictions).toHaveLength(60);
  expect(after.baselines.map(({ predictions }) => predictions.slice(0, 30))).toEqual(
    before.baselines.map(({ predictions }) => predictions),
  );
});

test('training cases that are on trial are not learned from', async () => {
  const { sample, splits } = await record({ name: 'everything', from: 'all', n: 120 });
  const onTrial = new Set(sample);
  const training = [...splits].flatMap(([id, split]) => (split === 'train' ? [id] : []));
  const left = training.filter((id) => !onTrial.has(id));
  expect(training).toHaveLength(100);
  expect(left.length).toBeLessThan(100);
  expect(baselinesOf('everything').baselines.map(({ about }) => about.trained_on)).toEqual(Array(5).fill(left.length));
});

test('without a training split there is none, with the reason', async () => {
  await record({ name: 'all-test', split: { test: 1 } });
  const { baselines, missing } = baselinesOf('all-test');
  expect(baselines).toEqual([]);
  expect(new Set(missing.map(({ why }) => why))).toEqual(
    new Set(['the training split is empty: "split" gives "train" no cases']),
  );
});
