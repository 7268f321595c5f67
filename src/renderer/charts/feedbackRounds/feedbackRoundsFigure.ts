import type { Trace } from '../../../shared/api/protocolFigures.ts';
import type { Figure } from '../kit/figure.ts';
import { stepFigure } from '../traces/stepFigure.ts';
import { armLines, type StepPanel } from '../traces/stepLines.ts';

const panels: readonly { readonly title: string; readonly fits: (trace: Trace) => boolean }[] = [
  { title: 'Opinion, P(truth)', fits: ({ kind, of }) => kind === 'opinion' && of === 'opinion' },
  { title: 'The judge alone, P(truth)', fits: ({ kind, of }) => kind === 'opinion' && of === 'judge' },
  { title: 'Reliability', fits: ({ kind }) => kind === 'reliability' },
];

/** What Debate-Feedback holds and how reliable its answers were rated, round by round. */
export const feedbackRoundsFigure: Figure<readonly StepPanel[]> = stepFigure({
  id: 'feedback-rounds',
  title: 'Opinion and reliability, round by round',
  paper: 'Debate-Feedback: algorithm 1',
  group: 'protocols',
  stepName: 'round',
  what: 'Probability of the true label in the opinion after each round and in the judge’s own answer before smoothing, and the mean reliability of the round’s answers. The start is the answer before any debate.',
  absent: 'No finished trial has rounds that were settled. An arm of the protocol debate-feedback has them.',
  panels: (figures) =>
    panels.map(({ title, fits }) => ({
      title,
      unit: null,
      max: 1,
      share: true,
      lines: armLines(figures, figures.traces.filter(fits)),
    })),
});
