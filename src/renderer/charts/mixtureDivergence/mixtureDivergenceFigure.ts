import type { Figure } from '../kit/figure.ts';
import { stepFigure } from '../traces/stepFigure.ts';
import type { StepLine, StepPanel } from '../traces/stepLines.ts';

const names: Readonly<Record<string, string>> = { A: 'agent A', B: 'agent B', mixture: 'their mixture' };

/** How far each agent of EVINCE and the mixture of both are from the truth, exchange by exchange. */
export const mixtureDivergenceFigure: Figure<readonly StepPanel[]> = stepFigure({
  id: 'mixture-divergence',
  title: 'Divergence from the truth, of each agent and of their mixture',
  paper: 'EVINCE: figure 7.5',
  group: 'protocols',
  stepName: 'round',
  what: 'Kullback-Leibler divergence of the stated distribution from one that is certain of the true label, in nats: 0 is certain and right, near 20.7 rules the truth out. For each case the mixture lies under the weighted mean of both, whatever they say: that is how the measure is made, and no finding.',
  absent:
    'No finished trial has distributions of two agents and a known true label. An arm of the protocol evince over cases with one true label each has them.',
  panels: (figures) => {
    const own = figures.traces.filter(({ kind }) => kind === 'divergence');
    return [...Map.groupBy(own, ({ arm }) => arm)].map(([arm, traces], place): StepPanel => {
      const lines = Object.keys(names).flatMap((of, colour): StepLine[] => {
        const trace = traces.find((each) => each.of === of);
        const trials = figures.listed[arm] ?? [];
        return trace === undefined
          ? []
          : [{ id: JSON.stringify(['divergence', of, place]), name: names[of] ?? of, arm, trace, trials, colour }];
      });
      return { title: arm, unit: 'nats', max: null, share: false, lines };
    });
  },
});
