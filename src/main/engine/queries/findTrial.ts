// Finds a trial by its id, also one that is only planned, and the line of one that may be running.

import { z } from 'zod';
import { lastAttempt } from '../../../core/record/fold.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { replicateText, type TrialLine } from '../../../shared/trialLine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { plannedAs } from '../report/trialLines.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

/** A trial by its id, also one that is only planned: then it has no row. Throws not-found. */
export function findTrial(store: Store, id: string) {
  const row = store.trials.get(id);
  if (row !== undefined) return { frozen: loadFrozen(store, row.experiment), trial: plannedAs(row), row };
  for (const name of store.experiments.names()) {
    const frozen = loadFrozen(store, name);
    const trial = frozen.trials().find((each) => each.id === id);
    if (trial !== undefined) return { frozen, trial, row };
  }
  throw new AssizeError('not-found', `there is no trial ${id} on the record`, 'trial');
}

/** What a file about a trial is named by. `numbered`: the replicate, where the experiment tries each case several times. */
export type NamedTrial = Pick<TrialLine, 'experiment' | 'arm' | 'case'> & { readonly numbered: string | null };

/** Throws not-found. */
export function namedTrial(store: Store, id: string): NamedTrial {
  const { frozen, trial } = findTrial(store, id);
  const numbered = replicateText(trial, frozen.definition.replicates);
  return { experiment: frozen.name, arm: trial.arm, case: trial.caseId, numbered };
}

const setupSchema = z.object({ standin: z.boolean().nullable() });

/** The line of a trial that may be running: it says from the first answer on, not only at the end, whether the demo model speaks. */
export function liveLine(store: Store, line: TrialLine): TrialLine {
  if (line.status !== 'running') return line;
  const setups = lastAttempt(parseChain(store.events.chain(line.trial))).flatMap((event) =>
    event.kind === 'call-answer' ? [event.payload.setup] : [],
  );
  const standin = [...new Set(setups)].some((ref) => setupSchema.parse(JSON.parse(store.blobs.need(ref))).standin === true);
  return { ...line, standin };
}
