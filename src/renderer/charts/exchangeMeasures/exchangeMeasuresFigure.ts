import { tracedMeasures } from '../../../core/figures/trialTraces.ts';
import type { Figure } from '../kit/figure.ts';
import { stepFigure } from '../traces/stepFigure.ts';
import { armLines, type StepPanel } from '../traces/stepLines.ts';

/** How far the distributions of both agents of EVINCE are apart, and how well they argue, exchange by exchange. */
export const exchangeMeasuresFigure: Figure<readonly StepPanel[]> = stepFigure({
  id: 'exchange-measures',
  title: 'Measures of the exchanges, round by round',
  paper: 'EVINCE: figure 7.3, tables 7.2, 7.3',
  group: 'protocols',
  stepName: 'round',
  what: 'As they were recorded after each exchange. Logarithms are natural, so that information is in nats; n on an axis is the number of labels.',
  absent: 'No finished trial has exchanges. An arm of the protocol evince measures every round.',
  panels: (figures) =>
    tracedMeasures.flatMap(({ id, name, axis, most, lines }) =>
      lines.map(
        ({ of }): StepPanel => ({
          title: of === '' ? name : `${name} of ${of}`,
          unit: axis,
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
