import type { TrialLine } from '../../../shared/trialLine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { lineReader, plannedAs } from '../report/trialLines.ts';
import { findTrial } from './findTrial.ts';
import { liveLine } from './liveLine.ts';
import type { Query } from './query.ts';

/** Lines of trials of an experiment that have begun, in the given order. */
export const trialLines: Query<{ experiment: string; trials: readonly string[] }, TrialLine[]> = {
  run(store, { experiment, trials }) {
    const lineOf = lineReader(store, loadFrozen(store, experiment));
    return trials.flatMap((id) => {
      const row = store.trials.get(id);
      return row?.experiment === experiment ? [liveLine(store, lineOf(plannedAs(row), row))] : [];
    });
  },
};

/** The line of one trial, also of one that has not begun. */
export const trialLine: Query<{ trial: string }, TrialLine> = {
  run(store, { trial }) {
    const found = findTrial(store, trial);
    return liveLine(store, lineReader(store, found.frozen)(found.trial, found.row));
  },
};
