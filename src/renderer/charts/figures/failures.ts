import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { percent } from '../../../core/figures/shares.ts';
import { failureOutcomes } from '../../../shared/domain.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import { shownName } from '../kit/axes.ts';
import { countsAsText } from '../kit/counts.ts';
import { partRows } from '../kit/partRows.ts';
import { count, figure, share, table, text } from '../kit/plot.ts';
import { estimate, fewWords, type Point, plainArms, pointColumns, pointOf, pointText } from '../kit/points.ts';
import { interval } from '../kit/shapes.ts';

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

/** How trials ended that were not decided, and which verdicts have a flaw. */
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
