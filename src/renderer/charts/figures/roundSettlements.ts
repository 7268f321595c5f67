import { percent } from '../../../core/figures/shares.ts';
import { wilson } from '../../../core/statistics/wilson.ts';
import type { ProtocolFigures } from '../../../shared/api/protocolFigures.ts';
import { quantity } from '../../ui/quantity.ts';
import { dodge, fewTrials, shareAxis, shownName } from '../kit/axes.ts';
import { placesAxis } from '../kit/layout.ts';
import { count, figure, share, table, text } from '../kit/plot.ts';
import { endColumns, manyNamed, namedTrials, trend } from '../kit/points.ts';

type Settlements = ProtocolFigures['settlements'];

function settledOf(all: Settlements, arm: string, round: number) {
  const of = (result: Settlements[number]['result']) =>
    all.filter((each) => each.arm === arm && each.round === round && each.result === result).flatMap(({ trials }) => trials);
  const [passed, unreliable, unheard] = [of('passed'), of('unreliable'), of('unheard')];
  const trials = [...passed, ...unreliable, ...unheard];
  const interval = wilson(passed.length, trials.length);
  const ends = { value: passed.length / trials.length, low: interval?.low ?? null, high: interval?.high ?? null };
  return { arm, round, passed, unreliable, unheard, trials, ...ends };
}
type Settled = ReturnType<typeof settledOf>;

/** How many rounds of Debate-Feedback are reliable enough to move the opinion. */
export const roundSettlementsFigure = figure({
  id: 'round-settlements',
  title: 'Share of rounds that pass',
  paper: 'Debate-Feedback: algorithm 1',
  requires: 'finished trials with rounds that were settled: arms of debate-feedback',
  needs: ['protocols'],
  plot({ protocols: { settlements } }) {
    if (settlements.length === 0) return null;
    const arms = [...new Set(settlements.map(({ arm }) => arm))];
    const rounds = [...new Set(settlements.map(({ round }) => round))].toSorted((one, other) => one - other);
    const rows = arms
      .flatMap((arm) => rounds.map((round) => settledOf(settlements, arm, round)))
      .filter(({ trials }) => trials.length > 0);
    const n = rows.reduce((sum, { round, trials }) => sum + (round === rounds[0] ? trials.length : 0), 0);
    const unheard = rows.reduce((sum, row) => sum + row.unheard.length, 0);
    const lost = unheard === 0 ? '' : ` ${quantity(unheard, 'round')} had no answer to use and counted as not passed.`;
    const behind = ({ trials }: Settled) => namedTrials(trials);
    return {
      caption: `${quantity(n, 'trial')}, each with its rounds; 95% Wilson intervals over trials. A round passes where the mean reliability of its answers reaches the threshold; without an assistant every round passes.${lost}${manyNamed(Math.max(...rows.map(({ trials }) => trials.length)))}${fewTrials(n)}`,
      height: 260,
      legend: arms.map(shownName),
      layout: (paint) => ({
        grid: { left: 52, right: 16, top: 40, bottom: 46 },
        xAxis: placesAxis(
          paint,
          rounds.map((round) => ({ at: round, name: String(round) })),
          { name: 'round', margin: 0.5 },
        ),
        yAxis: shareAxis(paint),
      }),
      marks: arms.flatMap((arm, colour) => {
        const offset = dodge(colour, arms.length, Math.min(0.09, 0.6 / arms.length));
        return trend({
          id: `${colour}/share`,
          name: shownName(arm),
          rows: rows.filter((row) => row.arm === arm),
          of: (row) => row,
          at: ({ round }) => round + offset,
          colour,
          tip: ({ round, trials, value }) => `${shownName(arm)}, round ${round}, n = ${trials.length}\n${percent(value)}`,
          behind,
        });
      }),
      table: table(
        rows,
        [
          text('arm', ({ arm }: Settled) => arm),
          count('round', ({ round }) => round),
          ...endColumns(['passed', 'low', 'high'], share, (row: Settled) => row),
          count('passed, rounds', ({ passed }) => passed.length),
          count('unreliable, rounds', ({ unreliable }) => unreliable.length),
          count('unheard, rounds', (row) => row.unheard.length),
        ],
        behind,
      ),
    };
  },
});
