// How much of an experiment the record already has.

import { lastAttempt } from '../../../core/record/fold.ts';
import { preparationChain, trialId } from '../../../core/record/identity.ts';
import type { Outcome } from '../../../shared/domain.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { isImported } from '../../../shared/imported.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';
import { vectorMaker } from './embeddingProbe.ts';
import { recordedSpace } from './preparation/vectorSpace.ts';
import type { Made } from './preparationPlan.ts';
import type { PreparedExperiment } from './preparedArm.ts';

export interface RecordedProgress {
  /** Finished trials by arm. */
  readonly done: ReadonlyMap<string, number>;
  readonly made: Made;
}

export function recordedProgress(store: Store, experiment: string): RecordedProgress {
  const done = store.trials.ofExperiment(experiment).filter((row) => row.status === 'done' && !isImported(row));
  const questions = new Set<string>();
  const vectors = new Map<string, Set<string>>();
  for (const { kind, payload } of parseChain(store.events.chain(preparationChain(experiment)))) {
    if (kind === 'call-answer') questions.add(payload.key.replace(/\/attempt-\d+$/, ''));
    if (kind !== 'embedding-make' || payload.vectors === null) continue;
    const space = recordedSpace(store.blobs.need(payload.setup))?.space;
    // Vectors of an earlier program that are in no space are remade.
    if (space === undefined) continue;
    const { backend, model, numCtx } = space;
    const name = vectorMaker({ backend, model, options: { numCtx } });
    vectors.set(name, new Set([...(vectors.get(name) ?? []), ...payload.cases]));
  }
  return {
    done: new Map([...Map.groupBy(done, ({ arm }) => arm)].map(([arm, rows]) => [arm, rows.length])),
    made: {
      questions: questions.size,
      vectors: new Map([...vectors].map(([name, cases]) => [name, cases.size])),
      allDecided: done.every(({ outcome }) => outcome === 'decided'),
    },
  };
}

/** Whether a run still has to do a trial: not begun, not finished, or finished with an outcome that gets a further attempt. */
export const isOpen = (row: Pick<TrialRow, 'status' | 'outcome'> | undefined, retry: readonly Outcome[]): boolean =>
  row === undefined || row.status === 'running' || retry.some((outcome) => outcome === row.outcome);

export function countCalls(store: Store, trial: string): number {
  const events = parseChain(store.events.ofKinds(trial, ['trial-open', 'call-answer']));
  return lastAttempt(events).filter(({ kind }) => kind === 'call-answer').length;
}

/** Names of the arms that have trials left, also of those that the record does not have yet. */
export function openArms(
  store: Store,
  { experiment, arms }: PreparedExperiment,
  { sample }: Dataset,
  retry: readonly Outcome[],
): Set<string> {
  const rows = new Map(store.trials.ofExperiment(experiment.name).map((row) => [row.trial, row]));
  const replicates = Array.from({ length: experiment.replicates }, (_none, replicate) => replicate);
  const open = arms.flatMap(({ definition: { name } }) =>
    sample.some((id) =>
      replicates.some((replicate) =>
        isOpen(rows.get(trialId({ experiment: experiment.name, arm: name, case: id, replicate })), retry),
      ),
    )
      ? [name]
      : [],
  );
  return new Set(open);
}

/** Whether the answer that a truncated trial ended with repeated itself: the last one that was refused as too long. */
function endedInLoop(events: readonly RecordEvent[]): boolean {
  const cut = lastAttempt(events).flatMap(({ kind, payload }) =>
    (kind === 'call-answer' || kind === 'answer-share') && payload.rejected === 'truncated' ? [payload.done] : [],
  );
  return cut.at(-1) === 'loop';
}

/** How many of these trials ended as truncated because answers repeated themselves until they were cut. */
export const countLooped = (store: Store, rows: readonly Pick<TrialRow, 'trial' | 'outcome'>[]): number =>
  rows.filter(({ trial, outcome }) => outcome === 'truncated' && endedInLoop(parseChain(store.events.chain(trial)))).length;
