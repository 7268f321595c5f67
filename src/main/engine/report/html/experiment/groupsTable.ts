// How the groups of the data fared, as the first page of the report over an experiment has it.
import { groupName, titleIn } from '../../../../../core/cases/columnNames.ts';
import { wholePercent } from '../../../../../core/figures/shares.ts';
import { fewestInGroup } from '../../../../../core/statistics/measures/fairness.ts';
import { constantBaseline, constantByGroup } from '../../../../../core/telling/constantByGroup.ts';
import { hasNoGroups, judgedIn, noGroupsText } from '../../../../../core/telling/fairnessFinding.ts';
import { type FairnessPart, groupCalibration } from '../../../../../core/telling/groupCalibration.ts';
import { recordedFinding } from '../../../../../core/telling/groupFindings.ts';
import { largestDifferenceTexts } from '../../../../../core/telling/groupsInWords.ts';
import { capitalized } from '../../../../../core/text/visible.ts';
import { labelNoun, rightWords } from '../../../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../../../shared/outputs.ts';
import type { GroupStatistics, Measure } from '../../../../../shared/statistics.ts';
import type { TrialLine } from '../../../../../shared/trialLine.ts';
import { type Content, html, isolated, type Markup, name } from '../markup.ts';
import { count, quantity, wholeRange } from '../words.ts';
import { groupPairs } from './groupPairs.ts';

/** Groups that are shown at once; those of further columns are folded behind them. */
const mostRows = 40;

interface Rate {
  readonly title: Content;
  of(measure: Measure): boolean;
  /** How many trials it counts, where the record of the group has the number. */
  hits?(group: GroupStatistics): number | null;
}

export const alikeTitle = 'Whether groups fared alike';
const alikeHead = html`<h3 id="alike">${alikeTitle}</h3>`;
const missedTitle = 'Missed';

const ratesFor = ({ positive, decided_by }: Pick<StatsReport, 'positive' | 'decided_by'>): Rate[] => [
  ...(positive === null
    ? []
    : [
        {
          title: html`Answered ${name(positive)}`,
          of: (each: Measure) => each.name === 'selection_rate' && each.over === 'decided' && each.label === positive,
        },
      ]),
  {
    title: capitalized(rightWords({ decided_by }).right),
    of: (each) => each.name === 'accuracy' && each.over === 'all' && each.label === null,
  },
  ...(positive === null
    ? []
    : [
        {
          title: missedTitle,
          of: (each: Measure) => each.name === 'false_negative_rate' && each.over === 'truly-positive',
          hits: ({ counts }: GroupStatistics) => counts?.fn ?? null,
        },
        {
          title: html`Wrongly ${name(positive)}`,
          of: (each: Measure) => each.name === 'false_positive_rate' && each.over === 'truly-negative',
          hits: ({ counts }: GroupStatistics) => counts?.fp ?? null,
        },
      ]),
  { title: 'No decision', of: (each) => each.name === 'failure_rate' },
];

/** Where every trial has a decision, a sentence says so in place of a column of zeros. */
const isTelling = (rate: Rate, groups: readonly GroupStatistics[]) => {
  const found = groups.flatMap(({ measures }) => measures.find(rate.of) ?? []);
  return found.length > 0 && (found[0]?.name !== 'failure_rate' || found.some(({ value }) => value !== 0));
};

/** `48% of 25 (30 to 67)`: share, trials (and cases with replicates), range; with known hits `12 of 25: 48% (30 to 67)`. */
function shareText(found: Measure | undefined, hits: number | null = null): Content {
  if (found === undefined || found.n === 0 || found.value === null) return '–';
  const { value, n, cases, low, high } = found;
  if (cases < fewestInGroup)
    return html`<span class="quiet">too few to say (${quantity(cases, 'case')}${cases < n && `, ${count(n)} trials`})</span>`;
  const range = low === null || high === null ? ', no interval' : ` (${wholeRange({ low, high })})`;
  const [share, of] = [wholePercent(value), `${count(n)}${cases < n ? ` trials, ${quantity(cases, 'case')}` : ''}`];
  return hits === null ? `${share} of ${of}${range}` : `${count(hits)} of ${of}: ${share}${range}`;
}

/** The groups of one column, each with its arms; how far one of these is apart in the first rate, and whether a difference is shown. */
interface Block {
  readonly groups: ReadonlyMap<string, readonly Row[]>;
  readonly apart: number;
  readonly isShown: boolean;
}

interface Row {
  readonly arm: Content;
  readonly group: GroupStatistics;
}

/** How far the lowest rate of several groups of an arm is from the highest; -1 where none is known. */
function apartIn(groups: readonly GroupStatistics[], of: Rate['of'] | undefined): number {
  const known = groups.flatMap(({ measures }) => {
    const found = of === undefined ? undefined : measures.find(of);
    return found?.value != null && found.cases >= fewestInGroup ? [found.value] : [];
  });
  return known.length === 0 ? -1 : Math.max(...known) - Math.min(...known);
}

const rowsOf = ({ groups }: Block) => [...groups.values()].reduce((sum, rows) => sum + rows.length, 0);

/** How many of the blocks are shown at once: never a part of one, whose lowest group could be the one that matters. */
function shownAtOnce(blocks: readonly Block[]): number {
  let rows = 0;
  const last = blocks.findIndex((block) => {
    rows += rowsOf(block);
    return rows > mostRows;
  });
  return last === -1 ? blocks.length : Math.max(1, last);
}

