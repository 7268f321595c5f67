// Which trials are in a part of an experiment, and the same in the words of the command line.
import { bothSubsets, fitsSubset, type SubsetReading } from '../../../core/figures/subset.ts';
import { lossReader, probabilityOf } from '../../../core/statistics/measures/beliefMeasures.ts';
import type { ReportedTrial } from '../../../core/statistics/measures/heldTrials.ts';
import { verdictPath } from '../../../core/trajectory/verdictPath.ts';
import { knowables, type Subset } from '../../../shared/api/subset.ts';
import { outcomes, type Prediction } from '../../../shared/domain.ts';
import { badInput } from '../../../shared/errors.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import type { Store } from '../store/store.ts';

/** A condition of the command line: a group column or one of `columns`, and a value of it. */
export interface Condition {
  readonly column: string;
  readonly value: string;
}

const field = '--where';
const columns = ['model', 'outcome', 'truth', 'first answer', 'known'] as const;
const listed = (names: Iterable<string>) => [...names].map((name) => JSON.stringify(name)).join(', ');

/** Conditions on one column are alternatives, those on several and on `known` all hold. Throws bad input for an unknown column. */
export function subsetOf({ name, definition }: FrozenExperiment, conditions: readonly Condition[]): Subset {
  const { groups, labels = [] } = definition.dataset;
  const among = <Known extends string>(values: readonly string[], known: readonly Known[], words: string): Known[] => {
    const unknown = values.find((value) => !known.some((each) => each === value));
    if (unknown !== undefined) throw badInput(`${JSON.stringify(unknown)} is no ${words} ${listed(known) || 'not there'}`, field);
    return known.filter((each) => values.includes(each));
  };
  const byColumn = Map.groupBy(conditions, ({ column }) => column);
  return [...byColumn].reduce<Subset>((subset, [column, some]) => {
    const values = some.map(({ value }) => value);
    if (groups.includes(column)) return bothSubsets(subset, { groups: { [column]: values } });
    if (column === 'model') return bothSubsets(subset, { models: values });
    if (column === 'outcome') return bothSubsets(subset, { outcomes: among(values, outcomes, 'outcome; outcomes are') });
    if (column === 'known') return bothSubsets(subset, { known: among(values, knowables, 'part of a trial; parts are') });
    if (column === 'truth') return bothSubsets(subset, { truths: among(values, labels, 'label; labels are') });
    if (column === 'first answer') return bothSubsets(subset, { first: among(values, labels, 'label; labels are') });
    throw badInput(
      `experiment ${JSON.stringify(name)} has no group column ${JSON.stringify(column)}; conditions may be on ${listed([...groups, ...columns])}`,
      field,
    );
  }, {});
}

/** Throws bad input where no trial has one of the values: most likely it is misspelt. */
export function checkValues(conditions: readonly Condition[], lines: readonly ReportedTrial[]): void {
  for (const { column, value } of conditions) {
    // What else there is was held against the labels.
    const isRead = column === 'model' || column === 'outcome' || lines.some(({ groups }) => Object.hasOwn(groups, column));
    if (!isRead) continue;
    const valuesIn = (line: ReportedTrial): readonly string[] => {
      if (Object.hasOwn(line.groups, column)) return [line.groups[column] ?? ''];
      if (column === 'model') return line.models;
      return line.outcome === null ? [] : [line.outcome];
    };
    const known = new Set(lines.flatMap(valuesIn));
    if (!known.has(value)) {
      throw badInput(
        `no trial has ${column} ${JSON.stringify(value)}; there is ${listed([...known].toSorted().slice(0, 20)) || 'none'}`,
        field,
      );
    }
  }
}

/** Whether a trial is in a part. Trajectories and other trials are read only for conditions that need them. */
export function subsetReader(
  store: Store,
  frozen: FrozenExperiment,
  subset: Subset | undefined,
): (line: ReportedTrial) => boolean {
  const { dataset } = frozen.definition;
  const labels = dataset.labels ?? [];
  const lossOf = lossReader(labels, isMultiLabel(dataset));
  const answerOf = readOnce((trial: string): Prediction => verdictPath(store.trajectories.of(trial))?.initial ?? null);
  const casesOf = readOnce((arm: string) => {
    const { rows } = store.trials.page({ experiment: frozen.name, arm, status: 'done', order: 'case' }, null);
    return new Set(rows.map((row) => row.case_id));
  });
  const reading: SubsetReading<ReportedTrial> = {
    firstAnswer: ({ trial, status, outcome }) => (status === 'done' && outcome === 'decided' ? answerOf(trial) : null),
    hasBelief: (line) => lossOf(line) !== null,
    probabilityOf: (line, label) => probabilityOf(line, labels, label),
    isPaired: (line, arms) => arms.every((arm) => casesOf(arm).has(line.case)),
  };
  return (line) => fitsSubset(line, subset, reading);
}
