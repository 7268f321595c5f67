import type { TrialCheck } from '../../../shared/api/trials.ts';
import type { StoredEvent } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';
import { chainFault, checkRequests, textProblem } from './chain.ts';
import { sharedCheck } from './preparation.ts';
import { compareTrial } from './projections.ts';
import { replayTrial } from './replay.ts';

/** What is wrong with a chain, its texts, its requests or its row of results, or null. */
function chainProblem(store: Store, row: TrialRow, chain: readonly StoredEvent[]): string | null {
  const dataset = store.experiments.get(row.experiment)?.dataset;
  if (dataset === undefined) return `experiment ${row.experiment} is not on the record`;
  const { salt } = store.datasets.get(dataset);
  const inOrder = chainFault(chain, (event) => textProblem(store, salt, event));
  const found = inOrder ?? checkRequests(store, chain) ?? sharedCheck(store)(chain) ?? compareTrial(store, chain);
  if (found === null) return null;
  return found.seq === null ? found.problem : `event ${found.seq} (${found.kind}): ${found.problem}`;
}

/** Checks one trial from its bytes up and replays it, offline. A fault is reported and never thrown. */
export async function checkTrial(store: Store, row: TrialRow): Promise<TrialCheck> {
  const chain = store.events.chain(row.trial);
  const problem = chainProblem(store, row, chain);
  const replayed = await replayTrial(store, row);
  return {
    chain: problem === null ? 'intact' : 'tampered',
    replay: replayed.result,
    head: store.events.head(row.trial) ?? null,
    events: chain.length,
    problem: problem ?? replayed.problem,
  };
}
