import { bothSubsets } from '../../../core/figures/subset.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { outcomes } from '../../../shared/domain.ts';
import { badInput } from '../../../shared/errors.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';

/** A condition of the command line: a group column, `model` or `outcome`, and a value of it. */
export interface Condition {
  readonly column: string;
  readonly value: string;
}

const field = '--where';
const listed = (names: Iterable<string>) => [...names].map((name) => JSON.stringify(name)).join(', ');

/** Conditions on one column are alternatives, those on several all hold. Throws bad input for an unknown column. */
export function subsetOf({ name, definition }: FrozenExperiment, conditions: readonly Condition[]): Subset {
  const { groups } = definition.dataset;
  const byColumn = Map.groupBy(conditions, ({ column }) => column);
  return [...byColumn].reduce<Subset>((subset, [column, some]) => {
    const values = some.map(({ value }) => value);
    if (groups.includes(column)) return bothSubsets(subset, { groups: { [column]: values } });
    if (column === 'model') return bothSubsets(subset, { models: values });
    if (column === 'outcome') {
      const unknown = values.find((value) => !outcomes.some((outcome) => outcome === value));
      if (unknown !== undefined) {
        throw badInput(`${JSON.stringify(unknown)} is no outcome; outcomes are ${listed(outcomes)}`, { field });
      }
      return bothSubsets(subset, { outcomes: outcomes.filter((outcome) => values.includes(outcome)) });
    }
    throw badInput(
      `experiment ${JSON.stringify(name)} has no group column ${JSON.stringify(column)}; conditions may be on ${listed([...groups, 'model', 'outcome'])}`,
      { field },
    );
  }, {});
}

/** Throws bad input where no trial has one of the values: most likely it is misspelt. */
export function checkValues(conditions: readonly Condition[], lines: readonly TrialLine[]): void {
  for (const { column, value } of conditions) {
    const valuesIn = (line: TrialLine): readonly string[] => {
      if (Object.hasOwn(line.groups, column)) return [line.groups[column] ?? ''];
      if (column === 'model') return line.models;
      return line.outcome === null ? [] : [line.outcome];
    };
    const known = new Set(lines.flatMap(valuesIn));
    if (!known.has(value)) {
      throw badInput(
        `no trial has ${column} ${JSON.stringify(value)}; there is ${listed([...known].toSorted().slice(0, 20)) || 'none'}`,
        {
          field,
        },
      );
    }
  }
}
