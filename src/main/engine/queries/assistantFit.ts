import { type FittedAssistant, fitAssistant } from '../lab/assistant/fit.ts';
import type { VectorSpace } from '../lab/assistant/knownVectors.ts';
import type { Query } from './query.ts';

/** Fits the trained assistant to an experiment's statements. */
export const assistantFit: Query<{ experiment: string; space: VectorSpace }, FittedAssistant> = {
  run: (store, { experiment, space }) => fitAssistant(store, experiment, space),
};
