// What the tables of groups say in words.
import type { StatsReport } from '../../shared/outputs.ts';

type Fairness = NonNullable<StatsReport['arms'][number]['fairness']>[number];

const differences: Readonly<Record<string, string>> = {
  demographic_parity_difference: 'demographic parity',
  equalized_odds_difference: 'equalised odds',
  failure_rate_difference: 'failure rate',
};

/** Groups with too few cases for a difference, each with what leaves it out: nothing for those that have too few for all. */
export function tooFew({ left_out: everywhere, too_few: lacking = [] }: Fairness): { group: string; why: string }[] {
  const groups = new Set([...everywhere, ...lacking.flatMap((each) => each.groups)]);
  return [...groups].map((group) => {
    const shown = group === '' ? '(none)' : group;
    if (everywhere.includes(group)) return { group: shown, why: '' };
    const names = lacking.flatMap(({ name, groups: few }) => (few.includes(group) ? [differences[name] ?? name] : []));
    return { group: shown, why: ` (${[...new Set(names)].join(', ')})` };
  });
}

/** The same as a text. */
export function tooFewText(fairness: Fairness): string {
  const told = tooFew(fairness).map(({ group, why }) => `${group}${why}`);
  return told.length === 0 ? 'none' : told.join('; ');
}

/** Where no attribute was exchanged: what rates by group cannot show, and how to find it out. */
export const causeTexts = ({ changes = [] }: Pick<StatsReport, 'changes'>): { limit: string; advice: string } | null =>
  changes.some(({ kind }) => kind === 'attribute')
    ? null
    : {
        limit: 'Shares by group do not show what the attribute causes: it was exchanged in no trial of this experiment.',
        advice:
          'To try what an attribute causes, exchange it: “Try with changes… › Attribute to swap” on the screen of the experiment, or assize vary --change attribute=COLUMN.',
      };
