import { statisticsParts } from '../main/engine/engine.ts';
import type { StatsReport } from '../shared/outputs.ts';
import { demoBanner, piecesText } from './format.ts';

/** The statistics of an experiment as the command line prints them: the finding first. */
export function statisticsText(report: StatsReport): string {
  const pieces = statisticsParts(report).flatMap((part) => part.pieces);
  return [...(report.standin ? [demoBanner] : []), piecesText(pieces), ''].join('\n');
}
