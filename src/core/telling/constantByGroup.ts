// Whether any arm is right more often within a group than somebody who gives one answer every time.
import { rightWords } from '../../shared/decidedBy.ts';
import type { ArmStatistics, BaselineStatistics, StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import type { GroupStatistics } from '../../shared/statistics.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { groupName, titleIn } from '../cases/columnNames.ts';
import { holm } from '../statistics/adjustedPValues.ts';
import { mcnemarExact } from '../statistics/mcnemarExact.ts';
import { fewestInGroup } from '../statistics/measures/fairness.ts';
import { oneAnswer } from '../statistics/measures/finding.ts';
import { chanceText } from '../statistics/measures/shownComparisons.ts';
import { measureNamed } from './cells.ts';
import type { FairnessPart } from './groupCalibration.ts';

/** Groups that have a line. */
const mostGroups = 12;

/** The baseline that gives one answer every time, and that answer; null where there is none. */
export function constantBaseline({
  baselines,
}: Pick<StatsReport, 'baselines'>): (BaselineStatistics & { answer: string }) | null {
  const found = baselines.flatMap((baseline) => {
    const answer = oneAnswer(baseline);
    return answer === null ? [] : [{ ...baseline, answer }];
  });
  return found[0] ?? null;
}

/** An arm in a group: the cases in which it is right, and in which the one answer would be; `p` of the exact test of the same cases. */
interface Tested {
  readonly arm: string;
  readonly group: GroupStatistics;
  readonly right: number;
  readonly against: number;
  readonly p: number;
}

/** Nothing where a case was tried several times or left undecided, or there are too few. */
function testedIn({ arm, groups }: Pick<ArmStatistics, 'arm' | 'groups'>, isPositive: boolean): Tested[] {
  return groups.flatMap((group) => {
    const { counts, n } = group;
    const cases = measureNamed(group, 'accuracy', { over: 'all' })?.cases;
    if (counts === null || cases !== n || n < fewestInGroup) return [];
    const { tp, tn, fp, fn } = counts;
    if (tp + tn + fp + fn < n) return [];
    const against = isPositive ? tp + fn : tn + fp;
    const { p } = isPositive ? mcnemarExact(tn, fn) : mcnemarExact(tp, fp);
    return [{ arm, group, right: tp + tn, against, p }];
  });
}

/** One line for each group of one column, with the arm that comes nearest; null without a baseline of one answer, and of more than two labels, of which the counts do not say which answers are right. */
export function constantByGroup(
  report: Pick<StatsReport, 'arms' | 'baselines' | 'labels' | 'positive' | 'part' | 'decided_by' | 'column_titles'>,
): FairnessPart | null {
  const { labels, positive, part, column_titles: titles } = report;
  const constant = constantBaseline(report);
  if (constant === null || positive === null || labels.length !== 2 || part !== undefined) return null;
  const all = plainAmong(report.arms).flatMap((arm) => testedIn(arm, constant.answer === positive));
  const adjusted = holm(all.map(({ p }) => p));
  const judged = all.map((each, place) => ({ ...each, p: adjusted[place] ?? 1 }));
  const byGroup = [...Map.groupBy(judged, ({ group }) => JSON.stringify([group.attribute, group.value]))];
  if (byGroup.length === 0) return null;
  const title = all.length === 1 ? 'p' : 'adjusted p';
  const said = ({ arm, group, right, against, p }: Tested) =>
    `${arm} in ${count(right)} of ${quantity(group.n, 'case')} against ${count(against)} (${title} ${chanceText(p)})`;
  const lines = byGroup.map(([, some]) => {
    const [{ group }] = some as [Tested];
    const ahead = some.toSorted((one, other) => other.right - other.against - (one.right - one.against) || one.p - other.p);
    const shown = ahead.filter(({ p }) => p <= 0.05);
    const [more, less] = [shown.filter((each) => each.right > each.against), shown.filter((each) => each.right < each.against)];
    const best = more.length > 0 ? more : ahead.slice(0, 1);
    const found = `${more.length > 0 ? 'shown of ' : 'not shown of any; nearest is '}${best.map(said).join(', ')}`;
    const worse = less.length === 0 ? '' : `; shown to be so less often: ${less.map(said).join(', ')}`;
    return `${titleIn(titles, group.attribute)} = ${groupName(group.value)}: ${found}${worse}`;
  });
  const rest = lines.length - mostGroups;
  return {
    heading: `Whether a method ${rightWords(report).is} more often than always ${constant.answer}, the most frequent answer, within a group (exact test of the same cases${all.length === 1 ? '' : `, corrected for ${count(all.length)} tests`}):`,
    lines: [...lines.slice(0, mostGroups), ...(rest > 0 ? [`${quantity(rest, 'more group')}: see the table`] : [])],
  };
}
