// Trials that have ended, with how their verdicts were found.
import type { TrialLine } from '../../shared/trialLine.ts';
import { flips } from '../statistics/flips.ts';
import type { DecidedTrial } from '../trajectory/decidedTrial.ts';
import type { PlacedStep } from './steps.ts';

export interface EndedTrial {
  readonly line: TrialLine;
  readonly decided: DecidedTrial | null;
}

export interface DeliberationTerms {
  /** Arms with their protocols, in the order of the experiment. */
  readonly arms: readonly { readonly name: string; readonly protocol: string }[];
  /** Candidate labels in order; none for open cases. */
  readonly labels: readonly string[];
  readonly positive: string | null;
  readonly multiLabel: boolean;
}

const rulingLine = (decided: DecidedTrial | null) => decided?.lines.find(({ rules }) => rules) ?? null;

/** Changes of the leading label along what the ruling role held, and the step of the last one. */
export function flipsOf(decided: DecidedTrial | null): { flips: number; last: PlacedStep | null } | null {
  const points = rulingLine(decided)?.points ?? [];
  const beliefs = points.map(({ belief }) => belief);
  const found = flips(beliefs);
  if (found === null) return null;
  const upTo = (end: number) => flips(beliefs.slice(0, end + 1)) ?? 0;
  const last = found === 0 ? -1 : points.findIndex((_, end) => upTo(end) === found);
  return { flips: found, last: points[last]?.step ?? null };
}
