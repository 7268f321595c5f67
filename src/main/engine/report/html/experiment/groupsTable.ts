// How the groups of the data fared, as the first page of the report over an experiment has it.
import { titleIn } from '../../../../../core/cases/columnNames.ts';
import { fewestInGroup } from '../../../../../core/statistics/measures/fairness.ts';
import type { StatsReport } from '../../../../../shared/outputs.ts';
import type { GroupStatistics, Measure } from '../../../../../shared/statistics.ts';
import { type Content, html, type Markup, name } from '../markup.ts';
import { count, wholeRange } from '../words.ts';

/** Rows on the page, and groups of one column of the data for one method; the section behind it has all. */
const mostRows = 12;
const [fewestValues, mostValues] = [2, 4];

interface Rate {
  readonly title: Content;
  of(measure: Measure): boolean;
}

const ratesFor = (positive: string | null): Rate[] => [
  ...(positive === null
    ? []
    : [
        {
          title: html`Answered ${name(positive)}`,
          of: (each: Measure) => each.name === 'selection_rate' && each.over === 'decided' && each.label === positive,
        },
      ]),
  { title: 'Right', of: (each) => each.name === 'accuracy' && each.over === 'all' && each.label === null },
  { title: 'No decision', of: (each) => each.name === 'failure_rate' },
];

/** `48% of 25 (30 to 67)`: the share, the trials that it is of, and its range. */
function shareText(found: Measure | undefined): Content {
  if (found === undefined || found.n === 0 || found.value === null) return '–';
  const { value, n, cases, low, high } = found;
  if (cases < fewestInGroup) return html`<span class="quiet">too few to say (${count(n)})</span>`;
  const range = low === null || high === null ? '' : ` (${wholeRange({ low, high })})`;
  return `${Math.round(value * 100)}% of ${count(n)}${range}`;
}

/** The groups of an arm by one column, the largest first. */
interface Block {
  readonly arm: string;
  readonly groups: readonly GroupStatistics[];
}

/** Every method with as many of its groups as there is room for, the largest; the last methods are left out where two each are too many. */
function fitting(blocks: readonly Block[]): readonly Block[] {
  const each = Math.min(mostValues, Math.max(fewestValues, Math.floor(mostRows / blocks.length)));
  return blocks.slice(0, Math.floor(mostRows / each)).map(({ arm, groups }) => ({ arm, groups: groups.slice(0, each) }));
}

/** Selection, right answers and failures by group; null where the data name no groups, and of open questions. */
export function groupsTable({ arms, labels, positive, column_titles: titles }: StatsReport): Markup | null {
  if (labels.length === 0) return null;
  const all = arms
    .filter(({ base_arm }) => base_arm == null)
    .flatMap(({ arm, groups }) =>
      [...Map.groupBy(groups, ({ attribute }) => attribute).values()].map((mine) => ({
        arm,
        groups: mine.toSorted((one, other) => other.n - one.n),
      })),
    );
  const shown = fitting(all);
  const rows = shown.flatMap(({ arm, groups }) => groups.map((group) => ({ arm, ...group })));
  if (rows.length === 0) return null;
  const left = all.reduce((sum, { groups }) => sum + groups.length, 0) - rows.length;
  const unshown = [...new Set(all.map(({ arm }) => arm))].filter((arm) => shown.every((block) => block.arm !== arm));
  const rates = ratesFor(positive).filter(({ of }) => rows.some(({ measures }) => measures.some(of)));
  const row = ({ arm, attribute, value, measures }: (typeof rows)[number]) =>
    html`<tr><th scope="row">${name(arm)}</th><td>${name(titleIn(titles, attribute))}: ${value === '' ? '(none)' : name(value)}</td>${rates.map(({ of }) => html`<td class="number">${shareText(measures.find(of))}</td>`)}</tr>`;
  return html`<h3>Whether groups fared alike</h3>
<div class="scroll"><table class="figures"><thead><tr><th scope="col">Method</th><th scope="col">Group</th>${rates.map(({ title }) => html`<th scope="col" class="number">${title}</th>`)}</tr></thead><tbody>${rows.map(row)}</tbody></table></div>
<p class="quiet">Each share with the trials that it is of and its range, rounded outward to whole percent; too few to say: under ${fewestInGroup} cases. <a href="#finding">“Finding”</a> says which differences are larger than chance would explain. <a href="#groups">“Groups”</a> has ${left > 0 && html`${count(left)} more groups${unshown.length > 0 && html` (${count(unshown.length)} methods are not shown here)`}, `}more rates and the differences; there the columns are ${positive !== null && 'selection rate, '}accuracy of all and failure rate.</p>`;
}
