import { methodText, refusals } from '../../../core/figures/answerText.ts';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { percent } from '../../../core/figures/shares.ts';
import { failureOutcomes } from '../../../shared/domain.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import type { AnswerCounts } from '../../../shared/statistics.ts';
import { shareAxis, shownName } from '../kit/axes.ts';
import { countsAsText } from '../kit/counts.ts';
import type { Mark, Plot, TrialsBehind } from '../kit/figure.ts';
import { rowsLayout } from '../kit/layout.ts';
import { bar, dot } from '../kit/marks.ts';
import { count, figure, share, table, text } from '../kit/plot.ts';
import { estimate, fewWords, type Point, plainArms, pointColumns, pointOf, pointText } from '../kit/points.ts';
import { interval } from '../kit/shapes.ts';

interface PartRows<Row> {
  readonly rows: readonly Row[];
  name(row: Row): string;
  /** What a whole is divided into. */
  readonly kinds: readonly { readonly id: string; readonly name: string }[];
  /** Of one kind in a row, and of all. */
  part(row: Row, id: string): number;
  whole(row: Row): number;
  /** Of a part that is not empty. */
  behind(row: Row, id: string): TrialsBehind;
  readonly marks: readonly Mark[];
  /** Names of `marks` in the legend. */
  readonly names: readonly string[];
  /** End of the scale, 0-1. */
  readonly max?: number;
}

/** `court`, `timed out: 2 of 40, 5%`: a part in a tooltip. */
const partText = (of: string, name: string, part: number, whole: number): string =>
  `${shownName(of)}\n${name}: ${part} of ${whole}, ${percent(part / whole)}`;

/** Rows of stacked bars, the shares of some kinds in a whole, with further marks under them. */
function partRows<Row>(terms: PartRows<Row>): Pick<Plot, 'height' | 'layout' | 'legend' | 'marks'> {
  const { rows, name: nameOf, kinds, part, whole, behind, marks, names, max = 1 } = terms;
  return {
    ...rowsLayout(rows.map(nameOf), (paint) => shareAxis(paint, { max }), { head: 40, high: 34 }),
    legend: [...kinds.map(({ name }) => name), ...names],
    marks: [
      ...kinds.map(({ id, name }, colour) =>
        bar({
          id,
          name,
          rows,
          stack: 'parts',
          width: 12,
          edge: 0.5,
          colour,
          value: (row) => part(row, id) / whole(row),
          tip: (row) => partText(nameOf(row), name, part(row, id), whole(row)),
          behind: (row) => (part(row, id) === 0 ? null : behind(row, id)),
        }),
      ),
      ...marks,
    ],
  };
}

type Failure = (typeof failureOutcomes)[number];

const countOf = ({ failures }: ArmStatistics, kind: Failure) => failures[kind] ?? 0;
const failed = (arm: ArmStatistics) => pointOf(arm, 'failed', 'finished');

/** Whether a verdict goes against the belief stated with it is known without a truth. */
function inconsistent(arm: ArmStatistics): Point | null {
  const point = pointOf(arm, 'inconsistent', 'decided');
  return point && { ...point, behind: { arm: arm.arm, outcome: 'decided', counts: { n: point.n, of: 'trials' } } };
}

const flags = [
  { id: 'incomplete', of: (arm: ArmStatistics) => pointOf(arm, 'incomplete', 'finished') },
  { id: 'inconsistent', of: inconsistent },
];

export const failuresFigure = figure({
  id: 'failures',
  title: 'Failed, incomplete and inconsistent trials',
  paper: 'AgenticSimLLM: malformed and incomplete rates',
  requires: 'a trial that failed, or that is incomplete or inconsistent',
  plot({ report }) {
    const rows = plainArms(report).filter(({ n }) => n > 0);
    const finished = rows.reduce((sum, { n }) => sum + n, 0);
    if (finished === 0) return null;
    const kinds = failureOutcomes.filter((kind) => rows.some((arm) => countOf(arm, kind) > 0));
    if (kinds.length === 0 && rows.every((arm) => arm.incomplete + arm.inconsistent === 0)) return null;
    const counts = countsAsText(rows, ({ n }) => n, { noun: 'finished trial' });
    // Failures are mostly few, and a scale to 100% would hide them.
    const ends = rows.flatMap((arm) => [failed, ...flags.map(({ of }) => of)].map((of) => of(arm)?.high ?? of(arm)?.value ?? 0));
    const max = Math.min(1, Math.ceil(Math.max(...ends, 0.05) * 20) / 20);
    return {
      caption: `${counts}. Bars: shares of the finished trials that failed, by kind. Marks: share of the finished trials that are incomplete (a turn was forfeited), and of the decided ones that are inconsistent (a verdict against the belief stated with it). Lines are ${percent(report.interval.level)} intervals over cases, of all failures and of each mark; the scale ends where the longest does.${fewWords(rows.map(failed))}`,
      ...partRows({
        rows,
        name: ({ arm }) => arm,
        kinds: kinds.map((id) => ({ id, name: outcomeText(id) })),
        part: ({ failures }, id) => failures[id] ?? 0,
        whole: ({ n }) => n,
        behind: (arm, id) => ({ arm: arm.arm, outcome: id as Failure, counts: { n: arm.failures[id] ?? 0, of: 'trials' } }),
        max,
        names: flags.map(({ id }) => id),
        marks: [
          interval({
            id: 'failed',
            rows,
            along: 'x',
            at: (_arm, at) => at,
            low: (arm) => failed(arm)?.low ?? null,
            high: (arm) => failed(arm)?.high ?? null,
            colour: 'ink',
            width: 1,
            z: 3,
          }),
          ...flags.flatMap(({ id, of }, place) =>
            estimate({
              id,
              name: id,
              rows,
              of,
              along: 'x',
              colour: kinds.length + place,
              size: 8,
              offset: 10 + place * 5,
              width: 1,
              tip: ({ arm }, point) => `${shownName(arm)}\n${id}: ${pointText(point)}`,
            }),
          ),
        ],
      }),
      table: table(
        rows,
        [
          text('arm', ({ arm }: ArmStatistics) => arm),
          ...kinds.map((kind) => count(`${outcomeText(kind)}, trials`, (arm: ArmStatistics) => countOf(arm, kind))),
          ...pointColumns('without a verdict', share, failed),
          ...kinds.flatMap((kind) =>
            pointColumns(outcomeText(kind), share, (arm: ArmStatistics) => pointOf(arm, `failed_${kind}`, 'finished')),
          ),
          ...flags.flatMap(({ id, of }) => pointColumns(id, share, of)),
        ],
        ({ arm, n }) => ({ arm, status: 'done', counts: { n, of: 'trials' } }),
      ),
    };
  },
});

