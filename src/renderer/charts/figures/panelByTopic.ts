import { type PanelSide, panelSums, panelSides as sides, winnerByPoints } from '../../../core/figures/panel.ts';
import type { Panel } from '../../../shared/api/protocolFigures.ts';
import { quantity, quantityOf } from '../../ui/quantity.ts';
import { fewTrials, heatScale, nameAxis, shownName } from '../kit/axes.ts';
import { quantityIs } from '../kit/counts.ts';
import { cell } from '../kit/marks.ts';
import { count, figure, number, table, text } from '../kit/plot.ts';
import { namedTrials } from '../kit/points.ts';

const letters: Readonly<Record<PanelSide, string>> = { agentA: 'A', agentB: 'B' };

interface Field {
  readonly arm: string;
  readonly role: string;
  readonly side: PanelSide;
  readonly number: number;
  readonly first: PanelSide;
  readonly mean: number;
  readonly sheets: number;
  readonly row: number;
  readonly column: number;
}

/** Titles where all is about one debate: subtopics of different debates are alike in their place alone. */
const titlesOf = (panels: readonly Panel[]) => (panels.length === 1 ? (panels[0]?.subtopics ?? null) : null);

type Data = Readonly<ReturnType<typeof dataOf>>;

function dataOf(panels: readonly Panel[], panelled: number) {
  const byArm = [...Map.groupBy(panels, ({ arm }) => arm)];
  const titles = titlesOf(panels);
  const roles = [...new Set(panels.flatMap(({ sheets }) => sheets.map(({ role }) => role)))].sort();
  const columns = roles.flatMap((role) => sides.map((side) => ({ role, side })));
  const rows: string[] = [];
  const sums = byArm.map(([arm, own]) => ({ arm, sums: panelSums(own), panels: own }));
  const fields = sums.flatMap(({ arm, sums: { topics } }) =>
    sides.flatMap((first) => {
      const numbers = [...new Set(topics.flatMap((topic) => (topic.first === first ? [topic.number] : [])))];
      return numbers.flatMap((number) => {
        const row = rows.length;
        const about = titles?.[number - 1] ?? String(number);
        rows.push([...(byArm.length > 1 ? [arm] : []), about, `${letters[first]} first`].join(' · '));
        return topics
          .filter((topic) => topic.first === first && topic.number === number)
          .flatMap(({ role, sheets, mean }) =>
            sides.map((side): Field => {
              const column = columns.findIndex((each) => each.role === role && each.side === side);
              return { arm, role, side, number, first, mean: mean[side], sheets, row, column };
            }),
          );
      });
    }),
  );
  return {
    rows,
    columns: columns.map(({ role, side }) => `${role.replace(/^judge(?=\d)/, 'J')} ${letters[side]}`),
    fields,
    sums,
    trials: panels.length,
    /** Debates whose panels are not listed one by one, and in no field. */
    left: panelled - panels.length,
  };
}

function sumsText({ arm, sums: { won, agreement, declaredOtherwise, sheets } }: Data['sums'][number], several: boolean): string {
  const agreed =
    agreement.judges === 0
      ? 'no judge has read both orders'
      : `in ${quantityOf(agreement.same, agreement.judges, 'pair')} of orders the judge comes to the same result in both`;
  const otherwise =
    declaredOtherwise === 0
      ? ''
      : `; ${quantity(declaredOtherwise, 'sheet')} ${declaredOtherwise === 1 ? 'declares' : 'declare'} another winner than ${declaredOtherwise === 1 ? 'its' : 'their'} points give`;
  return `${several ? `${arm}: of` : 'Of'} ${quantity(sheets, 'sheet')} A wins ${won.agentA} and B ${won.agentB}${won.tie === 0 ? '' : `, and ${won.tie} ${won.tie === 1 ? 'is a tie' : 'are ties'}`}; ${agreed}${otherwise}.`;
}

