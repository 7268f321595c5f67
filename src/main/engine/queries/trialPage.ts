import type { TrialPage, TrialQuery } from '../../../shared/api/experiments.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { lineReader, plannedAs } from '../report/trialLines.ts';
import type { TrialRow } from '../store/trials.ts';
import { liveLine } from './liveLine.ts';
import type { Query } from './query.ts';

/** Trials of an experiment that have begun, sorted and filtered. */
export const trialPage: Query<TrialQuery, TrialPage> = {
  run(store, { offset, limit, correct, ...filter }) {
    const lineOf = lineReader(store, loadFrozen(store, filter.experiment));
    const line = (row: TrialRow) => liveLine(store, lineOf(plannedAs(row), row));
    if (correct === undefined) {
      const { total, rows } = store.trials.page(filter, { offset, limit });
      return { total, offset, lines: rows.map(line) };
    }
    // Truth stands in the cases and in no column: every decided trial has to be looked at.
    const { rows } = store.trials.page({ ...filter, decided: true }, null);
    const lines = rows.map(line).filter((each) => each.correct === correct);
    return { total: lines.length, offset, lines: lines.slice(offset, offset + limit) };
  },
};
