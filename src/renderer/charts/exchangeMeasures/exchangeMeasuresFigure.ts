import { tracedMeasures } from '../../../core/figures/trialTraces.ts';
import type { Figure } from '../kit/figure.ts';
import { stepFigure } from '../traces/stepFigure.ts';
import { armLines, type StepPanel } from '../traces/stepLines.ts';

const titles: Readonly<Record<string, (of: string) => string>> = {
  crit: (of) => `CRIT of ${of}, 0 to 1`,
  wd: () => 'WD, 0 to 1',
  jsd: () => 'JSD, nats',
  mi: () => 'MI, nats',
  nmi: () => 'NMI, 0 to 1',
  entropy: (of) => `Entropy of ${of}, nats`,
  mixtureEntropy: () => 'Entropy of both, nats',
};

/** How far the distributions of both agents of EVINCE are apart, and how well they argue, exchange by exchange. */
export const exchangeMeasuresFigure: Figure<readonly StepPanel[]> = stepFigure({
  id: 'exchange-measures',
  title: 'Measures of the exchanges, round by round',
  paper: 'EVINCE: figure 7.3, tables 7.2, 7.3',
  group: 'protocols',
  stepName: 'round',
  what: 'As they were recorded after each exchange; natural logarithms.',
  absent: 'No finished trial has exchanges. An arm of the protocol evince measures every round.',
  panels: (figures) =>
    tracedMeasures.flatMap(({ id, name, most, lines }) =>
      lines.map(
        ({ of }): StepPanel => ({
          title: titles[id]?.(of) ?? name,
          max: most,
          share: false,
          lines: armLines(
            figures,
            figures.traces.filter((trace) => trace.kind === 'exchange' && trace.measure === id && trace.of === of),
          ),
        }),
      ),
    ),
});