/** Words for a debate whose sheets all go one way; else null. */
function findingOf({ sums, trials }: Data) {
  const [only] = sums;
  if (sums.length !== 1 || only === undefined || trials !== 1) return null;
  const { won } = only.sums;
  const winner = winnerByPoints({ agentA: won.agentA, agentB: won.agentB });
  if (winner === null || won.tie > 0 || sides.some((side) => side !== winner && won[side] > 0)) return null;
  return {
    sentence: `Agent ${letters[winner]} wins on every sheet of this panel`,
    rule: 'Said of one debate alone, where all sheets of all judges in both orders have more points for the same side.',
  };
}

function captionOf({ sums, trials, left }: Data): string {
  const over =
    trials === 1
      ? 'Points of one debate, 1 to 10'
      : `Mean points of ${trials} debates, 1 to 10, by the number of the subtopic: subtopics of different debates have only the number in common`;
  const cut = left === 0 ? '' : ` ${quantityIs(left, 'further debate')} not included.`;
  return `${over}. “A first”: scores of judges who read A’s side first. ${sums.map((each) => sumsText(each, sums.length > 1)).join(' ')}${cut}${trials === 1 ? '' : fewTrials(trials)}`;
}

/** Debates of the arm in which this judge read this side first and scored this subtopic. */
function trialsOf(sums: Data['sums'], { arm, role, first, number: topic, sheets: n }: Field) {
  const panels = sums.find((each) => each.arm === arm)?.panels ?? [];
  const scored = panels.filter(({ sheets }) =>
    sheets.some((sheet) => sheet.role === role && sheet.first === first && sheet.scores.length >= topic),
  );
  return namedTrials(
    scored.map(({ trial }) => trial),
    { n, of: 'sheets' },
  );
}

export const panelByTopicFigure = figure({
  id: 'panel-by-topic',
  title: 'Scores of the panel by judge and subtopic, in both orders',
  paper: 'SocraSynth: tables 6.5, 6.6',
  requires:
    'a finished trial with a panel: a debate of socrasynth that is about an open question, has assigned stances, or whose agents do not agree',
  needs: ['protocols'],
  plot({ protocols: { panels, panelled } }) {
    if (panels.length === 0) return null;
    const data = dataOf(panels, panelled);
    const { rows, columns, fields, sums } = data;
    const roomOf = (width: number) => Math.min(300, Math.max(120, width * 0.36));
    const across = (width: number) => (width - roomOf(width) - 28) / Math.max(1, columns.length);
    const behind = (field: Field) => trialsOf(sums, field);
    return {
      caption: captionOf(data),
      finding: findingOf(data),
      height: 56 + rows.length * 26,
      layout: (paint, { width }) => ({
        grid: { left: roomOf(width) + 12, right: 16, top: 34, bottom: 8 },
        xAxis: { ...nameAxis(paint, columns, { room: across(width) - 2 }), position: 'top' },
        yAxis: nameAxis(paint, rows, { room: roomOf(width) * 0.9, upright: true }),
        visualMap: heatScale(paint, 1, 10),
      }),
      marks: cell({
        id: 'points',
        rows: fields,
        column: ({ column }) => column,
        row: ({ row }) => row,
        value: ({ mean }) => mean,
        words: ({ mean }) => String(Number(mean.toFixed(1))),
        room: ({ width }) => Math.min(36, across(width) - 8),
        tip: ({ arm, mean, sheets }) => `${shownName(arm)}, n = ${quantity(sheets, 'sheet')}\n${Number(mean.toFixed(4))}`,
        behind,
      }),
      table: table(
        fields,
        [
          text('arm', ({ arm }: Field) => arm),
          text('judge', ({ role }) => role),
          count('subtopic', (field) => field.number),
          text('read first', ({ first }) => letters[first]),
          text('side', ({ side }) => letters[side]),
          number('mean points', ({ mean }) => mean),
          count('sheets', ({ sheets }) => sheets),
        ],
        behind,
      ),
    };
  },
});
