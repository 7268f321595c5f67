// Draws labelled cases of the training split for the arms that show some.
import { type DrawnExamples, drawExamples, exampleLabel, examplesFor } from '../../../core/cases/examples.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { PreparedExperiment } from './preparedArm.ts';

export function knownLabels(data: Dataset): Map<string, string> {
  return new Map(data.cases.flatMap(({ id, truth }) => (typeof truth === 'string' ? [[id, truth] as const] : [])));
}

/** Case id -> truth as an example shows it, of every case with a known one. */
export function knownTruths(data: Dataset): Map<string, string> {
  return new Map(
    data.cases.flatMap(({ id, truth }) => {
      const label = exampleLabel(truth);
      return label === undefined ? [] : [[id, label] as const];
    }),
  );
}

/**
 * The labelled examples of an arm, drawn from the training split: at the base rate of the labels, and where cases have
 * several labels by chance alone, since nearly every set may occur but once. Throws bad input where there are too few.
 */
export function drawFromTraining(data: Dataset, shots: number, seed: number): DrawnExamples {
  const training = [...knownTruths(data)].flatMap(([id, label]) =>
    data.splits.get(id) === 'train' ? [{ id, label: data.multiLabel ? '' : label }] : [],
  );
  return drawExamples(training, shots, seed);
}

/** Draws every arm's examples for every case beforehand, so that no run begins which would miss some. */
export function refuseMissingExamples({ experiment, arms, file }: PreparedExperiment, data: Dataset): void {
  const labels = knownTruths(data);
  for (const [index, { bound }] of arms.entries()) {
    try {
      const drawn = drawFromTraining(data, bound.shots, experiment.seed);
      for (const id of data.sample) examplesFor(drawn, (other) => labels.get(other), id);
    } catch (error) {
      if (!(error instanceof AssizeError)) throw error;
      throw file.error(error.message, ['arms', index, 'params', 'shots']);
    }
  }
}

export function trainingByLabel(data: Dataset): Map<string, number> {
  const counts = new Map(data.labels.map((label) => [label, 0]));
  for (const [id, label] of knownLabels(data)) {
    if (data.splits.get(id) === 'train') counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return counts;
}

export function refuseMissingPrecedents({ arms, file }: PreparedExperiment, data: Dataset): void {
  const index = arms.findIndex(({ bound }) => bound.precedents !== null);
  if (index < 0 || [...trainingByLabel(data).values()].some((count) => count > 0)) return;
  const parameter = arms[index]?.protocol.id === 'evince' ? 'retrieveAbove' : 'shots';
  const without = parameter === 'shots' ? 'set params.shots to 0' : 'leave params.retrieveAbove out';
  throw file.error(
    `precedents are looked up in the training split, which has no labelled cases; give it a share (dataset.split), or ${without}`,
    ['arms', index, 'params', parameter],
  );
}
