import { percent } from '../../../core/figures/shares.ts';
import { changeKinds } from '../../../shared/api/deliberation.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { cutName, shareAxis, smallN, textStyle } from '../kit/axes.ts';
import { idsOf, rowsByArm } from '../kit/beliefLines.ts';
import { countsAsText } from '../kit/counts.ts';
import { manyNamed, namedTrials } from '../kit/namedTrials.ts';
import { count, figure, share, table, text } from '../kit/plot.ts';
import { endColumns } from '../kit/points.ts';
import { ribbon } from '../kit/shapes.ts';

type Change = (typeof changeKinds)[number];

/**
 * What became of a first answer. On both edges the right ones are at the left, and among them those that stay come first: before
 * a kind stand those named here.
 */
const changes = [
  { kind: 'stayedRight', name: 'right, stays right', colour: 'good', opacity: 0.3, above: [], below: [] },
  {
    kind: 'corrected',
    name: 'wrong, then right',
    colour: 'good',
    opacity: 0.85,
    above: ['stayedRight', 'degraded'],
    below: ['stayedRight'],
  },
  {
    kind: 'degraded',
    name: 'right, then wrong',
    colour: 'bad',
    opacity: 0.85,
    above: ['stayedRight'],
    below: ['stayedRight', 'corrected'],
  },
  {
    kind: 'stayedWrong',
    name: 'wrong, stays wrong',
    colour: 'bad',
    opacity: 0.3,
    above: ['stayedRight', 'degraded', 'corrected'],
    below: ['stayedRight', 'corrected', 'degraded'],
  },
] as const;

interface Row {
  readonly arm: string;
  readonly n: number;
  readonly cases: number;
  /** Trials of each kind. */
  readonly trials: Readonly<Record<Change, readonly string[]>>;
  readonly corrections: Measure | undefined;
  readonly degradations: Measure | undefined;
}

const shareOf = ({ n, trials }: Row, kinds: readonly Change[]) => kinds.reduce((sum, kind) => sum + trials[kind].length / n, 0);

const interval = (found: Measure | undefined) =>
  found === undefined || found.value === null
    ? '–'
    : `${percent(found.value)}${found.low === null || found.high === null ? '' : ` [${percent(found.low)}, ${percent(found.high)}]`}`;

/** What became of right and of wrong first answers, arm by arm. */
export const hearingToVerdictFigure = figure({
  id: 'hearing-to-verdict',
  title: 'First answer against verdict',
  paper: 'Courtroom-LLM: figure 3; Debate-Feedback: table 5',
  group: 'deliberation',
  needs: ['deliberation'],
  plot({ report, deliberation: source }) {
    const byArm = rowsByArm(source);
    const rows = source.arms.flatMap(({ name }, arm): Row[] => {
      const mine = (byArm.get(arm) ?? []).filter((row) => (source.rows.change[row] ?? -1) >= 0);
      if (mine.length === 0) return [];
      const measures = report.arms.find((each) => each.arm === name)?.measures ?? [];
      const find = (wanted: string) => measures.find((measure) => measure.name === wanted);
      const of = (kind: Change) =>
        idsOf(
          source,
          mine.filter((row) => source.rows.change[row] === changeKinds.indexOf(kind)),
        );
      const trials = Object.fromEntries(changes.map(({ kind }) => [kind, of(kind)])) as unknown as Row['trials'];
      const cases = new Set(mine.map((row) => source.rows.case[row])).size;
      return [{ arm: name, n: mine.length, cases, trials, corrections: find('corrections'), degradations: find('degradations') }];
    });
    if (rows.length === 0) {
      return {
        absent:
          'No decided trial of a case with a known truth has an answer before its verdict. Arms of courtroom begin with a preliminary hearing, those of debate-feedback with a first opinion; an arm of agentic-sim with "priorBelief": true asks the judge first.',
      };
    }
    const told = rows.map(({ arm, corrections, degradations }) => {
      const words = `corrected ${interval(corrections)}, degraded ${interval(degradations)}`;
      return rows.length === 1 ? words : `${arm}: ${words}`;
    });
    const isCourtroom = (arm: string) => source.arms.some(({ name, protocol }) => protocol === 'courtroom' && name === arm);
    const hearing = rows.some(({ arm }) => isCourtroom(arm))
      ? ' Of courtroom the first answer is the preliminary hearing’s.'
      : '';
    const weighed = rows.some(({ n, cases }) => n !== cases)
      ? ' Bands count trials; in the shares with intervals each case weighs the same.'
      : '';
    const largest = Math.max(...rows.flatMap(({ trials }) => Object.values(trials).map(({ length }) => length)));
    const counts = countsAsText(
      rows.map(({ n }) => n),
      { noun: 'decided trial', about: 'with a known truth and a first answer' },
    );
    const top = 34;
    return {
      caption: `${counts}. Above: first answers, below: verdicts, right ones to the left. Shares of all of them, with ${percent(report.interval.level)} intervals: ${told.join('; ')}.${weighed}${hearing}${manyNamed(largest)}${smallN(Math.min(...rows.map(({ cases }) => cases)))}`,
      height: top + rows.length * 84 + 34,
      legend: changes.map(({ name }) => ({ name, icon: 'rect' })),
      layout(paint, { width, height }) {
        const room = Math.round(Math.min(200, Math.max(84, width * 0.22)));
        return {
          grid: { left: room + 12, right: 18, top, height: height - top - 30 },
          xAxis: shareAxis(paint),
          yAxis: {
            type: 'category',
            inverse: true,
            data: rows.map(({ arm, n }) => `${cutName(arm, Math.floor(room / 6.4))}\nn = ${n}`),
            axisLabel: { ...textStyle(paint), color: paint.colour('ink'), interval: 0, lineHeight: 16 },
            axisLine: { show: false },
            axisTick: { show: false },
          },
        };
      },
      marks: changes.map(({ kind, name, colour, opacity, above, below }) =>
        ribbon({
          id: kind,
          name,
          rows,
          from: (row) => shareOf(row, above),
          to: (row) => shareOf(row, below),
          wide: (row) => shareOf(row, [kind]),
          count: ({ trials }) => trials[kind].length,
          colour,
          opacity,
          tip: ({ arm, n, trials }) =>
            `${cutName(arm, 40)}\n${name}: ${trials[kind].length} of ${n}, ${percent(trials[kind].length / n)}`,
          behind: ({ trials }) => namedTrials(trials[kind]),
        }),
      ),
      table: table(
        rows,
        [
          text('arm', ({ arm }: Row) => arm),
          count('trials', ({ n }) => n),
          ...changes.map(({ kind, name }) => count(name, ({ trials }: Row) => trials[kind].length)),
          ...endColumns(['corrected of all', 'corrected, low', 'corrected, high'], share, ({ corrections }: Row) => corrections),
          ...endColumns(['degraded of all', 'degraded, low', 'degraded, high'], share, ({ degradations }: Row) => degradations),
        ],
        ({ trials }) => namedTrials(changeKinds.flatMap((kind) => trials[kind])),
      ),
    };
  },
});