interface Arm {
  readonly arm: string;
  /** Ended trials. */
  readonly n: number;
  readonly answers: AnswerCounts;
  /** Requests by method or by why their answer was refused. */
  readonly kinds: Readonly<Record<string, number>>;
}

const usable = 'first answers usable';
const refusalOrder = [...failureOutcomes, 'looped'];
const refusalText = (kind: string) => `refused: ${kind === 'looped' ? 'answer repeated itself' : outcomeText(kind)}`;

const shareUsable = ({ answers }: Arm) => (answers.first === 0 ? null : answers.first_usable / answers.first);
const allKeys = (records: readonly object[]) => [...new Set(records.flatMap((each) => Object.keys(each)))];
const trialsOf = ({ arm, n }: Arm): TrialsBehind => ({ arm, status: 'done', counts: { n, of: 'trials' } });

export const answerReadingFigure = figure({
  id: 'answer-reading',
  title: 'How answers were read, and why others were refused',
  paper: 'AgenticSimLaw: counts of parsing methods',
  requires: 'an answer that was refused, that has a flag, or that was not read as one whole JSON object',
  plot({ report }) {
    const rows = plainArms(report).flatMap(({ arm, n, answers }): Arm[] =>
      answers === undefined ? [] : [{ arm, n, answers, kinds: { ...answers.methods, ...refusals(answers) } }],
    );
    if (rows.length === 0) return null;
    const methods = allKeys(rows.map(({ answers }) => answers.methods));
    const refused = allKeys(rows.map(({ answers }) => refusals(answers)));
    const flags = allKeys(rows.map(({ answers }) => answers.flags));
    if (refused.length + flags.length === 0 && methods.every((method) => method === 'json')) {
      return null;
    }
    const kinds = [
      ...methods.map((id) => ({ id, name: methodText(id) })),
      ...refusalOrder.filter((id) => refused.includes(id)).map((id) => ({ id, name: refusalText(id) })),
    ];
    const counts = countsAsText(rows, ({ answers }) => answers.requests, { noun: 'request', about: 'of ended trials' });
    return {
      caption: `${counts}, further attempts included. Bars: shares of the requests by how their answer was read, or why it was refused. Diamonds: share of the first attempts whose answer could be used. There are no intervals, since the answers of one trial depend on each other. A mark opens all ended trials of its arm.`,
      ...partRows({
        rows,
        name: ({ arm }) => arm,
        kinds,
        part: (arm, id) => arm.kinds[id] ?? 0,
        whole: ({ answers }) => answers.requests,
        behind: trialsOf,
        names: [usable],
        marks: [
          dot({
            id: 'first-usable',
            name: usable,
            rows,
            x: shareUsable,
            y: (_arm, at) => at,
            colour: 'ink',
            symbol: 'diamond',
            offset: [0, 12],
            tip: (arm) => partText(arm.arm, usable, arm.answers.first_usable, arm.answers.first),
            behind: (arm) => (shareUsable(arm) === null ? null : trialsOf(arm)),
          }),
        ],
      }),
      table: table(
        rows,
        [
          text('arm', ({ arm }: Arm) => arm),
          count('requests', ({ answers }) => answers.requests),
          count('first attempts', ({ answers }) => answers.first),
          count(usable, ({ answers }) => answers.first_usable),
          ...kinds.map(({ id, name }) => count(name, (arm: Arm) => arm.kinds[id] ?? 0)),
          ...flags.map((flag) => count(`flag ${flag}`, ({ answers }: Arm) => answers.flags[flag] ?? 0)),
        ],
        trialsOf,
      ),
    };
  },
});
