import { statisticsParts } from '../main/engine/engine.ts';
import { inventedAnswers } from '../shared/demoModel.ts';
import type { StatsReport } from '../shared/outputs.ts';
import { bannerOf, piecesText } from './format.ts';

/** The statistics of an experiment as the command line prints them: the finding first. */
export function statisticsText(report: StatsReport): string {
  const invented = inventedAnswers(report);
  const pieces = statisticsParts(report).flatMap((part) => part.pieces);
  return [...(invented === null ? [] : [bannerOf(invented)]), piecesText(pieces), ''].join('\n');
}
