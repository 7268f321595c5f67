// Which columns the baselines use, which they do not and why, and which baselines there are not.
import type { StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';

/** Columns that a sentence names. */
const mostNamed = 20;

const and = new Intl.ListFormat('en-GB');

function listed(columns: readonly string[]): string {
  const more = columns.length - mostNamed;
  return more > 0 ? `${columns.slice(0, mostNamed).join(', ')} and ${count(more)} more` : and.format(columns);
}

/** What a baseline that learns from columns uses of a case; nothing where all learn from the labels only. */
export function baselineColumnTexts({ baselines }: Pick<StatsReport, 'baselines'>): string[] {
  const learned = baselines.filter(({ about: { columns } }) => columns.length > 0);
  const groups = Map.groupBy(learned, ({ about: { columns, dropped } }) => JSON.stringify([columns, dropped]));
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { columns, dropped } = first.about;
    const names = [first, ...others].map(({ arm }) => arm);
    const verb = others.length === 0 ? 'uses' : 'use';
    const left = listed(dropped.map(({ column, why }) => `${column} (${why})`));
    return `${names.length === 1 ? 'The baseline' : 'The baselines'} ${and.format(names)} ${verb} ${listed(columns)}${dropped.length === 0 ? '' : `, and not ${left}`}.`;
  });
}

export const missingBaselineTexts = ({ missing_baselines: missing }: Pick<StatsReport, 'missing_baselines'>): string[] =>
  missing.map(({ name, why }) => `No baseline ${name}: ${why}.`);
