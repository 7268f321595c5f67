import { caseKey } from '../../../../core/assistant/caseKey.ts';
import { type Training, trainAssistant } from '../../../../core/assistant/trainAssistant.ts';
import type { TrainingSet } from '../../../../shared/assistants.ts';
import type { Store } from '../../store/store.ts';
import { loadFrozen } from '../frozen.ts';
import { knownVectors, nameOf, type VectorSpace } from './knownVectors.ts';
import { openAssistantLedger } from './ledger.ts';
import { type LeftOut, readStatements } from './statements.ts';

/** Earlier versions of the assistant are checked by the rule that they state. */
const newestRule = 2;

/** A version of the assistant before it is on the record. */
export interface FittedAssistant {
  readonly set: TrainingSet;
  readonly training: Training;
  readonly leftOut: LeftOut;
  readonly withoutVector: number;
  readonly standin: boolean;
}

/**
 * Fits the assistant to an experiment's statements, by the vectors that are on the record. It takes seconds with thousands
 * of statements: call it in a worker.
 * @throws bad input as `trainAssistant`
 */
export function fitAssistant(store: Store, experiment: string, space: VectorSpace): FittedAssistant {
  const frozen = loadFrozen(store, experiment);
  const { statements, leftOut } = readStatements(store, frozen);
  const { vectors, standin } = knownVectors(store, openAssistantLedger(store, frozen.dataset.id).embeddings(), space);
  const usable = statements.flatMap((statement) => {
    const vector = vectors.get(nameOf([statement.case, statement.text]));
    return vector === undefined ? [] : [{ ...statement, vector }];
  });
  const training = trainAssistant(
    usable.map(({ background, right, vector }) => ({ group: caseKey(newestRule, background), isRight: right, vector })),
    { seed: frozen.definition.seed },
  );
  const set: TrainingSet = {
    v: newestRule,
    statements: usable.map(({ trial, key, case: kase, text, position, right }, index) => ({
      trial,
      key,
      case: kase,
      text,
      position,
      right,
      holdout: training.isHeldOut[index] ?? false,
    })),
  };
  return { set, training, leftOut, withoutVector: statements.length - usable.length, standin };
}
