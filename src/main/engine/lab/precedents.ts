import type { Dataset } from '../datasets/dataset.ts';
import { knownLabels } from './examples.ts';
import type { PreparedArm, PreparedExperiment } from './experimentFile.ts';

/** Training cases with a known label, by label. */
function trainingByLabel(data: Dataset): Map<string, number> {
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

function noteOf({ definition, bound: { precedents } }: PreparedArm, counts: ReadonlyMap<string, number>): string[] {
  if (precedents === null) return [];
  const { name, cast } = definition;
  const { retriever } = cast;
  const how =
    precedents.retriever === 'random'
      ? 'draws its precedents at random'
      : retriever === undefined
        ? 'finds its precedents by TF-IDF, since no embedding model plays the role retriever'
        : `finds its precedents by the vectors of ${retriever.model}`;
  const short = [...counts].filter(([, count]) => count < precedents.perLabel).map(([label, count]) => `${label} (${count})`);
  return [
    `arm ${name} ${how}`,
    ...(short.length === 0
      ? []
      : [`arm ${name} wants ${precedents.perLabel} of each label, and the training split has fewer of ${short.join(', ')}`]),
  ];
}

/** Says how each arm finds its precedents, and for which labels there are too few. */
export function precedentNotes({ arms }: Pick<PreparedExperiment, 'arms'>, data: Dataset): string[] {
  if (arms.every(({ bound }) => bound.precedents === null)) return [];
  const counts = trainingByLabel(data);
  return arms.flatMap((arm) => noteOf(arm, counts));
}
