// How trials ended.
import { failureOutcomes } from '../../../shared/domain.ts';
import { type PlannedMeasure, plannedShare } from './planned.ts';
import type { CasedTrials, MeasuredTrial } from './trials.ts';

/** How trials ended: shares of forfeited turns, of inconsistent verdicts, and of each kind of failure that occurred. */
export function outcomeMeasures(trials: CasedTrials): PlannedMeasure[] {
  const present = new Set(trials.trials.map(({ outcome }) => outcome));
  const kinds = failureOutcomes.filter((kind) => kind === 'malformed' || present.has(kind));
  const share = (name: string, fits: (trial: MeasuredTrial) => boolean) =>
    plannedShare({ name, over: 'finished' }, trials, fits, 'no finished trial');
  return [
    share('failed', ({ outcome }) => outcome !== 'decided'),
    ...kinds.map((kind) => share(`failed_${kind}`, ({ outcome }) => outcome === kind)),
    share('incomplete', ({ incomplete }) => incomplete),
    plannedShare(
      { name: 'inconsistent', over: 'decided' },
      trials,
      ({ outcome, inconsistent }) => (outcome === 'decided' ? inconsistent : null),
      'no decided trial',
    ),
  ];
}
