// How trials ended.
import { failureOutcomes } from '../../../shared/domain.ts';
import { type PlannedMeasure, plannedShare } from './planned.ts';
import type { CasedTrials } from './trials.ts';

const noTrial = 'no finished trial';

/** How trials ended: shares of forfeited turns, of inconsistent verdicts, and of each kind of failure that occurred. */
export function outcomeMeasures(trials: CasedTrials): PlannedMeasure[] {
  const present = new Set(trials.trials.map(({ outcome }) => outcome));
  const kinds = failureOutcomes.filter((kind) => kind === 'malformed' || present.has(kind));
  return [
    plannedShare({ name: 'failed', over: 'finished' }, trials, ({ outcome }) => outcome !== 'decided', noTrial),
    ...kinds.map((kind) =>
      plannedShare({ name: `failed_${kind}`, over: 'finished' }, trials, ({ outcome }) => outcome === kind, noTrial),
    ),
    plannedShare({ name: 'incomplete', over: 'finished' }, trials, ({ incomplete }) => incomplete, noTrial),
    plannedShare(
      { name: 'inconsistent', over: 'decided' },
      trials,
      ({ outcome, inconsistent }) => (outcome === 'decided' ? inconsistent : null),
      'no decided trial',
    ),
  ];
}
