import type { Dataset } from '../datasets/dataset.ts';
import { knownLabels } from './examples.ts';
import type { PreparedExperiment } from './experimentFile.ts';

/** Training cases with a known label, by label. */
export function trainingByLabel(data: Dataset): Map<string, number> {
  const counts = new Map(data.labels.map((label) => [label, 0]));
  for (const [id, label] of knownLabels(data)) {
    if (data.splits.get(id) === 'train') counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return counts;
}

/** Refuses arms that look for precedents where there is no training case at all. */
export function refuseMissingPrecedents({ arms, file }: PreparedExperiment, data: Dataset): void {
  const index = arms.findIndex(({ bound }) => bound.precedents !== null);
  if (index < 0 || [...trainingByLabel(data).values()].some((count) => count > 0)) return;
  const parameter = arms[index]?.protocol.id === 'evince' ? 'retrieveAbove' : 'shots';
  const without = parameter === 'shots' ? 'set shots to 0' : 'leave retrieveAbove out';
  throw file.error(
    `precedents are looked up in the training split, which has no labelled cases; give it a share (dataset.split), or ${without}`,
    ['arms', index, 'params', parameter],
  );
}
