// What the tables of groups say in words.
import type { StatsReport } from '../../shared/outputs.ts';

type Fairness = NonNullable<StatsReport['arms'][number]['fairness']>[number];

const differences: Readonly<Record<string, string>> = {
  demographic_parity_difference: 'demographic parity',
  equalized_odds_difference: 'equalised odds',
  failure_rate_difference: 'failure rate',
};

/** Groups with too few cases for a difference: by name alone those that have too few for all, the others with what leaves them out. */
export function tooFewText({ left_out: everywhere, too_few: lacking = [] }: Fairness): string {
  const groups = new Set([...everywhere, ...lacking.flatMap((each) => each.groups)]);
  const told = [...groups].map((group) => {
    const shown = group === '' ? '(none)' : group;
    if (everywhere.includes(group)) return shown;
    const names = lacking.flatMap(({ name, groups: few }) => (few.includes(group) ? [differences[name] ?? name] : []));
    return `${shown} (${[...new Set(names)].join(', ')})`;
  });
  return told.length === 0 ? 'none' : told.join('; ');
}

/** Where no attribute was exchanged, what rates by group cannot show, and what can. */
export const causeText = ({ changes = [] }: Pick<StatsReport, 'changes'>): string | null =>
  changes.some(({ kind }) => kind === 'attribute')
    ? null
    : 'Shares by group do not show what the attribute causes. To try that, exchange it: “Try with changes… › Attribute to swap” on the screen of the experiment, or assize vary --change attribute=COLUMN.';
