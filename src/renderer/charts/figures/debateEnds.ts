import { percent } from '../../../core/figures/shares.ts';
import type { ProtocolFigures } from '../../../shared/api/protocolFigures.ts';
import { quantity } from '../../ui/quantity.ts';
import { fewTrials, nameAxis, shownName, valueAxis } from '../kit/axes.ts';
import { inPanels, isLast, smallPanels } from '../kit/layout.ts';
import { bar } from '../kit/marks.ts';
import { count, figure, table, text } from '../kit/plot.ts';
import { manyNamed, namedTrials } from '../kit/points.ts';

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
