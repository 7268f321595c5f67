// Runs a protocol in a court to its verdict or its failure.
import type { Case, Outcome } from '../../shared/domain.ts';
import { changedCase } from '../cases/changedCase.ts';
import { maskNames } from '../cases/maskNames.ts';
import { TurnFailure } from '../protocols/court.ts';
import type { BoundProtocol } from '../protocols/index.ts';
import type { TrialCourt } from './trialCourt.ts';

export interface TrialEnd {
  readonly outcome: Outcome;
  /** Some turn was forfeited on the way. */
  readonly incomplete: boolean;
}

/** The case as it is tried: with the arm's change, with its names masked, and where labels are swapped with every list the other way round. */
function asTried(court: TrialCourt, kase: Case): Case {
  const changed = court.change === undefined ? kase : changedCase(kase, court.change, court.caseSeed);
  const own = court.masksNames ? maskNames(changed) : changed;
  return court.swapped('labels') ? { ...own, labels: own.labels.toReversed() } : own;
}

/** Runs a protocol to its end. A step that failed for good ends the trial; outages, interruptions and divergences are thrown. */
export async function conductTrial(protocol: BoundProtocol, court: TrialCourt, kase: Case): Promise<TrialEnd> {
  const tried = asTried(court, kase);
  court.hear(tried);
  try {
    await protocol.run(court, tried);
  } catch (error) {
    if (!(error instanceof TurnFailure)) throw error;
    return { outcome: error.outcome, incomplete: court.forfeits > 0 };
  }
  if (!court.ruled && kase.labels.length > 0) throw new Error('the protocol ended without a ruling');
  return { outcome: 'decided', incomplete: court.forfeits > 0 };
}
