import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { experimentSchema } from '../../../shared/experiment.ts';
import { readDataset } from '../datasets/dataset.ts';
import { drawFromTraining, refuseMissingExamples } from './examples.ts';
import { prepareExperiment, readExperiment } from './experimentFile.ts';

const sample = readExperiment(resolve(import.meta.dirname, '../../../../resources/experiments/nlsy97-demo.json'));
const data = await readDataset(sample.dataPath, sample.experiment.dataset, { seed: sample.experiment.seed });

function withShots(shots: number) {
  const arms = [{ name: 'few', protocol: 'standard', params: { style: 'cot-nshot', shots }, cast: { '*': { model: 'm' } } }];
  return prepareExperiment({ ...sample, experiment: experimentSchema.parse({ ...sample.experiment, arms }) });
}

test('examples come only from the training split, at the base rate of its labels', () => {
  const drawn = drawFromTraining(data, 6, 42);
  expect(drawn.chosen).toHaveLength(6);
  for (const id of [...drawn.chosen, ...drawn.reserves]) expect(data.splits.get(id)).toBe('train');
  expect(drawFromTraining(data, 6, 42)).toEqual(drawn);
});

test('an arm that wants more examples than there are is refused before the run, at its place', () => {
  expect(() => refuseMissingExamples(withShots(12), data)).not.toThrow();
  expect(() => refuseMissingExamples(withShots(13), data)).toThrow(/13 examples asked for, but the training split has 12/);
});

test('a case on trial that would be its own example is refused where nothing can take its place', async () => {
  const dataset = { ...sample.experiment.dataset, sample: { from: 'train' as const, n: 12, distinct: false } };
  const training = await readDataset(sample.dataPath, dataset, { seed: sample.experiment.seed });
  expect(() => refuseMissingExamples(withShots(12), training)).toThrow(/is itself one of the 12 examples/);
  expect(() => refuseMissingExamples(withShots(6), training)).not.toThrow();
});
