// The table of cases: a row for each, a column for each arm.
import { namesLabel } from '../../../core/figures/subset.ts';
import type { CaseOrder, CaseRow, CaseTable, CaseTableQuery } from '../../../shared/api/caseTable.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { caseRows, disagree } from '../report/caseRows.ts';
import { trialLines } from '../report/trialLines.ts';
import { subsetReader } from '../report/where.ts';
import type { Query } from './query.ts';

const names = new Intl.Collator('en', { numeric: true });
const inOrder: Readonly<Record<CaseOrder, (one: CaseRow, other: CaseRow) => number>> = {
  sample: () => 0,
  case: (one, other) => names.compare(one.case, other.case),
  label: (one, other) => names.compare(predictionText(one.truth) ?? '', predictionText(other.truth) ?? ''),
  disagree: (one, other) => Number(disagree(other)) - Number(disagree(one)),
};

export const caseTable: Query<CaseTableQuery, CaseTable> = {
  run(store, { experiment, subset, search = '', disagree: onlyDifferent, answers, order, offset, limit }) {
    const frozen = loadFrozen(store, experiment);
    const arms = frozen.arms.map(({ name }) => name).filter((name) => subset?.arms?.includes(name) ?? true);
    const isIn = subsetReader(store, frozen, subset);
    const wanted = search.toLowerCase();
    const lines = trialLines(store, frozen).filter((line) => line.case.toLowerCase().includes(wanted) && isIn(line));
    const found = caseRows(lines, arms, frozen.sample()).filter(
      (row) =>
        (!onlyDifferent || disagree(row)) &&
        answers.every(({ arm, label }) =>
          row.cells[arms.indexOf(arm)]?.some(({ outcome, prediction }) =>
            label === null ? outcome !== null && outcome !== 'decided' : namesLabel(prediction, label),
          ),
        ),
    );
    const rows = found.toSorted(inOrder[order]);
    return { arms, total: rows.length, rows: rows.slice(offset, offset + limit) };
  },
};
