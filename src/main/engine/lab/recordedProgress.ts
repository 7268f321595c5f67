// How much of an experiment the record already has.
import { preparationChain } from '../../../core/record/identity.ts';
import { isImported } from '../../../shared/imported.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { vectorMaker } from './embeddingProbe.ts';
import { recordedSpace } from './preparation/vectorSpace.ts';
import type { Made } from './preparationPlan.ts';

export interface RecordedProgress {
  /** Finished trials by arm. */
  readonly done: ReadonlyMap<string, number>;
  readonly made: Made;
}

/** What of an experiment the record has: trials that are done, and what was made once for several. */
export function recordedProgress(store: Store, experiment: string): RecordedProgress {
  const done = store.trials.ofExperiment(experiment).filter((row) => row.status === 'done' && !isImported(row));
  const questions = new Set<string>();
  const vectors = new Map<string, Set<string>>();
  for (const { kind, payload } of parseChain(store.events.chain(preparationChain(experiment)))) {
    if (kind === 'call-answer') questions.add(payload.key.replace(/\/attempt-\d+$/, ''));
    if (kind !== 'embedding-make' || payload.vectors === null) continue;
    const space = recordedSpace(store.blobs.need(payload.setup))?.space;
    // Vectors of an earlier program that are in no space are made anew.
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
