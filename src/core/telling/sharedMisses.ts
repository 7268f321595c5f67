// How two arms did on the cases that both have: what each missed, and how many of each group it got right, with the chance of that.
import type { Compared } from '../../shared/api/compared.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import { mcnemarExact } from '../statistics/mcnemarExact.ts';
import { chanceText } from '../statistics/measures/shownComparisons.ts';

type Line = Pick<TrialLine, 'case' | 'status' | 'outcome' | 'prediction' | 'truth'>;

type Misses = Compared['misses'];

/** By case; null where one was tried several times. */
function byCase<Each extends Pick<Line, 'case' | 'status' | 'truth'>>(lines: readonly Each[]): ReadonlyMap<string, Each> | null {
  const ended = lines.filter(({ status, truth }) => status === 'done' && truth !== null);
  const found = new Map(ended.map((line) => [line.case, line]));
  return found.size === ended.length ? found : null;
}

/** Of the positive label, else of both where there are two; none where a case was tried several times. */
export function sharedMisses(
  ofA: readonly Line[],
  ofB: readonly Line[],
  { labels, positive }: { readonly labels: readonly string[]; readonly positive: string | null },
): Misses {
  const [a, b] = [byCase(ofA), byCase(ofB)];
  if (a === null || b === null) return [];
  const both = [...a.values()].flatMap((one) => {
    const other = b.get(one.case);
    return other?.outcome === 'decided' && one.outcome === 'decided' ? [{ one, other }] : [];
  });
  const named = positive === null ? (labels.length === 2 ? labels : []) : [positive];
  return named.flatMap((label) => {
    const mine = both.filter(({ one }) => one.truth === label);
    const missed = (which: 'one' | 'other') => mine.filter((pair) => pair[which].prediction !== label);
    const [byA, byB] = [new Set(missed('one')), new Set(missed('other'))];
    const { p } = mcnemarExact(byA.difference(byB).size, byB.difference(byA).size);
    return mine.length === 0 ? [] : [{ label, of: mine.length, a: byA.size, b: byB.size, p }];
  });
}

type Answered = Pick<TrialLine, 'case' | 'status' | 'truth' | 'correct' | 'groups'>;

/** How many cases of a group both have, and how many each got right, a failure as not right. */
export interface GroupRight extends Omit<Misses[number], 'label'> {
  readonly column: string;
  readonly value: string;
}

/** None where both have the same cases, whose shares a reader can compare, or where a case was tried several times. */
export function rightByGroup(ofA: readonly Answered[], ofB: readonly Answered[]): GroupRight[] {
  const [a, b] = [byCase(ofA), byCase(ofB)];
  if (a === null || b === null || new Set(a.keys()).symmetricDifference(b).size === 0) return [];
  const both = [...a.values()].flatMap((one) => {
    const other = b.get(one.case);
    if (other === undefined) return [];
    const [byA, byB] = [one.correct === true, other.correct === true];
    return Object.entries(one.groups).map(([column, value]) => ({ column, value, byA, byB }));
  });
  return [...Map.groupBy(both, ({ column, value }) => JSON.stringify([column, value])).values()].flatMap((cases) => {
    const counted = (fits: (each: (typeof both)[number]) => boolean) => cases.filter(fits).length;
    const { p } = mcnemarExact(
      counted(({ byA, byB }) => byA && !byB),
      counted(({ byA, byB }) => byB && !byA),
    );
    return cases.slice(0, 1).map(({ column, value }) => ({
      column,
      value,
      of: cases.length,
      a: counted(({ byA }) => byA),
      b: counted(({ byB }) => byB),
      p,
    }));
  });
}

/** `this can be chance (p 0.774)`: of an exact test, which is not corrected for other pairs. */
const chanceOf = (p: number) =>
  p > 0.05
    ? `this can be chance (p ${chanceText(p)})`
    : `chance hardly explains it (p ${chanceText(p)}, exact test of this one comparison, so a hint)`;

/** `Of the 24 cases that both decided and in which YES was right, court missed 6 and alone 8: this can be chance (p 0.774).` Null for none. */
export function missesText(
  misses: Misses,
  { a, b }: { readonly a: string; readonly b: string },
  { decided_by: by, part }: Pick<StatsReport, 'decided_by' | 'part'> = {},
): string | null {
  const said = misses.map(
    ({ label, of, p, ...missed }, place) =>
      `${place === 0 ? 'Of' : 'of'} the ${quantity(of, 'case')} that both decided and ${by === undefined ? `in which ${label} was right` : `that ${by} decided as ${label}`}, ${a} missed ${count(missed.a)} and ${b} ${count(missed.b)}${part === undefined && missed.a !== missed.b ? `: ${chanceOf(p)}` : ''}`,
  );
  return said.length === 0 ? null : `${said.join('; ')}.`;
}