/** Selection, right answers, missed and wrongly given ones and failures of every group; null of open questions, and where no trial ended. @param lines for methods that had different cases */
export function groupsTable(report: StatsReport, lines: readonly TrialLine[] = []): Markup | null {
  const { arms, labels, positive, decided_by, column_titles: titles } = report;
  if (hasNoGroups(report)) return html`${alikeHead}<p>${noGroupsText}</p>`;
  const plain = arms.filter(({ base_arm, groups }) => base_arm == null && groups.length > 0);
  if (labels.length === 0 || plain.length === 0) return null;
  const everyGroup = plain.flatMap(({ groups }) => groups);
  const rates = ratesFor({ positive, decided_by }).filter((rate) => isTelling(rate, everyGroup));
  const hasFailures = everyGroup.some(({ n, decided }) => decided < n);
  const missed = rates.some(({ title }) => title === missedTitle) ? positive : null;
  const called = [
    ...(positive === null ? [] : ['selection rate']),
    `${rightWords({ decided_by }).accuracy} of all`,
    ...(missed !== null ? ['false-negative rate', 'false-positive rate'] : []),
    ...(hasFailures ? ['failure rate'] : []),
  ];
  const judged = judgedIn(report);
  const isShown = (arm: string, column: string) =>
    judged.some((each) => each.isShown && each.difference.arm === arm && each.difference.column === titleIn(titles, column));
  const constant = constantBaseline(report);
  const methods = [
    ...plain.map(({ arm, groups }) => ({ arm: name(arm), groups })),
    ...(constant === null ? [] : [{ arm: html`always ${name(constant.answer)}`, groups: constant.groups }]),
  ];
  const columns = [...new Set(everyGroup.map(({ attribute }) => attribute))];
  const blocks = columns
    .map((column): Block => {
      const rows = methods.flatMap(({ arm, groups }) =>
        groups.flatMap((group) => (group.attribute === column ? [{ arm, group }] : [])),
      );
      const ofArm = ({ groups }: (typeof plain)[number]) => groups.filter(({ attribute }) => attribute === column);
      return {
        groups: Map.groupBy(rows, ({ group }) => group.value),
        apart: Math.max(...plain.map((arm) => apartIn(ofArm(arm), rates[0]?.of))),
        isShown: plain.some(({ arm }) => isShown(arm, column)),
      };
    })
    .toSorted((one, other) => Number(other.isShown) - Number(one.isShown) || other.apart - one.apart);
  const order = blocks.some((each) => each.isShown)
    ? 'columns with a difference that chance does not explain first, then by'
    : 'by';
  const row = ({ arm, group }: Row, place: number, all: readonly Row[]) =>
    html`<tr>${place === 0 && html`<th scope="rowgroup" rowspan="${all.length}">${name(titleIn(titles, group.attribute))}: ${name(groupName(group.value))}</th>`}<th scope="row">${arm}</th>${rates.map(({ of, hits }) => html`<td class="number">${shareText(group.measures.find(of), hits?.(group))}</td>`)}</tr>`;
  const pairs = groupPairs(report, lines);
  const tableOf = (some: readonly Block[]) =>
    html`<div class="scroll"><table class="figures"><thead><tr><th scope="col">Group</th><th scope="col">Method</th>${rates.map(({ title }) => html`<th scope="col" class="number">${title}</th>`)}</tr></thead>${some.flatMap(({ groups }) => [...groups.values()].map((rows) => html`<tbody>${rows.map(row)}</tbody>`))}</table></div>${pairs(some.flatMap(({ groups }) => [...groups.values()].flatMap((rows) => rows[0]?.group ?? [])))}`;
  const atOnce = shownAtOnce(blocks);
  const folded = blocks.slice(atOnce);
  const calibration = groupCalibration(report, true);
  const recorded = recordedFinding(report);
  const more = folded.reduce((sum, { groups }) => sum + groups.size, 0);
  const against = constantByGroup(report);
  const listOf = (part: FairnessPart | null) =>
    part !== null &&
    html`<p>${isolated(part.heading)}</p>${part.lines.length > 0 && html`<ul>${part.lines.map((line) => html`<li>${isolated(line)}.</li>`)}</ul>`}`;
  return html`${alikeHead}
${largestDifferenceTexts(report).map((text) => html`<p>${isolated(text)}</p>`)}
${[against, calibration, recorded].map(listOf)}
${blocks.length > 1 && html`<p class="quiet">All groups${more > 0 && `, ${count(more)} of them folded below`}: ${order} how far the groups of a column are apart in “${rates[0]?.title}” for some method.</p>`}
${tableOf(blocks.slice(0, atOnce))}
${more > 0 && html`<details><summary>${count(more)} further groups</summary>${tableOf(folded)}</details>`}
<p class="quiet">Each share with the trials that it is of${everyGroup.some(({ measures }) => measures.some(({ n, cases }) => cases < n)) && ', with their cases where these were tried several times,'} and its range, rounded outward to whole percent, and each rounded by itself, so differences of them can be off by one; too few to say: under ${fewestInGroup} cases. ${missed !== null && html`${missedTitle}: trials with another answer than ${name(missed)}, of those where the ${isolated(labelNoun(report))} is ${name(missed)}. Wrongly ${name(missed)}: trials with this answer, of the others. `}${!hasFailures && 'Every trial ended with a decision. '}<a href="#finding">“Finding”</a> says for each column how far its groups are apart, and whether that is more than chance would explain${positive !== null && html`; “${capitalized(rightWords({ decided_by }).right)}”${hasFailures && ' and “No decision”'} ${hasFailures ? 'are' : 'is'} not tested between groups`}. <a href="#groups">“Groups”</a> has more rates, and groups by two columns at once; there the columns are called ${isolated(called.join(', '))}.</p>`;
}
