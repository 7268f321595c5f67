import { isEverything, namesLabel } from '../../../core/figures/subset.ts';
import type { TrialPage, TrialQuery } from '../../../shared/api/experiments.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { subsetReader } from '../report/subsetReader.ts';
import { lineReader, plannedAs, withFirstAnswer } from '../report/trialLines.ts';
import type { TrialRow } from '../store/trials.ts';
import { liveLine } from './liveLine.ts';
import type { Query } from './query.ts';
import { queuedTrials, trialMovements } from './queues.ts';

/** Conditions on what is in no column of the store: the cases' truth and groups, and lists as JSON. */
function onLines(
  { correct, prediction, truth, first, subset }: Pick<TrialQuery, 'correct' | 'prediction' | 'truth' | 'first' | 'subset'>,
  isIn: (rest: Subset) => (line: TrialLine) => boolean,
) {
  const conditions: ((line: TrialLine) => boolean)[] = [];
  if (correct !== undefined) conditions.push((line) => line.correct === correct);
  if (prediction !== undefined) conditions.push((line) => namesLabel(line.prediction, prediction));
  if (truth !== undefined) conditions.push((line) => namesLabel(line.truth, truth));
  const { arms: _arms, outcomes: _outcomes, ...rest } = subset ?? {};
  if (!isEverything(rest)) conditions.push(isIn(rest));
  if (first !== undefined) conditions.push(isIn({ first: [first] }));
  return conditions;
}

const placeOf = { case: (line: TrialLine) => line.case, replicate: (line: TrialLine) => `${line.replicate} ${line.case}` };

/** Whether each of some arms has one of these trials of the same case, or of the same case and replicate. */
function onMatches({ arms, by }: NonNullable<TrialQuery['matched']>, among: readonly TrialLine[]) {
  const places = arms.map((arm) => new Set(among.filter((line) => line.arm === arm).map(placeOf[by])));
  return (line: TrialLine) => places.length > 0 && places.every((mine) => mine.has(placeOf[by](line)));
}

function movementsAmong(lines: readonly TrialLine[], movements: string): TrialPage['movements'] {
  const known: Record<string, number> = JSON.parse(movements);
  return Object.fromEntries(lines.flatMap(({ trial }) => (known[trial] === undefined ? [] : [[trial, known[trial]]])));
}

/** Trials of an experiment that have begun, sorted and filtered. */
export const trialPage: Query<TrialQuery, TrialPage> = {
  run(store, { offset, limit, correct, prediction, truth, first, subset, matched, queue, ...rest }) {
    const frozen = loadFrozen(store, rest.experiment);
    const { replicates } = frozen.definition;
    const listed = queue === undefined ? undefined : queuedTrials(store, frozen, queue);
    const movements = rest.order === 'movement' ? trialMovements(store, frozen) : undefined;
    const filter = { ...rest, listed, movements, arms: subset?.arms, outcomes: subset?.outcomes };
    const lineOf = lineReader(store, frozen);
    const line = (row: TrialRow) => liveLine(store, lineOf(plannedAs(row), row));
    const conditions = onLines({ correct, prediction, truth, first, subset }, (part) => subsetReader(store, frozen, part));
    if (matched !== undefined) {
      const { experiment, arms, outcomes, trials } = filter;
      const isIn = subsetReader(store, frozen, subset);
      const { rows } = store.trials.page({ experiment, arms, outcomes, trials, order: 'case', status: 'done' }, null);
      conditions.push(onMatches(matched, rows.map(line).filter(isIn)));
    }
    const shown = (lines: readonly TrialLine[]) => ({
      lines: lines.map((each) => withFirstAnswer(store, each)),
      ...(movements === undefined ? {} : { movements: movementsAmong(lines, movements) }),
    });
    if (conditions.length === 0) {
      const { total, rows } = store.trials.page(filter, { offset, limit });
      return { total, offset, replicates, ...shown(rows.map(line)) };
    }
    // Every trial that the columns let through has to be looked at.
    const decided = typeof correct === 'boolean' || prediction !== undefined;
    const { rows } = store.trials.page({ ...filter, decided }, null);
    const lines = rows.map(line).filter((each) => conditions.every((fits) => fits(each)));
    return { total: lines.length, offset, replicates, ...shown(lines.slice(offset, offset + limit)) };
  },
};
