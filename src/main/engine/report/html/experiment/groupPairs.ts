// Two methods within a group of the data, where they did not have the same cases: how many of those that both have each got right.
import { groupName, titleIn } from '../../../../../core/cases/columnNames.ts';
import { isDecidedPair } from '../../../../../core/statistics/measures/primaryText.ts';
import { chanceText } from '../../../../../core/statistics/measures/shownComparisons.ts';
import { pairsInWords } from '../../../../../core/telling/pairSentences.ts';
import { rightByGroup } from '../../../../../core/telling/sharedMisses.ts';
import { capitalized } from '../../../../../core/text/visible.ts';
import { rightWords } from '../../../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../../../shared/outputs.ts';
import type { GroupStatistics } from '../../../../../shared/statistics.ts';
import type { TrialLine } from '../../../../../shared/trialLine.ts';
import { type Content, html, name } from '../markup.ts';
import { count } from '../words.ts';

/** A table of given groups and the pairs that the report compares; nothing where all of these have the same cases. */
export function groupPairs(report: StatsReport, lines: readonly TrialLine[]) {
  const { primary, comparisons, column_titles: titles, damage } = report;
  const byArm = Map.groupBy(lines, ({ arm }) => arm);
  const decided = comparisons.filter((pair) => primary && damage === undefined && !pair.baseline && isDecidedPair(primary, pair));
  const pairs = [...decided, ...pairsInWords(report).arms].flatMap(({ a, b }) => {
    const groups = rightByGroup(byArm.get(a) ?? [], byArm.get(b) ?? []);
    return groups.length === 0 ? [] : [{ a, b, groups }];
  });
  const cell = (found: (typeof pairs)[number]['groups'][number] | undefined) =>
    found === undefined ? '–' : `${count(found.a)} : ${count(found.b)} of ${count(found.of)} (p ${chanceText(found.p)})`;
  return (groups: readonly Pick<GroupStatistics, 'attribute' | 'value'>[]): Content =>
    pairs.length > 0 &&
    html`<p>${capitalized(rightWords(report).right)} on the cases that both have, of methods that did not have the same. In brackets the exact test of these cases, before any correction: with p above 0.05 it can be chance, else it is a hint.</p>
<div class="scroll"><table class="figures"><thead><tr><th scope="col">Group</th>${pairs.map(({ a, b }) => html`<th scope="col" class="number">${name(a)} : ${name(b)}</th>`)}</tr></thead><tbody>${groups.map(({ attribute, value }) => html`<tr><th scope="row">${name(titleIn(titles, attribute))}: ${name(groupName(value))}</th>${pairs.map((pair) => html`<td class="number">${cell(pair.groups.find((each) => each.column === attribute && each.value === value))}</td>`)}</tr>`)}</tbody></table></div>`;
}
