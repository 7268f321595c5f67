import type { Dataset } from '../datasets/dataset.ts';
import type { PreparedExperiment } from './experimentFile.ts';

/** Says how many cases on trial an arm cannot decide rightly, because their truth is not among its contested labels. */
export function contestNotes({ arms }: PreparedExperiment, data: Dataset): string[] {
  const truths = new Map(data.cases.map(({ id, truth }) => [id, truth]));
  return arms.flatMap(({ definition, bound }) => {
    const contested = bound.contested(data.labels);
    const outside = data.sample.filter((id) => {
      const truth = truths.get(id);
      return typeof truth === 'string' && !contested.includes(truth);
    });
    if (outside.length === 0) return [];
    return [
      `arm ${definition.name} cannot be right on ${outside.length} of ${data.sample.length} cases: their truth is not among ${contested.join(', ')}`,
    ];
  });
}
