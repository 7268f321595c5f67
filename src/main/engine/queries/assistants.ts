import type { AssistantsView } from '../../../shared/api/assistants.ts';
import { assistantVersions } from '../lab/assistant/ledger.ts';
import { isUnassisted } from '../lab/assistant/statements.ts';
import { loadFrozen } from '../lab/frozen.ts';
import type { Query } from './query.ts';

/** The trained assistants of an experiment's data set. */
export const assistants: Query<{ experiment: string }, AssistantsView> = {
  run(store, { experiment }) {
    const frozen = loadFrozen(store, experiment);
    const unassisted = frozen.arms.filter((arm) => isUnassisted(frozen, arm));
    const embedders = unassisted.flatMap((arm) => frozen.terms(arm).cast.embedder?.model ?? []);
    return {
      trainable: unassisted.length > 0,
      embedder: embedders[0] ?? null,
      versions: assistantVersions(store, frozen.dataset.id)
        .map(({ payload }) => ({
          version: payload.version,
          at: payload.at,
          experiment: payload.experiment,
          embedder: payload.embedder.model,
          statements: payload.training.statements,
          cases: payload.training.cases,
          accuracy: payload.holdout.accuracy,
          auc: payload.holdout.area,
          heldOut: payload.holdout.statements,
          standin: payload.standin,
        }))
        .toReversed(),
    };
  },
};
