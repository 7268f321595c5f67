// Finds the trained assistant that an arm needs, or refuses the run.

import type { BoundProtocol } from '../../../../core/protocols/index.ts';
import type { AssistantNeed } from '../../../../core/protocols/protocol.ts';
import type { ArmDefinition, Experiment } from '../../../../shared/experiment.ts';
import { ownCall } from '../../commandText.ts';
import type { Dataset } from '../../datasets/dataset.ts';
import type { Store } from '../../store/store.ts';
import { fullModelName } from '../backends.ts';
import type { Fail, PreparedArm, PreparedExperiment } from '../preparedArm.ts';
import { type AssistantVersion, assistantVersions } from './ledger.ts';

const howToTrain = `run an experiment over the same data whose sample is of the training split, with an arm of assistant none, and then: ${ownCall} train-assistant --experiment NAME`;

const versionOf = (versions: readonly AssistantVersion[], { version }: AssistantNeed) =>
  version === null ? versions.at(-1) : versions.find(({ payload }) => payload.version === version);

/** The version that an arm rates with. @throws bad input where there is none, or it is of another model's vectors */
export function chooseAssistant(
  store: Store | null,
  dataset: number | null,
  { definition, bound }: PreparedArm,
  fail: Fail,
): AssistantVersion | null {
  if (bound.assistant === null) return null;
  const versions = store === null || dataset === null ? [] : assistantVersions(store, dataset);
  const found = versionOf(versions, bound.assistant);
  if (found === undefined) {
    const { version } = bound.assistant;
    throw versions.length === 0 || version === null
      ? fail(`no assistant has been trained for this data set in this store; ${howToTrain}`, ['params', 'assistant'])
      : fail(`there is no version ${version} of the trained assistant; the versions are 1 to ${versions.length}`, [
          'params',
          'assistantVersion',
        ]);
  }
  const { embedder, version, holdout } = found.payload;
  if (bound.assistant.learntThreshold && holdout.threshold == null) {
    throw fail(
      `version ${version} of the assistant has learnt no threshold: it is older, or all statements that it was measured on are right or all wrong; train it again on more debates`,
      ['params', 'learntThreshold'],
    );
  }
  const cast = definition.cast.embedder?.model ?? '';
  if (fullModelName(cast) !== fullModelName(embedder.model)) {
    throw fail(
      `version ${version} of the assistant was trained on vectors of ${embedder.model}, and ${cast} makes others; cast that model`,
      ['cast', 'embedder', 'model'],
    );
  }
  return found;
}

/** Refuses arms whose trained assistant is not in the store, or null: a store that is still to be made. */
export function refuseMissingAssistants(store: Store | null, prepared: PreparedExperiment, data: Dataset): void {
  const { arms, file } = prepared;
  if (arms.every(({ bound }) => bound.assistant === null)) return;
  const dataset = store?.datasets.find(data.cases, data.splits)?.id ?? null;
  for (const [index, arm] of arms.entries()) {
    chooseAssistant(store, dataset, arm, (message, at) => file.error(message, ['arms', index, ...at]));
  }
}

export function refuseUnfitRating(
  { dataset }: Experiment,
  arms: readonly { readonly definition: ArmDefinition; readonly bound: BoundProtocol }[],
  fail: Fail,
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
