import type { BoundProtocol } from '../../../../core/protocols/index.ts';
import type { ArmDefinition, Experiment } from '../../../../shared/experiment.ts';

/** Refuses arms that would rate with a trained assistant and cannot, as far as the file alone tells. */
export function refuseUnfitRating(
  { dataset }: Experiment,
  arms: readonly { readonly definition: ArmDefinition; readonly bound: BoundProtocol }[],
  fail: (message: string, at: (string | number)[]) => Error,
): void {
  for (const [index, { definition, bound }] of arms.entries()) {
    if (bound.assistant === null) continue;
    if (dataset.sample.from === 'train' || dataset.sample.from === 'all') {
      throw fail(
        'the trained assistant has learned from cases of the training split, and must not rate statements about them; take the sample from test or validation',
        ['dataset', 'sample', 'from'],
      );
    }
    if (definition.cast.embedder === undefined) {
      throw fail(
        'a trained assistant rates by vectors: cast the embedding model that it was trained with in the role "embedder"',
        ['arms', index, 'cast'],
      );
    }
  }
}
