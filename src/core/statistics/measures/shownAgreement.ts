// Words for the agreement of verdicts, for screens too: nothing is computed here.
import type { RaterAgreement } from '../../../shared/statistics.ts';

/** What agrees, in words. */
export const amongText: Readonly<Record<RaterAgreement['among'], string>> = {
  arms: 'arms, on the same case',
  imported: 'imported arms, on the same case',
  replicates: 'replicates of an arm',
  judges: 'judges within a trial',
};
