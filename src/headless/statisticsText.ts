import { statisticsParts } from '../main/engine/engine.ts';
import type { StatsReport } from '../shared/outputs.ts';
import { demoBanner, table } from './format.ts';

/** The statistics of an experiment as the command line prints them: the finding first. */
export function statisticsText(report: StatsReport): string {
  const pieces = statisticsParts(report).flatMap((part) => part.pieces);
  const lines = pieces.map((piece) => (typeof piece === 'string' ? piece : table(piece.head, piece.rows).trimEnd()));
  return [...(report.standin ? [demoBanner] : []), ...lines, ''].join('\n');
}
