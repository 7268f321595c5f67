// In which trials, and where in them, what is wrong is used: a hash alone tells nobody.
import { meaningOf, placeOf, type Subject, subjectOf, type Uses, usesOf } from '../../../../resources/bundle/uses.mjs';
import { isDatabaseError } from '../store/databaseError.ts';
import type { Store } from '../store/store.ts';
import type { BadRecord } from './chain.ts';

const nowhere: Uses = { uses: [], more_uses: 0, used_in: 0 };

function subjectIn({ trial, seq, kind, problem }: BadRecord): Subject | null {
  if (kind === 'text') return subjectOf(problem);
  const isInTrial = trial !== null && (seq !== null || kind === 'trials' || kind === 'trajectories');
  return isInTrial ? { trial, seq, kind } : null;
}

/** A fault with the trials that it concerns, as their rows name them. It reads every event once. */
export function placed(store: Store, bad: BadRecord): BadRecord {
  const aboutOf = (trial: string) => {
    const row = store.trials.get(trial);
    return row === undefined ? undefined : { experiment: row.experiment, arm: row.arm, case: row.case_id };
  };
  try {
    const subject = subjectIn(bad);
    const found =
      subject === null
        ? nowhere
        : 'ref' in subject
          ? usesOf(subject.ref, store.events.all(), aboutOf)
          : placeOf(subject, aboutOf);
    return { ...bad, ...found, meaning: meaningOf({ subject, problem: bad.problem, uses: found.uses }) };
  } catch (error) {
    // The file itself can be what is damaged.
    if (isDatabaseError(error)) return bad;
    throw error;
  }
}
