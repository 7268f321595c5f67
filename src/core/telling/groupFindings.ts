// What is found of groups: how the arms treat them, and how the recorded labels do.
import { rightWords } from '../../shared/decidedBy.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { groupName, titleIn } from '../cases/columnNames.ts';
import { percent, pointsOf } from '../figures/shares.ts';
import { fewestInGroup } from '../statistics/measures/fairness.ts';
import { isSame } from '../statistics/sameNumber.ts';
import { measureNamed } from './cells.ts';
import {
  adjustedText,
  canBeChance,
  endsOf,
  fairnessFinding,
  hasNoGroups,
  isDrawn,
  type Judgement,
  judgedIn,
  largestText,
  leftOutText,
  noGroupsText,
  rangeText,
  ratesIn,
  size,
  sizeText,
} from './fairnessFinding.ts';
import type { FairnessPart } from './groupCalibration.ts';

/** Of more groups only the highest and the lowest are named, and of those that are lowest alike only so many. */
const mostNamed = 5;

export const recordedName = ({ decided_by: by }: Pick<StatsReport, 'decided_by'>): string => by ?? 'recorded labels';

const rangeIn = (low: number | null, high: number | null): string =>
  low === null || high === null ? '' : ` (${rangeText({ low, high })})`;

/** `district: Hillside 63.2% of 19 (41 to 80.9), Riverside 53.8% of 26 (35.5 to 71.2); Hillside is 9.3 points above …`. */
function lineOf({ difference, p, isShown }: Judgement, family: number, { resampling, part }: StatsReport): string {
  const whole = difference.largest ?? difference;
  const rates = ratesIn(whole);
  const isNamed = rates.length <= mostNamed;
  const each = rates.map(({ group, rate, n, low, high }) => `${group} ${percent(rate)} of ${count(n)}${rangeIn(low, high)}`);
  const named = isNamed ? each.join(', ') : quantity(rates.length, 'group');
  const shares = `${difference.column}: ${`${named}${leftOutText(whole)}`.replace(/^, /, '')}`;
  const { measure } = difference;
  const ends = endsOf(difference);
  if (ends === null || !isDrawn(difference)) return `${shares}; not compared: ${measure.why_null ?? 'no interval'}`;
  const [low, high] = ends.first.rate < ends.second.rate ? [ends.first, ends.second] : [ends.second, ends.first];
  const end = ({ group, rate, n }: typeof low) => (isNamed ? group : `${group} (${percent(rate)} of ${count(n)})`);
  const test = p === null ? 'no test' : adjustedText({ difference, p }, resampling.resamples, family > 1 ? 'adjusted p' : 'p');
  const chance = isShown
    ? `: chance does not explain it${largestText(difference)}`
    : part === undefined
      ? `: ${canBeChance(difference, family)}`
      : '';
  return `${shares}; ${end(high)} is ${pointsOf(size(difference))} above ${end(low)} (interval ${rangeText(measure)}; ${test})${chance}`;
}

/**
 * What the recorded labels do by group, one line for each column. Its p-values are corrected over the columns only: it is a question
 * about the data, and its answer must not depend on how many arms are tried on them. Null where there is nothing to say.
 */
export function recordedFinding(report: StatsReport): FairnessPart | null {
  const { recorded_labels: recorded, positive, decided_by: by, column_titles: titles, part } = report;
  if (recorded === undefined || positive === null) return null;
  const judged = judgedIn({
    arms: [{ ...recorded, arm: recordedName(report), base_arm: null }],
    column_titles: titles,
    positive,
    part,
  });
  if (judged.length === 0) return null;
  const family = judged.filter(({ p }) => p !== null).length;
  const corrected = family > 1 ? `, corrected for ${count(family)} columns` : '';
  const isOfMany = judged.some(({ difference }) => ratesIn(difference.largest ?? difference).length > 2);
  return {
    heading: `How often ${by === undefined ? `the recorded label is ${positive}` : `${by} decided ${positive}`}, each case once${corrected} (no arm had a part in this${isOfMany ? '; to compare only two groups, filter by both in Assize' : ''}):`,
    lines: judged.map((each) => lineOf(each, family, report)),
  };
}

/** The groups in which each arm is right least often, of those with enough cases; null where groups of no arm differ in that. */
function weakestGroups(report: Pick<StatsReport, 'arms' | 'column_titles' | 'decided_by'>): FairnessPart | null {
  const lines = plainAmong(report.arms).flatMap(({ arm, groups }) => {
    const known = groups.flatMap(({ attribute, value: group, measures }) => {
      const found = measureNamed({ measures }, 'accuracy', { over: 'all' });
      return found?.value == null || found.cases < fewestInGroup
        ? []
        : [{ ...found, share: found.value, name: `${titleIn(report.column_titles, attribute)} = ${groupName(group)}` }];
    });
    const least = Math.min(...known.map(({ share }) => share));
    const weakest = known.filter(({ share }) => isSame(share, least));
    if (weakest.length === known.length) return [];
    const named = weakest.slice(0, mostNamed).map((each) => `${each.name} (${percent(each.share)}, ${sizeText(each)})`);
    const more = weakest.length - named.length;
    return [`${arm}: ${named.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`];
  });
  const heading = `The groups in which each arm ${rightWords(report).is} least often (of those with at least ${fewestInGroup} cases; not tested):`;
  return lines.length === 0 ? null : { heading, lines };
}

export const groupFindings = (report: StatsReport): FairnessPart[] =>
  [weakestGroups(report), ...fairnessFinding(report), recordedFinding(report)].filter((part) => part !== null);

export const groupLines = (report: StatsReport): string[] =>
  hasNoGroups(report)
    ? [noGroupsText]
    : groupFindings(report).flatMap(({ heading, lines }) => [heading, ...lines.map((line) => `  ${line}.`)]);
