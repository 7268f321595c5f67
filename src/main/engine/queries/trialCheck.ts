import type { TrialCheck } from '../../../shared/api/trials.ts';
import { checkTrial } from '../audit/checkTrial.ts';
import { findTrial } from './findTrial.ts';
import type { Query } from './query.ts';

/** Whether a trial is as it was written and its verdict follows from its answers. */
export const trialCheck: Query<{ trial: string }, TrialCheck> = {
  run(store, { trial }) {
    const { row } = findTrial(store, trial);
    if (row === undefined) return { chain: 'intact', replay: 'unfinished', head: null, events: 0, problem: null };
    return checkTrial(store, row);
  },
};
