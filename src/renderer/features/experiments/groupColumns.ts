// The groups of trials in their list.
import { titleIn } from '../../../core/cases/columnNames.ts';
import type { ExperimentView } from '../../../shared/api/experiments.ts';
import { type Change, changedFacts } from '../../../shared/changes.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';

export interface GroupColumn {
  readonly column: string;
  readonly title: string;
  /** Arms in which the fact of this column is changed, with its new value; null: it is left out, undefined: the trial has it. */
  readonly changedIn: ReadonlyMap<string, string | null | undefined>;
}

/** Whether a fact is that of a column. Facts have the names that models read. */
const isOf = (fact: string, { column, title }: Pick<GroupColumn, 'column' | 'title'>) => fact === column || fact === title;

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
    const changed = arms.flatMap(({ name, change }) => {
      const fact = change === null ? undefined : changedFacts(change).find((each) => isOf(each, { column, title }));
      return fact === undefined ? [] : [[name, change?.kind === 'facts' ? change.facts[fact] : undefined] as const];
    });
    return { column, title, changedIn: new Map(changed) };
  });
}

/** The group of a trial in each column, `yes → no` where its fact is changed. An erased case has none. */
export const groupsOf = (
  { arm, groups, change }: Pick<TrialLine, 'arm' | 'groups' | 'change'>,
  columns: readonly GroupColumn[],
): string[] =>
  columns.map(({ column, changedIn }) => {
    const before = groups[column] || '–';
    if (change?.applies !== true || !changedIn.has(arm)) return before;
    const to = changedIn.get(arm);
    return `${before} → ${to === null ? 'left out' : (to ?? change.to)}`;
  });

/** The changed facts of a trial that are in none of the columns, such as `insured no → yes`; null where there are none. */
export function changeOutside(
  { change }: Pick<TrialLine, 'change'>,
  columns: readonly GroupColumn[],
  made: Change | null,
): string | null {
  if (change?.applies !== true || made === null) return null;
  const moves = changedFacts(made)
    .filter((fact) => !columns.some((column) => isOf(fact, column)))
    .map((fact) =>
      made.kind === 'facts' ? `${fact} → ${made.facts[fact] ?? 'left out'}` : `${fact} ${change.from} → ${change.to}`,
    );
  return moves.length === 0 ? null : moves.join(', ');
}
