import type { Figure } from '../kit/figure.ts';
import { stepFigure } from '../traces/stepFigure.ts';
import { armLines, type StepPanel } from '../traces/stepLines.ts';

/** What the critic of SocraSynth gives the debate, round by round. */
export const critByRoundFigure: Figure<readonly StepPanel[]> = stepFigure({
  id: 'crit-by-round',
  title: 'CRIT of the debate, round by round',
  paper: 'SocraSynth: section 6.2',
  group: 'protocols',
  stepName: 'round',
  what: 'One score from 1 to 10 of everything that both sides have said so far: the critic does not score them apart.',
  absent: 'No finished trial has a score of its debate. An arm of the protocol socrasynth asks its critic after every round.',
  panels: (figures) => [
    {
      title: 'CRIT',
      unit: 'points, 1 to 10',
      max: 10,
      share: false,
      lines: armLines(
        figures,
        figures.traces.filter(({ kind }) => kind === 'evaluation'),
      ),
    },
  ],
});
