import type { TrialLine } from '../../../shared/trialLine.ts';

/** A page's lines with those that changed put in the place of the old ones; lines of other pages are left out. */
export function linesMerged(lines: readonly TrialLine[], changed: readonly TrialLine[]): TrialLine[] {
  const news = new Map(changed.map((line) => [line.trial, line]));
  return lines.map((line) => news.get(line.trial) ?? line);
}
