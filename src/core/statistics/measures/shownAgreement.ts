// Words for the agreement of verdicts and for what is derived from them, for screens too: nothing is computed here.
import type { DerivedStatistics, RaterAgreement } from '../../../shared/statistics.ts';

export const amongText: Readonly<Record<RaterAgreement['among'], string>> = {
  arms: 'arms, on the same case',
  imported: 'imported arms, on the same case',
  replicates: 'replicates of an arm',
  judges: 'judges or voters within a trial',
};

export const derivedText: Readonly<Record<DerivedStatistics['method'], string>> = {
  majority: 'majority of the arms',
  'dawid-skene': 'Dawid-Skene estimate',
};

export const derivedNote =
  'computed, without a call; no trial of these ran, and they are in no comparison, no test and not in the finding. Over what three or more of the arms have finished; neither sees the truth.';

/** Where there is no verdict, and why. */
export function undecidedText({ undecided: { ties, without_verdict: none }, fit }: DerivedStatistics): string {
  const found = [
    ...(ties === 0 ? [] : [`${ties} tied`]),
    ...(none === 0 ? [] : [`${none} without any verdict`]),
    ...(fit === null || fit.converged ? [] : [`estimate not settled after ${fit.rounds} rounds`]),
  ];
  return found.length === 0 ? 'none' : found.join(', ');
}
