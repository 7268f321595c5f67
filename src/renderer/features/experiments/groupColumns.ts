// The groups of trials in their list.
import { titleIn } from '../../../core/cases/columnNames.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { changedFacts } from '../../../shared/changes.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';

export interface GroupColumn {
  readonly column: string;
  readonly title: string;
  /** Arms in which the fact of this column is changed. */
  readonly changedIn: ReadonlySet<string>;
}

/** The data set's columns of groups; empty where it names none. */
export function groupColumnsOf(
  {
    arms,
    definition,
  }: Pick<ExperimentView, 'definition'> & { readonly arms: readonly Pick<ExperimentView['arms'][number], 'name' | 'change'>[] },
  titles: StatsReport['column_titles'],
): GroupColumn[] {
  return definition.dataset.groups.map((column) => {
    const title = titleIn(titles, column);
    // Facts have the names that models read.
    const isChanged = (fact: string) => fact === column || fact === title;
    const changed = arms.flatMap(({ name, change }) => (change !== null && changedFacts(change).some(isChanged) ? [name] : []));
    return { column, title, changedIn: new Set(changed) };
  });
}

/** The group of a trial in each column: that of the unchanged case, said where its fact is changed. An erased case has none. */
export const groupsOf = (
  { arm, groups, change }: Pick<TrialLine, 'arm' | 'groups' | 'change'>,
  columns: readonly GroupColumn[],
): string[] =>
  columns.map(
    ({ column, changedIn }) =>
      `${groups[column] || '–'}${change?.applies === true && changedIn.has(arm) ? ' (before the change)' : ''}`,
  );
