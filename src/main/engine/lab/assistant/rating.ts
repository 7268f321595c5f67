import type { Effects } from '../../../../core/record/effects.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import type { FrozenExperiment } from '../frozen.ts';
import type { CallPerformer } from '../performer.ts';

/** Makes the vectors by which trained assistants rate. A failed call is tried again as often as any other. */
export function statementRater({ definition }: FrozenExperiment, performer: Pick<CallPerformer, 'embed'>): Effects['rate'] {
  const { retries } = definition.runtime;
  return async (text, { assistant, embedder }) => {
    if (assistant === undefined || embedder === undefined)
      throw new Error('the arm has no trained assistant or no embedding model');
    const { backend, model, options } = embedder;
    const request = { model, texts: [text], ...(options.numCtx === undefined ? {} : { numCtx: options.numCtx }) };
    for (let number = 1; ; number++) {
      const { result, failure, sentTo } = await performer.embed(backend, request);
      if (result !== null && (sentTo.digest ?? null) !== assistant.embedder.digest) {
        throw new AssizeError(
          'missing-model',
          `embedding model ${model} is not the one that version ${assistant.version} of the assistant was trained with: its weights have changed; train the assistant again, in an experiment of another name`,
          { field: 'cast.embedder' },
        );
      }
      if (failure !== null && !failure.permanent && number <= retries) continue;
      const [vector] = result?.vectors ?? [];
      return {
        setup: JSON.stringify({ backend, standin: result?.standin ?? null, ...sentTo, model, options }),
        vector: vector === undefined ? null : Float32Array.from(vector),
        failure: failure === null ? null : { kind: failure.kind, message: failure.message },
      };
    }
  };
}
