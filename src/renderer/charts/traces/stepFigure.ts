import type { ProtocolFigures } from '../../../shared/api/protocolFigures.ts';
import { legend, shownName, tooltip } from '../kit/axes.ts';
import type { Figure } from '../kit/figure.ts';
import { panelsHeight } from '../panels/panelGrid.ts';
import { type StepPanel, stepOption, stepsBehind, stepsBehindRow, stepsCaption, stepTable } from './stepLines.ts';

interface StepFigureTerms extends Pick<Figure, 'id' | 'title' | 'paper' | 'group'> {
  /** What is measured, at the head of the caption. */
  readonly what: string;
  /** Why there is nothing, and what experiment would have it. */
  readonly absent: string;
  /** Under the last axis. */
  readonly stepName: string;
  panels(figures: ProtocolFigures): StepPanel[];
}

/** A figure of means over the steps of trials. */
export const stepFigure = ({ what, absent, stepName, panels, ...about }: StepFigureTerms): Figure<readonly StepPanel[]> => ({
  ...about,
  needs: ['protocols'],
  data({ protocols }) {
    if (protocols === null) return { absent: 'The trials have not been read yet.' };
    const found = panels(protocols).filter(({ lines }) => lines.length > 0);
    return found.length === 0 ? { absent } : found;
  },
  caption: (data) => stepsCaption(data, what),
  height: (data) => panelsHeight(data.length),
  option: (data, paint, size) => ({
    ...stepOption(data, paint, size, stepName),
    legend: { ...legend(paint), data: [...new Set(data.flatMap(({ lines }) => lines.map(({ name }) => name)))].map(shownName) },
    tooltip: { ...tooltip(paint), trigger: 'item' },
  }),
  table: stepTable,
  behind: stepsBehind,
  behindRow: stepsBehindRow,
});
