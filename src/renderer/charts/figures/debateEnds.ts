import { percent } from '../../../core/figures/shares.ts';
import { wilson } from '../../../core/statistics/wilson.ts';
import type { ProtocolFigures } from '../../../shared/api/protocolFigures.ts';
import { quantity } from '../../ui/quantity.ts';
import { dodge, fewTrials, nameAxis, shareAxis, shownName, valueAxis } from '../kit/axes.ts';
import { inPanels, isLast, placesAxis, smallPanels } from '../kit/layout.ts';
import { bar } from '../kit/marks.ts';
import { count, figure, share, table, text } from '../kit/plot.ts';
import { endColumns, manyNamed, namedTrials, trend } from '../kit/points.ts';

type End = ProtocolFigures['ends'][number];

/** In the order in which they are stacked. */
const reasons: Readonly<Record<string, string>> = {
  tolerance: 'nothing moved any more',
  rounds: 'all rounds were held',
  mixture: 'no debate',
  contentiousness: 'contentiousness was low',
  quality: 'the score fell',
  agreement: 'both agreed',
};

export const debateEndsFigure = figure({
  id: 'debate-ends',
  title: 'After how many rounds debates end, and why',
  requires:
    'finished trials with a debate that ends by a rule: arms of evince and socrasynth, and of debate-feedback with a tolerance',
  needs: ['protocols'],
  plot({ protocols: { ends, arms: settings } }) {
    if (ends.length === 0) return null;
    const mostOf = (arm: string): number | null => {
      const own = settings.find((each) => each.arm === arm)?.settings;
      const most = own?.maxRounds ?? own?.rounds;
      return typeof most === 'number' ? most : null;
    };
    /** Rounds of an end that were allowed and not held. */
    const savedOf = ({ arm, reason, rounds: found, trials }: End): number => {
      const most = mostOf(arm);
      return most === null || reason === 'mixture' ? 0 : Math.max(0, most - found) * trials.length;
    };
    const allowed = ends.reduce(
      (sum, { arm, reason, trials }) => sum + (reason === 'mixture' ? 0 : (mostOf(arm) ?? 0) * trials.length),
      0,
    );
    const saved = ends.reduce((sum, end) => sum + savedOf(end), 0);
    const spared =
      allowed === 0 ? '' : ` ${saved} of the ${allowed} rounds that were allowed were not held (${percent(saved / allowed)}).`;
    const n = ends.reduce((sum, { trials }) => sum + trials.length, 0);
    const held = ends.map((end) => end.rounds);
    const least = Math.min(...held);
    const rounds = Array.from({ length: Math.max(...held) - least + 1 }, (_, index) => least + index);
    const arms = [...new Set(ends.map(({ arm }) => arm))];
    const stacked = Object.keys(reasons).filter((reason) => ends.some((end) => end.reason === reason));
    const panels = smallPanels(arms);
    const trialsOf = (arm: string, reason: string, round: number) =>
      ends.find((end) => end.arm === arm && end.reason === reason && end.rounds === round)?.trials ?? [];
    return {
      caption: `${quantity(n, 'trial')} whose debate ended, even if the trial failed later.${spared}${manyNamed(Math.max(...ends.map(({ trials }) => trials.length)))}${fewTrials(n)}`,
      legend: stacked.map((reason) => reasons[reason] ?? reason),
      ...inPanels(
        panels,
        arms,
        (_arm, paint, { place }) => ({
          x: nameAxis(paint, rounds.map(String), {
            room: 60,
            ...(isLast(panels, place) ? { name: 'rounds held', nameGap: 24 } : {}),
          }),
          y: { ...valueAxis(paint, { min: 0 }), minInterval: 1, splitNumber: 3 },
        }),
        { aria: { enabled: true, decal: { show: true } } },
      ),
      marks: arms.flatMap((arm, panel) =>
        stacked.map((reason, colour) =>
          bar({
            id: `${panel}/${reason}`,
            name: reasons[reason] ?? reason,
            panel,
            rows: rounds.map((round) => ({ round, trials: trialsOf(arm, reason, round) })),
            stack: String(panel),
            widest: 34,
            colour,
            value: ({ trials }) => trials.length,
            tip: ({ round, trials }) =>
              `${shownName(arm)}, ${quantity(round, 'round')}\n${reasons[reason] ?? reason}: ${quantity(trials.length, 'trial')}`,
            behind: ({ trials }) => namedTrials(trials),
          }),
        ),
      ),
      table: table(
        ends,
        [
          text('arm', ({ arm }: End) => arm),
          count('rounds', (end) => end.rounds),
          text('why', ({ reason }) => reasons[reason] ?? reason),
          count('trials', ({ trials }) => trials.length),
          count('rounds saved', savedOf),
        ],
        ({ trials }) => namedTrials(trials),
      ),
    };
  },
});

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
